"""Shapes, of which every picture is made.

A Drawing is a size, shapes from back to front, and a title. `svg` writes it as SVG; colours are
roles, which `svg` maps to the colours of a theme. Lengths are in the units of the drawing; y
grows downwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

Point = tuple[float, float]


class Line(NamedTuple):
    """Straight lines from point to point, with round ends."""

    points: tuple[Point, ...]
    line: str
    width: float


class Circle(NamedTuple):
    """A circle, filled, outlined or both."""

    centre: Point
    radius: float
    fill: str | None = None
    line: str | None = None
    width: float = 2


class Polygon(NamedTuple):
    """A closed shape, filled, outlined or both."""

    points: tuple[Point, ...]
    fill: str | None = None
    line: str | None = None
    width: float = 2


class Rectangle(NamedTuple):
    """A rectangle, given by its top left corner and its size."""

    x: float
    y: float
    width: float
    height: float
    fill: str | None = None
    line: str | None = None
    line_width: float = 2
    opacity: float = 1
    """The opacity of the fill."""
    dashed: bool = False


class Text(NamedTuple):
    """A line of text, which starts at or is centred on a point halfway up a capital letter."""

    at: Point
    text: str
    size: float
    fill: str
    bold: bool = False
    align: str = "middle"


class Group(NamedTuple):
    """Shapes that are moved and scaled together; a viewer may show the title as a tooltip."""

    shapes: tuple[Shape, ...]
    x: float = 0
    y: float = 0
    scale: float = 1
    title: str = ""


class Use(NamedTuple):
    """A copy of one of the drawing's symbols."""

    symbol: str


Shape = Line | Circle | Polygon | Rectangle | Text | Group | Use


class Drawing(NamedTuple):
    """A picture: its size, its shapes from back to front, and text for those who cannot see it."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str
    description: str = ""
    symbols: Mapping[str, tuple[Shape, ...]] = {}
