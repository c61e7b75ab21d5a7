"""The steps of a solve on arrays for a `TieredKernel`: moves may stay in a tier or skip some.

A tier is an array of canonical keys, ascending, each shifted left by as many bits as the game has
symmetries. Bit i says whether the position's image under symmetry i can be reached; for example,
with four symmetries:

    0b1011_0101     the position with the key 11, whose images 0 and 2 can be reached

This counts the positions that can be reached even if the start is not symmetric. If it is, all
images can be reached, and keys are not shifted. Needs `fast`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.errors import KernelError, MemoryLimitError
from solver.rules.check_kernel import MOST_RECORDED
from solver.rules.found_tiers import lowered
from solver.rules.game import Game
from solver.rules.kernel import Kernel, LayeredKernel, TieredKernel
from solver.rules.key_arrays import join, parts
from solver.rules.positions import every_position, reaches_images
from solver.solving.memory import tier_too_large
from solver.solving.steps import Later, check_length
from solver.solving.steps_layered import ArraySteps, LayeredSteps
from solver.solving.tier_graph import WAY_BITS, KeyNumbers, gather, propagate_images, settle
from solver.value import LIMIT

PIECE = 1 << 14  # positions expanded at once: their children fit in the cache
BIT_COUNTS = np.array([images.bit_count() for images in range(1 << MOST_RECORDED)])
MOST_NUMBERS = 1 << 31 - WAY_BITS  # a number and a symmetry share 32 bits


def array_steps(game: Game[Any, Any], kernel: Kernel) -> LayeredSteps | TieredSteps:
    """Return the steps for a kernel, by its kind."""
    if isinstance(kernel, LayeredKernel):
        return LayeredSteps(game, kernel)
    assert isinstance(kernel, TieredKernel)
    return TieredSteps(game, kernel)


class TieredSteps(ArraySteps):
    """The steps of a game whose moves never lower the tier; a tier is one part in one slot."""

    kernel: TieredKernel
    dtype, limit = np.int16, LIMIT
    can_split = False
    position_bytes = later_bytes = 0  # nothing is split

    def __init__(self, game: Game[Any, Any], kernel: TieredKernel) -> None:
        super().__init__(game, kernel)
        self.images = 0 if reaches_images(game) else len(game.symmetries)
        self._after = _images_after(game) if self.images else None

    def start(self) -> tuple[int, np.ndarray]:
        start = self.game.initial()
        canonical = self.game.canonical(start)
        images = [s.position(canonical) for s in self.game.symmetries][: self.images]
        reached = sum(1 << i for i, p in enumerate(images) if p == start)
        key = self.game.key(canonical)
        return self.game.tier(start), self.kernel.start(key) << self.images | reached

    def slots(self, positions: np.ndarray) -> list[tuple[int, int, int]]:
        return [(0, 0, len(positions))]

    def grow(
        self, seeds: np.ndarray, whole: bool, memory: int
    ) -> tuple[np.ndarray, dict[int, np.ndarray]]:
        waiting, tier = self.keys(seeds), self._tier(seeds)
        numbers = KeyNumbers(waiting)
        order = [np.arange(len(seeds), dtype=np.int32)]
        moves: list[np.ndarray] = []
        counts: list[np.ndarray] = []
        while len(waiting):
            found = []
            for piece in parts(waiting, PIECE):
                expanded = self.kernel.successors(piece)
                self.kernel.check_symmetries(piece, expanded)
                children, ways, count = self._oriented(expanded[1])
                known = numbers.count
                found_numbers = numbers.number(children)
                if self.images:
                    moves.append(found_numbers << WAY_BITS | ways)
                    counts.append(count)
                tiers = self.kernel.tiers(numbers.keys[known:])
                if tiers.min(initial=tier) < tier:
                    raise lowered(self.game, f"{self.game.spec}: a move leads to an earlier tier")
                found.append((known + np.flatnonzero(tiers == tier)).astype(np.int32))
                self._check(numbers, sum(map(len, moves)), memory)
                self.check(numbers.count)
            order.append(join(found))
            waiting = numbers.keys[order[-1]]
        reached = np.zeros(numbers.count, np.uint8)
        reached[: len(seeds)] = seeds & (1 << self.images) - 1
        if self.images:
            propagate_images(join(order), join(counts), join(moves), self._after, reached)
        tiers, tagged = self.kernel.tiers(numbers.keys), numbers.keys << self.images | reached
        by_tier = {int(n): np.sort(tagged[tiers == n]) for n in np.flatnonzero(np.bincount(tiers))}
        return by_tier.pop(tier), by_tier

    def unite(self, sets: list[np.ndarray]) -> np.ndarray:
        both = np.sort(join(sets))
        first = np.flatnonzero(np.diff(both >> self.images, prepend=-1))
        return np.bitwise_or.reduceat(both, first)

    def resolve(self, positions: np.ndarray, later: Later, memory: int) -> np.ndarray:
        size = len(positions)
        pairs = [read() for read in later]
        numbers = KeyNumbers(join([positions, *(after for after, _ in pairs)]) >> self.images)
        known = join([np.empty(0, np.int16), *(scores for _, scores in pairs)])
        best, inside = np.empty(size, np.int16), np.empty(size, np.int16)
        within: list[np.ndarray] = []
        done = 0
        for outcomes, keys, _, count in map(self._expand, parts(numbers.keys[:size], PIECE)):
            children, rows = numbers.find(keys), slice(done, done + len(outcomes))
            kept = gather(outcomes, count, children, size, known, best[rows], inside[rows])
            within.append(children[:kept].copy())
            done += len(outcomes)
            self._check(numbers, sum(map(len, within)), memory)
        scores: np.ndarray = settle(best, inside, join(within))
        check_length(self.game.spec, scores)
        return scores

    def _expand(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return outcomes, all children, their symmetries, and how many children each key has."""
        outcomes, own = self.kernel.successors(keys)
        return outcomes, *self._oriented(own)

    def _oriented(self, own: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return canonical children, symmetries to them, and how many there are in each row."""
        legal = own >= 0
        return *self.kernel.orient(own[legal]), legal.sum(axis=1, dtype=np.int32)

    def _check(self, numbers: KeyNumbers, moves: int, memory: int) -> None:
        """Raise MemoryLimitError if a tier does not fit into memory, or its moves into 32 bits."""
        if numbers.nbytes + numbers.count * 24 + moves * 12 > memory:
            raise tier_too_large(self.game.spec, numbers.count, memory)
        if numbers.count >= MOST_NUMBERS:
            raise MemoryLimitError(
                f"{self.game.spec} has a tier of more than {MOST_NUMBERS:,} positions: too many"
            )

    def _tier(self, tagged: np.ndarray) -> int:
        return int(self.kernel.tiers(tagged[:1] >> self.images).item())

    def keys(self, positions: np.ndarray) -> np.ndarray:
        return positions >> self.images

    def sizes(self, positions: np.ndarray) -> np.ndarray:
        keys = self.keys(positions)
        if not self.images:
            return self.kernel.orbits(keys)
        reached = positions & (1 << self.images) - 1
        sizes: np.ndarray = BIT_COUNTS[reached]
        for i in np.flatnonzero(self.kernel.orbits(keys) < self.images):  # some images coincide
            p = self.game.position(int(keys[i]))
            images = [s.position(p) for s in self.game.symmetries]
            sizes[i] = len({q for n, q in enumerate(images) if reached[i] >> n & 1})
        return sizes


def _images_after(game: Game[Any, Any]) -> np.ndarray:
    """Return which images moves lead to: by the child's symmetry, and by the images before.

    Suppose a move leads from the canonical position p to q, and symmetry t maps q to the canonical
    position c. Then the same move leads from image i of p to image i of q: undo t on c, then do i.
    """
    for p in every_position(game):
        images = [symmetry.position(p) for symmetry in game.symmetries]
        if len(set(images)) == len(images):
            break
    else:
        raise KernelError(
            f"{game.spec} cannot have a kernel: it has no position whose images all differ"
        )
    count = len(images)
    after = np.zeros((count, 1 << count), np.uint8)
    for way, symmetry in enumerate(game.symmetries):
        before = next(q for q in images if symmetry.position(q) == p)
        bits = [1 << images.index(s.position(before)) for s in game.symmetries]
        for chosen in range(1 << count):
            after[way, chosen] = sum(bit for i, bit in enumerate(bits) if chosen >> i & 1)
    return after
