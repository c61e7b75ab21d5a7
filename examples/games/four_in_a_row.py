"""Four in a row on 4x4, as numbers; perfectplay also has it as mnk:4,4,4.

The sides mark a free cell in turn; whoever has four marks in a row, a column or a diagonal wins.
It is a draw, and has 9,722,011 positions: arXiv 1703.10678.
"""

from __future__ import annotations

from solver import Game, Outcome

CELLS = 16
FULL = (1 << CELLS) - 1
LINES = [
    *(0b1111 << 4 * row for row in range(4)),
    *(0b1000100010001 << column for column in range(4)),
    0b1000010000100001,
    0b0001001001001000,
]


class FourInARow(Game[int, int]):
    """A position is a number: the cells of the side to move, above them those of the other side."""

    def initial(self) -> int:
        """Return the empty board."""
        return 0

    def moves(self, p: int) -> list[int]:
        """Return the free cells."""
        return [i for i in range(CELLS) if not (p | p >> CELLS) >> i & 1]

    def play(self, p: int, m: int) -> int:
        """Mark a cell, and exchange the sides."""
        mine, theirs = p & FULL | 1 << m, p >> CELLS
        return theirs | mine << CELLS

    def primitive(self, p: int) -> Outcome | None:
        """Return whether the other side has a line, or the board is full."""
        theirs = p >> CELLS
        for line in LINES:
            if theirs & line == line:
                return Outcome.LOSS
        return Outcome.DRAW if (p | theirs) & FULL == FULL else None
