"""The steps of a solve on NumPy arrays: those of a `LayeredKernel`, and what all kernels share.

`steps_tiered` has those of a `TieredKernel`. Needs the extra `fast`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from solver.errors import KernelError
from solver.rules import key_arrays as arrays
from solver.rules.game import Game, start_key
from solver.rules.kernel import PIECE, Kernel, Later, LayeredKernel
from solver.solving.steps import Steps
from solver.tables.mapped_file import TableLayout
from solver.value import NARROW

SLOT_BITS = 10, 14  # of a slot number, the latter where keys are wide


class ArraySteps(Steps):
    """The steps that all kernels share."""

    kernel: Kernel
    compiled = True
    dtype: type
    """The type of a value."""
    limit: int
    """The largest value, which stands for LIMIT."""

    def __init__(self, game: Game[Any, Any], kernel: Kernel) -> None:
        self.game, self.kernel = game, kernel

    def join(self, pieces: list[np.ndarray]) -> np.ndarray:
        return arrays.join(pieces)

    def pack(self, positions: np.ndarray) -> np.ndarray:
        return positions

    def unpack(self, slots: Sequence[tuple[int, int]], data: memoryview) -> np.ndarray:
        return np.frombuffer(data, self.kernel.dtype)

    def unpack_values(self, data: memoryview) -> np.ndarray:
        return np.frombuffer(data, self.dtype)

    @abstractmethod
    def keys(self, positions: np.ndarray) -> np.ndarray:
        """Return the canonical keys of positions."""

    @abstractmethod
    def sizes(self, positions: np.ndarray) -> np.ndarray:
        """Return how many distinct images of each position can be reached."""

    def tally(self, positions: np.ndarray, values: np.ndarray) -> dict[str, int]:
        sums, top, nearest = np.zeros(4, np.int64), 0, self.limit
        pieces = arrays.pieces(positions, PIECE), arrays.pieces(values, PIECE)
        for part, piece in zip(*pieces, strict=True):
            keys, sizes = self.keys(part), self.sizes(part)
            *counted, least = arrays.count(piece, sizes, self.limit)
            drawn = piece == 0
            counted[3] += sizes[drawn][self.kernel.outcomes(keys[drawn]) == 0].sum(dtype=np.int64)
            sums += counted
            top, nearest = max(top, int(keys.max())), min(nearest, least)
        wins, draws, losses, ended = sums.tolist()
        counts = {"win": wins, "draw": draws, "loss": losses, "terminal": ended}
        counts["positions"] = wins + draws + losses
        counts["canonical"] = len(positions)
        return counts | {"top": top, "plies": self.limit - nearest}

    def entries(
        self, positions: np.ndarray, values: np.ndarray, layout: TableLayout
    ) -> tuple[np.ndarray, np.ndarray]:
        if self.limit != layout.limit:
            values = values - np.sign(values) * values.dtype.type(self.limit - layout.limit)
        mixed = self.keys(positions)
        if layout.multiplier != 1:
            mixed = mixed.astype(np.uint64) * np.uint64(layout.multiplier) & np.uint64(layout.mask)
        return mixed, values.astype(np.int8 if layout.limit == NARROW else np.int16, copy=False)


class LayeredSteps(ArraySteps):
    """The steps of a game whose every move leads to the next tier; positions are canonical keys."""

    kernel: LayeredKernel
    dtype, limit = np.int8, NARROW
    can_split = True

    def __init__(self, game: Game[Any, Any], kernel: LayeredKernel) -> None:
        super().__init__(game, kernel)
        size = np.dtype(kernel.dtype).itemsize
        self._width = self.slot_width = max(0, kernel.bits - SLOT_BITS[kernel.bits > 32])
        self._is_low = kernel.bits > 32 >= self._width  # files have the 32 lowest bits of keys
        self.position_bytes = kernel.position_bytes
        self.later_bytes = 2 * (size + 1) + 4  # copied once, and indexed

    def start(self) -> tuple[int, np.ndarray]:
        return self.game.tier(self.game.initial()), self.kernel.start(start_key(self.game))

    def slots(self, positions: np.ndarray) -> list[tuple[int, int, int]]:
        low, high = int(positions[0]) >> self._width, int(positions[-1]) >> self._width
        edges = np.arange(low + 1, high + 1, dtype=np.uint64) << np.uint64(self._width)
        cuts = np.searchsorted(positions, edges.astype(positions.dtype)).tolist()
        stops = enumerate(pairwise([0, *cuts, len(positions)]), low)
        return [(number, start, stop) for number, (start, stop) in stops if start < stop]

    def pack(self, positions: np.ndarray) -> np.ndarray:
        return positions.astype(np.uint32) if self._is_low else positions

    def unpack(self, slots: Sequence[tuple[int, int]], data: memoryview) -> np.ndarray:
        if not self._is_low:
            return super().unpack(slots, data)
        numbers, sizes = np.array(slots, np.int64).reshape(-1, 2).T  # of no slots, too
        keys = np.repeat(numbers << self._width, sizes)
        keys |= np.frombuffer(data, np.uint32)
        return keys

    def unite(self, sets: list[np.ndarray]) -> np.ndarray:
        return arrays.union(sets, self.kernel.dtype)

    def grow(
        self, seeds: np.ndarray, whole: bool, memory: int
    ) -> tuple[np.ndarray, dict[int, np.ndarray], None]:
        children = self.kernel.advance(seeds)
        if not len(children):
            return seeds, {}, None
        child = self.game.position(children[0].item())
        tier = self.game.tier(child)
        if tier - self.game.tier(self.game.initial()) >= NARROW:
            raise KernelError(
                f"{self.game.spec} cannot have a LayeredKernel: a game lasts {NARROW} plies or more"
            )
        return seeds, {tier: children}, None

    def resolve(self, positions: np.ndarray, moves: None, later: Later, memory: int) -> np.ndarray:
        return self.kernel.resolve(positions, later)

    def keys(self, positions: np.ndarray) -> np.ndarray:
        return positions

    def sizes(self, positions: np.ndarray) -> np.ndarray:
        return self.kernel.orbits(positions)
