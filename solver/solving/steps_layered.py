"""The steps of a solve on arrays, for a game that has a kernel; needs the extra `fast`.

Here what all such games share, and those in which every move leads to the next tier; for others see
`solver.compiled_tiers`. See `solver.tiers` for what the steps are.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from solver.rules import key_arrays as arrays
from solver.rules.game import start_key
from solver.tables.format import COUNTS
from solver.tables.mapped_file import TableLayout
from solver.value import NARROW, widen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from solver.rules.game import Game
    from solver.rules.kernel import Kernel, Later, LayeredKernel

SLOTS, FINE = 10, 14  # bits of a slot's number, and where keys are wide, as in large games


class ArraySteps:
    """What a kernel solves: how it is held, and how it becomes a table."""

    kernel: Kernel
    values: type
    """The type of the elements of an array of values."""
    limit: int
    """Stands for LIMIT in such values."""

    counts = True
    """Whether tallies count all positions."""

    memory = sys.maxsize
    """Bytes that a tier may take."""

    def __init__(self, game: Game[Any, Any], kernel: Kernel) -> None:
        self.game, self.kernel = game, kernel

    def pack(self, codes: np.ndarray) -> memoryview:
        """Return positions as a buffer."""
        return np.ascontiguousarray(codes).data

    def unpack(self, data: bytearray) -> np.ndarray:
        """Return the positions in a buffer."""
        return np.frombuffer(data, self.kernel.dtype)

    pack_values = pack

    def unpack_values(self, data: bytearray) -> np.ndarray:
        """Return the values in a buffer."""
        return np.frombuffer(data, self.values)

    def canonical(
        self, codes: np.ndarray, values: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the canonical keys among positions, their values, and their numbers of images."""
        raise NotImplementedError

    def tally(self, codes: np.ndarray, values: np.ndarray) -> dict[str, int]:
        """Return counts of positions, the largest canonical key, and the longest distance."""
        keys, values, sizes = self.canonical(codes, values)
        counts = dict.fromkeys(COUNTS, 0)
        for name, sign in (("win", 1), ("draw", 0), ("loss", -1)):
            counts[name] = int(sizes[np.sign(values) == sign].sum(dtype=np.int64))
        ended = np.abs(values) == self.limit
        drawn = np.flatnonzero(values == 0)
        ended[drawn] = self.kernel.outcomes(keys[drawn]) == 0
        counts["terminal"] = int(sizes[ended].sum(dtype=np.int64))
        counts["positions"] = int(sizes.sum(dtype=np.int64))
        counts["canonical"] = len(keys)
        nearest = int(np.abs(values[values != 0]).min(initial=self.limit))
        return counts | {"top": int(keys.max(initial=0)), "plies": self.limit - nearest}

    def start_score(self, codes: np.ndarray, values: np.ndarray) -> int:
        """Return the score of the start, which is among the positions of the first tier."""
        keys, values, _ = self.canonical(codes, values)
        place = np.flatnonzero(keys == self.kernel.start(start_key(self.game))[0])[0]
        return widen(int(values[place]), self.limit)

    def scores(self, codes: np.ndarray, values: np.ndarray) -> Iterable[tuple[Any, int]]:
        """Return canonical positions with their scores."""
        keys, values, _ = self.canonical(codes, values)
        scores = (widen(value, self.limit) for value in values.tolist())
        return zip(map(self.game.position, keys.tolist()), scores, strict=True)

    def entries(
        self, codes: np.ndarray, values: np.ndarray, layout: TableLayout
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the mixed keys of a table's entries, and their values as the table holds them."""
        keys, values, _ = self.canonical(codes, values)
        if self.limit != layout.limit:
            values = values - np.sign(values) * values.dtype.type(self.limit - layout.limit)
        mixed = keys.astype(np.uint64)
        mixed *= np.uint64(layout.multiplier)
        mixed &= np.uint64(layout.mask)
        return mixed, values.astype(f"i{1 if layout.limit == NARROW else 2}")

    def sort_entries(self, mixed: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return entries by ascending mixed keys."""
        order = np.argsort(mixed)
        return mixed[order], values[order]

    def pack_entries(self, mixed: np.ndarray, values: np.ndarray) -> tuple[memoryview, memoryview]:
        """Return entries as two buffers."""
        return mixed.data, values.data

    def unpack_entries(
        self, mixed: bytearray, values: bytearray, layout: TableLayout
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the entries in two buffers."""
        kind = f"i{1 if layout.limit == NARROW else 2}"
        return np.frombuffer(mixed, np.uint64), np.frombuffer(values, kind)

    def cut_entries(self, mixed: np.ndarray, width: int) -> list[tuple[int, int, int]]:
        """Return where the sorted entries start and stop that are alike but for `width` bits."""
        return cut_at(mixed, width)

    def fill(
        self,
        pieces: Callable[[], Iterable[tuple[np.ndarray, np.ndarray]]],
        layout: TableLayout,
        buckets: tuple[int, int],
    ) -> tuple[int, list[memoryview]]:
        """Return how many entries buckets from one to below another hold, and their three arrays.

        `pieces` gives mixed keys and values, those of other buckets among them. Offsets count from
        the first entry here.
        """
        first, last = buckets
        low, high = np.uint64(first << layout.width), (last << layout.width) - 1

        def here() -> Iterable[tuple[np.ndarray, np.ndarray]]:
            for mixed, values in pieces():
                inside = (mixed >= low) & (mixed <= np.uint64(high))
                yield (mixed, values) if inside.all() else (mixed[inside], values[inside])

        kinds = {
            name: f"<{kind[0].lower()}{int(kind[1:]) // 8}"
            for name, (kind, _) in layout.arrays.items()
        }
        offsets = np.zeros(last - first + 1, kinds["offsets"])
        for mixed, _ in here():
            arrays.count_buckets(mixed - low, np.uint64(layout.width), offsets[1:])
        np.cumsum(offsets, out=offsets)
        count = int(offsets[-1])
        remainders, found = np.empty(count, kinds["remainders"]), np.empty(count, kinds["values"])
        places = offsets[:-1].copy()
        for mixed, values in here():
            arrays.fill_buckets(
                mixed - low, values, np.uint64(layout.width), places, remainders, found
            )
        arrays.sort_buckets(offsets, remainders, found)
        held = {"offsets": offsets[:-1], "remainders": remainders, "values": found}
        return count, [held[name].data.cast("B") for name in layout.arrays]

    def shift(self, offsets: bytearray, base: int, layout: TableLayout) -> memoryview:
        """Return offsets that count from another entry."""
        kind = f"<u{int(layout.arrays['offsets'][0][1:]) // 8}"
        return memoryview((np.frombuffer(offsets, kind) + np.dtype(kind).type(base)).data).cast("B")


def cut_at(codes: np.ndarray, width: int) -> list[tuple[int, int, int]]:
    """Return the runs of codes that are alike but for their lowest bits.

    Each as the bits that are alike, where the run starts, and where it stops.
    """
    if not len(codes):
        return []
    low, high = int(codes[0]) >> width, int(codes[-1]) >> width
    edges = (np.arange(low + 1, high + 1, dtype=np.uint64) << np.uint64(width)).astype(codes.dtype)
    stops = [0, *np.searchsorted(codes, edges).tolist(), len(codes)]
    return [(low + i, a, b) for i, (a, b) in enumerate(pairwise(stops)) if a < b]


class LayeredSteps(ArraySteps):
    """The steps of a game in which every move leads one tier on."""

    kernel: LayeredKernel
    values, limit = np.int8, NARROW
    splits = True

    def __init__(self, game: Game[Any, Any], kernel: LayeredKernel) -> None:
        super().__init__(game, kernel)
        self._low = max(
            0, kernel.bits - (SLOTS if kernel.bits <= 32 else FINE)
        )  # bits of a code that do not tell its slot
        self._sorts = kernel.multiplier == 1

    @property
    def slot(self) -> int | None:
        """How many of a key's lowest bits do not tell its slot; None if slots are not of keys."""
        return self._low if self._sorts else None

    @property
    def weight(self) -> int:
        """Bytes that a position takes, about, while a part of a tier is grown or solved."""
        size = np.dtype(self.kernel.dtype).itemsize
        return self.kernel.width * (3 * size if self._sorts else 8 + 3 * size) + 6 * size

    @property
    def later_weight(self) -> int:
        """Bytes that a position of a later tier takes meanwhile."""
        return 2 * np.dtype(self.kernel.dtype).itemsize + 1 if self._sorts else 32

    def start(self) -> tuple[int, np.ndarray]:
        """Return the first tier's number and its positions."""
        return self.game.tier(self.game.initial()), self.kernel.mix(
            self.kernel.start(start_key(self.game))
        )

    def cut(self, codes: np.ndarray) -> list[tuple[int, int, int]]:
        """Return where positions of each slot start and stop."""
        return cut_at(codes, self._low)

    def grow(self, codes: np.ndarray, whole: bool) -> tuple[np.ndarray, dict[int, np.ndarray]]:
        """Return a part of a tier, and what it adds to later tiers."""
        children = self.kernel.advance(codes)
        if not len(children):
            return codes, {}
        key = int(self.kernel.unmix(codes[:1])[0])
        return codes, {self.game.tier(self.game.position(key)) + 1: children}

    def unite(self, sets: list[np.ndarray]) -> np.ndarray:
        """Return the positions that are in any set."""
        return arrays.union(sets, self.kernel.dtype)

    def spans(self, codes: np.ndarray) -> list[tuple[int, int]]:
        """Return from which slot to below which other one later tiers are needed to resolve."""
        return [
            (low >> self._low, ((high - 1) >> self._low) + 1)
            for low, high in self.kernel.spans(codes)
        ]

    def resolve(self, codes: np.ndarray, later: dict[int, Later], whole: bool) -> np.ndarray:
        """Return the values of a part of a tier, given the next tier within its spans."""
        return self.kernel.resolve(codes, next(iter(later.values()), ()))

    def canonical(
        self, codes: np.ndarray, values: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        keys = self.kernel.unmix(codes)
        sizes = self.kernel.orbits(keys)
        chosen = sizes > 0
        return keys[chosen], values[chosen], sizes[chosen]
