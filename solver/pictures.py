"""Pictures in plain SVG: boards, sheets of boards, tables of numbers.

A picture brings its own background and text colours, light or dark as the viewer prefers. The
colours of values are those of Okabe and Ito, which people with any colour vision tell apart, and
never say anything that is not also said in text.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

BLUE, ORANGE = "#0072b2", "#d55e00"  # Okabe and Ito, Color Universal Design, 2008
STYLE = (
    "<style>.paper{fill:#fff}.ink{stroke:#222}.piece,.text{fill:#222}"
    ".note{fill:#666}@media(prefers-color-scheme:dark){.paper{fill:#1c1c1c}"
    ".ink{stroke:#ddd}.piece,.text{fill:#ddd}.note{fill:#aaa}}</style>"
)
CELL = 40  # a board's cell, in pixels


def picture(width: float, height: float, body: str, title: str) -> str:
    """Return a whole SVG picture; the title is what a screen reader says."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}" role="img" font-family="system-ui, sans-serif">'
        f"<title>{escape(title)}</title>{STYLE}"
        f'<rect class="paper" width="{width:g}" height="{height:g}"/>{body}</svg>\n'
    )


def board(text: str, columns: int, bad: int | None = None, good: Sequence[int] = ()) -> str:
    """Return the drawing of a board, without the picture around it.

    Cells hold X, O, a dot for nothing, or a letter for a piece: large for White, small for Black.

    A bad move is a dashed orange frame with the word bad, a good one a blue frame with best.
    """
    rows = len(text) // columns
    width, height = columns * CELL, rows * CELL
    parts = []
    for cell, mark in enumerate(text):
        x, y = cell % columns * CELL, cell // columns * CELL
        parts.append(_mark(mark, x + CELL / 2, y + CELL / 2))
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


def _mark(mark: str, x: float, y: float) -> str:
    """Return the drawing of a mark around a point."""
    r = CELL * 0.3
    if mark == "X":
        arms = f"M{x - r:g} {y - r:g}L{x + r:g} {y + r:g}M{x - r:g} {y + r:g}L{x + r:g} {y - r:g}"
        return f'<path class="ink" stroke-width="4" stroke-linecap="round" d="{arms}"/>'
    if mark == "O":
        return f'<circle class="ink" fill="none" stroke-width="4" cx="{x:g}" cy="{y:g}" r="{r:g}"/>'
    if mark == ".":
        return ""
    disc, letter = ("paper ink", "text") if mark.isupper() else ("piece ink", "paper")
    return (
        f'<circle class="{disc}" stroke-width="2" cx="{x:g}" cy="{y:g}" r="{r:g}"/><text'
        f' class="{letter}" x="{x:g}" y="{y + 6:g}" font-size="17" text-anchor="middle">'
        f"{mark.upper()}</text>"
    )


def _sign(x: float, y: float, colour: str, word: str, dashes: str) -> str:
    """Return a framed cell with a word in it."""
    return (
        f'<rect x="{x + 3}" y="{y + 3}" width="{CELL - 6}" height="{CELL - 6}" fill="none"'
        f' stroke="{colour}" stroke-width="3"{dashes}/><text class="text" x="{x + CELL / 2:g}"'
        f' y="{y + CELL / 2 + 4:g}" font-size="12" text-anchor="middle">{word}</text>'
    )
