"""Looking up many keys of a mapped table at once; needs numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    import numpy as np
except ImportError as error:
    raise ImportError(
        "arrays of keys need numpy: install it, or perfectplay with the extra 'fast'"
    ) from error

from .errors import UnknownPositionError
from .value import LIMIT

if TYPE_CHECKING:
    from .mapped import MappedTable

PIECE = 1 << 15  # keys looked up at once: what is worked on fits the cache


def probe_many(table: MappedTable, keys: np.ndarray) -> np.ndarray:
    """Return the scores of the canonical positions with n keys; see `MappedTable.probe_many`."""
    keys = np.asarray(keys)
    if keys.ndim != 1 or keys.dtype.kind not in "iu":
        raise ValueError(
            f"keys must be a flat array of whole numbers, not {keys.dtype} of shape {keys.shape}"
        )
    scores = np.empty(len(keys), np.int16)
    for start in range(0, len(keys), PIECE):
        _probe(table, keys[start : start + PIECE], scores[start : start + PIECE])
    return scores


def _probe(table: MappedTable, keys: np.ndarray, scores: np.ndarray) -> None:
    """Fill in the scores of some keys: in each bucket, halve until one entry is left."""
    offsets, remainders, values = (
        np.asarray(view) for view in (table.offsets, table.remainders, table.values)
    )
    cut = table.layout
    unsigned = keys.astype(np.uint64)
    mixed = unsigned * np.uint64(cut.multiplier) & np.uint64(cut.mask)
    buckets = (mixed >> np.uint64(cut.width)).astype(np.int64)
    wanted = (mixed & np.uint64((1 << cut.width) - 1)).astype(remainders.dtype)
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
    known = inside & (remainders[place] == wanted) & (unsigned <= np.uint64(cut.mask)) & (keys >= 0)
    if not known.all():
        key = int(keys[np.argmin(known)])
        raise UnknownPositionError(f"the table has no canonical position with the key {key}")
    found = values[place].astype(np.int16)
    scores[:] = found + np.sign(found) * np.int16(LIMIT - cut.limit)
