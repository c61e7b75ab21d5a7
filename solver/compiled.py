"""The steps of a solve on arrays, for a game that has a kernel; needs the extra `fast`.

Here what all such games share, and those in which every move leads to the next tier; for others see
`solver.compiled_tiers`.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from .errors import MemoryLimitError
from .mapped import Layout, layout
from .table import COUNTS
from .value import NARROW, widen

if TYPE_CHECKING:
    from collections.abc import Callable

    from .game import Game
    from .kernel import Kernel, LayeredKernel


HELD = 6  # times as much as a tier takes is held, about, while the next one is found


def installed() -> int | None:
    """Return how many bytes of memory the machine has, or None if it does not tell."""
    if not hasattr(os, "sysconf"):
        return None
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


class Compiled:
    """What a kernel solves, on several threads: how it is held, and how it becomes a table."""

    kernel: Kernel
    values: type
    """The type of the elements of an array of values."""
    limit: int
    """Stands for LIMIT in such values."""

    def __init__(
        self, game: Game[Any, Any], kernel: Kernel, workers: int, memory: int | None = None
    ) -> None:
        self.game, self.kernel = game, kernel
        self._memory = installed() if memory is None else memory
        self._run = ThreadPoolExecutor(workers).map if workers > 1 else map

    def _need(self, size: int, what: str) -> None:
        """Raise MemoryLimitError if so many bytes are more than there are."""
        if self._memory is not None and size > self._memory:
            raise MemoryLimitError(
                f"{self.game.spec} has a tier of {what}, too many for {self._memory / 1e6:,.0f} MB"
                " of memory; perfectplay estimate tells what it takes"
            )

    def pack(self, keys: np.ndarray) -> memoryview:
        """Return keys as a buffer."""
        return np.ascontiguousarray(keys).data

    def unpack(self, data: bytearray) -> np.ndarray:
        """Return the keys in a buffer."""
        return np.frombuffer(data, self.kernel.dtype)

    pack_values = pack

    def unpack_values(self, data: bytearray) -> np.ndarray:
        """Return the values in a buffer."""
        return np.frombuffer(data, self.values)

    def assemble(
        self, tiers: list[int], load: Callable[[int], tuple[Any, Any]]
    ) -> tuple[int, dict[str, int], Layout, dict[str, memoryview]]:
        """Return the start's score, and the table's counts, layout and arrays."""
        counts = dict.fromkeys(COUNTS, 0)
        top = plies = 0
        for tier in tiers:
            keys, values, sizes = self._canonical(*load(tier))
            top = max(top, int(keys[-1]))
            plies = max(
                plies, int(self.limit - np.abs(values[values != 0]).min(initial=self.limit))
            )
            for name, sign in (("win", 1), ("draw", 0), ("loss", -1)):
                counts[name] += int(sizes[np.sign(values) == sign].sum(dtype=np.int64))
            ended = np.abs(values) == self.limit
            drawn = np.flatnonzero(values == 0)
            ended[drawn] = self.kernel.outcomes(keys[drawn]) == 0
            counts["terminal"] += int(sizes[ended].sum(dtype=np.int64))
            counts["positions"] += int(sizes.sum(dtype=np.int64))
            counts["canonical"] += len(keys)
        cut = layout(counts["canonical"], top, plies)
        keys, values, _ = self._canonical(*load(tiers[0]))
        start = np.searchsorted(keys, self.kernel.start(self.game)[0])
        score = widen(int(values[start]), self.limit)
        return score, counts, cut, self._arrange(tiers, load, cut)

    def _arrange(
        self, tiers: list[int], load: Callable[[int], tuple[Any, Any]], cut: Layout
    ) -> dict[str, memoryview]:
        """Return the arrays of the table."""
        from . import arrays

        held = {
            name: np.zeros(length, f"<{kind[0].lower()}{int(kind[1:]) // 8}")
            for name, (kind, length) in cut.arrays.items()
        }
        offsets, remainders, values = (held[n] for n in ("offsets", "remainders", "values"))
        how = np.uint64(cut.multiplier), np.uint64(cut.mask), np.uint64(cut.width)
        for tier in tiers:
            keys, _, _ = self._canonical(*load(tier))
            arrays.count_buckets(keys, *how, offsets[1:])
        np.cumsum(offsets, out=offsets)
        places = offsets[:-1].copy()
        for tier in tiers:
            keys, found, _ = self._canonical(*load(tier))
            if self.limit != cut.limit:
                found = found - np.sign(found) * found.dtype.type(self.limit - cut.limit)
            arrays.fill_buckets(keys, found, *how, places, remainders, values)
        arrays.sort_buckets(offsets, remainders, values)
        return {name: held[name].data.cast("B") for name in cut.arrays}

    def _canonical(
        self, keys: np.ndarray, values: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the canonical keys of a tier, their values, and their numbers of images."""
        sizes = self.kernel.orbits(keys)
        chosen = sizes > 0
        return keys[chosen], values[chosen], sizes[chosen]


class Layers(Compiled):
    """The steps of a game in which every move leads one tier on."""

    kernel: LayeredKernel
    values, limit = np.int8, NARROW

    def start(self) -> tuple[int, np.ndarray]:
        """Return the first tier's number and seeds."""
        return self.game.tier(self.game.initial()), self.kernel.start(self.game)

    def grow(self, seeds: np.ndarray) -> tuple[np.ndarray, dict[int, np.ndarray]]:
        """Return a tier's keys, which are its seeds, and the next tier's.

        Raises MemoryLimitError if there is too little memory for them.
        """
        self._need(HELD * seeds.nbytes, f"{len(seeds):,} positions")
        children = self.kernel.advance(seeds, self._run)
        if not len(children):
            return seeds, {}
        return seeds, {self.game.tier(self.game.position(int(seeds[0]))) + 1: children}

    def unite(self, some: np.ndarray, more: np.ndarray) -> np.ndarray:
        """Return the keys that are among either."""
        from . import arrays

        return arrays.merge(some, more)

    def resolve(
        self, keys: np.ndarray, later: dict[int, tuple[np.ndarray, np.ndarray]]
    ) -> np.ndarray:
        """Return a tier's values, given the keys and values of the next tier."""
        nothing: Any = np.empty(0, self.kernel.dtype), np.empty(0, np.int8)
        after, values = next(iter(later.values()), nothing)
        return self.kernel.resolve(keys, after, values, self._run)
