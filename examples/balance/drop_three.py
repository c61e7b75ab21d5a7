"""Drop three: stones fall into the columns of a rack, and three in a row win.

`DropThree` has four columns of three cells, which is too good for the side that begins. `Narrow`
has three columns of four.
"""

from __future__ import annotations

from solver import Game, Outcome

EMPTY = "."


class DropThree(Game[str, int]):
    """A position is the columns from the left, each from the bottom: a for the first side, or b."""

    columns, height = 4, 3

    def initial(self) -> str:
        """Return the empty rack."""
        return "/".join([EMPTY * self.height] * self.columns)

    def moves(self, p: str) -> list[int]:
        """Return the columns that are not full, from 0."""
        return [column for column, cells in enumerate(p.split("/")) if EMPTY in cells]

    def play(self, p: str, m: int) -> str:
        """Drop a stone of the side to move into a column."""
        cells = p.split("/")
        stone = "a" if p.count("a") == p.count("b") else "b"
        cells[m] = cells[m].replace(EMPTY, stone, 1)
        return "/".join(cells)

    def primitive(self, p: str) -> Outcome | None:
        """Return a loss if the other side has three in a row, and a draw if the rack is full."""
        rack = p.split("/")
        for column in range(self.columns):
            for cell in range(self.height):
                for right, up in ((0, 1), (1, -1), (1, 0), (1, 1)):
                    last = column + 2 * right, cell + 2 * up
                    if not (last[0] < self.columns and 0 <= last[1] < self.height):
                        continue
                    line = {rack[column + right * i][cell + up * i] for i in range(3)}
                    if len(line) == 1 and line != {EMPTY}:
                        return Outcome.LOSS
        return Outcome.DRAW if EMPTY not in p else None

    def label(self, p: str, m: int) -> str:
        """Return the column, from 1."""
        return str(m + 1)


class Narrow(DropThree):
    """The same on three columns of four cells."""

    columns, height = 3, 4
