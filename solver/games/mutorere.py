r"""Mu torere: four stones a side on a ring of eight points and its centre; who cannot move loses.

A stone moves to the only empty point: to a neighbour on the ring, from the centre to the ring, or
from the ring to the centre, but to the centre only if a neighbour of the stone is the other side's.
X moves first:

    X---X---X
    | \ | / |
    X---.---O     written XXX/X.O/OOO x; see `solver.rules.pieces`
    | / | \ |
    O---O---O

A game of the Māori. Philip Straffin, "Position Graphs for Pong Hau K'i and Mu Torere", Mathematics
Magazine 68, 1995: with the best play it never ends.
"""

from __future__ import annotations

from functools import cached_property

from solver.rules.game import Symmetry
from solver.rules.pieces import Pieces
from solver.value import Outcome

PATTERN = FORM = "mutorere"
RING, CENTRE = (0, 1, 2, 5, 8, 7, 6, 3), 4
STEPS = [
    *((a, b) for i, a in enumerate(RING) for b in (RING[i - 1], RING[i - 7], CENTRE)),
    *((CENTRE, b) for b in RING),
]
MIRROR = (1, 0, 3, 2, 4, 6, 5, 8, 7)  # the reflection that leaves the start as it is
BESIDE = [sum(1 << b for a, b in STEPS if a == cell and b != CENTRE) for cell in range(9)]


class MuTorere(Pieces):
    """Four stones a side on nine points; the side that cannot move loses."""

    title = "Mu torere"
    about = (
        "Each side has four stones on a ring of eight points around a centre. Move one to the free"
        " point beside it; to the centre only from beside a stone of the other side. A side that"
        " cannot move loses."
    )

    def __init__(self) -> None:
        super().__init__(3, 3)

    @property
    def spec(self) -> str:
        return "mutorere"

    def initial(self) -> int:
        return self.join(0, 0b000001111, 0b111100000)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:  # type: ignore[override]
        """The identity and a reflection of the ring, which also turns colours upside down."""
        return self.rearranged(range(9)), self.rearranged(MIRROR)

    def moves(self, p: int) -> list[int]:
        _, mine, theirs = self.split(p)
        return [
            a * 9 + b
            for a, b in STEPS
            if mine >> a & 1
            and not (mine | theirs) >> b & 1
            and (b != CENTRE or theirs & BESIDE[a] != 0)
        ]

    def play(self, p: int, m: int) -> int:
        second, mine, theirs = self.split(p)
        start, end = divmod(m, 9)
        return self.join(1 - second, theirs, mine ^ 1 << start ^ 1 << end)

    def primitive(self, p: int) -> Outcome | None:
        return None if self.moves(p) else Outcome.LOSS


load = MuTorere
