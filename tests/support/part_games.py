"""Games for tests of solving in parts, which worker processes load from this file."""

from __future__ import annotations

import random

from solver import Game, Outcome
from solver.rules.game import IDENTITY, Numbered, Symmetry


class Rising(Numbered[int]):
    """A random graph with so many positions per tier; moves lead so many tiers on."""

    stays: tuple[int, int] | None = None

    def __init__(
        self, seed: int = 5, width: int = 60, steps: tuple[int, ...] = (1, 1, 1, 2, 3)
    ) -> None:
        generator = random.Random(seed)
        self.edges = {
            tier * 100 + place: sorted(
                min(tier + generator.choice(steps), 9) * 100 + generator.randrange(width)
                for _ in range(generator.choice((0, 2, 3, 4, 5, 6)) if tier else 12)
            )
            for tier in range(9)
            for place in range(width if tier or 0 in steps else 1)
        }
        self.edges |= {900 + place: [] for place in range(width)}
        if self.stays is not None:
            self.edges[self.stays[0]] = [self.stays[1], *self.edges[self.stays[0]]]

    def initial(self) -> int:
        return 0

    def moves(self, p: int) -> list[int]:
        return list(dict.fromkeys(self.edges[p]))

    def play(self, p: int, m: int) -> int:
        return m

    def primitive(self, p: int) -> Outcome | None:
        return None if self.edges[p] else (Outcome.LOSS, Outcome.DRAW, Outcome.WIN)[p % 3]

    def tier(self, p: int) -> int:
        return p // 100


class Staying(Rising):
    """The same, but one move stays in its tier, which random games do not reveal."""

    stays = 526, 533


class Race(Game[tuple[int, int], int]):
    """Two tokens on a track of twenty steps; one is ahead at the start, which is not symmetric.

    A move advances either token by one or two steps. The game ends when a token arrives, with an
    outcome that depends on how far the tokens are apart.
    """

    symmetries = (IDENTITY, Symmetry(lambda p: (p[1], p[0]), lambda m: m ^ 2, None))

    def initial(self) -> tuple[int, int]:
        return 1, 0

    def moves(self, p: tuple[int, int]) -> range:
        return range(4)

    def play(self, p: tuple[int, int], m: int) -> tuple[int, int]:
        a, b = p
        step = 1 + (m & 1)
        return (a + step, b) if m < 2 else (a, b + step)

    def primitive(self, p: tuple[int, int]) -> Outcome | None:
        if max(p) < 20:
            return None
        return (Outcome.DRAW, Outcome.LOSS, Outcome.WIN)[abs(p[0] - p[1]) % 3]

    def tier(self, p: tuple[int, int]) -> int:
        return p[0] + p[1]

    def key(self, p: tuple[int, int]) -> int:
        return p[0] << 5 | p[1]

    def position(self, key: int) -> tuple[int, int]:
        return key >> 5, key & 31
