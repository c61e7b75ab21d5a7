"""Tic-tac-toe in the styles in which people write a game, and with the slips that they make."""

from __future__ import annotations

import random
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum
from typing import Any, NamedTuple

import numpy as np

from solver import Game, Outcome, rearrange, symmetry_group

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Marks(Game[Any, Any]):
    """Marks in a tuple."""

    marks_: tuple[Any, Any, Any] = (0, 1, 2)

    def initial(self):
        return (self.marks_[0],) * 9

    def moves(self, p):
        return [i for i in range(9) if p[i] == self.marks_[0]]

    def play(self, p, m):
        mark = self.marks_[1 + sum(c != self.marks_[0] for c in p) % 2]
        return (*p[:m], mark, *p[m + 1 :])

    def primitive(self, p):
        if any(p[a] != self.marks_[0] and p[a] == p[b] == p[c] for a, b, c in LINES):
            return Outcome.LOSS
        return None if self.marks_[0] in p else Outcome.DRAW


class Whole(IntEnum):
    E, X, O = 0, 1, 2  # noqa: E741


class Text(StrEnum):
    E, X, O = ".", "X", "O"  # noqa: E741


class Plain(Enum):
    E, X, O = 0, 1, 2  # noqa: E741


class IntEnums(Marks):
    marks_ = tuple(Whole)


class StrEnums(Marks):
    marks_ = tuple(Text)


class Bools(Marks):
    marks_ = (None, True, False)


class Arrays(Marks):
    def initial(self):
        return tuple(np.zeros(9, dtype=int))

    def moves(self, p):
        return np.flatnonzero(np.array(p) == 0)

    def play(self, p, m):
        a = np.array(p)
        a[m] = 1 + np.count_nonzero(a) % 2
        return tuple(a)


class Generators(Marks):
    def moves(self, p):
        return (i for i in range(9) if not p[i])


class Numbers(Marks):
    def primitive(self, p):
        over = super().primitive(p)
        return over if over is None else int(over)


class Negated(Marks):
    def primitive(self, p):
        over = super().primitive(p)
        return -Outcome.WIN if over == Outcome.LOSS else over


class Boards(NamedTuple):
    me: int = 0
    other: int = 0


class Named(Game[Boards, int]):
    """Two sets of cells as bits."""

    def initial(self):
        return Boards()

    def moves(self, p):
        return [i for i in range(9) if not (p.me | p.other) >> i & 1]

    def play(self, p, m):
        return Boards(p.other, p.me | 1 << m)

    def primitive(self, p):
        if any(all(p.other >> i & 1 for i in line) for line in LINES):
            return Outcome.LOSS
        return Outcome.DRAW if p.me | p.other == 511 else None


class Sized(Marks):
    """An instance is named; its board has one line more."""

    def __init__(self, more=()):
        self.lines = [*LINES, *more]

    def primitive(self, p):
        if any(p[a] and p[a] == p[b] == p[c] for a, b, c in self.lines):
            return Outcome.LOSS
        return None if 0 in p else Outcome.DRAW


USUAL, MORE = Sized(), Sized([(0, 1, 5)])

MIRROR, TURN = (2, 1, 0, 5, 4, 3, 8, 7, 6), (6, 3, 0, 7, 4, 1, 8, 5, 2)


class Tuples(Marks):
    """With the symmetries of the board."""

    board = (3, 3)
    symmetries = symmetry_group(*(rearrange(cells, cells=cells) for cells in (MIRROR, TURN)))

    def turn(self, p):
        return "XO"[sum(map(bool, p)) % 2]

    def marks(self, text):
        return text[1:-1].replace(", ", "").translate(str.maketrans("012", ".XO"))

    def cell(self, p, m):
        return m


class SideLast(Marks):
    """Texts whose last character is the side to move, with symmetries of the board."""

    board = (3, 3)
    symmetries = symmetry_group(*(rearrange((*cells, 9), cells=cells) for cells in (MIRROR, TURN)))
    marks_ = tuple(".XO")

    def initial(self):
        return "." * 9 + "X"

    def moves(self, p):
        return super().moves(p[:9])

    def play(self, p, m):
        return p[:m] + p[9] + p[m + 1 : 9] + "XO"[p[9] == "X"]

    def primitive(self, p):
        return super().primitive(p[:9])

    def turn(self, p):
        return p[9]

    def marks(self, text):
        return text[:9]

    def cell(self, p, m):
        return m


class Enums(Marks):
    marks_ = tuple(Plain)


@dataclass(frozen=True)
class Cells:
    cells: tuple[int, ...] = (0,) * 9


class Data(Marks):
    def initial(self):
        return Cells()

    def moves(self, p):
        return super().moves(p.cells)

    def play(self, p, m):
        return Cells(super().play(p.cells, m))

    def primitive(self, p):
        return super().primitive(p.cells)


class Frozen(Marks):
    def initial(self):
        return frozenset()

    def moves(self, p):
        return [i for i in range(9) if (i, 0) not in p and (i, 1) not in p]

    def play(self, p, m):
        return p | {(m, len(p) % 2)}

    def primitive(self, p):
        return Outcome.DRAW if len(p) == 9 else None


class Sets(Marks):
    def moves(self, p):
        return {i for i in range(9) if not p[i]}


class Mixed(Arrays):
    def initial(self):
        return (0,) * 9


class NoDraw(Marks):
    def primitive(self, p):
        return Outcome.LOSS if super().primitive(p) == Outcome.LOSS else None


class InSelf(Marks):
    def initial(self):
        self.cells, self.count = [0] * 9, 0
        return tuple(self.cells)

    def moves(self, p):
        return [i for i in range(9) if not self.cells[i]]

    def play(self, p, m):
        self.cells[m], self.count = 1 + self.count % 2, self.count + 1
        return tuple(self.cells)


