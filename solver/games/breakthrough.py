"""Breakthrough: pawns step forward or diagonally forward, and take diagonally.

Each side starts with two rows of pawns. White starts at the bottom and moves first. The side that
reaches the other's first row, or takes all its pawns, wins. On 3x5 after a2b3:

    5 p p p
    4 p p p
    3 . P .     written ppp/ppp/.P./.PP/PPP b; see `solver.rules.pieces`
    2 . P P
    1 P P P
      a b c

Invented by Dan Troyka in 2000. Saffidine, Jouandeau and Cazenave, "Solving Breakthrough with race
patterns and job-level proof number search", Advances in Computer Games 13, 2011.
"""

from __future__ import annotations

from functools import cached_property

from solver.rules import grid
from solver.rules.game import Symmetry
from solver.rules.pieces import Squares
from solver.value import Outcome

PATTERN = r"breakthrough:(\d{1,2})x(\d{1,2})"
FORM = "breakthrough:WxH for W columns and H rows"


def load(columns: str, rows: str) -> Breakthrough:
    """Return the game on a board of this size."""
    return Breakthrough(int(columns), int(rows))


class Breakthrough(Squares):
    """Two rows of pawns a side; the side whose pawn reaches the last row wins."""

    family = "breakthrough"
    about = (
        "A pawn steps forward or diagonally forward, and takes diagonally. Reach the last row, or"
        " take all pawns of the other side, to win."
    )
    seats = "White", "Black"
    pieces = "Pp"
    least = 2, 4

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self.title = f"Breakthrough on {columns}x{rows}"
        self.forward = self.steps((-1, -1), (0, -1), (1, -1)), self.steps((-1, 1), (0, 1), (1, 1))
        self.top = (1 << columns) - 1
        self.goals = self.top, self.top << self.cells - columns  # of White and of Black

    def initial(self) -> int:
        black = self.top | self.top << self.columns
        return self.join(0, black << self.cells - 2 * self.columns, black)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:  # type: ignore[override]
        """The identity, and left and right exchanged."""
        same, _, across, *_ = grid.permutations(self.columns, self.rows)
        return self.rearranged(same), self.rearranged(across)

    def moves(self, p: int) -> list[int]:
        second, mine, theirs = self.split(p)
        return [
            a * self.cells + b
            for a, b in self.forward[second]
            if mine >> a & 1
            and not mine >> b & 1
            and not (theirs >> b & 1 and (a - b) % self.columns == 0)
        ]

    def play(self, p: int, m: int) -> int:
        second, mine, theirs = self.split(p)
        start, end = divmod(m, self.cells)
        return self.join(1 - second, theirs & ~(1 << end), mine ^ 1 << start ^ 1 << end)

    def primitive(self, p: int) -> Outcome | None:
        second, mine, theirs = self.split(p)
        return Outcome.LOSS if theirs & self.goals[1 - second] or not mine else None
