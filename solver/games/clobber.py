"""Clobber: take a neighbouring stone of the other side; whoever cannot move loses.

The board starts full, with the colours of a chessboard. White has the top left corner and moves
first. A stone moves only by taking a stone beside, above or below it. On 3x2:

    2 W b W
    1 b W b     written WbW/bWb w; see `solver.rules.pieces`
      a b c

Michael Albert, J. P. Grossman, Richard Nowakowski and David Wolfe, "An introduction to Clobber",
Integers 5(2), 2005.
"""

from __future__ import annotations

from functools import cached_property

from solver.rules import grid
from solver.rules.game import Symmetry
from solver.rules.pieces import Squares
from solver.value import Outcome

PATTERN = r"clobber:(\d{1,2})x(\d{1,2})"
FORM = "clobber:WxH for W columns and H rows"


def load(columns: str, rows: str) -> Clobber:
    """Return the game on a board of this size."""
    return Clobber(int(columns), int(rows))


class Clobber(Squares):
    """Stones take neighbours of the other colour; the side that cannot move loses."""

    family = "clobber"
    about = (
        "Move a stone onto a neighbouring stone of the other colour, which it takes. A side that"
        " cannot move loses."
    )
    seats = "White", "Black"
    pieces = "Wb"

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self.title = f"Clobber on {columns}x{rows}"
        # no image of an odd start has the colours exchanged
        other = "another game" if self.cells % 2 else "the same game with the colours exchanged"
        self.second_first = f"White moves first; with Black first it is {other}"
        self.pairs = self.steps((0, -1), (-1, 0), (1, 0), (0, 1))

    def initial(self) -> int:
        cells = range(self.cells)
        white = sum(1 << i for i in cells if (i // self.columns + i % self.columns) % 2 == 0)
        return self.join(0, white, (1 << self.cells) - 1 - white)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:  # type: ignore[override]
        """The turns and reflections of the board that leave the start as it is."""
        turned = map(self.rearranged, grid.permutations(self.columns, self.rows))
        return tuple(s for s in turned if s.position(self.initial()) == self.initial())

    def moves(self, p: int) -> list[int]:
        _, mine, theirs = self.split(p)
        return [a * self.cells + b for a, b in self.pairs if mine >> a & 1 and theirs >> b & 1]

    def play(self, p: int, m: int) -> int:
        second, mine, theirs = self.split(p)
        start, end = divmod(m, self.cells)
        return self.join(1 - second, theirs ^ 1 << end, mine ^ 1 << start ^ 1 << end)

    def primitive(self, p: int) -> Outcome | None:
        return None if self.moves(p) else Outcome.LOSS
