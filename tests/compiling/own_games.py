"""Games as users write them, in several styles; each is small enough for plain Python."""

from __future__ import annotations

import functools
from typing import Any

from solver import Game, Outcome, rearrange, symmetry_group

OTHER = {"x": "o", "o": "x"}
AROUND = [(-1, 0), (1, 0), (0, -1), (0, 1)]
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
RAGGED = [[1], [0, 2], [1, 3], [2]]
SWAP = str.maketrans("xo", "ox")


def neighbours(cell: int, columns: int, rows: int) -> list[int]:
    row, column = divmod(cell, columns)
    return [
        (row + a) * columns + column + b
        for a, b in AROUND
        if 0 <= row + a < rows and 0 <= column + b < columns
    ]


class Clobber(Game[Any, Any]):
    """Text and side: step onto a neighbour of the other side; whoever cannot loses."""

    columns, rows = 3, 3

    def initial(self) -> Any:
        return "".join(
            "xo"[(i // self.columns + i % self.columns) % 2] for i in range(self.size)
        ), "x"

    @property
    def size(self) -> int:
        return self.columns * self.rows

    def moves(self, p: Any) -> Any:
        cells, turn = p
        found = []
        for start, mark in enumerate(cells):
            if mark != turn:
                continue
            for end in neighbours(start, self.columns, self.rows):
                if cells[end] == OTHER[turn]:
                    found.append((start, end))
        return found

    def play(self, p: Any, m: Any) -> Any:
        cells, turn = p
        new = list(cells)
        new[m[0]], new[m[1]] = ".", turn
        return "".join(new), OTHER[turn]

    def primitive(self, p: Any) -> Outcome | None:
        return None if self.moves(p) else Outcome.LOSS


class Stepping(Game[Any, Any]):
    """A flat tuple of numbers: 0 empty, 1 and 2 the sides, then the side to move; it cycles."""

    def initial(self) -> Any:
        return 1, 1, 0, 0, 0, 2, 2, 1

    def moves(self, p: Any) -> Any:
        turn = p[-1]
        return [
            i * 2 + (d > 0)
            for i in range(7)
            if p[i] == turn
            for d in (-1, 1)
            if 0 <= i + d < 7 and p[i + d] == 0
        ]

    def play(self, p: Any, m: Any) -> Any:
        i, d = m // 2, m % 2 * 2 - 1
        a, b = min(i, i + d), max(i, i + d)
        return (*p[:a], p[b], p[a], *p[b + 1 : -1], 3 - p[-1])

    def primitive(self, p: Any) -> Outcome | None:
        if p[6] == 1 or p[0] == 2:
            return Outcome.WIN if (p[6] == 1) == (p[-1] == 1) else Outcome.LOSS
        return None if len(self.moves(p)) > 0 else Outcome.DRAW


class Heaps(Game[Any, Any]):
    """A short tuple: nim with two heaps, misère."""

    heaps = 9, 7

    def initial(self) -> Any:
        return self.heaps

    def moves(self, p: Any) -> Any:
        return [(heap, n) for heap in range(2) for n in range(1, p[heap] + 1)]

    def play(self, p: Any, m: Any) -> Any:
        first, second = p
        heap, n = m
        return (first - n, second) if heap == 0 else (first, second - n)

    def primitive(self, p: Any) -> Outcome | None:
        return Outcome.WIN if p == (0, 0) else None


class Bits(Game[Any, Any]):
    """A number: two bitboards of four cells in a row, joined to neighbours only."""

    def initial(self) -> int:
        return 0

    def moves(self, p: int) -> list[int]:
        return [i for i in range(4) if not (p | p >> 4) >> i & 1]

    def play(self, p: int, m: int) -> int:
        p |= 1 << m
        for j in RAGGED[m]:
            if p >> 4 + j & 1:
                p &= ~(1 << j + 4)
        return (p & 15) << 4 | p >> 4

    def primitive(self, p: int) -> Outcome | None:
        if p.bit_count() < 4:
            return None
        mine, theirs = p & 15, p >> 4
        return Outcome((mine > theirs) - (mine < theirs))

    def tier(self, p: int) -> int:
        return 0


class TicTacToe(Game[str, int]):
    """A text seen from the side to move, with two of its symmetries."""

    symmetries = symmetry_group(rearrange(range(8, -1, -1), cells=range(8, -1, -1)))

    def initial(self) -> str:
        return "." * 9

    def moves(self, p: str) -> list[int]:
        return [cell for cell in range(9) if p[cell] == "."]

    def play(self, p: str, m: int) -> str:
        return (p[:m] + "x" + p[m + 1 :]).translate(SWAP)

    def primitive(self, p: str) -> Outcome | None:
        if any(all(p[cell] == "o" for cell in line) for line in LINES):
            return Outcome.LOSS
        return None if "." in p else Outcome.DRAW

    @functools.lru_cache  # noqa: B019
    def tier(self, p: str) -> int:
        return 9 - p.count(".")


class Rare(Game[Any, Any]):
    """A tuple (a, b, coin) whose coin changes at the end of one long line of play only."""

    def initial(self) -> Any:
        return 0, 0, 0

    def moves(self, p: Any) -> list[int]:
        return [0, 1]

    def play(self, p: Any, m: int) -> Any:
        a, b, coin = p
        a, b = (a + 1, b) if m == 0 else (a, b + 1)
        return a, b, 7 if (a, b) == (0, 40) else coin

    def primitive(self, p: Any) -> Outcome | None:
        a, b, coin = p
        return None if a + b < 60 else Outcome.LOSS if (a + coin) % 3 else Outcome.WIN

    def tier(self, p: Any) -> int:
        return int(p[0] + p[1])


class Passing(Game[Any, Any]):
    """Heterogeneous: a number and a flag; the one who must pass has the move -1."""

    def initial(self) -> Any:
        return 12, False

    def moves(self, p: Any) -> list[int]:
        left, must_pass = p
        return [-1] if must_pass else list(range(1, min(2, left) + 1))

    def play(self, p: Any, m: int) -> Any:
        left, _ = p
        return (left, False) if m == -1 else (left - m, m == 1)

    def primitive(self, p: Any) -> Outcome | None:
        return Outcome.LOSS if p[0] == 0 else None


EACH = (Clobber, Stepping, Heaps, Bits, TicTacToe, Rare, Passing)


class Small(Game[int, int]):
    """The game that is compiled fastest, for tests to which any will do."""

    def initial(self) -> int:
        return 17

    def moves(self, p: int) -> range:
        return range(1, min(4, p) + 1)

    def play(self, p: int, m: int) -> int:
        return p - m

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if p == 0 else None


class Growing(Small):
    """Numbers that grow beyond the bits of a key."""

    def initial(self) -> int:
        return 1

    def moves(self, p: int) -> range:
        return range(2, 4)

    def play(self, p: int, m: int) -> int:
        return p + p + p + m

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if 1000 < p < 1 << 60 else None


class Endless(Game[Any, Any]):
    """Three counters of thousands, in one tier."""

    def initial(self) -> Any:
        return 0, 0, 0

    def moves(self, p: Any) -> list[int]:
        return [0, 1, 2]

    def play(self, p: Any, m: int) -> Any:
        new = list(p)
        new[m] += 1
        return tuple(new)

    def primitive(self, p: Any) -> Outcome | None:
        return Outcome.LOSS if max(p) == 3000 else None
