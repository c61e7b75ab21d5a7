"""Wild tic-tac-toe: in turn, place an X or an O, as one likes; three of a kind in a row win.

The marks belong to nobody, and the number of stones tells who is to move. A position is two boards
of bits (see `solver.grid`) in one integer, that of X above that of O:

    X O .     X: bits 0 and 4 = 0b000010001
    . X .     O: bit 1        = 0b000000010
    . . .     so the position is 0b000010001_000000010

A move is 0 to 8 for an X on that cell, and 9 to 17 for an O on cell 0 to 8.
"""

from __future__ import annotations

from functools import cached_property, reduce
from operator import and_
from typing import TYPE_CHECKING

from solver import boards
from solver.errors import IllegalPositionError
from solver.rules import grid
from solver.rules.game import Numbered, Symmetry
from solver.value import Outcome

if TYPE_CHECKING:
    from re import Match

PATTERN = FORM = "wild"
SIDE, CELLS = 3, 9
FULL = (1 << CELLS) - 1


def load(match: Match[str]) -> Wild:
    """Return the game of a name."""
    return Wild()


class Wild(Numbered[int]):
    """Either mark on any empty cell of 3x3; the side that completes a line wins."""

    spec = "wild"
    seats = "First", "Second"
    board = SIDE, SIDE

    def __init__(self) -> None:
        lines = grid.lines(SIDE, SIDE, SIDE)
        self.lines = lines + [line << CELLS for line in lines]  # of O and of X

    def __reduce__(self) -> tuple[type[Wild], tuple[()]]:
        return Wild, ()  # its symmetries are closures

    def initial(self) -> int:
        return 0

    def moves(self, p: int) -> list[int]:
        taken = p >> CELLS | p
        return [m for m in range(2 * CELLS) if not taken >> m % CELLS & 1]

    def play(self, p: int, m: int) -> int:
        return p | 1 << (m + CELLS) % (2 * CELLS)

    def primitive(self, p: int) -> Outcome | None:
        if self._made(p):
            return Outcome.LOSS
        return Outcome.DRAW if p.bit_count() == CELLS else None

    def tier(self, p: int) -> int:
        return p.bit_count()

    def cell(self, p: int, m: int) -> int:
        return m % CELLS

    def parents(self, p: int) -> list[int]:
        before = (p ^ 1 << bit for bit in range(2 * CELLS) if p >> bit & 1)
        return [q for q in before if self.primitive(q) is None]

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:  # type: ignore[override]
        """The 8 of the board, each with the marks as they are and with the marks exchanged."""
        every = grid.permutations(SIDE, SIDE)
        return tuple(_symmetry(cells, swap) for swap in (False, True) for cells in every)

    def label(self, p: int, m: int) -> str:
        return f"{'XO'[m // CELLS]}{m % CELLS + 1}"

    def turn(self, p: int) -> str:
        return self.seats[self.tier(p) % 2]

    def text(self, p: int, turn: str | None = None) -> str:
        x, o = p >> CELLS, p & FULL
        return "".join("X" if x >> i & 1 else "O" if o >> i & 1 else "." for i in range(CELLS))

    def parse(self, text: str, turn: str | None = None) -> int:
        """Return the position on a board written as `solver.boards.read` takes it, whoever moves.

        Raises IllegalPositionError, which names the reason, if no game leads to such a board.
        """
        if turn not in (None, *self.seats):
            raise IllegalPositionError(f"the turn is {turn!r}; it must be First or Second")
        x, o = boards.read(text, SIDE, SIDE)
        p = x << CELLS | o
        made = self._made(p)
        if made and not reduce(and_, made):
            raise IllegalPositionError("there are lines of 3 that no single last move completes")
        return p

    def render(self, p: int, turn: str | None = None) -> str:
        return grid.draw(self.text(p, turn), SIDE)

    def _made(self, p: int) -> list[int]:
        """Return the lines that are all X or all O."""
        return [line for line in self.lines if p & line == line]


def _symmetry(cells: tuple[int, ...], swap: bool) -> Symmetry:
    """Return the symmetry that a permutation of the cells makes, the marks exchanged or not."""
    moved, turned, _ = grid.symmetry(cells)
    if swap:
        return Symmetry(
            lambda p: moved(p >> CELLS | (p & FULL) << CELLS),
            lambda m: turned(m % CELLS) + (m < CELLS) * CELLS,
            None,
        )
    return Symmetry(moved, lambda m: turned(m % CELLS) + m // CELLS * CELLS, cells)
