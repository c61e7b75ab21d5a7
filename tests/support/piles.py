"""Games of piles, whose lost positions are published: a loss for whoever cannot move."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from solver import Game, Outcome, solve
from solver.rules.game import Numbered


class Takes(Numbered[int]):
    """One heap; `amounts` are the numbers that may be taken from it."""

    def __init__(self, heap: int, amounts: Iterable[int]) -> None:
        self.heap, self.amounts = heap, sorted(amounts)

    def initial(self) -> int:
        return self.heap

    def moves(self, p: int) -> list[int]:
        return [m for m in self.amounts if m <= p]

    def play(self, p: int, m: int) -> int:
        return p - m

    def primitive(self, p: int) -> Outcome | None:
        return None if self.moves(p) else Outcome.LOSS


class Wythoff(Game[tuple[int, int], tuple[int, int]]):
    """Two heaps; a move takes from one, or as many from both."""

    def __init__(self, heap: int) -> None:
        self.heap = heap

    def initial(self) -> tuple[int, int]:
        return self.heap, self.heap

    def moves(self, p: tuple[int, int]) -> list[tuple[int, int]]:
        a, b = p
        return [
            *((m, 0) for m in range(1, a + 1)),
            *((0, m) for m in range(1, b + 1)),
            *((m, m) for m in range(1, min(a, b) + 1)),
        ]

    def play(self, p: tuple[int, int], m: tuple[int, int]) -> tuple[int, int]:
        return p[0] - m[0], p[1] - m[1]

    def primitive(self, p: tuple[int, int]) -> Outcome | None:
        return Outcome.LOSS if p == (0, 0) else None


class Splits(Game[str, str]):
    """Heaps as letters after a sign, A for one object; a move replaces one by those of `after`."""

    def __init__(self, heap: int, after: Callable[[int], Iterable[tuple[int, ...]]]) -> None:
        self.after = {
            letters([n]): sorted({letters(some) for some in after(n)}) for n in range(1, heap + 1)
        }
        self.heap = heap

    def initial(self) -> str:
        return "@" + letters([self.heap])

    def moves(self, p: str) -> list[str]:
        found = (p.replace(heap, some, 1) for heap in {*p[1:]} for some in self.after[heap])
        return sorted({"".join(sorted(q)) for q in found})

    def play(self, p: str, m: str) -> str:
        return m

    def primitive(self, p: str) -> Outcome | None:
        return None if self.moves(p) else Outcome.LOSS


def letters(heaps: Iterable[int]) -> str:
    """Return heaps as letters."""
    return "".join(chr(64 + n) for n in heaps if n > 0)


def unequal(n: int) -> list[tuple[int, ...]]:
    """Return the two unequal heaps that a heap can be split into: Grundy's game."""
    return [(a, n - a) for a in range(1, n) if a < n - a]


def without_pair(n: int) -> list[tuple[int, ...]]:
    """Return what two neighbours taken out of a row leave: Dawson's Kayles."""
    return [(a, n - 2 - a) for a in range(n - 1)]


def practical(most: int) -> list[int]:
    """Return the practical numbers: all smaller ones are sums of some of their divisors."""

    def is_practical(n: int) -> bool:
        sums = {0}
        for divisor in (d for d in range(1, n + 1) if n % d == 0):
            sums |= {s + divisor for s in sums if s + divisor <= n}
        return len(sums) == n + 1

    return [n for n in range(1, most + 1) if is_practical(n)]


def lost(game: Any) -> list[Any]:
    """Return the lost positions of a game, as a solve finds them."""
    return sorted(p for p, score in solve(game).positions() if score < 0)
