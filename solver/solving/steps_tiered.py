"""The steps of a solve on arrays for a `TieredKernel`: moves may stay in a tier or skip some.

A tier is an array of canonical keys, ascending, each shifted left by as many bits as the game has
symmetries. Bit i says whether the position's image under symmetry i can be reached; for example,
with four symmetries:

    0b1011_0101     the position with the key 11, whose images 0 and 2 can be reached

This counts the positions that can be reached even if the start is not symmetric. If it is, all
images can be reached, and keys are not shifted. Needs `fast`.

A grown tier is in the order in which its positions were found, its seeds first, ascending. What
its moves lead to is kept as numbers: those below the size of the tier are its own positions, the
others count on through the keys in later tiers. There are four arrays:

    wanted, children     the keys in later tiers, ascending by tier, and all children in a row
    counts, outcomes     how many children each position has, and its outcome
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np

from solver.errors import GameLawError, KernelError, MemoryLimitError
from solver.rules.check_kernel import MOST_RECORDED
from solver.rules.game import Game, walk
from solver.rules.kernel import Later, TieredKernel
from solver.rules.key_arrays import join, pieces, unique
from solver.rules.positions import every_position, reaches_images
from solver.solving.memory import tier_too_large
from solver.solving.steps import check_length
from solver.solving.steps_layered import ArraySteps
from solver.solving.tier_graph import (
    WAY_BITS,
    KeyNumbers,
    flatten,
    gather,
    match,
    propagate_images,
    renumber,
    settle,
)
from solver.value import LIMIT

PIECE = 1 << 14  # positions expanded at once: their children fit in the cache
BIT_COUNTS = np.array([images.bit_count() for images in range(1 << MOST_RECORDED)])
Stored = tuple[Sequence[tuple[int, int]], memoryview]  # the slots of a file, and their data
SAMPLED = 1000  # plies of random games that show whether two symmetries differ
MOST_NUMBERS = 1 << 31 - WAY_BITS  # a number and a symmetry share 32 bits


class _Found(NamedTuple):
    """The positions to which moves of a tier lead, numbered as they are found, and the moves."""

    keys: np.ndarray
    tiers: np.ndarray
    order: np.ndarray
    """The numbers of those in the tier itself, breadth first."""
    moves: np.ndarray
    """Of these in their order, all in a row: the number of a child, and the symmetry of its key."""
    counts: np.ndarray
    """How many moves each of them has."""
    outcomes: np.ndarray


class TieredSteps(ArraySteps):
    """The steps of a game whose moves never lower the tier; a tier is one part in one slot."""

    kernel: TieredKernel
    dtype, limit = np.int16, LIMIT
    can_split, keeps_moves = False, True
    position_bytes, later_bytes = 0, 20  # no tier is split

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
    ) -> tuple[np.ndarray, dict[int, np.ndarray], tuple[np.ndarray, ...]]:
        tier = self._tier(seeds)
        found = self._discover(seeds, tier, memory)
        tagged = found.keys << self.images | self._reached(seeds, found)
        numbers, later = _final_numbers(found, tier, tagged)
        renumber(found.moves, numbers)  # which drops the symmetries
        wanted = join([np.empty(0, np.int64), *later.values()])
        return tagged[found.order], later, (wanted, found.moves, found.counts, found.outcomes)

    def _discover(self, seeds: np.ndarray, tier: int, memory: int) -> _Found:
        """Follow all moves from the seeds within a tier, breadth first."""
        waiting = self.keys(seeds)
        numbers = KeyNumbers(waiting)
        order: list[Any] = [np.arange(len(seeds), dtype=np.int32)]
        tiers: list[Any] = [np.full(len(seeds), tier, np.int64)]
        outcomes, counts, moves, edges = list[Any](), list[Any](), list[Any](), 0
        while len(waiting):
            inner = []
            for piece in pieces(waiting, PIECE):
                before = numbers.count
                ends, count, numbered = self._expand(piece, numbers)
                new = self.kernel.tiers(numbers.keys[before:])
                if new.min(initial=tier) < tier:
                    raise GameLawError(f"{self.game.spec}: a move leads to an earlier tier")
                outcomes.append(ends)
                counts.append(count)
                moves.append(numbered)
                tiers.append(new)
                inner.append((before + np.flatnonzero(new == tier)).astype(np.int32))
                edges += len(numbered)
                taken = numbers.nbytes + 40 * numbers.count + 8 * edges
                self._check(numbers.count, taken, memory)
                self.check(numbers.count)
            order.append(join(inner))
            waiting = numbers.keys[order[-1]]
        arrays = map(join, (tiers, order, moves, counts, outcomes))
        return _Found(numbers.keys, *arrays)

    def _expand(
        self, keys: np.ndarray, numbers: KeyNumbers
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the outcomes of keys, how many moves each has, and these as in `_Found`."""
        outcomes, children = expanded = self.kernel.successors(keys)
        if self.kernel.checks_images:
            self.kernel.check_symmetries(keys, expanded)
        flat, counts = flatten(children)
        canonical, symmetries = self.kernel.orient(flat)
        moves = numbers.number(canonical) << WAY_BITS
        if self.images:  # else all are reached, by whichever of many symmetries
            moves |= symmetries
        return outcomes, counts, moves

    def _reached(self, seeds: np.ndarray, found: _Found) -> np.ndarray:
        """Return which images of each position can be reached, a bit each."""
        reached = np.zeros(len(found.keys), np.uint8)
        reached[: len(seeds)] = seeds & (1 << self.images) - 1
        if self.images:
            propagate_images(found.order, found.counts, found.moves, self._after, reached)
        return reached

    def unite(self, sets: list[np.ndarray]) -> np.ndarray:
        both = np.sort(join(sets))
        first = np.flatnonzero(np.diff(both >> self.images, prepend=-1))
        return np.bitwise_or.reduceat(both, first)

    def resolve(
        self, positions: np.ndarray, moves: Stored, later: Later, memory: int
    ) -> np.ndarray:
        size, start, arrays = len(positions), 0, list[Any]()
        self._check(size, 24 * size + 2 * len(moves[1]), memory)
        for (_, items), kind in zip(moves[0], (np.int64, np.int32, np.int32, np.int8), strict=True):
            arrays.append(np.frombuffer(moves[1], kind, items, start))
            start += arrays[-1].nbytes
        wanted, children, counts, outcomes = arrays
        later_scores, done = np.empty(len(wanted), np.int16), 0
        for read in later:
            done = match(wanted, *read(), self.images, done, later_scores)
        if done < len(wanted):
            raise KeyError(f"the key {wanted[done] >> self.images} is missing")
        best, inside = np.empty(size, np.int16), np.empty(size, np.int16)
        kept = gather(outcomes, counts, children, size, later_scores, best, inside)
        scores: np.ndarray = settle(best, inside, children[:kept])
        check_length(self.game.spec, scores)
        return scores

    def _check(self, count: int, taken: int, memory: int) -> None:
        """Raise MemoryLimitError if a tier does not fit into memory, or its moves into 32 bits."""
        if taken > memory:
            raise tier_too_large(self.game.spec, count, memory)
        if count >= MOST_NUMBERS:
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


