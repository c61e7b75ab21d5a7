"""Splitting, merging and searching sorted arrays of keys; needs the extra `fast`."""

from __future__ import annotations

import numpy as np

from solver.loops import compiled
from solver.value import OPEN

WORST = np.int8(-128)  # below every value


def pieces(keys: np.ndarray, size: int) -> list[np.ndarray]:
    """Split an array into pieces of at most `size` keys."""
    return [keys[i : i + size] for i in range(0, len(keys), size)]


def unique(keys: np.ndarray) -> np.ndarray:
    """Return the distinct keys, ascending.

    (NumPy 2's `np.unique` hashes large arrays, which takes many times as long as sorting them.)
    """
    keys = np.sort(keys)
    fresh = np.ones(len(keys), bool)
    np.not_equal(keys[1:], keys[:-1], out=fresh[1:])
    return keys[fresh]


def union(sets: list[np.ndarray], dtype: type) -> np.ndarray:
    """Merge sorted sets of keys, two at a time, so that few keys are in memory twice."""
    while len(sets) > 1:
        sets = [
            merge(sets[i], sets[i + 1]) if i + 1 < len(sets) else sets[i]
            for i in range(0, len(sets), 2)
        ]
    return sets[0] if sets else np.empty(0, dtype)


def join(pieces: list[np.ndarray]) -> np.ndarray:
    """Concatenate arrays; one alone is not copied."""
    return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)


@compiled
def count(values, sizes, limit):  # type: ignore[no-untyped-def]
    """Return the sums of the sizes of wins, draws, losses and values of `limit`.

    Last comes the value, other than 0, that is nearest to 0.
    """
    wins = draws = losses = ended = np.int64(0)
    nearest = np.int64(limit)
    for row in range(len(values)):
        value, size = np.int64(values[row]), np.int64(sizes[row])
        wins += size * (value > 0)
        draws += size * (value == 0)
        losses += size * (value < 0)
        distance = value if value > 0 else -value
        ended += size * (distance == limit)
        if 0 < distance < nearest:
            nearest = distance
    return wins, draws, losses, ended, nearest


def merge(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Merge two sorted sets."""
    out = np.empty(len(a) + len(b), a.dtype)  # what is not filled is free
    return out[: _merge(a, b, out)]


@compiled
def _merge(a, b, out):  # type: ignore[no-untyped-def]
    """Fill in what is in two sorted sets; return how many that is."""
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
    return n


def index_of(keys: np.ndarray) -> tuple[np.ndarray, int]:
    """Return where the keys with each value of the leading bits start, and how many bits follow.

    The keys are ascending.
    """
    top = int(keys[-1]) if len(keys) else 0
    shift = max(0, top.bit_length() - max(1, len(keys) >> 1).bit_length())
    kind = np.uint32 if len(keys) >> 32 == 0 else np.int64
    starts = np.zeros((top >> shift) + 2, kind)
    _find_starts(keys, shift, starts)
    return starts, shift


def starting_values(outcomes: np.ndarray) -> np.ndarray:
    """Return the values that positions start with: the lowest, or the outcome of a game over."""
    return np.where(outcomes == OPEN, WORST, outcomes * np.int8(127))


@compiled
def _find_starts(keys, shift, starts):  # type: ignore[no-untyped-def]
    """Fill in where the keys with each value of the leading bits start."""
    for key in keys:
        starts[(np.int64(key) >> shift) + 1] += 1
    for i in range(1, len(starts)):
        starts[i] += starts[i - 1]
