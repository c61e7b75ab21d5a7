"""Clobber on a board of 5 columns and 3 rows, three times: as texts, as tuples and as numbers.

A stone moves onto a neighbouring stone of the other side and takes it; whoever cannot move loses.
Invented by M. Albert, J. P. Grossman and R. Nowakowski: Clobber, 2001.
"""

from __future__ import annotations

from typing import Any

from solver import Game, Outcome

COLUMNS, ROWS = 5, 3
SIZE = COLUMNS * ROWS
OTHER = {"x": "o", "o": "x"}


def neighbours(cell: int) -> list[int]:
    """Return the cells beside, above and below a cell."""
    row, column = divmod(cell, COLUMNS)
    near = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
    return [r * COLUMNS + c for r, c in near if 0 <= r < ROWS and 0 <= c < COLUMNS]


class Texts(Game[Any, tuple[int, int]]):
    """A position is the text of the cells, and the side to move."""

    def initial(self) -> Any:
        """Return a chessboard of stones."""
        return "".join("xo"[(i // COLUMNS + i % COLUMNS) % 2] for i in range(SIZE)), "x"

    def moves(self, p: Any) -> list[tuple[int, int]]:
        """Return pairs of cells."""
        cells, turn = p
        return [
            (a, b)
            for a in range(SIZE)
            if cells[a] == turn
            for b in neighbours(a)
            if cells[b] == OTHER[turn]
        ]

    def play(self, p: Any, m: tuple[int, int]) -> Any:
        """Move a stone."""
        cells, turn = p
        new = list(cells)
        new[m[0]], new[m[1]] = ".", turn
        return "".join(new), OTHER[turn]

    def primitive(self, p: Any) -> Outcome | None:
        """Return whether the side to move has lost."""
        return None if self.moves(p) else Outcome.LOSS


class Tuples(Texts):
    """A position is a tuple of numbers: the cells, 0 if empty, and the side to move, 1 or 2."""

    def initial(self) -> Any:
        """Return a chessboard of stones."""
        return (*((i // COLUMNS + i % COLUMNS) % 2 + 1 for i in range(SIZE)), 1)

    def moves(self, p: Any) -> list[tuple[int, int]]:
        """Return pairs of cells."""
        turn = p[SIZE]
        return [
            (a, b) for a in range(SIZE) if p[a] == turn for b in neighbours(a) if p[b] == 3 - turn
        ]

    def play(self, p: Any, m: tuple[int, int]) -> Any:
        """Move a stone."""
        new = list(p)
        new[m[0]], new[m[1]], new[SIZE] = 0, p[SIZE], 3 - p[SIZE]
        return tuple(new)


class Numbers(Texts):
    """A position is a number: the bits of the side to move, above them those of the other side."""

    def initial(self) -> Any:
        """Return a chessboard of stones."""
        return sum(1 << i + SIZE * ((i // COLUMNS + i % COLUMNS) % 2) for i in range(SIZE))

    def moves(self, p: Any) -> list[tuple[int, int]]:
        """Return pairs of cells."""
        return [
            (a, b) for a in range(SIZE) if p >> a & 1 for b in neighbours(a) if p >> b + SIZE & 1
        ]

    def play(self, p: Any, m: tuple[int, int]) -> Any:
        """Move a stone, and exchange the sides."""
        mine, theirs = p & (1 << SIZE) - 1, p >> SIZE
        mine, theirs = mine ^ 1 << m[0] ^ 1 << m[1], theirs ^ 1 << m[1]
        return theirs | mine << SIZE
