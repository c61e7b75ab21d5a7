"""Looking up many positions of a mapped table at once; needs numpy, and a kernel for moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

try:
    import numpy as np
except ImportError as error:
    raise ImportError(
        "arrays of keys need numpy: install it, or perfectplay with the extra 'fast'"
    ) from error

from solver.errors import UnknownPositionError
from solver.value import LIMIT

if TYPE_CHECKING:
    from solver.rules.kernel import Kernel
    from solver.tables.mapped_table import MappedTable

NONE = np.iinfo(np.int16).min  # what no move brings
PIECE = 1 << 15  # keys looked up at once: what is worked on fits the cache


def probe_many(table: MappedTable, keys: np.ndarray) -> np.ndarray:
    """Return the scores of the canonical positions with n keys; see `MappedTable.probe_many`."""
    keys = np.asarray(keys)
    if keys.ndim != 1 or keys.dtype.kind not in "iu":
        raise ValueError(
            f"keys must be a flat array of whole numbers, not {keys.dtype} of shape {keys.shape}"
        )
    scores, known = find_many(table, keys)
    if not known.all():
        key = int(keys[np.argmin(known)])
        raise UnknownPositionError(f"the table has no canonical position with the key {key}")
    return scores


def find_many(table: MappedTable, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of the canonical positions with n keys, and which the table holds."""
    scores, known = np.empty(len(keys), np.int16), np.empty(len(keys), bool)
    for start in range(0, len(keys), PIECE):
        piece = slice(start, start + PIECE)
        _probe(table, keys[piece], scores[piece], known[piece])
    return scores, known


def best_many(
    table: MappedTable, kernel: Kernel, keys: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the scores of n positions, their best moves, and which positions the table holds.

    A move is its code if the kernel's `columns_are_codes` is true, else its number among the legal
    ones, and -1 if the game is over; the best by score, by trap, and the first of equals, as
    `MappedTable.best` has it.
    """
    canonical = kernel.canonical(keys.astype(kernel.dtype)).astype(np.int64)
    scores, known = find_many(table, canonical)
    places = np.flatnonzero(known)
    moves = np.full(len(keys), -1)
    if len(places):
        moves[places] = _best(table, kernel, keys[places].astype(kernel.dtype))
    return scores, moves, known


def _best(table: MappedTable, kernel: Kernel, keys: np.ndarray) -> np.ndarray:
    """Return the numbers of the best moves of positions that are in the table."""
    held, children = _worths(table, kernel, keys)
    brings = np.where(children >= 0, np.sign(held) - held, NONE)
    top = brings.max(axis=1)
    tied = (brings == top[:, None]) & (children >= 0)
    rows, columns = np.nonzero(tied & (tied.sum(axis=1) > 1)[:, None])
    traps = np.where(tied, 0.0, -1.0)
    traps[rows, columns] = _traps(table, kernel, children[rows, columns], held[rows, columns])
    column = traps.argmax(axis=1)
    if not kernel.columns_are_codes:
        numbers = (children >= 0).cumsum(axis=1) - 1
        column = numbers[np.arange(len(keys)), column]
    return np.where(tied.any(axis=1), column, -1)


def _traps(
    table: MappedTable, kernel: Kernel, children: np.ndarray, held: np.ndarray
) -> np.ndarray:
    """Return the traps of moves that lead to positions with these keys and scores."""
    after, replies = _worths(table, kernel, children.astype(kernel.dtype))
    legal = replies >= 0
    worse = (np.sign(-after) < np.sign(held)[:, None]) & legal
    shares: np.ndarray = worse.sum(axis=1) / np.maximum(1, legal.sum(axis=1))
    return shares


def _worths(table: MappedTable, kernel: Kernel, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of the positions that moves lead to, and their keys, -1 for none."""
    _, children = kernel.expand(keys)
    legal = children >= 0
    held = np.zeros(children.shape, np.int16)
    held[legal] = probe_many(table, children[legal])
    return held, children


def _probe(table: MappedTable, keys: np.ndarray, scores: np.ndarray, known: np.ndarray) -> None:
    """Fill in the scores of some keys: in each bucket, halve until one entry is left."""
    offsets, remainders, values = (
        np.asarray(view) for view in (table.offsets, table.remainders, table.values)
    )
    layout = table.layout
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
    known[:] = inside & (remainders[place] == wanted)
    known &= (unsigned <= np.uint64(layout.mask)) & (keys >= 0)
    found = values[place].astype(np.int16)
    scores[:] = found + np.sign(found) * np.int16(LIMIT - layout.limit)
