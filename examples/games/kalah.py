"""Kalah with 3 pits a side and 3 seeds in each, as tuples.

A side sows the seeds of one of its pits, one by one, into the next pits, its own store and the
other side's pits. If the last one falls into its store, it moves again; if into an empty pit of its
own, it takes that seed and those opposite, if there are any. When a side has no seeds in its pits,
the other side takes what is left; whoever has more wins. G. Irving, J. Donkers and J. Uiterwijk,
Solving Kalah, ICGA Journal 23(3), 2000, has the winners for 1 to 6 pits and 1 to 6 seeds.
"""

from __future__ import annotations

from typing import Any

from solver import Game, Outcome

PASS = -1


class Kalah(Game[Any, int]):
    """A position: pits and store of the mover, those of the other, 1 if the mover has to pass."""

    pits, seeds = 3, 3

    def initial(self) -> Any:
        """Return full pits and empty stores."""
        side = (self.seeds,) * self.pits + (0,)
        return (*side, *side, 0)

    def moves(self, p: Any) -> list[int]:
        """Return the pits with seeds, or a pass."""
        return [PASS] if p[-1] else [i for i in range(self.pits) if p[i]]

    def label(self, p: Any, m: int) -> str:
        """Return the number of a pit, or pass."""
        return "pass" if m == PASS else str(m)

    def play(self, p: Any, m: int) -> Any:
        """Sow the seeds of a pit, and exchange the sides."""
        n, new = self.pits, list(p[:-1])
        if m == PASS:
            return (*new[n + 1 :], *new[: n + 1], 0)
        hand, at = new[m], m
        new[m] = 0
        while hand:
            at = (at + 1) % (2 * n + 1)  # all but the other side's store
            new[at] += 1
            hand -= 1
        if at < n and new[at] == 1 and new[2 * n - at]:
            new[n] += 1 + new[2 * n - at]
            new[at] = new[2 * n - at] = 0
        mine, theirs = sum(new[:n]), sum(new[n + 1 : -1])
        if not mine or not theirs:
            new[n], new[-1] = new[n] + mine, new[-1] + theirs
            for i in range(n):
                new[i] = new[n + 1 + i] = 0
        again = at == n and mine and theirs
        return (*new[n + 1 :], *new[: n + 1], 1 if again else 0)

    def primitive(self, p: Any) -> Outcome | None:
        """Compare the stores when the pits are empty."""
        if any(p[: self.pits]) or any(p[self.pits + 1 : -2]):
            return None
        more = p[self.pits] - p[-2]
        return Outcome.WIN if more > 0 else Outcome.LOSS if more < 0 else Outcome.DRAW
