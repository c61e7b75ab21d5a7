"""The rules of Connect 4 on arrays of keys; `solver.games.connect4` explains the keys.

The children by one column of a sorted tier are sorted, too. So the next tier is a merge of one
stream per column, and children are looked up by walking along the next tier with one cursor per
column: no sorting, no searching. For this a tier holds positions and their mirror images, and its
keys are not mixed.

All compiled code is in this file, because numba's cache does not notice edits in other files.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from solver.rules.kernel import LayeredKernel
from solver.rules.key_arrays import BEST, join, parts
from solver.value import OPEN

PIECE = 1 << 20  # positions processed at once
MOST_K = 8
SMEARS, FOLDS = 4, 3  # enough for columns of 16 bits, and for MOST_K in a row
BLOCK = 1 << 12  # positions whose outcomes fit in the cache


class Connect4Kernel(LayeredKernel):
    """Connect 4 on boards whose keys have up to 62 bits."""

    columns_are_codes = True

    @property
    def multiplier(self) -> int:
        return 1

    def __init__(
        self, columns: int, rows: int, smears: Sequence[tuple[int, int]], folds: ArrayLike
    ) -> None:
        """Take the size of the board, and the shifts that `Connect4` uses, for up to MOST_K."""
        self.columns, self.height = columns, rows + 1
        self.bits, self.width = columns * self.height, columns
        empty = sum(1 << column * self.height for column in range(columns))
        shifts = np.zeros((4, FOLDS), np.uint64)
        found = np.minimum(folds, 63).reshape(4, -1)
        shifts[:, : found.shape[1]] = found
        masks = np.zeros(SMEARS, np.uint64)
        masks[: len(smears)] = [mask for _, mask in smears]
        self.rules = (empty << rows, masks, shifts, empty)
        fields = np.arange(1 << self.height)
        marker = np.array([1 << max(0, int(f).bit_length() - 1) for f in fields], np.int64)
        room = marker < 1 << rows
        # what a stone of the second player, and of the first, adds to a column's field
        self.fields = [(columns, self.height, add, room) for add in (marker, marker << 1)]

    def expand(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        outcomes = np.empty(len(keys), np.int8)
        children = np.empty((len(keys), self.width), np.int64)
        _expand(keys, tuple(self.fields), self.rules, outcomes, children)
        return outcomes, children

    def outcomes(self, keys: np.ndarray) -> np.ndarray:
        found = np.empty(len(keys), np.int8)
        _outcomes(keys, self.rules, found)
        return found

    def orbits(self, keys: np.ndarray) -> np.ndarray:
        sizes = np.empty(len(keys), np.int8)
        _orbits(keys, self.columns, self.height, sizes)
        return sizes

    def canonical(self, keys: np.ndarray) -> np.ndarray:
        found = np.empty(len(keys), np.int64)
        _canonical(keys, self.columns, self.height, found)
        return found

    def advance(self, mixed: np.ndarray) -> np.ndarray:
        first = bool(_begins(np.int64(mixed[0]), self.rules))
        going = join([_open(part, self.rules) for part in parts(mixed, PIECE)])
        cuts = [0, *(int(part[0]) for part in parts(going, PIECE)[1:]), 1 << 62]
        return join([_merge(going, ends, self.fields[first]) for ends in pairwise(cuts)])

    def spans(self, mixed: np.ndarray) -> list[tuple[int, int]]:
        first = bool(_begins(np.int64(mixed[0]), self.rules))
        ends = _ends(mixed, self.fields[first])
        return [(low, high + 1) for low, high in ends.tolist() if low >= 0]

    def resolve(self, mixed: np.ndarray, later: np.ndarray, values: np.ndarray) -> np.ndarray:
        first = bool(_begins(np.int64(mixed[0]), self.rules))
        out = np.empty(len(mixed), np.int8)
        for piece, into in zip(parts(mixed, PIECE), parts(out, PIECE), strict=True):
            missing = _resolve(piece, later, values, self.fields[first], self.rules, into)
            if missing >= 0:
                raise KeyError(f"the key {missing} is missing")
        return out


@njit(cache=True, nogil=True)
def _outcomes(keys, rules, out):  # type: ignore[no-untyped-def]
    """Fill in the outcomes for the side to move, or OPEN.

    There is no branch, and all shifts are numbers, so that several positions are done at once.
    """
    full, empty = np.uint64(rules[0]), np.uint64(rules[3])
    m1, m2, m4, m8 = rules[1]
    (a1, a2, a3), (b1, b2, b3), (c1, c2, c3), (d1, d2, d3) = rules[2]
    for row in range(len(keys)):
        key = np.uint64(keys[row])
        filled = key | key >> np.uint64(1) & m1
        filled |= filled >> np.uint64(2) & m2
        filled |= filled >> np.uint64(4) & m4
        filled |= filled >> np.uint64(8) & m8
        filled = filled >> np.uint64(1) & m1  # below the markers: the cells with a stone
        odd = filled ^ filled >> np.uint64(1)
        odd ^= odd >> np.uint64(2)
        odd ^= odd >> np.uint64(4)
        odd ^= odd >> np.uint64(8)
        odd ^= odd >> np.uint64(16)
        odd ^= odd >> np.uint64(32)
        second = (odd & np.uint64(1)) - np.uint64(1)  # all bits, if the second player moved last
        stones = filled & (key ^ second)
        run = stones & stones >> a1
        run &= run >> a2
        lines = run & run >> a3
        run = stones & stones >> b1
        run &= run >> b2
        lines |= run & run >> b3
        run = stones & stones >> c1
        run &= run >> c2
        lines |= run & run >> c3
        run = stones & stones >> d1
        run &= run >> d2
        lines |= run & run >> d3
        over = 0 if filled + empty == full else OPEN
        out[row] = -1 if lines else over


@njit(cache=True, nogil=True)
def _begins(key, rules):  # type: ignore[no-untyped-def]
    """Return whether the first player is to move: the number of stones is even."""
    masks = rules[1]
    filled = np.uint64(key)
    for i in range(len(masks)):
        filled |= filled >> np.uint64(1 << i) & masks[i]
    rest, even = filled >> np.uint64(1) & masks[0], True
    while rest:
        rest &= rest - np.uint64(1)
        even = not even
    return even


@njit(cache=True, nogil=True)
def _mirror(key, columns, height):  # type: ignore[no-untyped-def]
    image = np.int64(0)
    field = (np.int64(1) << height) - 1
    for _ in range(columns):
        image = image << height | key & field
        key >>= height
    return image


@njit(cache=True, nogil=True)
def _expand(keys, fields, rules, outcomes, children):  # type: ignore[no-untyped-def]
    """Fill in outcomes and children; see `Kernel.expand`. `fields` has those of either side."""
    _outcomes(keys, rules, outcomes)
    columns, height = fields[0][0], fields[0][1]
    for row in range(len(keys)):
        key = np.int64(keys[row])
        of_side = fields[int(_begins(key, rules))]
        for column in range(columns):
            child = _child(key, column, of_side) if outcomes[row] == OPEN else np.int64(-1)
            if child >= 0:
                child = min(child, _mirror(child, columns, height))
            children[row, column] = child


@njit(cache=True, nogil=True)
def _orbits(keys, columns, height, sizes):  # type: ignore[no-untyped-def]
    """Fill in how many images each key has; 0 if its mirror image is less."""
    for row in range(len(keys)):
        key = np.int64(keys[row])
        image = _mirror(key, columns, height)
        sizes[row] = 1 + (image > key) - (image < key)


@njit(cache=True, nogil=True)
def _canonical(keys, columns, height, found):  # type: ignore[no-untyped-def]
    """Fill in the keys of canonical images."""
    for row in range(len(keys)):
        key = np.int64(keys[row])
        found[row] = min(key, _mirror(key, columns, height))


@njit(cache=True, nogil=True)
def _open(keys, rules):  # type: ignore[no-untyped-def]
    """Return the keys of games that are not over."""
    out = np.empty_like(keys)
    found = np.empty(BLOCK, np.int8)
    n = 0
    for start in range(0, len(keys), BLOCK):
        block = keys[start : start + BLOCK]
        _outcomes(block, rules, found)
        for i in range(len(block)):
            out[n] = block[i]
            n += found[i] == OPEN
    return out[:n].copy()


@njit(cache=True, nogil=True)
def _child(key, column, fields):  # type: ignore[no-untyped-def]
    """Return the child by a column, or -1 if the column is full."""
    _, height, adds, room = fields
    shift = column * height
    own = (key >> shift) & ((np.int64(1) << height) - 1)
    return key + (adds[own] << shift) if room[own] else np.int64(-1)


@njit(cache=True, nogil=True)
def _ends(keys, fields):  # type: ignore[no-untyped-def]
    """Return the first and last child by each column; -1 if it is full in every position."""
    ends = np.full((fields[0], 2), -1, np.int64)
    for column in range(len(ends)):
        for way in range(2):
            for i in range(len(keys)):
                key = np.int64(keys[len(keys) - 1 - i if way else i])
                ends[column, way] = _child(key, column, fields)
                if ends[column, way] >= 0:
                    break
    return ends


@njit(cache=True, nogil=True)
def _find(keys, end, column, fields):  # type: ignore[no-untyped-def]
    """Return how many keys have a child by this column that is below `end`.

    A key whose column is full counts as the last with the same higher columns, to keep the order.
    """
    last = (np.int64(1) << (column + 1) * fields[1]) - 1
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) >> 1
        key = np.int64(keys[middle])
        child = _child(key, column, fields)
        if child < 0:
            child = key | last
        if child < end:
            low = middle + 1
        else:
            high = middle
    return low


@njit(cache=True, nogil=True)
def _merge(keys, ends, fields):  # type: ignore[no-untyped-def]
    """Return the distinct children of open games between two ends, ascending."""
    start, end = ends
    columns, last = fields[0], np.int64(1) << 62
    places = np.empty(columns, np.int64)
    stops = np.empty(columns, np.int64)
    heads = np.empty(columns, np.int64)
    size = 0
    for column in range(columns):
        places[column] = _find(keys, start, column, fields) - 1
        stops[column] = _find(keys, end, column, fields)
        size += stops[column] - places[column]
        heads[column] = -1
    out = np.empty(size, keys.dtype)
    n = 0
    least = np.int64(-1)
    while True:
        following = last
        for column in range(columns):
            if heads[column] == least:
                heads[column] = -1
                while heads[column] < 0:
                    places[column] += 1
                    heads[column] = last
                    if places[column] < stops[column]:
                        heads[column] = _child(np.int64(keys[places[column]]), column, fields)
            following = min(following, heads[column])
        least = following
        if least == last:
            return out[:n].copy()
        out[n] = least
        n += 1


@njit(cache=True, nogil=True)
def _resolve(keys, later, values, fields, rules, out):  # type: ignore[no-untyped-def]
    """Write the values of a piece of a tier to `out`; return a missing child, or -1."""
    _outcomes(keys, rules, out)
    cursors = np.empty(fields[0], np.int64)
    key = np.int64(keys[0])
    for column in range(len(cursors)):
        cursors[column] = np.searchsorted(later, max(key, _child(key, column, fields)))
    for row in range(len(keys)):
        key = np.int64(keys[row])
        if out[row] != OPEN:
            out[row] *= 127
            continue
        best = -128
        for column in range(len(cursors)):
            child = _child(key, column, fields)
            if child < 0:
                continue
            cursor = cursors[column]
            while cursor < len(later) and np.int64(later[cursor]) < child:
                cursor += 1
            cursors[column] = cursor
            if cursor == len(later) or np.int64(later[cursor]) != child:
                return child
            value = -np.int64(values[cursor])
            best = max(best, value - np.sign(value))
            if best == BEST:
                break
        out[row] = best
    return np.int64(-1)
