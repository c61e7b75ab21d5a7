"""Domineering: one side lays dominoes upright, the other across; whoever cannot loses.

Vertical moves first. A domino covers two free cells. On 3x2, after the first move:

    X 2 3     the covered cells are bits 0 and 3, and Horizontal is to move,
    X 5 6     so the position is 0b1_001001, written X../X.. h; see `solver.rules.pieces`

Invented by Göran Andersson. Breuker, Uiterwijk and van den Herik solve the boards up to 8x8:
"Solving 8x8 Domineering", Theoretical Computer Science 230, 2000.
"""

from __future__ import annotations

from functools import cached_property

from solver.rules import grid
from solver.rules.game import Symmetry
from solver.rules.pieces import Pieces
from solver.value import Outcome

PATTERN = r"domineering:(\d{1,2})x(\d{1,2})"
FORM = "domineering:WxH for W columns and H rows"


def load(columns: str, rows: str) -> Domineering:
    """Return the game on a board of this size."""
    return Domineering(int(columns), int(rows))


class Domineering(Pieces):
    """Dominoes on W columns and H rows; the side that cannot lay one loses."""

    family = "domineering"
    about = (
        "Vertical lays dominoes upright and Horizontal lays them across, each on two free cells. A"
        " side that cannot lay one loses."
    )
    seats = "Vertical", "Horizontal"
    pieces = "X"
    most_cells = 49

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(columns, rows)
        self.title = f"Domineering on {columns}x{rows}"
        turned = f"domineering:{rows}x{columns} on the turned board"
        self.second_first = f"Vertical moves first; with Horizontal first it is {turned}"
        sides = self.steps((0, 1)), self.steps((1, 0))  # upright and across
        self.dominoes = [(a, b, second) for second in (0, 1) for a, b in sides[second]]

    def initial(self) -> int:
        return 0

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:  # type: ignore[override]
        """The reflections of the board; a quarter turn would make upright dominoes lie across."""
        return tuple(map(self.rearranged, grid.permutations(self.columns, self.rows)[:4]))

    def moves(self, p: int) -> list[int]:
        turn = p >> self.cells
        return [
            a * self.cells + b
            for a, b, second in self.dominoes
            if second == turn and not (p >> a | p >> b) & 1
        ]

    def play(self, p: int, m: int) -> int:
        a, b = divmod(m, self.cells)
        return p ^ 1 << a ^ 1 << b ^ 1 << self.cells

    def primitive(self, p: int) -> Outcome | None:
        return None if self.moves(p) else Outcome.LOSS

    def cell(self, p: int, m: int) -> int:
        return m // self.cells

    def origin(self, p: int, m: int) -> None:
        return None
