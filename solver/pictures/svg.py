"""Pictures in plain SVG: boards, sheets of boards, tables of numbers.

A picture brings its own background and text colours, light or dark as the viewer prefers. The
colours of values are those of Okabe and Ito, which people with any colour vision tell apart, and
never say anything that is not also said in text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from solver.pictures.shapes import (
    BLUE,
    DARK,
    LIGHT,
    ORANGE,
    THEMES,
    Circle,
    Line,
    Polygon,
    Shape,
    Text,
    mark,
    rectangle,
)

if TYPE_CHECKING:
    from solver.pictures.shapes import Drawing

STYLE = (
    "<style>.paper{fill:#fff}.ink{stroke:#222}.piece,.text{fill:#222}"
    ".note{fill:#666}@media(prefers-color-scheme:dark){.paper{fill:#1c1c1c}"
    ".ink{stroke:#ddd}.piece,.text{fill:#ddd}.note{fill:#aaa}}</style>"
)
CELL = 40  # a board's cell, in pixels
BASE = 0.35  # how far a text's base line lies below its middle, by its size


def picture(width: float, height: float, body: str, title: str) -> str:
    """Return a whole SVG picture; the title is what a screen reader says."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}" role="img" font-family="system-ui, sans-serif">'
        f"<title>{escape(title)}</title>{STYLE}{_style(body)}"
        f'<rect class="paper" width="{width:g}" height="{height:g}"/>{body}</svg>\n'
    )


def svg(drawing: Drawing, theme: str = "auto", width: int | None = None) -> str:
    """Return a drawing as a whole SVG picture, as wide as it says or `width` pixels.

    The theme is light, dark, or auto for what the viewer prefers.
    """
    high, wide = drawing.height, drawing.width
    scale = 1 if width is None else width / wide
    palette = {**THEMES.get(theme, {}), **drawing.colours}
    paper = rectangle(0, 0, wide, high, "paper")
    body = _written([paper, *drawing.shapes], palette)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}"'
        f' width="{_number(wide * scale)}" height="{_number(high * scale)}" role="img"'
        f' font-family="system-ui, sans-serif"><title>{escape(drawing.title)}</title>{_style(body)}'
        f"{body}</svg>\n"
    )


def board(text: str, columns: int, bad: int | None = None, good: Sequence[int] = ()) -> str:
    """Return the drawing of a board, without the picture around it.

    Cells hold X, O, a dot for nothing, or a letter for a piece: large for White, small for Black.

    A bad move is a dashed orange frame with the word bad, a good one a blue frame with best.
    """
    rows = len(text) // columns
    width, height = columns * CELL, rows * CELL
    parts = []
    for cell, sign in enumerate(text):
        x, y = cell % columns * CELL, cell // columns * CELL
        parts.append(_written(mark(sign, (x + CELL / 2, y + CELL / 2), CELL), {}))
        if cell in good:
            parts.append(_sign(x, y, BLUE, "best", ""))
        if cell == bad:
            parts.append(_sign(x, y, ORANGE, "bad", ' stroke-dasharray="4 3"'))
    lines = [f"M{c * CELL} 2V{height - 2}" for c in range(1, columns)]
    lines += [f"M2 {r * CELL}H{width - 2}" for r in range(1, rows)]
    return f'<path class="ink" stroke-width="2" d="{"".join(lines)}"/>{"".join(parts)}'


