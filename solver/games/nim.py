"""Nim: take as many objects as you like from one heap; whoever takes the last object wins.

Which heap is which does not matter, so a position is the sizes of the heaps that are left, in
ascending order. Its key reads them as digits in a base above the largest heap of the start. In a
game from heaps of 3, 4 and 5, where the base is 6:

    |||
    ||||      (2, 3, 4), written 2,3,4
    ||        the key is 2 * 36 + 3 * 6 + 4 = 94

The side to move wins unless the sizes add up to 0 in binary without carrying: Charles L. Bouton,
"Nim, a game with a complete mathematical theory", Annals of Mathematics 3 (1901).
"""

from __future__ import annotations

import re
from functools import reduce
from operator import le
from typing import TYPE_CHECKING

from solver.errors import IllegalPositionError, quoted, shorten
from solver.rules.game import Game
from solver.value import Outcome

if TYPE_CHECKING:
    from re import Match

PATTERN = r"nim:(\d{1,3}(?:,\d{1,3})*)"
FORM = "nim:A,B,C for heaps of A, B and C"
MOST_HEAPS, MOST = 10, 100


def load(match: Match[str]) -> Nim:
    """Return the game of a name."""
    return Nim(*map(int, match[1].split(",")))


class Nim(Game[tuple[int, ...], tuple[int, int]]):
    """Heaps of objects; a move (size, take) takes so many from a heap of that size."""

    seats = "First", "Second"

    def __init__(self, *heaps: int) -> None:
        if len(heaps) not in range(1, MOST_HEAPS + 1) or not 1 <= min(heaps) <= max(heaps) <= MOST:
            raise ValueError(f"it takes 1 to {MOST_HEAPS} heaps of 1 to {MOST} objects")
        self.heaps = tuple(sorted(heaps))
        self.base = self.heaps[-1] + 1

    @property
    def spec(self) -> str:
        return f"nim:{self.text(self.heaps)}"

    def initial(self) -> tuple[int, ...]:
        return self.heaps

    def moves(self, p: tuple[int, ...]) -> list[tuple[int, int]]:
        return [(size, take) for size in dict.fromkeys(p) for take in range(1, size + 1)]

    def play(self, p: tuple[int, ...], m: tuple[int, int]) -> tuple[int, ...]:
        return _exchanged(p, m[0], m[0] - m[1])

    def primitive(self, p: tuple[int, ...]) -> Outcome | None:
        return None if p else Outcome.LOSS

    def tier(self, p: tuple[int, ...]) -> int:
        return sum(self.heaps) - sum(p)

    def key(self, p: tuple[int, ...]) -> int:
        return reduce(lambda key, size: key * self.base + size, p, 0)

    def position(self, key: int) -> tuple[int, ...]:
        return (*self.position(key // self.base), key % self.base) if key else ()

    def parents(self, p: tuple[int, ...]) -> list[tuple[int, ...]]:
        sizes = dict.fromkeys((0, *p))  # a heap of 0 is one that the last move took whole
        before = (_exchanged(p, old, new) for old in sizes for new in range(old + 1, self.base))
        return [q for q in before if self._fits(q)]

    def code(self, m: tuple[int, int]) -> str:
        return f"{m[0]}-{m[1]}"

    def label(self, p: tuple[int, ...], m: tuple[int, int]) -> str:
        return f"take {m[1]} of {m[0]}"

    def text(self, p: tuple[int, ...], turn: str | None = None) -> str:
        return ",".join(map(str, p)) or "0"

    def parse(self, text: str, turn: str | None = None) -> tuple[int, ...]:
        """Return the position with heaps of these sizes, in any order; 0 is no heap.

        It is the same whoever is to move. Raises IllegalPositionError, which names the reason.
        """
        if not isinstance(text, str):
            raise TypeError(f"heaps are written as '3,4,5', not as {type(text).__name__}")
        if turn not in (None, *self.seats):
            raise IllegalPositionError(f"the turn is {turn!r}; it must be First or Second")
        if not re.fullmatch(r" *\d{1,3} *(, *\d{1,3} *)*", text, re.ASCII):
            raise IllegalPositionError(
                f"{quoted(text)} is no list of heaps: write their sizes as 3,4,5, or 0 for none"
            )
        p = tuple(sorted(size for size in map(int, text.split(",")) if size))
        if not self._fits(p):
            raise IllegalPositionError(
                f"{self.text(self.heaps)} cannot shrink to {shorten(self.text(p))}, heap by heap"
            )
        return p

    def render(self, p: tuple[int, ...], turn: str | None = None) -> str:
        return "\n".join(f"{size:>3} {'|' * size}" for size in p) or "  0"

    def _fits(self, p: tuple[int, ...]) -> bool:
        """Return whether each heap, from the largest down, is no larger than at the start."""
        padded = (0,) * (len(self.heaps) - len(p)) + p
        return len(p) <= len(self.heaps) and all(map(le, padded, self.heaps))


def _exchanged(p: tuple[int, ...], old: int, new: int) -> tuple[int, ...]:
    """Return the heaps with one of size `old` made one of size `new`; a heap of 0 is none."""
    heaps = [*p, 0, new]
    heaps.remove(old)
    return tuple(sorted(size for size in heaps if size))