class Chance(Marks):
    def play(self, p, m):
        return super().play(p, random.choice(self.moves(p)))


class Counted(Marks):
    asked = 0

    def primitive(self, p):
        self.asked += 1
        return super().primitive(p) if self.asked % 101 else Outcome.DRAW


class Awaited(Marks):
    async def play(self, p, m):
        return super().play(p, m)


class Hashed(Marks):
    def moves(self, p):
        return list({"abc"[i % 3] + str(i // 3) for i in super().moves(p)})

    def play(self, p, m):
        return super().play(p, "abc".index(m[0]) + 3 * int(m[1]))


class SeenByX(Marks):
    """Outcomes are those of X."""

    def primitive(self, p):
        over = super().primitive(p)
        x_has_lost = over == Outcome.LOSS and sum(map(bool, p)) % 2 == 0
        return Outcome.WIN if over == Outcome.LOSS and not x_has_lost else over


class Side(Marks):
    """The side to move is the last place, but `turn` does not say so."""

    def initial(self):
        return (0,) * 9 + (1,)

    def moves(self, p):
        return super().moves(p[:9])

    def play(self, p, m):
        return (*p[:m], p[9], *p[m + 1 : 9], 3 - p[9])

    def primitive(self, p):
        return super().primitive(p[:9])


class Late(Game[Any, Any]):
    """Count to 24; the slips of subclasses show only at the end, where random games seldom get."""

    def initial(self):
        return (0, 0)

    def moves(self, p):
        return self.late_moves() if p[0] == 23 else [1, 2, 3, 4]

    def late_moves(self):
        return [1, 2, 3, 4]

    def play(self, p, m):
        q = (p[0] + 1, p[1] if m == 1 else 1)
        return self.late(q) if p[0] == 23 else q

    def late(self, q):
        return q

    def primitive(self, p):
        return self.end(p) if p[0] >= 24 or p[1] else None

    def end(self, p):
        return Outcome.LOSS


SLIPS = {
    "LateNone": {"late": lambda self, q: None},
    "LateText": {"late": lambda self, q: str(q)},
    "LateInner": {"late": lambda self, q: (q[0], [q[1]])},
    "LateFloat": {"late": lambda self, q: (q[0] / 1, q[1])},
    "LateNoMoves": {"late_moves": lambda self: None},
    "LateSet": {"late_moves": lambda self: {1, 2, 3, 4}},
    "LateLists": {"late_moves": lambda self: [1, 2, 3, [4]]},
    "LateEnd": {"end": lambda self, p: "draw" if p[0] == 24 else Outcome.LOSS},
    "LateLabels": {"label": lambda self, p, m: "x" if p[0] == 23 else str(m)},
}
for name, methods in SLIPS.items():
    globals()[name] = type(name, (Late,), methods)


class LateBool(Late):
    def late(self, q):
        return (q[0], q[1] == 1)


class LateKey(Late):
    def key(self, p):
        return 2 * p[0] + (p[1] or p[0] == 24)

    def position(self, key):
        return divmod(key, 2)


class NoStart(Marks):
    def initial(self):
        pass


class OnceMade(Marks):
    """The board is made once, so that the second game starts where the first one ended."""

    def __init__(self):
        self.now = super().initial()

    def initial(self):
        return self.now

    def play(self, p, m):
        self.now = super().play(p, m)
        return self.now


class Rows(Marks):
    """Moves are the rows of an array."""

    def moves(self, p):
        return np.argwhere(np.array(p).reshape(3, 3) == 0)

    def play(self, p, m):
        return super().play(p, m[0] * 3 + m[1])


class Counts(int):
    """A kind of number of one's own."""


class OwnNumbers(Game[Any, Any]):
    def initial(self):
        return Counts(7)

    def moves(self, p):
        return [m for m in (1, 2) if m <= p]

    def play(self, p, m):
        return Counts(p - m)

    def primitive(self, p):
        return None if p else Outcome.LOSS


class Passes(OwnNumbers):
    """A pass is None."""

    def initial(self):
        return 7

    def moves(self, p):
        return [1, 2] if p > 2 else [None]

    def play(self, p, m):
        return p - (m or 1)


class NotAMethod(Marks):
    initial = "........."


class EndsInAClass(Marks):
    def primitive(self, p):
        over = super().primitive(p)
        return over if over is None else Outcome


class NoGroup(Marks):
    symmetries = rearrange((1, 0, 2, 3, 4, 5, 6, 7, 8))


class KeyAlone(Marks):
    def key(self, p):
        return hash(p) & 0xFFFF


class SharedBoard(Marks):
    """Moves are made on a board of self, so that what was played before matters."""

    def play(self, p, m):
        if not any(p):
            self.cells = [*p]
        self.cells[m] = 1 + sum(map(bool, p)) % 2
        return tuple(self.cells)


class Glued(Late):
    """The text of two positions is one."""

    def initial(self):
        return (0, 1)

    def play(self, p, m):
        return (p[0] + 1, p[1] * 2 if m == 1 else 1)

    def primitive(self, p):
        return Outcome.LOSS if p[0] >= 8 else None

    def text(self, p, turn=None):
        return f"{p[0]}/{min(p[1], 100)}"

    def parse(self, text, turn=None):
        return tuple(int(word) for word in text.split("/"))


class Misspelt(Marks):
    """Rules that never end: `primitive` lacks a return."""

    def initial(self):
        return 0

    def moves(self, p):
        return [1, 2]

    def lable(self, p, m):
        return f"step {m}"

    def play(self, p, m):
        return (p + m) % 5

    def primitive(self, p):
        p == 4 and Outcome.LOSS  # noqa: B018
