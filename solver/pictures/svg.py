"""Drawings as SVG and PNG, and the colours of their roles, light and dark.

Takes a Drawing; returns a complete SVG document that refers to nothing outside itself. Colours are
CSS classes, light or dark as the viewer prefers; in a plain document they are attributes, light.
The colours of values and of the two sides are those of Okabe and Ito (Color Universal Design,
2008), or close to them, so that people with any colour vision can tell them apart.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any

from solver.errors import needs_extra, one_line
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

BLUE, ORANGE = "#0072b2", "#d55e00"  # of Okabe and Ito
BLACK, WHITE = "#222222", "#ffffff"
ROLES = {  # the light theme's colour, and the dark theme's
    "paper": (WHITE, "#1c1c1c"),
    "ink": (BLACK, "#dddddd"),
    "note": ("#5f5f5f", "#aaaaaa"),
    "good": (BLUE, BLUE),
    "bad": (ORANGE, ORANGE),
    "rim": ("#2b5fa8", "#366ab3"),
    "light": ("#f4ecdc", "#958b7b"),
    "dark": ("#d0b692", "#6b6152"),
    "tint": ("#ffe48a", "#6f5c10"),
    "sign": (BLACK, "#dddddd"),
    "x": (BLACK, "#dddddd"),
    "o": ("#6a3fb5", "#b79cf0"),
    "disc-x": ("#d62839", "#d62839"),
    "disc-o": ("#f4c430", "#f4c430"),
    "on-x": ("#ffc9ce", "#ffc9ce"),
    "on-o": ("#7a5f08", "#7a5f08"),
    "white": (WHITE, WHITE),
    "black": (BLACK, BLACK),
    "edge-white": (BLACK, BLACK),
    "edge-black": (BLACK, "#dddddd"),
    "win": (BLUE, BLUE),
    "draw": ("#707070", "#767676"),  # with "loss", dark enough for white text
    "loss": ("#c25400", "#c25400"),
    "on-value": (WHITE, WHITE),
}
LIGHT = {role: light for role, (light, _) in ROLES.items()}
DARK = {role: dark for role, (_, dark) in ROLES.items()}


def properties() -> str:
    """Return CSS that names the colours of the themes --ROLE, and uses them for classes of SVG."""
    light, dark = ("".join(f"--{r}:{c};" for r, c in theme.items()) for theme in (LIGHT, DARK))
    classes = (f".pp-fill-{r}{{fill:var(--{r})}}.pp-line-{r}{{stroke:var(--{r})}}" for r in ROLES)
    media = f"@media(prefers-color-scheme:dark){{:root{{{dark}}}}}"
    return f":root{{{light}}}{media}{''.join(classes)}\n"


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
        case Rectangle(x, y, width, height, fill, line, line_width, opacity, dashed):
            look = _paint(fill, line, palette, line_width) | {"stroke-linejoin": line and "round"}
            look["fill-opacity"] = None if opacity == 1 else opacity
            look["stroke-dasharray"] = "4 3" if dashed else None
            look |= {"x": x, "y": y, "width": width, "height": height}
            element = _tag("rect", look)
        case Text((x, y), text, size, fill, bold, align):
            look = _paint(fill, None, palette) | {"x": x, "y": y + BASELINE * size}
            look |= {"font-size": size, "font-weight": "700" if bold else None}
            look["text-anchor"] = None if align == "start" else align
            element = _tag("text", look, escaped(text))
        case Group(shapes, x, y, scale, title):
            moved = f"translate({n(x)} {n(y)})" + (f"scale({scale:.4g})" if scale != 1 else "")
            label = _tag("title", {}, escaped(title)) if title else ""
            element = f'<g transform="{moved}">{label}{_write(shapes, palette)}</g>'
        case Use(symbol):
            element = f'<use href="#{symbol}"/>'
    return element


def escaped(text: str) -> str:
    """Return a text for XML or HTML, which have neither control characters nor surrogates."""
    return escape(one_line(text))


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


def png(drawing: Drawing, width: int) -> bytes:
    """Return a drawing as a PNG file; raises ImportError without resvg and Pillow."""
    from tempfile import TemporaryDirectory

    with needs_extra("drawing PNG", "pictures"):
        from PIL import ImageFont
        from resvg_py import svg_to_bytes
    font = ImageFont.load_default(1)
    assert isinstance(font, ImageFont.FreeTypeFont)
    # That font has no bold weight; an outline in the colour of the text stands in for it.
    colours = {LIGHT[role] for role in ("ink", "on-value")}
    bold = "".join(
        f'text[font-weight][fill="{c}"]{{stroke:{c};stroke-width:.07em}}' for c in colours
    )
    with TemporaryDirectory() as folder:  # resvg reads fonts from files only
        path = Path(folder, "font.ttf")
        path.write_bytes(font.font_bytes)
        return svg_to_bytes(
            svg(drawing, width, plain=True),
            skip_system_fonts=True,
            font_files=[str(path)],
            sans_serif_family=font.getname()[0],
            style_sheet=bold,
        )


def pixels(drawing: Drawing, width: int) -> Any:
    """Return a drawing as a numpy array of shape (height, width, 3); raises ImportError."""
    data = png(drawing, width)
    import numpy as np
    from PIL import Image

    return np.array(Image.open(io.BytesIO(data)).convert("RGB"))
