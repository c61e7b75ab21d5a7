"""Sorted arrays of keys: cutting, uniting, looking up. Compiled; needs the extra `fast`."""

from __future__ import annotations

import numpy as np
from numba import njit

OPEN = 2  # as in solver.kernel
SOON = 126  # the value of a win by this move: there is no better one
LOST = np.int8(-128)  # worse than every value


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

    def __init__(self, keys: np.ndarray, values: np.ndarray) -> None:
        self.keys, self.values = keys, values
        top = int(keys[-1]) if len(keys) else 0
        self.shift = max(0, top.bit_length() - max(1, len(keys)).bit_length())
        self.starts = _starts(keys, self.shift, (top >> self.shift) + 2)

    def fold(self, children: np.ndarray, values: np.ndarray, multiplier: int, bits: int) -> None:
        """Raise the values of positions to what moves to those children bring that are here.

        `children` holds keys, which times the multiplier modulo 2**bits are those here. A child
        that is here becomes -1.
        """
        how = np.uint64(multiplier), np.uint64((1 << bits) - 1)
        _fold(children, self.keys, self.starts, self.shift, self.values, *how, values)


def begun(outcomes: np.ndarray) -> np.ndarray:
    """Return the values of positions before any move is looked at."""
    return np.where(outcomes == OPEN, LOST, outcomes * np.int8(127))


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
def _fold(children, keys, starts, shift, values, multiplier, mask, out):  # type: ignore[no-untyped-def]
    """Raise the value of each row in `out`; write -1 over the children that are among the keys."""
    for row in range(len(out)):
        best = np.int64(out[row])
        for column in range(children.shape[1]):
            child = children[row, column]
            if child < 0:
                continue
            if best == SOON:
                children[row, column] = -1
                continue
            code = np.int64((np.uint64(child) * multiplier) & mask)
            q = code >> shift
            if q + 1 >= len(starts):
                continue
            low, high = starts[q], starts[q + 1]
            while low < high:
                middle = (low + high) >> 1
                if np.int64(keys[middle]) < code:
                    low = middle + 1
                else:
                    high = middle
            if low == len(keys) or np.int64(keys[low]) != code:
                continue
            value = -np.int64(values[low])
            best = max(best, value - np.sign(value))
            children[row, column] = -1
        out[row] = best


@njit(cache=True, nogil=True)
def count_buckets(mixed, width, counts):  # type: ignore[no-untyped-def]
    """Add to `counts` how many mixed keys fall into each bucket; see `solver.mapped`."""
    for key in mixed:
        counts[key >> width] += 1


@njit(cache=True, nogil=True)
def fill_buckets(mixed, values, width, places, remainders, out):  # type: ignore[no-untyped-def]
    """Write remainders and values at the next free place of each mixed key's bucket."""
    low = (np.uint64(1) << width) - np.uint64(1)
    for i in range(len(mixed)):
        bucket = mixed[i] >> width
        place = places[bucket]
        places[bucket] += 1
        remainders[place] = mixed[i] & low
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
