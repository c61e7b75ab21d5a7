r"""Men's morris on 3x3 points: place the men in turn, then slide them; three in a row win.

Once all men are placed, a side slides one of its men to an adjacent empty point: along the 8 lines
drawn here, or in `morris:any` also between the midpoints of two edges.

    1---2---3     X . O     X: bits 0 and 4 = 0b000010001
    | \ | / |     . X .     O: bits 2 and 7 = 0b010000100
    4---5---6     . O .     X is to move, so the position is 0b000010001_010000100
    | / | \ |
    7---8---9

A position is two boards of bits (see `solver.grid`) in one integer, that of the side to move above
that of the other. Once all men are placed, nothing in it tells whose turn it is. A move is 0 to 8
to place a man, and 9 times the point from which a man comes is added to slide it.

A side that cannot slide loses. With three men a side, as in morris, that never happens. With four,
as in achi, it does, and some call it a draw or skip the turn; every opening is worth the same then.

Sources: Murray, A History of Board-Games Other Than Chess, 1951, as Ludii cites it, for morris;
R. C. Bell, as cyningstan.com and Wikipedia tell it, for achi; GamesCrafters' Gamesman for the lines
and for the slides of `morris:any`.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from solver.errors import IllegalPositionError
from solver.games.mnk import Mnk
from solver.rules import grid
from solver.rules.game import Numbered, Symmetry
from solver.value import Outcome

if TYPE_CHECKING:
    from re import Match

PATTERN = r"morris(:any)?|achi"
FORM = "morris, morris:any or achi"
SIDE, CELLS = 3, 9
DRAWN = "12 14 15 23 25 35 36 45 47 56 57 58 59 69 78 89"  # points that a line joins
EDGES = " 24 26 48 68"  # joined in morris:any


def load(match: Match[str]) -> Morris:
    """Return the game of a name."""
    return Morris(4 if match[0] == "achi" else 3, bool(match[1]))


class Morris(Numbered[int]):
    """Three or four men a side on 3x3; three in a row win, and a side that cannot move loses."""

    board = SIDE, SIDE

    def __init__(self, men: int, anywhere: bool = False) -> None:
        self.men, self.anywhere = men, anywhere
        self.lines = grid.lines(SIDE, SIDE, SIDE)
        self._placing = Mnk(SIDE, SIDE, SIDE)  # reads and writes the same boards
        pairs = (DRAWN + EDGES * anywhere).split()
        steps = sorted((int(s[0]), int(s[1])) for pair in pairs for s in (pair, pair[::-1]))
        self._slides = [(CELLS * a + b - 1, 1 << a - 1, 1 << b - 1) for a, b in steps]

    def __reduce__(self) -> tuple[type[Morris], tuple[int, bool]]:
        return Morris, (self.men, self.anywhere)  # its symmetries are closures

    @property
    def spec(self) -> str:
        return "achi" if self.men == 4 else "morris" + ":any" * self.anywhere

    def initial(self) -> int:
        return 0

    def moves(self, p: int) -> list[int]:
        return self._moves_of(*self._placing.split(p))

    def play(self, p: int, m: int) -> int:
        mine, theirs = self._placing.split(p)
        return theirs << CELLS | _moved(mine, m)

    def primitive(self, p: int) -> Outcome | None:
        _, theirs = self._placing.split(p)
        return Outcome.LOSS if self._has_line(theirs) or not self.moves(p) else None

    def tier(self, p: int) -> int:
        return p.bit_count()

    def cell(self, p: int, m: int) -> int:
        return m % CELLS

    def origin(self, p: int, m: int) -> int | None:
        return m // CELLS - 1 if m >= CELLS else None

    def threats(self, p: int) -> list[int]:
        mine, theirs = self._placing.split(p)
        return [m for m in self._moves_of(theirs, mine) if self._has_line(_moved(theirs, m))]

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:  # type: ignore[override]
        """Rotations and reflections of the board."""
        return tuple(_symmetry(cells) for cells in grid.permutations(SIDE, SIDE))

    def label(self, p: int, m: int) -> str:
        start, target = divmod(m, CELLS)
        return f"{start}-{target + 1}" if start else str(target + 1)

    def turn(self, p: int) -> str:
        return self._placing.turn(p)

    def text(self, p: int, turn: str | None = None) -> str:
        return self._placing.text(p, turn)

    def parse(self, text: str, turn: str | None = None) -> int:
        """Return the position on a board written as `solver.boards.read` takes it.

        X began, and X is to move when all men are placed, unless `turn` tells who is to move.
        Raises IllegalPositionError, which names the reason, if no game leads to such a board.
        """
        p = self._placing.parse(text, turn)
        x, o = (stones.bit_count() for stones in self._placing.split(p))
        if max(x, o) > self.men:
            raise IllegalPositionError(f"a side has {max(x, o)} men, but there are {self.men} each")
        return p

    def render(self, p: int, turn: str | None = None) -> str:
        return self._placing.render(p, turn)

    def _moves_of(self, mine: int, theirs: int) -> list[int]:
        """Return the moves of a side with these men: it places one, if it has one left."""
        taken = mine | theirs
        if mine.bit_count() < self.men:
            return [cell for cell in range(CELLS) if not taken >> cell & 1]
        return [m for m, start, target in self._slides if mine & start and not taken & target]

    def _has_line(self, men: int) -> bool:
        return any(men & line == line for line in self.lines)


def _moved(men: int, m: int) -> int:
    """Return a side's men after its move."""
    start, target = divmod(m, CELLS)
    return (men ^ 1 << start - 1 if start else men) | 1 << target


def _symmetry(cells: tuple[int, ...]) -> Symmetry:
    """Return the symmetry that a permutation of the cells makes."""
    position, turned, _ = grid.symmetry(cells)
    points = [0, *(turned(cell) + 1 for cell in range(CELLS))]
    return Symmetry(position, lambda m: CELLS * points[m // CELLS] + turned(m % CELLS), cells)
