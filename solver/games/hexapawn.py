"""Hexapawn: pawns step forward or capture diagonally; reaching the last row wins.

A side that cannot move loses. White starts in the bottom row and moves first, Black starts in the
top row. A position is two bitboards (see `solver.rules.pieces`) in one integer, White's above
Black's, below a bit that is 1 if Black is to move. On 3x3 after b1b2:

    3 p p p     White: bits 4, 6 and 8 = 0b101010000
    2 . P .     Black: bits 0, 1 and 2 = 0b000000111
    1 P . P     so the position is 0b1_101010000_000000111, written ppp/.P./P.P b
      a b c

Invented by Martin Gardner: Mathematical Games, Scientific American, March 1962.
"""

from __future__ import annotations

from functools import cached_property

from solver.errors import IllegalPositionError
from solver.rules import grid
from solver.rules.game import Symmetry
from solver.rules.pieces import Squares
from solver.value import Outcome

PATTERN = r"hexapawn:(\d{1,2})x(\d{1,2})"
FORM = "hexapawn:WxH for W columns and H rows"


def load(columns: str, rows: str) -> Hexapawn:
    """Return the game on a board of this size."""
    return Hexapawn(int(columns), int(rows))


class Hexapawn(Squares):
    """Pawns on W columns and H rows; the side that reaches the last row wins."""

    family = "hexapawn"
    about = (
        "A pawn steps forward to a free square, or takes diagonally forward. Reach the last row, or"
        " leave the other side without a move, to win."
    )
    seats = "White", "Black"
    pieces = "Pp"
    least = 2, 3

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self.title = "Hexapawn" + f" on {columns}x{rows}" * (columns != 3 or rows != 3)
        self._row = row = (1 << columns) - 1
        self._goals = row, row << self.cells - columns  # the last rows of White and of Black
        self._rows_ahead: list[int] = [*reversed(range(rows)), *range(rows)]  # of Black, of White
        self._steps = self._steps_by(-1), self._steps_by(1)

    def initial(self) -> int:
        return self.join(0, self._goals[1], self._goals[0])

    def moves(self, p: int) -> list[int]:
        black, mine, theirs = self.split(p)
        free, steps = ~(mine | theirs), self._steps[black]
        return [m for m, a, b, captures in steps if mine & a and (theirs if captures else free) & b]

    def play(self, p: int, m: int) -> int:
        black, mine, theirs = self.split(p)
        start, target = divmod(m, self.cells)
        return self.join(1 - black, theirs & ~(1 << target), mine ^ 1 << start | 1 << target)

    def primitive(self, p: int) -> Outcome | None:
        black, _, theirs = self.split(p)
        return Outcome.LOSS if theirs & self._goals[1 - black] or not self.moves(p) else None

    def tier(self, p: int) -> int:
        """Return by how many rows all pawns have come closer to their goals, captures included."""
        ahead = 0
        for i in range(2 * self.rows):
            ahead += self._rows_ahead[i] * (p >> i * self.columns & self._row).bit_count()
        return 2 * self.columns * (self.rows - 1) - ahead

    def _parents(self, p: int) -> list[int]:
        black, mine, theirs = self.split(p)
        before = []
        for _, a, b, captures in self._steps[1 - black]:
            if theirs & b and not (mine | theirs) & a:
                back, pawns = theirs ^ b | a, mine | b if captures else mine
                if not back & self._goals[1 - black] and pawns.bit_count() <= self.columns:
                    before.append(self.join(1 - black, back, pawns))
        return [q for q in before if self.primitive(q) is None]

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:  # type: ignore[override]
        """Left and right exchanged, the colours exchanged with the board upside down, and both."""
        same, down, across, turned = grid.permutations(self.columns, self.rows)[:4]
        return (
            self.rearranged(same),
            self.rearranged(across),
            self.rearranged(down, exchanged=True),
            self.rearranged(turned, exchanged=True),
        )

    def parse(self, text: str, turn: str | None = None) -> int:
        """Return the position of a text such as ppp/.P./P.P b: rows from the top, P for White.

        The letter at the end is the side to move. Raises IllegalPositionError if the text is not a
        position, or if no last move leads to it; earlier moves are not considered.
        """
        p = super().parse(text, turn)
        if p != self.initial() and not self._parents(p):
            raise IllegalPositionError(
                f"no last move of {self.other(self.turn(p))} leads to {text!r}"
            )
        return p

    def _steps_by(self, down: int) -> list[tuple[int, int, int, bool]]:
        """Return the steps of a side: the move, its start and target as bits, and if it captures.

        `down` is the direction of the side, 1 or -1.
        """
        steps = self.steps((0, down), (-1, down), (1, down))
        return [(a * self.cells + b, 1 << a, 1 << b, (b - a) % self.columns != 0) for a, b in steps]
