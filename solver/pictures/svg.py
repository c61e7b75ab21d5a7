"""Drawings as SVG.

Takes a Drawing; returns a complete SVG document that refers to nothing outside itself. In the theme
"auto" colours are CSS classes, light or dark as the viewer prefers; in "light" and "dark" they are
attributes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

from solver.pictures.colours import DARK, LIGHT, THEMES
from solver.pictures.shapes import (
    Circle,
    Drawing,
    Group,
    Line,
    Polygon,
    Rectangle,
    Shape,
    Text,
    Use,
)

BASELINE = 0.35  # how far the baseline lies below the middle of a capital, in font sizes
HATCH = "hatch"  # a fill that is a pattern instead of a role
HATCHING = (Rectangle(0, 0, 5, 5, "bad"), Rectangle(0, 0, 1.6, 5, "paper"))


def svg(drawing: Drawing, theme: str = "auto", width: int | None = None) -> str:
    """Return a drawing as an SVG document, `width` pixels wide or as wide as the drawing says.

    The theme is "light", "dark", or "auto" for what the viewer prefers.
    """
    wide, high = drawing.width, drawing.height
    scale = 1 if width is None else width / wide
    palette = {**THEMES.get(theme, {}), **drawing.colours}
    body = _write([Rectangle(0, 0, wide, high, "paper"), *drawing.shapes], palette)
    symbols = "".join(
        f'<g id="{name}">{_write(shapes, palette)}</g>' for name, shapes in drawing.symbols.items()
    )
    if f"url(#{HATCH})" in body:
        symbols += (
            f'<pattern id="{HATCH}" width="5" height="5" patternUnits="userSpaceOnUse"'
            f' patternTransform="rotate(45)">{_write(HATCHING, palette)}</pattern>'
        )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}"'
        f' width="{_number(wide * scale)}" height="{_number(high * scale)}" role="img"'
        f' font-family="system-ui, sans-serif">{_element("title", escape(drawing.title))}'
        f"{_element('desc', escape(drawing.description))}"
        f"{_element('style', _style(symbols + body))}{_element('defs', symbols)}{body}</svg>\n"
    )


def _element(tag: str, content: str) -> str:
    """Return an element, or nothing if it would be empty."""
    return f"<{tag}>{content}</{tag}>" if content else ""


def _write(shapes: Iterable[Shape], palette: Mapping[str, str]) -> str:
    """Return shapes as SVG elements, in the palette's colours or with classes for `_style`."""
    return "".join(_write_shape(shape, palette) for shape in shapes)


def _write_shape(shape: Shape, palette: Mapping[str, str]) -> str:
    n = _number
    match shape:
        case Line(places, line, width, opacity):
            faint = "" if opacity == 1 else f' stroke-opacity="{n(opacity)}"'
            path = "L".join(f"{n(x)} {n(y)}" for x, y in places)
            element = (
                f'<path{_paint(None, line, palette)} stroke-width="{n(width)}"'
                f' stroke-linecap="round"{faint} d="M{path}"/>'
            )
        case Circle((x, y), radius, fill, line, width):
            paint = _paint(fill, line, palette)
            outline = "" if line is None else f' stroke-width="{n(width)}"'
            element = f'<circle{paint}{outline} cx="{n(x)}" cy="{n(y)}" r="{n(radius)}"/>'
        case Polygon(corners, fill, line, width):
            paint = _paint(fill, line, palette) + _outline(line, width)
            points = " ".join(f"{n(x)},{n(y)}" for x, y in corners)
            element = f'<polygon{paint} points="{points}"/>'
        case Rectangle():
            element = _write_rectangle(shape, palette)
        case Text():
            element = _write_text(shape, palette)
        case Group(shapes, x, y, scale, title):
            scaled = "" if scale == 1 else f"scale({scale:.4g})"
            content = _element("title", escape(title)) + _write(shapes, palette)
            element = f'<g transform="translate({n(x)} {n(y)}){scaled}">{content}</g>'
        case Use(symbol):
            element = f'<use href="#{symbol}"/>'
    return element


def _write_rectangle(shape: Rectangle, palette: Mapping[str, str]) -> str:
    n = _number
    paint = _paint(shape.fill, shape.line, palette) + _outline(shape.line, shape.line_width)
    if shape.opacity != 1:
        paint += f' fill-opacity="{n(shape.opacity)}"'
    if shape.dashed:
        paint += ' stroke-dasharray="4 3"'
    rounded = f' rx="{n(shape.radius)}"' if shape.radius else ""
    return (
        f'<rect{paint} x="{n(shape.x)}" y="{n(shape.y)}" width="{n(shape.width)}"'
        f' height="{n(shape.height)}"{rounded}/>'
    )


def _write_text(shape: Text, palette: Mapping[str, str]) -> str:
    n, (x, y) = _number, shape.at
    bold = ' font-weight="700"' if shape.bold else ""
    align = "" if shape.align == "start" else f' text-anchor="{shape.align}"'
    turned = f' transform="rotate({n(shape.angle)} {n(x)} {n(y)})"' if shape.angle else ""
    return (
        f'<text{_paint(shape.fill, None, palette)} x="{n(x)}" y="{n(y + BASELINE * shape.size)}"'
        f' font-size="{n(shape.size)}"{bold}{align}{turned}>{escape(shape.text)}</text>'
    )


def _paint(fill: str | None, line: str | None, palette: Mapping[str, str]) -> str:
    """Return the attributes that colour an element: the palette's colours, or else classes."""
    classes, colours = [], ""
    for kind, attribute, role in (("fill", "fill", fill), ("line", "stroke", line)):
        if role == HATCH:
            colours += f' {attribute}="url(#{HATCH})"'
        elif role is not None and role in palette:
            colours += f' {attribute}="{palette[role]}"'
        elif role is not None:
            classes.append(f"pp-{kind}-{role}")
    named = f' class="{" ".join(classes)}"' if classes else ""
    return named + colours + ' fill="none"' * (fill is None)


def _outline(line: str | None, width: float) -> str:
    return "" if line is None else f' stroke-width="{_number(width)}" stroke-linejoin="round"'


def _style(body: str) -> str:
    """Return the CSS rules for the classes in a picture, for light and for dark."""
    used = sorted(set(re.findall(r"pp-(fill|line)-([a-z-]+)", body)))
    light, dark = (
        [
            f".pp-{kind}-{role}{{{'stroke' if kind == 'line' else 'fill'}:{theme[role]}}}"
            for kind, role in used
        ]
        for theme in (LIGHT, DARK)
    )
    changed = "".join(rule for rule in dark if rule not in light)
    media = f"@media(prefers-color-scheme:dark){{{changed}}}" if used else ""
    return "".join(light) + media


def _number(x: float) -> str:
    """Return a number with at most two digits after the point."""
    return f"{round(x, 2):g}"
