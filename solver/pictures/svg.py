"""Drawings as SVG.

Takes a Drawing; returns a complete SVG document that refers to nothing outside itself. Colours are
CSS classes, light or dark as the viewer prefers; in a plain document they are attributes, light.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

from solver.errors import plain
from solver.pictures.colours import DARK, LIGHT
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

Attributes = dict[str, str | float | None]
"""The attributes of an element; those that are None are left out."""

BASELINE = 0.35  # how far the baseline lies below the middle of a capital, in font sizes


def svg(drawing: Drawing, width: int | None = None, *, plain: bool = False) -> str:
    """Return a drawing as an SVG document, `width` pixels wide or as wide as the drawing says."""
    wide, high = drawing.width, drawing.height
    scale = 1 if width is None else width / wide
    palette = LIGHT if plain else {}
    body = _write([Rectangle(0, 0, wide, high, "paper"), *drawing.shapes], palette)
    defs = symbols(drawing.symbols, palette)
    parts = {
        "title": escaped(drawing.title),
        "desc": escaped(drawing.description),
        "style": _style(defs + body),
        "defs": defs,
    }
    head = "".join(_tag(name, {}, content) for name, content in parts.items() if content)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}"'
        f' width="{_number(wide * scale)}" height="{_number(high * scale)}" role="img"'
        f' font-family="system-ui, sans-serif">{head}{body}</svg>\n'
    )


def symbols(named: Mapping[str, Iterable[Shape]], palette: Mapping[str, str]) -> str:
    """Return shapes as groups of SVG with names, for elements `use`."""
    return "".join(
        _tag("g", {"id": escaped(n)}, _write(shapes, palette)) for n, shapes in named.items()
    )


def _write(shapes: Iterable[Shape], palette: Mapping[str, str]) -> str:
    """Return shapes as SVG elements, in the palette's colours or with classes for `_style`."""
    return "".join(_write_shape(shape, palette) for shape in shapes)


def _write_shape(shape: Shape, palette: Mapping[str, str]) -> str:
    n = _number
    match shape:
        case Line(points, line, width):
            path = "M" + "L".join(f"{n(x)} {n(y)}" for x, y in points)
            look = _paint(None, line, palette) | {"stroke-width": width, "stroke-linecap": "round"}
            element = _tag("path", look | {"d": path})
        case Circle((x, y), radius, fill, line, width):
            look = _paint(fill, line, palette, width)
            element = _tag("circle", look | {"cx": x, "cy": y, "r": radius})
        case Polygon(corners, fill, line, width):
            path = " ".join(f"{n(x)},{n(y)}" for x, y in corners)
            look = _paint(fill, line, palette, width) | {"stroke-linejoin": line and "round"}
            element = _tag("polygon", look | {"points": path})
        case Rectangle(x, y, width, height, fill, line, line_width, radius, opacity, dashed):
            look = _paint(fill, line, palette, line_width) | {"stroke-linejoin": line and "round"}
            look["fill-opacity"] = None if opacity == 1 else opacity
            look["stroke-dasharray"] = "4 3" if dashed else None
            look |= {"x": x, "y": y, "width": width, "height": height, "rx": radius or None}
            element = _tag("rect", look)
        case Text((x, y), text, size, fill, bold, align):
            look = _paint(fill, None, palette) | {"x": x, "y": y + BASELINE * size}
            look |= {"font-size": size, "font-weight": "700" if bold else None}
            look["text-anchor"] = None if align == "start" else align
            element = _tag("text", look, escaped(text))
        case Group(shapes, x, y, scale, title):
            place = f"translate({n(x)} {n(y)})" + (f"scale({scale:.4g})" if scale != 1 else "")
            label = _tag("title", {}, escaped(title)) if title else ""
            element = f'<g transform="{place}">{label}{_write(shapes, palette)}</g>'
        case Use(symbol):
            element = f'<use href="#{symbol}"/>'
    return element


def escaped(text: str) -> str:
    """Return a text for XML or HTML, which have neither control characters nor surrogates."""
    return escape(plain(text))


def _tag(name: str, attributes: Attributes, content: str = "") -> str:
    """Return an element."""
    written = "".join(
        f' {key}="{value if isinstance(value, str) else _number(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def _paint(
    fill: str | None, line: str | None, palette: Mapping[str, str], width: float | None = None
) -> Attributes:
    """Return the attributes that colour an element: the palette's colours, or else classes."""
    roles = [("fill", fill), ("line", line)]
    classes = [f"pp-{kind}-{role}" for kind, role in roles if role and role not in palette]
    return {
        "class": " ".join(classes) or None,
        "fill": "none" if fill is None else palette.get(fill),
        "stroke": line and palette.get(line),
        "stroke-width": line and width,
    }


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
