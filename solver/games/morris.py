r"""Men's morris on 3x3 points: the sides place their men, then slide them; three in a row win.

Once all men are placed, a move slides a man to an adjacent empty point: along the lines drawn here,
or in `morris:any` also between the midpoints of two sides.

    1---2---3     X . O     X: bits 0 and 4 = 0b000010001
    | \ | / |     . X .     O: bits 2 and 7 = 0b010000100
    4---5---6     . O .     X is to move, so the position is 0b000010001_010000100
    | / | \ |
    7---8---9

A position is two bitboards (see `solver.rules.grid`) in one integer, that of the side to move above
that of the other side. Once all men are placed, it does not contain whose turn it is. Placing a man
is the move 0 to 8. Sliding it is the same move plus 9 times the point, from 1, that it leaves.

A side that cannot slide loses. With three men a side, as in morris, that never happens. With four,
as in achi, it does; some rules call it a draw or skip the turn, which changes the value of no
opening move.

Sources: Murray, A History of Board-Games Other Than Chess, 1951, as cited by Ludii, for morris;
R. C. Bell, as cited by cyningstan.com and Wikipedia, for achi; GamesCrafters' Gamesman for the
lines and for the slides of `morris:any`.
"""

from __future__ import annotations

from solver.errors import IllegalPositionError
from solver.games.mnk import Mnk
from solver.rules import grid
from solver.rules.descriptions import in_words
from solver.value import Outcome

PATTERN = r"(achi)|morris(:any)?"
FORM = "morris, morris:any or achi"
SIDE, CELLS = 3, 9
FULL = (1 << CELLS) - 1
LINKS = "12 14 15 23 25 35 36 45 47 56 57 58 59 69 78 89"  # points joined by a line
MORE_LINKS = " 24 26 48 68"  # in morris:any


def load(achi: str | None, anywhere: str | None) -> Morris:
    """Return achi, or morris with or without more slides."""
    return Morris(4 if achi else 3, anywhere is not None)


class Morris(grid.Stones):
    """Three or four men a side on 3x3; three in a row win, and a side that cannot move loses."""

    board = SIDE, SIDE
    lines = grid.lines(SIDE, SIDE, SIDE)
    symmetries = tuple(
        grid.symmetry(cells)._replace(move=None) for cells in grid.permutations(SIDE, SIDE)
    )

    def __init__(self, men: int, anywhere: bool = False) -> None:
        self.men, self.anywhere = men, anywhere
        name = "Achi" if men == 4 else "Three men's morris"
        self.title = name + ", free slides" * anywhere
        self.about = (
            f"First place {in_words(men)} men each in turn, then slide one to a free point"
            f" {'next to it' if anywhere else 'along a line'}. Three in a row win, and a side that"
            " cannot move loses."
        )
        self._placing = Mnk(SIDE, SIDE, SIDE)  # has the same texts
        pairs = (LINKS + MORE_LINKS * anywhere).split()
        steps = sorted((int(s[0]), int(s[1])) for pair in pairs for s in (pair, pair[::-1]))
        self._slides = [(CELLS * a + b - 1, 1 << a - 1, 1 << b - 1) for a, b in steps]

    @property
    def spec(self) -> str:
        return "achi" if self.men == 4 else "morris" + ":any" * self.anywhere

    def moves(self, p: int) -> list[int]:
        return self._moves_of(p >> CELLS, p & FULL)

    def play(self, p: int, m: int) -> int:
        mine, theirs = p >> CELLS, p & FULL
        return theirs << CELLS | _moved(mine, m)

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if self._has_line(p & FULL) or not self.moves(p) else None

    def cell(self, p: int, m: int) -> int:
        return m % CELLS

    def origin(self, p: int, m: int) -> int | None:
        return m // CELLS - 1 if m >= CELLS else None

    def threats(self, p: int) -> list[int]:
        mine, theirs = p >> CELLS, p & FULL
        return [m for m in self._moves_of(theirs, mine) if self._has_line(_moved(theirs, m))]

    def label(self, p: int, m: int) -> str:
        start, target = divmod(m, CELLS)
        return f"{start}-{target + 1}" if start else str(target + 1)

    def text(self, p: int, turn: str | None = None) -> str:
        return self._placing.text(p, turn)

    def parse(self, text: str, turn: str | None = None) -> int:
        """Return the position of a board as `solver.boards.read` reads it.

        Unless `turn` is given, X moved first, and X is to move once all men are placed. Raises
        IllegalPositionError if no game leads to the board.
        """
        p = self._placing.parse(text, turn)
        x, o = (stones.bit_count() for stones in self._placing.split(p))
        if max(x, o) > self.men:
            raise IllegalPositionError(f"a side has {max(x, o)} men, but it starts with {self.men}")
        return p

    def _moves_of(self, mine: int, theirs: int) -> list[int]:
        """Return the moves of the side with the men `mine`."""
        occupied = mine | theirs
        if mine.bit_count() < self.men:
            return [cell for cell in range(CELLS) if not occupied >> cell & 1]
        return [m for m, start, target in self._slides if mine & start and not occupied & target]

    def _has_line(self, men: int) -> bool:
        return any(men & line == line for line in self.lines)


def _moved(men: int, m: int) -> int:
    """Return the men of a side after its move."""
    start, target = divmod(m, CELLS)
    return (men ^ 1 << start - 1 if start else men) | 1 << target
