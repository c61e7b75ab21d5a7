"""Drawings as lists of shapes, which `pictures` writes as SVG and `raster` as pixels.

A drawing is a size, shapes from the back to the front, and a title for those who cannot see it.
A colour is the name of a role, such as ink, that a theme gives its colour; nothing is said by
colour alone. The colours of values and of the two sides are those of Okabe and Ito, or near them,
which people with any colour vision tell apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, pi, sin
from typing import NamedTuple

from solver.agent.words import moves_in

Point = tuple[float, float]


class Line(NamedTuple):
    """A straight line with round ends."""

    start: Point
    end: Point
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


class Text(NamedTuple):
    """A line of text around a point."""

    centre: Point
    text: str
    size: float
    fill: str
    bold: bool = False


Shape = Line | Circle | Polygon | Text


class Drawing(NamedTuple):
    """Shapes on a sheet of paper; `colours` replaces those of the themes."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str
    colours: Mapping[str, str] = {}


BLUE, ORANGE = "#0072b2", "#d55e00"  # Okabe and Ito, Color Universal Design, 2008
GREEN, YELLOW, PURPLE = "#009e73", "#f0e442", "#7a3b78"  # the last of them darker than theirs
WIN, DRAW, LOSS = BLUE, "#707070", "#c25400"  # dark enough for white text
LIGHT = {
    **{
        "paper": "#ffffff",
        "ink": "#222222",
        "note": "#666666",
        "rim": "#c3cedb",
        "goal": "#bfe8da",
    },
    **{"light": "#f4ecdc", "dark": "#d0b692", "tint": "#ffe48a", "sign": "#007a59"},
    **{"x": "#222222", "o": "#222222", "disc-x": PURPLE, "disc-o": YELLOW, "on-x": "#ffffff"},
    **{"on-o": "#222222", "white": "#ffffff", "black": "#222222", "edge-white": "#222222"},
    **{"edge-black": "#222222", "win": WIN, "draw": DRAW, "loss": LOSS, "on-value": "#ffffff"},
}
DARK = {
    **LIGHT,
    **{"paper": "#1c1c1c", "ink": "#dddddd", "note": "#aaaaaa", "rim": "#3d4a5a"},
    **{"light": "#958b7b", "dark": "#6b6152", "tint": "#6f5c10", "sign": "#2fc79a"},
    **{"x": "#dddddd", "o": "#dddddd", "disc-x": "#a45aa1", "edge-black": "#dddddd"},
    **{"draw": "#767676", "goal": "#14523f"},
}
THEMES = {"light": LIGHT, "dark": DARK}


def rectangle(
    x: float, y: float, width: float, height: float, fill: str | None, line: str | None = None
) -> Polygon:
    """Return a rectangle, given by its top left corner."""
    right, bottom = x + width, y + height
    return Polygon(((x, y), (right, y), (right, bottom), (x, bottom)), fill, line)


def arc(centre: Point, radius: float, start: float, end: float) -> list[Point]:
    """Return points of an arc, in degrees clockwise from the right."""
    x, y = centre
    steps = max(2, round(abs(end - start) / 15))
    angles = [(start + (end - start) * i / steps) * pi / 180 for i in range(steps + 1)]
    return [(x + radius * cos(a), y + radius * sin(a)) for a in angles]


