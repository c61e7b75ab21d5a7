"""Solving and proving on arrays where positions repeat, against plain Python and naive searches.

The kernels of the games here ask the rules in Python for each key: slow, but they show what the
solver and the proof make of a kernel, and of symmetries, whatever the game.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np

from solver import Game, Outcome
from solver.game import Numbered, Symmetry
from solver.kernel import OPEN, Kernel, TieredKernel
from tests import graphs

Worth = tuple[int, int | None]
Element = tuple[int, ...]


class AskingKernel(TieredKernel):
    """Asks the rules for each key."""

    bits = 40

    def __init__(self, game: Game[Any, Any], width: int) -> None:
        self.game, self.width = game, width

    def successors(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        game = self.game
        outcomes = np.full(len(keys), OPEN, np.int8)
        children = np.full((len(keys), self.width), -1, np.int64)
        for row, p in enumerate(map(game.position, keys.tolist())):
            over = game.primitive(p)
            if over is not None:
                outcomes[row] = over
                continue
            after = [game.key(game.play(p, m)) for m in game.moves(p)]
            children[row, : len(after)] = after
        return outcomes, children

    def orient(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = [self._orient(key) if key >= 0 else (-1, 0) for key in keys.tolist()]
        return np.array([key for key, _ in found], np.int64), np.array(
            [w for _, w in found], np.int8
        )

    def _orient(self, key: int) -> tuple[int, int]:
        """Return the canonical key, and any of the symmetries that lead there."""
        p = self.game.position(key)
        images = [self.game.key(s.position(p)) for s in self.game.symmetries]
        ways = [way for way, image in enumerate(images) if image == min(images)]
        return min(images), ways[key % len(ways)]

    def tiers(self, keys: np.ndarray) -> np.ndarray:
        return np.array(
            [self.game.tier(p) for p in map(self.game.position, keys.tolist())], np.int64
        )

    def orbits(self, keys: np.ndarray) -> np.ndarray:
        found = []
        for p in map(self.game.position, keys.tolist()):
            images = {self.game.key(s.position(p)) for s in self.game.symmetries}
            found.append(len(images) if self.game.key(p) == min(images) else 0)
        return np.array(found, np.int8)


class Line(Numbered[int]):
    """From each number to the one below; who is to move at 0 has lost."""

    def __init__(self, length: int) -> None:
        self.length = length

    def initial(self) -> int:
        return self.length

    def moves(self, p: int) -> list[int]:
        return [1]

    def play(self, p: int, m: int) -> int:
        return p - 1

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if p == 0 else None

    def kernel(self) -> Kernel:
        return AskingKernel(self, 1)
