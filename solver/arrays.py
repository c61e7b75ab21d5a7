"""Sorted arrays of keys: cutting, uniting, looking up. Compiled; needs the extra `fast`."""

from __future__ import annotations

import numpy as np
from numba import njit

OPEN = 2  # as in solver.kernel
SOON = 126  # the value of a win by this move: there is no better one


def parts(keys: np.ndarray, size: int) -> list[np.ndarray]:
    """Return the array in pieces of at most `size`."""
    return [keys[i : i + size] for i in range(0, len(keys), size)]


def unique(keys: np.ndarray) -> np.ndarray:
    """Return the keys ascending, each once.

    (`np.unique` takes a hash table to large arrays, which is many times slower than sorting.)
    """
    keys = np.sort(keys)
    fresh = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    return keys[fresh]


def union(sets: list[np.ndarray], dtype: type) -> np.ndarray:
    """Return the union of sorted sets of keys, two by two so that little is held twice."""
    while len(sets) > 1:
        sets = [
            merge(sets[i], sets[i + 1]) if i + 1 < len(sets) else sets[i]
            for i in range(0, len(sets), 2)
        ]
    return sets[0] if sets else np.empty(0, dtype)


def join(pieces: list[np.ndarray]) -> np.ndarray:
    """Return the pieces as one array."""
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)


@njit(cache=True, nogil=True)
def merge(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the union of two sorted sets."""
    out = np.empty(len(a) + len(b), a.dtype)
    i = j = n = 0
    while i < len(a) and j < len(b):
        x, y = a[i], b[j]
        out[n] = min(x, y)
        i += x <= y
        j += y <= x
        n += 1
    for x in a[i:]:
        out[n] = x
        n += 1
    for y in b[j:]:
        out[n] = y
        n += 1
    return out[:n].copy()


class Index:
    """Finds keys in a sorted array: the leading bits tell where to begin, halving does the rest."""

    def __init__(self, keys: np.ndarray) -> None:
        self.keys = keys
        top = int(keys[-1]) if len(keys) else 0
        self.shift = max(0, top.bit_length() - max(1, len(keys)).bit_length())
        self.starts = _starts(keys, self.shift, (top >> self.shift) + 2)

    def fold(self, outcomes: np.ndarray, children: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return the values of positions whose children these are; `values` are those of the keys.

        Raises KeyError if a child is not among the keys.
        """
        out = np.empty(len(outcomes), values.dtype)
        missing = _fold(outcomes, children, self.keys, self.starts, self.shift, values, out)
        if missing >= 0:
            raise KeyError(f"the key {missing} is missing")
        return out


@njit(cache=True, nogil=True)
def _starts(keys, shift, size):  # type: ignore[no-untyped-def]
    """Return where the keys with each value of their leading bits begin."""
    starts = np.zeros(size, np.int64)
    for key in keys:
        starts[(np.int64(key) >> shift) + 1] += 1
    for i in range(1, size):
        starts[i] += starts[i - 1]
    return starts


@njit(cache=True, nogil=True)
def _fold(outcomes, children, keys, starts, shift, values, out):  # type: ignore[no-untyped-def]
    """Write the value of each row to `out`; return a child that is missing, or -1."""
    for row in range(len(outcomes)):
        if outcomes[row] != OPEN:
            out[row] = outcomes[row] * 127
            continue
        best = -128
        for child in children[row]:
            if child < 0:
                continue
            q = child >> shift
            if q + 1 >= len(starts):
                return child
            low, high = starts[q], starts[q + 1]
            while low < high:
                middle = (low + high) >> 1
                if np.int64(keys[middle]) < child:
                    low = middle + 1
                else:
                    high = middle
            if low == len(keys) or np.int64(keys[low]) != child:
                return child
            value = -np.int64(values[low])
            best = max(best, value - np.sign(value))
            if best == SOON:
                break
        out[row] = best
    return -1


@njit(cache=True, nogil=True)
def count_buckets(keys, multiplier, mask, width, counts):  # type: ignore[no-untyped-def]
    """Add to `counts` how many keys fall into each bucket; see `solver.mapped`."""
    for key in keys:
        counts[((np.uint64(key) * multiplier) & mask) >> width] += 1


@njit(cache=True, nogil=True)
def fill_buckets(  # type: ignore[no-untyped-def]
    keys, values, multiplier, mask, width, places, remainders, out
):
    """Write remainders and values at the next free place of each key's bucket."""
    low = (np.uint64(1) << width) - np.uint64(1)
    for i in range(len(keys)):
        mixed = (np.uint64(keys[i]) * multiplier) & mask
        place = places[mixed >> width]
        places[mixed >> width] += 1
        remainders[place] = mixed & low
        out[place] = values[i]


@njit(cache=True, nogil=True)
def sort_buckets(offsets, remainders, values):  # type: ignore[no-untyped-def]
    """Sort each bucket by remainder."""
    for bucket in range(len(offsets) - 1):
        start, stop = np.int64(offsets[bucket]), np.int64(offsets[bucket + 1])
        for i in range(start + 1, stop):
            remainder, value = remainders[i], values[i]
            j = i
            while j > start and remainders[j - 1] > remainder:
                remainders[j], values[j] = remainders[j - 1], values[j - 1]
                j -= 1
            remainders[j], values[j] = remainder, value
