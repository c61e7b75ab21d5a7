"""Several boards on one sheet, each with a line above and a line below it."""

from __future__ import annotations

from collections.abc import Sequence

from solver.pictures.marks import CELL, board
from solver.pictures.shapes import Drawing, Group, Shape, Text


def draw_sheet(
    boards: Sequence[tuple[str, str, str]], columns: int, title: str, across: int = 5
) -> Drawing:
    """Return the drawing of boards, each given by its marks, the line above and the line below."""
    rows = max((len(marks) // columns for marks, _, _ in boards), default=0)
    width, height = columns * CELL + 40, rows * CELL + 70
    middle = columns * CELL / 2
    shapes: list[Shape] = []
    for number, (marks, above, below) in enumerate(boards):
        words = (
            Text((middle, -14.5), above, 13, "ink"),
            Text((middle, rows * CELL + 16), below, 12, "note"),
        )
        x, y = number % across * width + 20, number // across * height + 30
        shapes.append(Group((*words, *board(marks, columns)), x, y))
    lines = -(-len(boards) // across)
    return Drawing(min(across, len(boards)) * width, lines * height, tuple(shapes), title)
