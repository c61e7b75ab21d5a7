"""Boards of cells as sets of bits: lines, symmetries and a picture.

Cells count row by row from the top left corner, and cell i is bit i of a board; on 3x3:

    0 1 2        X . .     X: bits 0 and 4 = 0b000010001 = 17
    3 4 5        . X .
    6 7 8        . . .
"""

from __future__ import annotations

from collections.abc import Sequence

from solver.rules.game import Game, Symmetry
from solver.value import Outcome

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from typing import Any

CHUNK = 9  # cells that one look-up moves; tables of 2**9 images are quick to fill


def lines(columns: int, rows: int, k: int) -> list[int]:
    """Return every line of K cells as a board, rows first, then columns, then diagonals."""
    found = []
    for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for row in range(rows):
            for column in range(columns):
                end_column, end_row = column + (k - 1) * right, row + (k - 1) * down
                if 0 <= end_column < columns and 0 <= end_row < rows:
                    steps = [(column + i * right, row + i * down) for i in range(k)]
                    found.append(sum(1 << (r * columns + c) for c, r in steps))
    return list(dict.fromkeys(found))  # K = 1 finds each cell four times


def permutations(columns: int, rows: int) -> list[tuple[int, ...]]:
    """Return the board's symmetries: cell i of the image is cell `permutation[i]` of the board."""
    flips = [(h, v) for h in (False, True) for v in (False, True)]
    found = []
    for transpose in (False, True) if columns == rows else (False,):
        for horizontal, vertical in flips:
            cells = []
            for row in range(rows):
                for column in range(columns):
                    c = columns - 1 - column if horizontal else column
                    r = rows - 1 - row if vertical else row
                    cells.append(c * columns + r if transpose else r * columns + c)
            found.append(tuple(cells))
    return found


def symmetry(cells: tuple[int, ...]) -> Symmetry:
    """Return the symmetry that a permutation of the cells makes.

    Its positions are integers of two boards, one above the other.
    """
    size = len(cells)
    goes_to = [cells.index(cell) for cell in range(size)]
    chunks = []  # for each run of CHUNK bits, the image of every pattern of stones on it
    for start in range(0, 2 * size, CHUNK):
        images = [0]
        for bit in range(start, min(start + CHUNK, 2 * size)):
            moved = 1 << goes_to[bit % size] + bit // size * size
            images += [image | moved for image in images]
        chunks.append((start, images))
    low = (1 << CHUNK) - 1

    def position(p: int) -> int:
        image = 0
        for start, images in chunks:
            image |= images[p >> start & low]
        return image

    return Symmetry(position, goes_to.__getitem__, cells)


def draw(text: str, columns: int, numbers: Sequence[int] | None = None) -> str:
    """Return the board with its marks, and the cells' numbers where it shows a dot.

    The numbers are those given, or else 1, 2, 3 and so on in reading order.
    """
    numbers = numbers or range(1, len(text) + 1)
    width = len(str(max(numbers)))
    cells = [
        str(number) if mark == "." else mark for mark, number in zip(text, numbers, strict=True)
    ]
    rows = [
        "|".join(f" {mark:>{width}} " for mark in cells[start : start + columns]).rstrip()
        for start in range(0, len(cells), columns)
    ]
    rule = "+".join("-" * (width + 2) for _ in range(columns))
    return f"\n{rule}\n".join(rows)


def won_lines(game: Game[Any, Any], p: Any) -> list[list[int]]:
    """Return the cells of each line that has ended the game, where the rules tell lines."""
    if game.board is None or game.primitive(p) in (None, Outcome.DRAW):
        return []
    marks = game.marks(game.text(p))
    found = []
    for line in _game_lines(game, *game.board):
        cells = [cell for cell in range(len(marks)) if line >> cell & 1]
        if cells and marks[cells[0]] != "." and len({marks[cell] for cell in cells}) == 1:
            found.append(cells)
    return found


def _game_lines(game: Game[Any, Any], columns: int, rows: int) -> list[int]:
    """Return the lines that end a game, as sets of cells: those of the game, or K in a row."""
    told, k = getattr(game, "lines", ()), getattr(game, "k", None)
    if isinstance(told, list | tuple) and told and all(type(line) is int for line in told):
        return [line for line in told if line < 1 << columns * rows]
    return lines(columns, rows, k) if type(k) is int and k > 0 else []
