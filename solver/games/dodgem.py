"""Dodgem: the first side with no car left to move wins, whether its cars are gone or blocked.

Each side has a car less than the board has rows. White's start in the bottom row and drive up,
Black's start in the left column and drive to the right; both also move sideways, but never back,
and only to empty cells. A car leaves the board by driving forward from the last row or column. On
3x3, White moves first:

    3 b . .
    2 b . .     written b../b../.WW w; see `solver.rules.pieces`
    1 . W W
      a b c

Invented by Colin Vout. Berlekamp, Conway and Guy, Winning Ways, has the values of all positions of
3x3. Where a position repeats, the game is a draw.
"""

from __future__ import annotations

from functools import cached_property

from solver.rules.game import Symmetry
from solver.rules.pieces import Squares
from solver.value import Outcome

PATTERN = r"dodgem:(\d)x(\d)"
FORM = "dodgem:3x3, dodgem:4x4 or dodgem:5x5"


def load(columns: str, rows: str) -> Dodgem:
    """Return the game on a board of this size."""
    if columns != rows or columns not in "345":
        raise ValueError(f"the board is {columns}x{rows}; it must be 3x3, 4x4 or 5x5")
    return Dodgem(int(columns))


class Dodgem(Squares):
    """Cars that leave the board; a move from a cell to itself is one off the board."""

    family = "dodgem"
    about = (
        "White drives its cars up and off the board, Black to the right; both may also move"
        " sideways, never back, to free cells. A side that has no move, because its cars are gone"
        " or blocked, wins."
    )
    seats = "White", "Black"
    pieces = "Wb"

    def __init__(self, side: int) -> None:
        super().__init__(side, side)
        self.title = f"Dodgem on {side}x{side}"
        up, right, down, left = (0, -1), (1, 0), (0, 1), (-1, 0)
        off = [(i, i) for i in range(side)], [(i, i) for i in range(side - 1, side * side, side)]
        self.ways = self.steps(up, left, right) + off[0], self.steps(right, up, down) + off[1]

    def initial(self) -> int:
        first = self.cells - self.columns  # the corner from which nobody starts
        white = sum(1 << i for i in range(first + 1, self.cells))
        return self.join(0, white, sum(1 << i for i in range(0, first, self.columns)))

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:  # type: ignore[override]
        """The identity, and the sides exchanged, with the top right corner at the bottom left."""
        last, side = self.cells - 1, self.columns
        mirrored = [last - i % side * side - i // side for i in range(self.cells)]
        return self.rearranged(range(self.cells)), self.rearranged(mirrored, True)

    def moves(self, p: int) -> list[int]:
        second, mine, theirs = self.split(p)
        taken = mine | theirs
        return [
            a * self.cells + b
            for a, b in self.ways[second]
            if mine >> a & 1 and (a == b or not taken >> b & 1)
        ]

    def play(self, p: int, m: int) -> int:
        second, mine, theirs = self.split(p)
        start, end = divmod(m, self.cells)
        mine ^= 1 << start
        return self.join(1 - second, theirs, mine if start == end else mine | 1 << end)

    def primitive(self, p: int) -> Outcome | None:
        _, _, theirs = self.split(p)
        if not theirs:
            return Outcome.LOSS
        return None if self.moves(p) else Outcome.WIN

    def label(self, p: int, m: int) -> str:
        start, end = divmod(m, self.cells)
        return f"{self.square(start)}{'off' if start == end else self.square(end)}"
