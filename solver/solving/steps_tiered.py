"""The steps of a solve on arrays where moves may stay in a tier or skip some; needs `fast`.

A tier is an array of canonical keys, ascending, each above as many bits as the game has symmetries:
bit i says that the position's image under symmetry i can be reached. With four symmetries:

    0b1011_0101     the position with the key 11, whose images 0 and 2 can be reached

So the positions that can be reached are counted even if the start is not symmetric.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from solver.errors import GameLawError, KernelError, MemoryLimitError, tier_too_large
from solver.rules.check_kernel import MOST_IMAGES
from solver.rules.kernel import LayeredKernel, TieredKernel
from solver.rules.key_arrays import join, parts
from solver.rules.positions import every_position
from solver.solving.steps_layered import ArraySteps, LayeredSteps
from solver.solving.tier_graph import WAY, KeyNumbers, gather, settle, spread
from solver.value import LIMIT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from solver.rules.game import Game
    from solver.rules.kernel import Later

PIECE = 1 << 14  # positions that are expanded at once: their children fit the cache
COUNTS = np.array([images.bit_count() for images in range(1 << MOST_IMAGES)])
MOST_NODES = 1 << 31 - WAY  # numbers of positions stand above them in 32 bits


class TieredSteps(ArraySteps):
    """The steps of a game in which no move lowers the tier."""

    kernel: TieredKernel
    values, limit = np.int16, LIMIT
    splits = False
    slot = None
    weight = later_weight = 0  # a tier is never cut

    def __init__(self, game: Game[Any, Any], kernel: TieredKernel) -> None:
        super().__init__(game, kernel)
        self.images = len(game.symmetries)
        self._after = _images_after(game)

    def start(self) -> tuple[int, np.ndarray]:
        """Return the first tier's number and seeds."""
        start = self.game.initial()
        canonical = self.game.canonical(start)
        reached = sum(
            1 << i for i, s in enumerate(self.game.symmetries) if s.position(canonical) == start
        )
        key = self.game.key(canonical)
        return self.game.tier(start), self.kernel.start(key) << self.images | reached

    def cut(self, codes: np.ndarray) -> list[tuple[int, int, int]]:
        """Return the one slot."""
        return [(0, 0, len(codes))]

    def spans(self, codes: np.ndarray) -> list[tuple[int, int]]:
        """Return the one slot."""
        return [(0, 1)]

    def grow(self, seeds: np.ndarray, whole: bool) -> tuple[np.ndarray, dict[int, np.ndarray]]:
        """Return a tier's positions, and those of later tiers that its moves lead to.

        Raises MemoryLimitError if there is too little memory for them.
        """
        waiting, tier = seeds >> self.images, self._tier(seeds)
        nodes = KeyNumbers(waiting)
        order = [np.arange(len(seeds), dtype=np.int32)]
        moves: list[np.ndarray] = []
        counts: list[np.ndarray] = []
        while len(waiting):
            found = []
            for _, children, ways, count in map(self._expand, parts(waiting, PIECE)):
                known = nodes.count
                moves.append(nodes.number(children) << WAY | ways)
                counts.append(count)
                levels = self.kernel.tiers(nodes.keys[known:])
                if levels.min(initial=tier) < tier:
                    raise GameLawError(f"{self.game.spec}: a move leads to an earlier tier")
                found.append((known + np.flatnonzero(levels == tier)).astype(np.int32))
                self._check(nodes, sum(map(len, moves)))
            order.append(join(found))
            waiting = nodes.keys[order[-1]]
        reached = np.zeros(nodes.count, np.uint8)
        reached[: len(seeds)] = seeds & (1 << self.images) - 1
        spread(join(order), join(counts), join(moves), self._after, reached)
        levels, tagged = self.kernel.tiers(nodes.keys), nodes.keys << self.images | reached
        tiers = {int(n): np.sort(tagged[levels == n]) for n in np.flatnonzero(np.bincount(levels))}
        return tiers.pop(tier), tiers

    def unite(self, sets: list[np.ndarray]) -> np.ndarray:
        """Return the positions that are in any set, with the images of all."""
        both = np.sort(join(sets))
        first = np.flatnonzero(np.diff(both >> self.images, prepend=-1))
        return np.bitwise_or.reduceat(both, first)

    def resolve(self, tier: np.ndarray, later: Mapping[int, Later], whole: bool) -> np.ndarray:
        """Return a tier's scores, given the positions and scores of later tiers."""
        size = len(tier)
        pairs = [pair for pieces in later.values() for pair in pieces]
        nodes = KeyNumbers(join([tier, *(after for after, _ in pairs)]) >> self.images)
        known = join([np.empty(0, np.int16), *(scores for _, scores in pairs)])
        best, inside = np.empty(size, np.int16), np.empty(size, np.int16)
        within: list[np.ndarray] = []
        done = 0
        for outcomes, keys, _, count in map(self._expand, parts(nodes.keys[:size], PIECE)):
            children, rows = nodes.find(keys), slice(done, done + len(outcomes))
            kept = gather(outcomes, count, children, size, known, best[rows], inside[rows])
            within.append(children[:kept].copy())
            done += len(outcomes)
            self._check(nodes, sum(map(len, within)))
        scores: np.ndarray = settle(best, inside, join(within))
        if (np.abs(scores) == 1).any():
            raise ValueError(f"a game of {self.game.spec} can last longer than {LIMIT} plies")
        return scores

    def _expand(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return outcomes, the children in a row, by which symmetry each, and each key's number."""
        outcomes, children = self.kernel.successors(keys)
        legal = children >= 0
        return outcomes, *self.kernel.orient(children[legal]), legal.sum(axis=1, dtype=np.int32)

    def _check(self, nodes: KeyNumbers, moves: int) -> None:
        """Raise MemoryLimitError if there is too little memory for a tier."""
        if nodes.nbytes + nodes.count * 24 + moves * 12 > self.memory:
            raise tier_too_large(self.game.spec, f"at least {nodes.count:,} positions", self.memory)
        if nodes.count >= MOST_NODES:
            raise MemoryLimitError(f"{self.game.spec} has a tier of more than {MOST_NODES:,}")

    def _tier(self, tagged: np.ndarray) -> int:
        return int(self.kernel.tiers(tagged[:1] >> self.images)[0])

    def canonical(
        self, keys: np.ndarray, values: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        keys, sizes = self.split(keys)
        return keys, values, sizes

    def split(self, tier: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the keys of a tier, and how many images of each can be reached."""
        reached, keys = tier & (1 << self.images) - 1, tier >> self.images
        sizes = COUNTS[reached]
        for i in np.flatnonzero(self.kernel.orbits(keys) < self.images):  # some images are alike
            p = self.game.position(int(keys[i]))
            images = [s.position(p) for s in self.game.symmetries]
            sizes[i] = len({q for n, q in enumerate(images) if reached[i] >> n & 1})
        return keys, sizes


def steps_of(
    game: Game[Any, Any], kernel: LayeredKernel | TieredKernel
) -> LayeredSteps | TieredSteps:
    """Return the steps that a kernel is for."""
    return (
        LayeredSteps(game, kernel)
        if isinstance(kernel, LayeredKernel)
        else TieredSteps(game, kernel)
    )


def _images_after(game: Game[Any, Any]) -> np.ndarray:
    """Return which images moves lead to, by the symmetry to the canonical one and by images before.

    Where a move of the canonical position p leads to q, and symmetry t maps q to the canonical
    position c, the same move of image i of p leads to image i of q, which is the image of c that
    doing i after undoing t gives.
    """
    for p in every_position(game):
        images = [symmetry.position(p) for symmetry in game.symmetries]
        if len(set(images)) == len(images):
            break
    else:
        raise KernelError(f"{game.spec} cannot have a kernel: no position's images all differ")
    count = len(images)
    after = np.zeros((count, 1 << count), np.uint8)
    for way, symmetry in enumerate(game.symmetries):
        before = next(q for q in images if symmetry.position(q) == p)
        bits = [1 << images.index(s.position(before)) for s in game.symmetries]
        for chosen in range(1 << count):
            after[way, chosen] = sum(bit for i, bit in enumerate(bits) if chosen >> i & 1)
    return after
