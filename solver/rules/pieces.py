"""Boards of cells on which pieces stand, with the side to move in the position.

Cells are numbered row by row from the top left corner. A position is a number: a bitboard for each
kind of piece, cell i as bit i, the first kind on top, below a bit that is 1 if the second side is
to move. On 3x2, with X to move:

    X O X     X: bits 0 and 2 = 0b000101
    . . O     O: bits 1 and 5 = 0b100010

    the position is 0b0_000101_100010, written XOX/..O x
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from solver.boards.drawings import FILES, rows_of
from solver.errors import IllegalPositionError, quoted
from solver.rules import grid
from solver.rules.game import Numbered, Symmetry, check_text, check_turn
from solver.rules.symmetry import rearrange


class Pieces(Numbered[int]):
    """A game whose moves go from a cell to a cell: start * number of cells + end.

    A subclass defines `initial`, `moves`, `play` and `primitive`.
    """

    family: str
    """The name of the game before its sizes."""
    pieces: str = "XO"
    """The marks of the kinds of pieces; if there are two, each side has one."""
    most_cells: int = 30
    least: tuple[int, int] = (1, 1)
    """The least numbers of columns and rows."""
    second_first: str = ""
    """What is said if the second side is to move first, where that start is no later position."""

    def __init__(self, columns: int, rows: int) -> None:
        least = self.least
        if columns < least[0] or rows < least[1] or columns * rows > self.most_cells:
            raise ValueError(
                f"the board is {columns}x{rows}; it must be at least {least[0]}x{least[1]} and have"
                f" at most {self.most_cells} cells"
            )
        self.columns, self.rows, self.cells = columns, rows, columns * rows
        self.board = columns, rows

    @property
    def spec(self) -> str:
        return f"{self.family}:{self.columns}x{self.rows}"

    def split(self, p: int) -> tuple[int, int, int]:
        """Return 1 if the second side is to move, else 0, and the bitboards of mover and other."""
        second, full = p >> 2 * self.cells, (1 << self.cells) - 1
        sides = p >> self.cells & full, p & full
        return second, sides[second], sides[1 - second]

    def join(self, second: int, mine: int, theirs: int) -> int:
        """Return the position with these parts; the inverse of `split`."""
        sides = (theirs, mine) if second else (mine, theirs)
        return (second << self.cells | sides[0]) << self.cells | sides[1]

    def steps(self, *directions: tuple[int, int]) -> list[tuple[int, int]]:
        """Return the steps in directions, right and down, as pairs of cells on the board."""
        return [
            (row * self.columns + column, (row + down) * self.columns + column + right)
            for row in range(self.rows)
            for column in range(self.columns)
            for right, down in directions
            if 0 <= column + right < self.columns and 0 <= row + down < self.rows
        ]

    def rearranged(self, cells: Sequence[int], exchanged: bool = False) -> Symmetry:
        """Return the symmetry that permutes the cells and, if `exchanged`, exchanges the sides."""
        kinds = range(len(self.pieces))
        order = [k * self.cells + cell for k in kinds[:: 1 - 2 * exchanged] for cell in cells]
        turn = len(order)
        return rearrange([*order, turn], *[(0, 1, [turn])] * exchanged)

    def cell(self, p: int, m: int) -> int:
        return m % self.cells

    def origin(self, p: int, m: int) -> int | None:
        return m // self.cells

    def label(self, p: int, m: int) -> str:
        return f"{m // self.cells + 1}-{m % self.cells + 1}"

    def turn(self, p: int) -> str:
        return self.seats[p >> len(self.pieces) * self.cells]

    def text(self, p: int, turn: str | None = None) -> str:
        marks = ["."] * self.cells
        for kind, piece in enumerate(reversed(self.pieces)):
            for i in range(self.cells):
                if p >> kind * self.cells + i & 1:
                    marks[i] = piece
        rows = ["".join(marks[i : i + self.columns]) for i in range(0, self.cells, self.columns)]
        return f"{'/'.join(rows)} {self.turn(p)[0].lower()}"

    def marks(self, text: str) -> str:
        return text[:-2].replace("/", "")

    def parse(self, text: str, turn: str | None = None) -> int:
        """Return the position of a text: the rows from the top, and the letter of who is to move.

        The board may also be written as `drawings.cells_of` reads it, with the letter after it or
        with `turn`. Raises IllegalPositionError if the text is no such board, or if a side has more
        pieces than at the start; whether a game leads to it is not considered.
        """
        check_text(self, text)
        check_turn(self, turn)
        start = self.text(self.initial())
        letters = "".join(seat[0].lower() for seat in self.seats)
        row = f"[{self.pieces}.]{{{self.columns}}}"
        right = re.compile(rf"{row}(/{row}){{{self.rows - 1}}} [{letters}]")
        if not right.fullmatch(text):
            text = rows_of(text, self.columns, self.rows, letters, turn)
        if not right.fullmatch(text):
            raise IllegalPositionError(
                f"{quoted(text)} is not a position: write {self.rows} rows of {self.columns} cells,"
                f" each {', '.join(self.pieces)} or ., and {' or '.join(letters)} for the side to"
                f" move, as in {start!r}"
            )
        p = letters.index(text[-1])
        is_turned = self.seats[1] in (turn, self.seats[p]) and self.marks(text) == self.marks(start)
        if is_turned and self.second_first:
            raise IllegalPositionError(self.second_first)
        if turn not in (None, self.seats[p]):
            raise IllegalPositionError(f"{self.seats[p]} is to move in {text!r}, not {turn}")
        marks = self.marks(text)
        for piece in self.pieces:
            most = self.marks(start).count(piece) or self.cells
            if marks.count(piece) > most:
                raise IllegalPositionError(
                    f"there are {marks.count(piece)} {piece}, but a game starts with {most}"
                )
            p = p << self.cells | sum((mark == piece) << i for i, mark in enumerate(marks))
        return p

    def render(self, p: int, turn: str | None = None) -> str:
        return grid.draw(self.marks(self.text(p)), self.columns)


class Squares(Pieces):
    """A game on squares with names: a2 is in the first column and the last row but one."""

    def label(self, p: int, m: int) -> str:
        start, end = divmod(m, self.cells)
        takes = self.marks(self.text(p))[end] != "."
        return f"{self.square(start)}{'x' * takes}{self.square(end)}"

    def square(self, cell: int) -> str:
        """Return the name of a cell."""
        row, column = divmod(cell, self.columns)
        return f"{FILES[column]}{self.rows - row}"

    def render(self, p: int, turn: str | None = None) -> str:
        rows = self.text(p)[:-2].split("/")
        ranks = [f"{self.rows - i:>2} {' '.join(row)}" for i, row in enumerate(rows)]
        return "\n".join([*ranks, "   " + " ".join(FILES[: self.columns])])
