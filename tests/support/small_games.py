"""Small custom games for tests."""

from __future__ import annotations

from solver import Game, Outcome
from solver.rules.game import IDENTITY, Symmetry


class Line(Game[int, int]):
    """Steps along 0-1-2-3 from 1, whose mirror image is 2; the game is over at both ends."""

    symmetries = (IDENTITY, Symmetry(lambda p: 3 - p, lambda m: -m, None))

    def initial(self) -> int:
        return 1

    def moves(self, p: int) -> tuple[int, ...]:
        return (-1, 1)

    def play(self, p: int, m: int) -> int:
        return p + m

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if p in (0, 3) else None


class Chain(Game[int, int]):
    """A given number of moves without a choice."""

    def __init__(self, length: int) -> None:
        self.length = length

    def initial(self) -> int:
        return self.length

    def moves(self, p: int) -> tuple[int, ...]:
        return (1,)

    def play(self, p: int, m: int) -> int:
        return p - 1

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if p == 0 else None


class Scattered(Game[int, int]):
    """A counter: take 1, 3 or 4, or put 2 back on a multiple of 7; keys are all over 64 bits."""

    first, spread = 300, 0xD1B54A32D192ED03

    def initial(self) -> int:
        return self.first

    def moves(self, p: int) -> tuple[int, ...]:
        return tuple(m for m in (1, 3, 4) if m <= p) + ((-2,) if p % 7 == 0 else ())

    def play(self, p: int, m: int) -> int:
        return p - m

    def primitive(self, p: int) -> Outcome | None:
        return {0: Outcome.LOSS, 2: Outcome.DRAW}.get(p)

    def key(self, p: int) -> int:
        return p * self.spread % 2**64

    def position(self, key: int) -> int:
        return key * pow(self.spread, -1, 2**64) % 2**64


class Wide(Scattered):
    """The same with keys of 65 bits."""

    def key(self, p: int) -> int:
        return super().key(p) + 2**64

    def position(self, key: int) -> int:
        return super().position(key - 2**64)