def ink_on(colour: str) -> str:
    """Return black or white, whichever stands out more from a colour written as #rrggbb."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return "#222222" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.2 else "#ffffff"


# Pieces of chess: the right half of each outline from the top, in a square from -1 to 1
_FOOT: list[Point] = [(0.40, 0.42), (0.58, 0.60), (0.58, 0.84)]
_HALVES: dict[str, list[Point]] = {
    "P": [
        *arc((0, -0.42), 0.32, -90, 50),
        *((0.32, -0.10), (0.32, 0.02), (0.15, 0.02), (0.24, 0.38), (0.52, 0.60), (0.52, 0.84)),
    ],
    "Q": [
        *arc((0, -0.76), 0.12, -90, 60),
        *((0.15, -0.12), *arc((0.42, -0.68), 0.12, -210, 60), (0.40, -0.02)),
        *(*arc((0.80, -0.44), 0.12, -200, 90), *_FOOT),
    ],
    "K": [
        *((0.09, -0.98), (0.09, -0.84), (0.24, -0.84), (0.24, -0.67), (0.09, -0.67)),
        *((0.09, -0.46), *arc((0.40, -0.14), 0.36, -125, 50), *_FOOT),
    ],
}


def mark(sign: str, centre: Point, size: float, disc: bool = False) -> list[Shape]:
    """Return the shapes of what stands on a cell of the given size.

    X, O, with `disc` on discs in the colours of the two sides; a piece of chess, large for White
    and small for Black; a dot for nothing; any other letter on a disc.
    """
    if sign == ".":
        return []
    if sign in ("X", "O"):
        if not disc:
            return _sign(sign, centre, size * 0.3, sign.lower(), size * 0.1)
        side = sign.lower()
        return [
            Circle(centre, size * 0.38, f"disc-{side}"),
            *_sign(sign, centre, size * 0.16, f"on-{side}", size * 0.07),
        ]
    side, other = ("white", "black") if sign.isupper() else ("black", "white")
    if sign.upper() in _HALVES:
        x, y = centre
        half = _HALVES[sign.upper()]
        whole = [*half, *((-a, b) for a, b in reversed(half))]
        points = tuple((x + a * size * 0.42, y + b * size * 0.42) for a, b in whole)
        return [Polygon(points, side, f"edge-{side}", size * 0.04)]
    letter = Text(centre, sign.upper(), size * 0.42, other)
    return [Circle(centre, size * 0.3, side, f"edge-{side}", size * 0.05), letter]


def _sign(sign: str, centre: Point, radius: float, colour: str, width: float) -> list[Shape]:
    """Return a cross or a ring."""
    x, y = centre
    if sign == "O":
        return [Circle(centre, radius, None, colour, width)]
    r = radius
    return [
        Line((x - r, y - r), (x + r, y + r), colour, width),
        Line((x - r, y + r), (x + r, y - r), colour, width),
    ]


def badge(
    outcome: int, distance: int | None, centre: Point, radius: float, best: bool
) -> list[Shape]:
    """Return the value of a move: W2 in a circle, D in a square, L1 in a diamond.

    The best moves' badges have a second outline around them.
    """
    word, role = value_mark(outcome, distance), ("loss", "draw", "win")[outcome + 1]
    around = [_frame(outcome, centre, radius * 1.27, "paper", "ink", radius * 0.12)] * best
    shape = _frame(outcome, centre, radius, role, "paper", radius * 0.1)
    size = radius * (1.0 if len(word) < 3 else 0.8)
    return [*around, shape, Text(centre, word, size, "on-value", True)]


def _frame(
    outcome: int, centre: Point, radius: float, fill: str, line: str, width: float
) -> Circle | Polygon:
    """Return a circle for a win, a square for a draw, a diamond for a loss."""
    if outcome > 0:
        return Circle(centre, radius, fill, line, width)
    x, y = centre
    if outcome < 0:
        r = radius * 1.2
        return Polygon(((x, y - r), (x + r, y), (x, y + r), (x - r, y)), fill, line, width)
    r = radius * 0.86
    corners = ((x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r))
    return Polygon(corners, fill, line, width)


def value_mark(outcome: int, distance: int | None) -> str:
    """Return W2, D, L1 and so on: a win in 2 moves, a draw, a loss in 1 move.

    `distance` counts plies, the mark moves of the side to move: see `solver.agent.words.moves_in`.
    """
    return "LDW"[outcome + 1] + ("" if distance is None else str(moves_in(distance)))


def arrow(start: Point, end: Point, colour: str, width: float, short: float) -> Sequence[Shape]:
    """Return an arrow whose tip stays `short` of the end."""
    (x1, y1), (x2, y2) = start, end
    long = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    dx, dy = (x2 - x1) / long, (y2 - y1) / long
    x2, y2 = x2 - dx * short, y2 - dy * short
    head = 3 * width
    x, y = x2 - dx * head, y2 - dy * head
    wide = head * 0.6
    tip = ((x2, y2), (x - dy * wide, y + dx * wide), (x + dy * wide, y - dx * wide))
    return [Line(start, (x, y), colour, width), Polygon(tip, colour)]