def _final_numbers(
    found: _Found, tier: int, tagged: np.ndarray
) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    """Return a new number for each, and the positions of later tiers, ascending.

    The positions of the tier come first, in their order, then those of each later tier.
    """
    numbers, count = np.empty(len(found.keys), np.int32), len(found.order)
    numbers[found.order] = np.arange(count)
    later = {}
    for n in unique(found.tiers).tolist():
        if n != tier:
            rows = np.flatnonzero(found.tiers == n)
            rows = rows[np.argsort(tagged[rows])]
            numbers[rows] = np.arange(count, count + len(rows))
            later[n], count = tagged[rows], count + len(rows)
    return numbers, later


def _images_after(game: Game[Any, Any]) -> np.ndarray:
    """Return which images moves lead to: by the child's symmetry, and by the images before.

    Suppose a move leads from the canonical position p to q, and symmetry t maps q to the canonical
    position c. Then the same move leads from image i of p to image i of q: undo t on c, then do i.
    """
    p, images = _position_with_images(game)
    count = len(images)
    after = np.zeros((count, 1 << count), np.uint8)
    for way, symmetry in enumerate(game.symmetries):
        before = next(q for q in images if symmetry.position(q) == p)
        bits = [1 << images.index(s.position(before)) for s in game.symmetries]
        for chosen in range(1 << count):
            after[way, chosen] = sum(bit for i, bit in enumerate(bits) if chosen >> i & 1)
    return after


def _position_with_images(game: Game[Any, Any]) -> tuple[Any, list[Any]]:
    """Return a position whose images all differ, and those; raises KernelError if none is found."""
    same = {*combinations(range(len(game.symmetries)), 2)}  # symmetries that may be the same
    for number, p in enumerate(chain(walk(game, SAMPLED), every_position(game)), 1):
        images = [symmetry.position(p) for symmetry in game.symmetries]
        same = {(i, j) for i, j in same if images[i] == images[j]}
        if len(set(images)) == len(images):
            return p, images
        if number == SAMPLED and same:
            first, second = min(same)
            raise KernelError(
                f"{game.spec} cannot have a kernel: in {SAMPLED:,} positions of random games,"
                f" symmetries {first + 1} and {second + 1} have the same images: leave one out"
            )
    raise KernelError(
        f"{game.spec} cannot have a kernel: it has no position whose images all differ"
    )
