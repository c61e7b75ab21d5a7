"""Whether the numbers in the positions of a game grow without end, ply by ply."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from solver.clock import thread_time
from solver.rules.game import Game
from solver.rules.positions import children, explore
from solver.value import LIMIT

PLIES = 50  # in each of which the largest number grows
LARGE = 1_000_000  # from which on it is hopeless if it has doubled in these plies
SECONDS = 2.0  # of CPU time, for counting before rules are compiled


class Growth:
    """The largest number in the positions of each ply of a game, as far as they were counted."""

    def __init__(self) -> None:
        self.largest: list[int] = []

    def add(self, positions: list[Any]) -> None:
        """Add a ply with these positions."""
        self.largest.append(max(map(largest, positions)))

    @property
    def goes_on(self) -> bool:
        """Whether the number has grown in each ply so far, but for the first ones."""
        return len(self.largest) < 4 or self.largest[-1] > self.largest[-2]

    @property
    def said(self) -> str:
        """A sentence about it if it has grown in each of the last plies, else nothing."""
        last = self.largest[-PLIES - 1 :]
        if len(last) <= PLIES or any(b <= a for a, b in pairwise(last)):
            return ""
        return (
            f"The largest number in the positions has grown in each of the last {PLIES} plies, from"
            f" {_rounded(last[0])} to {_rounded(last[-1])}: the game may have no end."
        )

    @property
    def is_hopeless(self) -> bool:
        """Whether it has grown so far that a solve cannot end."""
        if not self.said:
            return False
        before, now = self.largest[-PLIES - 1], self.largest[-1]
        return len(self.largest) - 1 > LIMIT or (now > LARGE and now >= 2 * before)


def grown(game: Game[Any, Any]) -> Growth:
    """Return how the numbers grow, counted for some seconds of CPU time, or until they do not."""
    growth, until = Growth(), thread_time() + SECONDS

    def following(p: Any) -> list[Any]:
        return children(game, p) if thread_time() < until else []

    for positions in explore([game.canonical(game.initial())], following):
        if thread_time() < until:  # else not all of them are known
            growth.add(positions)
        if growth.is_hopeless or not growth.goes_on:
            break
    return growth


def largest(p: Any) -> int:
    """Return the largest number in a position, 0 if it has none above."""
    if isinstance(p, tuple):
        return max(map(largest, p), default=0)
    return int(p) if isinstance(p, int) else 0


def _rounded(number: int) -> str:
    """Return a number in digits, or by its power of ten if it has many."""
    return f"{number:,}" if number < 10**12 else f"{number:.1e}"
