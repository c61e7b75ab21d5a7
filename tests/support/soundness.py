"""Games that were solved wrong, and their wrong tables proved, before rare positions were visited.

Each behaves in a few positions unlike what samples show. They are untyped, as users write them.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-any-generics

from functools import wraps

import numpy as np

from solver import Game, Outcome, load_game
from solver.games.connect4 import Connect4
from solver.rules.game import IDENTITY, Symmetry

N = 4


def rows_of_three(rows, columns):
    return [
        sum(1 << (r + i * dr) * columns + c + i * dc for i in range(3))
        for r in range(rows)
        for c in range(columns)
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1))
        if 0 <= r + 2 * dr < rows and 0 <= c + 2 * dc < columns
    ]


LINES = rows_of_three(N, N)
ODD = 53705  # in this position the side to move has lost
CORNERS = 1 | 1 << 3 | 1 << 12 | 1 << 15


class Notakto(Game):
    """Both mark cells of 4x4."""

    cells = N * N

    def initial(self):
        return 0

    def moves(self, p):
        return [m for m in range(self.cells) if not p >> m & 1]

    def play(self, p, m):
        return p | 1 << m


class Almost(Notakto):
    """Who completes three in a row loses. This is symmetric, but for one position.

    Symmetries were found in samples, and no position was compared with all of its images.
    """

    def primitive(self, p):
        if p == ODD:
            return Outcome.LOSS
        for line in LINES:
            if p & line == line:
                return Outcome.WIN
        return None


def with_trap(rule):
    @wraps(rule)
    def inner(self, p):
        return Outcome.LOSS if p == ODD else rule(self, p)

    return inner


class Decorated(Notakto):
    """A decorator adds the same rule. It was compiled away, since `wraps` shows what is within."""

    symmetries = ()

    @with_trap
    def primitive(self, p):
        for line in LINES:
            if p & line == line:
                return Outcome.WIN
        return None


class Total(Notakto):
    """Four marked corners count 2 each, other marks 1; who is to move at 12 points has lost.

    Compiled, a list of False and True held no 2.
    """

    symmetries = ()

    def primitive(self, p):
        for line in LINES:
            if p & line == line:
                return Outcome.WIN
        points = [False] * 16
        for c in range(16):
            if p >> c & 1:
                points[c] = True
        if p & CORNERS == CORNERS:
            for c in (0, 3, 12, 15):
                points[c] = 2  # type: ignore[call-overload]
        return Outcome.LOSS if sum(points) >= 12 else None


class Edge(Game):
    """Notakto as a text that starts with a dead square.

    A place with one value only was an IndexError, in a solve and in a proof.
    """

    lines = tuple(tuple(i + 1 for i in range(N * N) if line >> i & 1) for line in LINES)

    def initial(self):
        return "#" + "." * 16

    def moves(self, p):
        return [m for m in range(17) if p[m] == "."]

    def play(self, p, m):
        return p[:m] + "X" + p[m + 1 :]

    def primitive(self, p):
        for a, b, c in self.lines:
            if p[a] == p[b] == p[c] == "X":
                return Outcome.WIN
        return None


CELLS = 12  # three in a row on 4x3: the stones of the side to move, then the opponent's
FULL = (1 << CELLS) - 1
ROWS = rows_of_three(3, 4)
SPECIAL = 2637875


class Odd(Game):
    """Three in a row win on 4x3, but in one position the side to move has won.

    Its image that was canonical was only compared with those under generators of the group.
    """

    def initial(self):
        return 0

    def moves(self, p):
        occupied = p >> CELLS | p
        return [m for m in range(CELLS) if not occupied >> m & 1]

    def play(self, p, m):
        return (p & FULL) << CELLS | p >> CELLS | 1 << m

    def primitive(self, p):
        if p == SPECIAL:
            return Outcome.WIN
        theirs = p & FULL
        for line in ROWS:
            if theirs & line == line:
                return Outcome.LOSS
        return Outcome.DRAW if (p >> CELLS | theirs) & FULL == FULL else None

    def tier(self, p):
        return p.bit_count()


def reached(columns):
    game = load_game("connect4:4x3")
    p = game.initial()
    for column in columns:
        p = game.play(p, column)
    return p


WON = {reached((0, 1, 2, 3, 3, 2, 1, 0)), reached((3, 2, 1, 0, 0, 1, 2, 3))}


class Sub(Connect4):
    """Connect 4 on 4x3, but for two positions. It inherited the kernel of the usual rules."""

    def __init__(self):
        super().__init__(4, 3, 4)

    @property
    def spec(self):
        return "soundness:Sub"

    def primitive(self, p):
        return Outcome.WIN if p in WON else super().primitive(p)


MARKS = 14  # cells to mark in the games below; who finds all of them marked has lost
LOW = (1 << MARKS) - 1


class Marks(Notakto):
    cells = MARKS

    def primitive(self, p):
        return Outcome.LOSS if p & LOW == LOW else None

    def tier(self, p):
        return (p & LOW).bit_count()


class Shift(Marks):
    """`1 << 62` in one position ended the solve in a traceback."""

    symmetries = ()

    def primitive(self, p):
        if p & 0xFF == 0xA5 and p >> 8 == 0x0D and (1 << 62) > p:  # noqa: SIM300
            return Outcome.WIN
        return Outcome.LOSS if p == LOW else None


def doubled(p, n):
    for _ in range(n):
        p = p + p
    return p


class Wrap(Marks):
    """A sum of more than 64 bits in one position wrapped."""

    symmetries = ()

    def primitive(self, p):
        if p & 0xFF == 0xA8 and p >> 8 == 0x0D and doubled(p, 60) > 0:
            return Outcome.WIN
        return Outcome.LOSS if p == LOW else None


def reflected(p):
    return p & ~LOW | int(format(p & LOW, f"0{MARKS}b")[::-1], 2)


class Flag(Marks):
    """A bit that only one position has, and a declared reflection.

    A solve ended with: it is not known which images a position has.
    """

    symmetries = IDENTITY, Symmetry(reflected, lambda m: MARKS - 1 - m, None)

    def play(self, p, m):
        q = p | 1 << m
        return q | 1 << MARKS if q & LOW == 0b10101011010101 else q


A, B = 1 << MARKS, 1 << MARKS + 1
ONE = 0b00111010100101
OTHER = reflected(ONE)


def twin(p):
    return reflected(p) & LOW | (B if p & A else 0) | (A if p & B else 0)


class Twin(Marks):
    """Two flags are set together but in two positions, and the reflection exchanges them.

    What it does to flags was learned from samples.
    """

    symmetries = IDENTITY, Symmetry(twin, lambda m: MARKS - 1 - m, None)

    def play(self, p, m):
        q = p | 1 << m
        if q & LOW == ONE:
            return q & LOW | A
        if q & LOW == OTHER:
            return q & LOW | B
        return q | (A | B if (q & LOW).bit_count() > 8 else 0)

    def primitive(self, p):
        return Outcome.LOSS if p & LOW == LOW or p in (ONE | A, OTHER | B) else None


class Heap(Game):
    """A heap with an empty tuple beside it, for which no key was found: a solve never ended."""

    empty: "tuple | str" = ()

    def initial(self):
        return (30, self.empty)

    def moves(self, p):
        return [m for m in (1, 2, 3) if m <= p[0]]

    def play(self, p, m):
        return (p[0] - m, p[1])

    def primitive(self, p):
        return Outcome.LOSS if p[0] == 0 else None


class HeapAndText(Heap):
    """The same with an empty text."""

    empty = ""


class Negative(Game):
    """Five heaps; tiers below 0 were errors of NumPy."""

    def initial(self):
        return (3,) * 5

    def moves(self, p):
        return [(i, m) for i in range(5) for m in (1, 2, 3) if m <= p[i]]

    def play(self, p, m):
        return (*p[: m[0]], p[m[0]] - m[1], *p[m[0] + 1 :])

    def primitive(self, p):
        return None if any(p) else Outcome.LOSS

    def tier(self, p):
        return -sum(p)


class FarApart(Negative):
    """Tiers that are large numbers, far apart."""

    def tier(self, p):
        return (15 - sum(p)) * 100_000_000


HEIGHT = 24  # of the games below, which take a rare move 23 times before the rules break a law


class Steps(Game):
    def initial(self):
        return (0, 0)

    def moves(self, p):
        return [1, 2, 3, 4]

    def play(self, p, m):
        return (p[0] + 1, p[1] if m == 1 else 1)

    def primitive(self, p):
        return Outcome.LOSS if p[0] >= HEIGHT or p[1] else None


class ListAtTheEnd(Steps):
    """`play` returns a list where no random game gets: unhashable type, with a traceback."""

    def play(self, p, m):
        q = super().play(p, m)
        return list(q) if p[0] == HEIGHT - 1 else q


class TwiceAtTheEnd(Steps):
    """A move is listed twice there. A table was stored that no command could read."""

    def moves(self, p):
        return [1, 2, 3, 4, 4] if p[0] == HEIGHT - 1 else [1, 2, 3, 4]


class Mark(int):
    """A number that rules may tell from a plain one, although it equals that."""


class MarkAtTheEnd(Steps):
    """A number is of its own class there, which files of unfinished work forgot."""

    def play(self, p, m):
        q = super().play(p, m)
        return (q[0], Mark(q[1])) if p[0] == HEIGHT - 1 else q

    def tier(self, p):
        return p[0]


class KeyAtTheEnd(Steps):
    """A key is negative there: the position was missing in a table that was written."""

    wrong = -1

    def key(self, p):
        return self.wrong if p == (HEIGHT, 0) else p[0] * 2 + p[1]

    def position(self, key):
        return (HEIGHT, 0) if key == self.wrong else divmod(key, 2)


class FloatKeyAtTheEnd(KeyAtTheEnd):
    """This was a traceback."""

    wrong = 0.5  # type: ignore[assignment]


class OrientAtTheEnd(Steps):
    """Another position stands for one there, whose values the table then had."""

    def orient(self, p):
        return ((HEIGHT - 1, 1) if p == (HEIGHT, 0) else p), IDENTITY


class ArrayAtTheEnd(Steps):
    """An outcome is an array there, which NumPy makes no number of."""

    def primitive(self, p):
        return np.array([-1]) if p[0] >= HEIGHT else super().primitive(p)


class HalfCharacterAtTheEnd(Steps):
    """A text cannot be written as UTF-8 there."""

    more = "\ud83d"

    def text(self, p, turn=None):
        return f"{p[0]},{p[1]}" + self.more * (p == (HEIGHT, 0))

    def parse(self, text, turn=None):
        return tuple(map(int, text.removesuffix(self.more).split(",")))


class LongTextAtTheEnd(HalfCharacterAtTheEnd):
    """A text is as long there as no line of a strategy may be."""

    more = "z" * 70_000


class TextWithoutTurn(Steps):
    """A text is that of another position there, unless the seat to move is named."""

    def text(self, p, turn=None):
        return str(HEIGHT) if p == (HEIGHT, 0) else f"{p[0]} {p[1]}"

    def parse(self, text, turn=None):
        height, _, flag = text.partition(" ")
        return (int(height), int(flag or turn is None))


ENDS = {(HEIGHT, 0): (31, 32), (31, 0): (28, 29), (32, 0): (27,)}
DOUBLED = {**ENDS, (31, 0): (26, 26), (32, 0): (26,)}
SWAPPED = {31: 32, 32: 31, 27: 28, 28: 27, 29: 27}


class OneWay(Steps):
    """The symmetry maps two positions to one there; the second, 29, was taken for the first."""

    symmetries = (IDENTITY, Symmetry(lambda p: (SWAPPED.get(p[0], p[0]), p[1]), None, None))
    ends = ENDS

    def moves(self, p):
        return [*range(len(self.ends[p]))] if p in self.ends else [1, 2, 3, 4]

    def play(self, p, m):
        return (self.ends[p][m], 0) if p in self.ends else super().play(p, m)

    def primitive(self, p):
        if p[1] or p[0] == 29:
            return Outcome.LOSS
        return Outcome.DRAW if p[0] in (26, 27, 28) else None


class Doubled(OneWay):
    """Two moves lead to one position, but of the image only one; traps of its moves were wrong."""

    ends = DOUBLED
