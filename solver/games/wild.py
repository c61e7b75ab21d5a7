"""Wild tic-tac-toe: the sides take turns placing an X or an O, as they choose; a line wins.

Neither mark belongs to a side, and the number of stones tells whose turn it is. A position is two
bitboards (see `solver.rules.grid`) in one integer, that of X above that of O:

    X O .     X: bits 0 and 4 = 0b000010001
    . X .     O: bit 1        = 0b000000010
    . . .     so the position is 0b000010001_000000010

A move is 0 to 8 for an X on that cell, and 9 to 17 for an O on cell 0 to 8.
"""

from __future__ import annotations

from solver import boards
from solver.errors import IllegalPositionError
from solver.rules import grid
from solver.rules.game import Symmetry, check_turn
from solver.rules.symmetry import rearrange
from solver.value import Outcome

PATTERN = FORM = "wild"
SIDE, CELLS = 3, 9
FULL = (1 << CELLS) - 1
LINES = grid.lines(SIDE, SIDE, SIDE)


def _symmetry(cells: tuple[int, ...], swap: bool) -> Symmetry:
    """Return the symmetry that permutes the cells and, if `swap`, exchanges the marks."""
    boards = [[board + cell for cell in cells] for board in (0, CELLS)]
    return rearrange([*boards[swap], *boards[not swap]], cells=None if swap else cells)


class Wild(grid.Stones):
    """Either mark on any empty cell of 3x3; the side that completes a line wins."""

    title = "Wild tic-tac-toe"
    about = (
        "Take turns to mark an empty cell, with an X or an O as you like. Whoever completes three"
        " equal marks in a row, in any direction, wins."
    )
    seats = "First", "Second"
    board = SIDE, SIDE
    lines = LINES + [line << CELLS for line in LINES]  # of O and of X
    symmetries = tuple(
        _symmetry(cells, swap) for swap in (False, True) for cells in grid.permutations(SIDE, SIDE)
    )

    @property
    def spec(self) -> str:
        return "wild"

    def moves(self, p: int) -> list[int]:
        occupied = p >> CELLS | p
        return [m for m in range(2 * CELLS) if not occupied >> m % CELLS & 1]

    def play(self, p: int, m: int) -> int:
        return p | 1 << (m + CELLS) % (2 * CELLS)

    def primitive(self, p: int) -> Outcome | None:
        if grid.full_lines(p, self.lines):
            return Outcome.LOSS
        return Outcome.DRAW if p.bit_count() == CELLS else None

    def cell(self, p: int, m: int) -> int:
        return m % CELLS

    def label(self, p: int, m: int) -> str:
        return f"{'XO'[m // CELLS]}{m % CELLS + 1}"

    def text(self, p: int, turn: str | None = None) -> str:
        x, o = p >> CELLS, p & FULL
        return "".join("X" if x >> i & 1 else "O" if o >> i & 1 else "." for i in range(CELLS))

    def parse(self, text: str, turn: str | None = None) -> int:
        """Return the position of a board as `solver.boards.read` reads it, whoever is to move.

        Raises IllegalPositionError if no game leads to the board.
        """
        check_turn(self, turn)
        x, o = boards.read(text, SIDE, SIDE)
        p = x << CELLS | o
        if not grid.has_last_move(grid.full_lines(p, self.lines)):
            raise IllegalPositionError("there are lines of 3 that no single last move completes")
        return p


load = Wild
