"""Notakto: the sides take turns placing an X on one 3x3 board; completing a line loses.

A position is one bitboard (see `solver.rules.grid`). The number of stones tells whose turn it is.

    . . X
    . X .     bits 2, 4 and 7 = 0b010010100 = 148
    . X .

Thane Plambeck and Greg Whitehead, "The secrets of Notakto" (arXiv 1301.1672), solve the game on any
number of boards.
"""

from __future__ import annotations

from solver import boards
from solver.errors import IllegalPositionError
from solver.rules import grid
from solver.rules.game import check_turn
from solver.value import Outcome

PATTERN = FORM = "notakto"
SIDE, CELLS = 3, 9


class Notakto(grid.Stones):
    """An X on any empty cell of 3x3; the side that completes a line loses."""

    title = "Notakto"
    about = (
        "Both sides mark empty cells with X. Whoever completes three in a row, in any direction,"
        " loses."
    )
    seats = "First", "Second"
    board = SIDE, SIDE
    lines = grid.lines(SIDE, SIDE, SIDE)
    symmetries = tuple(map(grid.symmetry, grid.permutations(SIDE, SIDE)))

    @property
    def spec(self) -> str:
        return "notakto"

    def moves(self, p: int) -> list[int]:
        return [cell for cell in range(CELLS) if not p >> cell & 1]

    def play(self, p: int, m: int) -> int:
        return p | 1 << m

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.WIN if grid.full_lines(p, self.lines) else None  # a full board has lines

    def text(self, p: int, turn: str | None = None) -> str:
        return "".join("X" if p >> cell & 1 else "." for cell in range(CELLS))

    def parse(self, text: str, turn: str | None = None) -> int:
        """Return the position of a board as `solver.boards.read` reads it, whoever is to move.

        Raises IllegalPositionError if no game leads to the board.
        """
        check_turn(self, turn)
        p, o = boards.read(text, SIDE, SIDE)
        if o:
            raise IllegalPositionError("there is an O, but in notakto both sides place X")
        if not grid.has_last_move(grid.full_lines(p, self.lines)):
            raise IllegalPositionError("there are lines of 3 that no single last move completes")
        return p


load = Notakto
