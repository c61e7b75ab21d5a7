"""Looking up many positions of a mapped table at once; needs numpy."""

from __future__ import annotations

from collections.abc import Callable

from solver.errors import needs_extra

with needs_extra("looking up arrays of keys", "fast"):
    import numpy as np

from solver.tables.mapped_file import ARRAYS, TableLayout
from solver.value import LIMIT

PIECE = 1 << 15  # keys looked up at once, so that the intermediate arrays fit the cache


def check_keys(keys: np.ndarray) -> np.ndarray:
    """Return keys as an array; raises ValueError unless they are n whole numbers."""
    keys = np.asarray(keys)
    if keys.ndim != 1 or keys.dtype.kind not in "iu":
        raise ValueError(
            f"expected a flat array of whole numbers, got {keys.dtype} of shape {keys.shape}"
        )
    return keys


def find_in_arrays(
    keys: np.ndarray,
    layout: TableLayout,
    arrays: dict[str, memoryview],
    check_size: Callable[[], None],
) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of n keys, and which of them the arrays of a mapped table have.

    `check_size` raises TableFormatError if the file of the arrays has been shortened.
    """
    views = [np.asarray(arrays[name]) for name in ARRAYS]
    scores, hits = np.empty(len(keys), np.int16), np.empty(len(keys), bool)
    for start in range(0, len(keys), PIECE):
        check_size()  # a part of a map that the file has lost would end the process
        piece = slice(start, start + PIECE)
        _find(keys[piece], layout, views, scores[piece], hits[piece])
    return scores, hits


def _find(
    keys: np.ndarray,
    layout: TableLayout,
    views: list[np.ndarray],
    scores: np.ndarray,
    hits: np.ndarray,
) -> None:
    """Fill in the scores of some keys: a binary search in each key's bucket."""
    offsets, remainders, values = views
    mixed, possible = mix(keys, layout)
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
    index = np.minimum(low, len(remainders) - 1)
    inside = low < offsets[buckets + 1]
    hits[:] = inside & (remainders[index] == wanted) & possible
    scores[:] = widened(values[index], layout)


def mix(keys: np.ndarray, layout: TableLayout) -> tuple[np.ndarray, np.ndarray]:
    """Return the mixed keys, and which of the keys have as few bits as those of the table."""
    unsigned = keys.astype(np.uint64)
    mixed = unsigned * np.uint64(layout.multiplier) & np.uint64(layout.mask)
    return mixed, (unsigned <= np.uint64(layout.mask)) & (keys >= 0)


def widened(values: np.ndarray, layout: TableLayout) -> np.ndarray:
    """Return the scores that values of a table stand for."""
    numbers = values.astype(np.int16)
    scores: np.ndarray = numbers + np.sign(numbers) * np.int16(LIMIT - layout.limit)
    return scores
