"""Othello on 4x4, as texts, with passes.

A disc turns over the other side's discs that it encloses in straight lines, and must turn over at
least one. Whoever cannot move passes; when neither side can, the one with more discs wins.
The second player wins.
"""

from __future__ import annotations

from solver import Game, Outcome

SIZE = 4
PASS = -1
OTHER = {"x": "o", "o": "x"}
WAYS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]


def turned(cells: str, side: str, cell: int) -> list[int]:
    """Return the cells of the discs that a disc on an empty cell turns over."""
    found = []
    for down, right in WAYS:
        row, column = cell // SIZE + down, cell % SIZE + right
        line: list[int] = []
        while 0 <= row < SIZE and 0 <= column < SIZE:
            mark = cells[row * SIZE + column]
            if mark != OTHER[side]:
                if mark == side:
                    found += line
                break
            line.append(row * SIZE + column)
            row, column = row + down, column + right
    return found


def places(cells: str, side: str) -> list[int]:
    """Return the cells on which a side can place a disc."""
    return [i for i in range(SIZE * SIZE) if cells[i] == "." and turned(cells, side, i)]


class Othello(Game[tuple[str, str], int]):
    """A position is the text of the cells, and the side to move."""

    def initial(self) -> tuple[str, str]:
        """Return two discs a side."""
        return ".....ox..xo.....", "x"

    def moves(self, p: tuple[str, str]) -> list[int]:
        """Return cells, or a pass if there are none."""
        return places(p[0], p[1]) or [PASS]

    def label(self, p: tuple[str, str], m: int) -> str:
        """Return the number of a cell, or pass."""
        return "pass" if m == PASS else str(m)

    def play(self, p: tuple[str, str], m: int) -> tuple[str, str]:
        """Place a disc and turn over others, or pass."""
        cells, side = p
        if m == PASS:
            return cells, OTHER[side]
        new = list(cells)
        for cell in [m, *turned(cells, side, m)]:
            new[cell] = side
        return "".join(new), OTHER[side]

    def primitive(self, p: tuple[str, str]) -> Outcome | None:
        """Compare the numbers of discs if neither side can move."""
        cells, side = p
        if places(cells, side) or places(cells, OTHER[side]):
            return None
        more = cells.count(side) - cells.count(OTHER[side])
        return Outcome.WIN if more > 0 else Outcome.LOSS if more < 0 else Outcome.DRAW
