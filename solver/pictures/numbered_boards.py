"""Boards side by side whose cells have numbers: maps of cells."""

from __future__ import annotations

from collections.abc import Sequence

from solver.pictures.marks import CELL, grid
from solver.pictures.shapes import Drawing, Group, Shape, Text

GAP = 30


def draw_numbered(boards: Sequence[tuple[Sequence[int], int, str]], title: str) -> Drawing:
    """Return the drawing of boards, each given by its cells' numbers, its columns and a line."""
    shapes: list[Shape] = [Text((GAP, 24), title, 18, "ink", align="start")]
    width, y = GAP + 11.0 * len(title), 80.0
    for cells, columns, words in boards:
        rows = -(-len(cells) // columns)
        numbers = [
            Text(
                ((i % columns + 0.5) * CELL, (i // columns + 0.5) * CELL), str(cell + 1), 16, "ink"
            )
            for i, cell in enumerate(cells)
        ]
        line = Text((0, -14), words, 13, "note", align="start")
        shapes.append(Group((line, *grid(columns, rows), *numbers), GAP, y))
        width = max(width, columns * CELL + 2 * GAP, GAP + 7.5 * len(words))
        y += rows * CELL + 2 * GAP
    return Drawing(width, y, tuple(shapes), title)
