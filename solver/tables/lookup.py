"""Looking up many positions of a mapped table at once; needs numpy."""

from __future__ import annotations

from collections.abc import Callable

from solver.errors import UnknownPositionError, needs_extra

with needs_extra("looking up arrays of keys", "fast"):
    import numpy as np

from solver.tables.mapped_file import ARRAYS, TableLayout
from solver.tables.packed import AT_ONCE, PackedBytes
from solver.value import LIMIT

PIECE = 1 << 15  # keys looked up at once, so that the intermediate arrays fit the cache


class Lookup:
    """Look-ups in the arrays of a mapped table; `mapped_file` describes them."""

    def __init__(
        self, layout: TableLayout, arrays: dict[str, memoryview], check_size: Callable[[], None]
    ) -> None:
        """Take arrays; `check_size` raises TableFormatError if their file has been shortened."""
        self.layout, self.check_size = layout, check_size
        self.offsets, self.remainders, self.values = (np.asarray(arrays[name]) for name in ARRAYS)

    def probe(self, keys: np.ndarray) -> np.ndarray:
        """Return the scores of the positions with n keys; see `MappedTable.probe_many`."""
        keys = np.asarray(keys)
        if keys.ndim != 1 or keys.dtype.kind not in "iu":
            raise ValueError(
                f"expected a flat array of whole numbers, got {keys.dtype} of shape {keys.shape}"
            )
        scores, hits = self.find(keys)
        if not hits.all():
            key = int(keys[np.argmin(hits)])
            raise UnknownPositionError(f"the table has no canonical position with the key {key}")
        return scores

    def find(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the scores of the positions with n keys, and which of them the table has."""
        scores, hits = np.empty(len(keys), np.int16), np.empty(len(keys), bool)
        for start in range(0, len(keys), PIECE):
            self.check_size()  # a part of a map that the file has lost would end the process
            piece = slice(start, start + PIECE)
            self._find(keys[piece], scores[piece], hits[piece])
        return scores, hits

    def _find(self, keys: np.ndarray, scores: np.ndarray, hits: np.ndarray) -> None:
        """Fill in the scores of some keys: a binary search in each key's bucket."""
        layout, offsets, remainders = self.layout, self.offsets, self.remainders
        unsigned = keys.astype(np.uint64)
        mixed = unsigned * np.uint64(layout.multiplier) & np.uint64(layout.mask)
        buckets = (mixed >> np.uint64(layout.width)).astype(np.int64)
        wanted = (mixed & np.uint64((1 << layout.width) - 1)).astype(remainders.dtype)
        low = offsets[buckets].astype(np.int64)
        size = offsets[buckets + 1].astype(np.int64) - low
        for _ in range(int(size.max(initial=0)).bit_length()):
            half = size >> 1
            middle = np.minimum(low + half, len(remainders) - 1)
            after = (remainders[middle] < wanted) & (size > 0)
            low = np.where(after, middle + 1, low)
            size = np.where(after, size - half - 1, half)
        place = np.minimum(low, len(remainders) - 1)
        inside = low < offsets[buckets + 1]
        hits[:] = inside & (remainders[place] == wanted)
        hits &= (unsigned <= np.uint64(layout.mask)) & (keys >= 0)
        scores[:] = _widened(self.values[place], layout)


class PackedLookup(Lookup):
    """Look-ups in the blocks of a packed table, each of which is decoded once for all its keys."""

    def __init__(self, source: PackedBytes) -> None:
        self.source, self.layout = source, source.layout
        self._firsts = np.asarray(source.keys)

    def find(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        layout = self.layout
        unsigned = keys.astype(np.uint64)
        mixed = unsigned * np.uint64(layout.multiplier) & np.uint64(layout.mask)
        order = np.argsort(mixed)
        mixed = mixed[order]
        scores, hits = np.zeros(len(keys), np.int16), np.zeros(len(keys), bool)
        blocks, starts = np.unique(
            np.searchsorted(self._firsts, mixed, "right") - 1, return_index=True
        )
        ends = np.append(starts[1:], len(keys))
        for first in range(int(len(blocks) > 0 and blocks[0] < 0), len(blocks), AT_ONCE):
            part = slice(first, first + AT_ONCE)
            inside, values = self.source.decode(blocks[part].tolist())
            rows = slice(starts[part][0], ends[part][-1])
            places = np.minimum(np.searchsorted(inside, mixed[rows]), len(inside) - 1)
            hits[order[rows]] = inside[places] == mixed[rows]
            scores[order[rows]] = _widened(values[places], layout)
        hits &= (unsigned <= np.uint64(layout.mask)) & (keys >= 0)
        return scores, hits


def _widened(values: np.ndarray, layout: TableLayout) -> np.ndarray:
    """Return the scores that values of a table stand for."""
    numbers = values.astype(np.int16)
    scores: np.ndarray = numbers + np.sign(numbers) * np.int16(LIMIT - layout.limit)
    return scores
