"""Boards of cells as bitboards: lines, symmetries and drawings.

Cells are numbered row by row from the top left corner; cell i is bit i of a bitboard. On 3x3:

    0 1 2        X . .     X: bits 0 and 4 = 0b000010001 = 17
    3 4 5        . X .
    6 7 8        . . .
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import and_

from solver.rules.game import Game, Numbered, Symmetry
from solver.rules.symmetry import rearrange
from solver.startup import Any
from solver.value import Outcome


def lines(columns: int, rows: int, k: int) -> list[int]:
    """Return every line of `k` cells as a bitboard: rows, then columns, then diagonals."""
    masks = []
    for right, down in ((1, 0), (0, 1), (1, 1), (-1, 1)):
        for row in range(rows):
            for column in range(columns):
                end_column, end_row = column + (k - 1) * right, row + (k - 1) * down
                if 0 <= end_column < columns and 0 <= end_row < rows:
                    steps = [(column + i * right, row + i * down) for i in range(k)]
                    masks.append(sum(1 << (r * columns + c) for c, r in steps))
    return list(dict.fromkeys(masks))  # K = 1 finds each cell four times


def full_lines(stones: int, lines: Sequence[int]) -> list[int]:
    """Return the lines whose cells all have a stone."""
    return [line for line in lines if stones & line == line]


def has_last_move(lines: Sequence[int]) -> bool:
    """Return whether one last move can have completed all of these lines: they share a cell."""
    return not lines or reduce(and_, lines) != 0


def permutations(columns: int, rows: int) -> list[tuple[int, ...]]:
    """Return the symmetries of the board: cell i of the image is cell `permutation[i]`."""
    flips = [(h, v) for h in (False, True) for v in (False, True)]
    orders = []
    for transpose in (False, True) if columns == rows else (False,):
        for horizontal, vertical in flips:
            across = range(columns)[::-1] if horizontal else range(columns)
            down = range(rows)[::-1] if vertical else range(rows)
            cells = ((x, y) if transpose else (y, x) for y in down for x in across)
            orders.append(tuple(row * columns + column for row, column in cells))
    return orders


def symmetry(cells: tuple[int, ...]) -> Symmetry:
    """Return the symmetry that permutes the cells.

    A position is an integer of one or two bitboards, the second above the first; a move is a cell.
    """
    both = [*cells, *(len(cells) + cell for cell in cells)]
    target = [cells.index(cell) for cell in range(len(cells))]
    return rearrange(both, cells=cells)._replace(move=target.__getitem__)


def draw(
    text: str,
    columns: int,
    numbers: Sequence[int] | None = None,
    notes: Mapping[int | None, str] | None = None,
) -> str:
    """Return a drawing of the board `text`, with numbers in the empty cells.

    The default numbers are 1, 2, 3 and so on in reading order. `notes` are texts to write beside
    the numbers, by cell.
    """
    numbers = numbers or range(1, len(text) + 1)
    width = len(str(max(numbers)))
    room = 1 + max(map(len, notes.values())) if notes else 0
    cells = []
    for cell, (mark, number) in enumerate(zip(text, numbers, strict=True)):
        note = f" {notes.get(cell, '')}" if notes else ""
        cells.append(f" {number if mark == '.' else mark:>{width}}{note:<{room}} ")
    rows = ["|".join(cells[i : i + columns]).rstrip() for i in range(0, len(cells), columns)]
    rule = "+".join("-" * len(cells[0]) for _ in range(columns))
    return f"\n{rule}\n".join(rows)


class Stones(Numbered[int]):
    """A game on a board to which the sides take turns adding a stone: its tier counts them.

    The defaults are for an empty start, positions of bitboards and moves that are cells.
    """

    board: tuple[int, int]

    def initial(self) -> int:
        return 0

    def tier(self, p: int) -> int:
        return p.bit_count()

    def cell(self, p: int, m: int) -> int:
        return m

    def label(self, p: int, m: int) -> str:
        return str(m + 1)

    def turn(self, p: int) -> str:
        return self.seats[self.tier(p) % 2]

    def render(self, p: int, turn: str | None = None) -> str:
        return draw(self.text(p, turn), self.board[0])


def won_lines(game: Game[Any, Any], p: Any) -> list[list[int]]:
    """Return the cells of each line that ended the game, if the game is about lines."""
    if game.board is None or game.primitive(p) in (None, Outcome.DRAW):
        return []
    marks = game.marks(game.text(p))
    runs = []
    for line in _game_lines(game, *game.board):
        cells = [cell for cell in range(len(marks)) if line >> cell & 1]
        if cells and marks[cells[0]] != "." and len({marks[cell] for cell in cells}) == 1:
            runs.append(cells)
    return runs


def _game_lines(game: Game[Any, Any], columns: int, rows: int) -> list[int]:
    """Return the lines that end a game as bitboards: its attribute `lines`, or `k` in a row."""
    attribute, k = getattr(game, "lines", ()), getattr(game, "k", None)
    if isinstance(attribute, list | tuple) and attribute and {*map(type, attribute)} == {int}:
        return [line for line in attribute if line < 1 << columns * rows]
    return lines(columns, rows, k) if type(k) is int and k > 0 else []