def sheet(boards: Sequence[tuple[str, str, str]], columns: int, title: str, across: int = 5) -> str:
    """Return a picture of several boards, each given by its text, a line above and one below."""
    rows = max((len(text) // columns for text, _, _ in boards), default=0)
    wide, high = columns * CELL + 40, rows * CELL + 70
    parts = []
    for number, (text, above, below) in enumerate(boards):
        x, y = number % across * wide + 20, number // across * high + 30
        middle = columns * CELL / 2
        parts.append(
            f'<g transform="translate({x} {y})">'
            f'<text class="text" x="{middle:g}" y="-10" font-size="13" text-anchor="middle">'
            f"{escape(above)}</text>{board(text, columns)}"
            f'<text class="note" x="{middle:g}" y="{rows * CELL + 20}" font-size="12"'
            f' text-anchor="middle">{escape(below)}</text></g>'
        )
    lines = -(-len(boards) // across)
    return picture(min(across, len(boards)) * wide, lines * high, "".join(parts), title)


def heat_map(names: Sequence[str], values: Sequence[Sequence[float | None]], title: str) -> str:
    """Return a table of values from -1 to 1, row against column, as colours with their numbers.

    Blue is good for the row, orange bad; an empty value is left blank.
    """
    label = 8 + 7.2 * max(len(name) for name in names)
    size, top = 58, label * 0.72 + 40
    parts = [f'<text class="text" x="8" y="22" font-size="15">{escape(title)}</text>']
    for i, name in enumerate(names):
        x, y = label + i * size + size / 2, top + i * 34 + 22
        parts.append(
            f'<text class="text" x="{label - 6:g}" y="{y:g}" font-size="12" text-anchor="end">'
            f'{escape(name)}</text><text class="text" font-size="12" transform="translate('
            f'{x + 4:g} {top - 8:g}) rotate(-45)">{escape(name)}</text>'
        )
        for j, value in enumerate(values[i]):
            if value is not None:
                parts.append(_heat_cell(label + j * size, top + i * 34, size, value))
    width = label + len(names) * size + label * 0.72
    return picture(round(width), round(top + len(names) * 34 + 12), "".join(parts), title)


def _heat_cell(x: float, y: float, size: float, value: float) -> str:
    colour, share = (BLUE if value >= 0 else ORANGE), min(1.0, abs(value))
    ink = ' fill="#fff"' if share > 0.7 else ' class="text"'
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{size - 2}" height="32" fill="{colour}"'
        f' fill-opacity="{share:.3f}"/><text{ink} x="{x + size / 2 - 1:g}" y="{y + 21:g}"'
        f' font-size="12" text-anchor="middle">{value:+.2f}</text>'
    )


def _sign(x: float, y: float, colour: str, word: str, dashes: str) -> str:
    """Return a framed cell with a word in it."""
    return (
        f'<rect x="{x + 3}" y="{y + 3}" width="{CELL - 6}" height="{CELL - 6}" fill="none"'
        f' stroke="{colour}" stroke-width="3"{dashes}/><text class="text" x="{x + CELL / 2:g}"'
        f' y="{y + CELL / 2 + 4:g}" font-size="12" text-anchor="middle">{word}</text>'
    )


def _written(shapes: Sequence[Shape], palette: Mapping[str, str]) -> str:
    """Return shapes as SVG, in the palette's colours; the others get classes for `_style`."""
    return "".join(_element(shape, palette) for shape in shapes)


def _element(shape: Shape, palette: Mapping[str, str]) -> str:
    n = _number
    if isinstance(shape, Line):
        (x1, y1), (x2, y2) = shape.start, shape.end
        colours = _colours(None, shape.line, palette)
        return (
            f'<path{colours} stroke-width="{n(shape.width)}" stroke-linecap="round"'
            f' d="M{n(x1)} {n(y1)}L{n(x2)} {n(y2)}"/>'
        )
    x, y = (0.0, 0.0) if isinstance(shape, Polygon) else shape.centre
    if isinstance(shape, Text):
        bold = ' font-weight="700"' * shape.bold
        return (
            f'<text{_colours(shape.fill, None, palette)} x="{n(x)}" y="{n(y + BASE * shape.size)}"'
            f' font-size="{n(shape.size)}"{bold} text-anchor="middle">{escape(shape.text)}</text>'
        )
    colours = _colours(shape.fill, shape.line, palette)
    width = "" if shape.line is None else f' stroke-width="{n(shape.width)}"'
    if isinstance(shape, Circle):
        return f'<circle{colours}{width} cx="{n(x)}" cy="{n(y)}" r="{n(shape.radius)}"/>'
    joins = "" if shape.line is None else ' stroke-linejoin="round"'
    points = " ".join(f"{n(a)},{n(b)}" for a, b in shape.points)
    return f'<polygon{colours}{width}{joins} points="{points}"/>'


def _colours(fill: str | None, line: str | None, palette: Mapping[str, str]) -> str:
    """Return the attributes that colour an element: the palette's, or else classes."""
    names, said = [], ""
    for kind, attribute, role in (("fill", "fill", fill), ("line", "stroke", line)):
        if role is not None and role in palette:
            said += f' {attribute}="{palette[role]}"'
        elif role is not None:
            names.append(f"pp-{kind}-{role}")
    classes = f' class="{" ".join(names)}"' if names else ""
    return classes + said + ' fill="none"' * (fill is None)


def _style(body: str) -> str:
    """Return the rules for the classes that a picture uses, for light and for dark."""
    used = sorted(set(re.findall(r"pp-(fill|line)-([a-z-]+)", body)))
    if not used:
        return ""
    light, dark = (
        [
            f".pp-{kind}-{role}{{{'stroke' if kind == 'line' else 'fill'}:{theme[role]}}}"
            for kind, role in used
        ]
        for theme in (LIGHT, DARK)
    )
    other = "".join(rule for rule in dark if rule not in light)
    return f"<style>{''.join(light)}@media(prefers-color-scheme:dark){{{other}}}</style>"


def _number(x: float) -> str:
    """Return a number with at most two digits after the point."""
    return f"{round(x, 2):g}"
