"""The rules of Connect 4 on arrays of keys; `solver.games.connect4` explains the keys.

A tier holds canonical keys, ascending, and they are not mixed: the children by one column of a
sorted tier are sorted, too, as long as they are canonical. So the next tier is a merge of one
stream per column with the canonical images of the other children, the flipped ones, which are few
and are sorted. Children are looked up by walking along the next tier with one cursor per column,
and flipped ones in an index.

All compiled code is in this file, because numba's cache does not notice edits in other files.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from solver.rules.kernel import LayeredKernel
from solver.rules.key_arrays import BEST, Index, join, parts, unique
from solver.value import OPEN

PIECE = 1 << 20  # positions processed at once
MOST_K = 8
SMEARS, FOLDS = 4, 3  # enough for columns of 16 bits, and for MOST_K in a row
BLOCK = 1 << 12  # positions whose outcomes or images fit in the cache


class Connect4Kernel(LayeredKernel):
    """Connect 4 on boards whose keys have up to 62 bits."""

    columns_are_codes = True

    @property
    def multiplier(self) -> int:
        return 1

    @property
    def position_bytes(self) -> int:
        return 8 * np.dtype(self.dtype).itemsize

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
        _orbits(keys, _images(keys, self.columns, self.height), sizes)
        return sizes

    def canonical(self, keys: np.ndarray) -> np.ndarray:
        found: np.ndarray = np.minimum(keys, _images(keys, self.columns, self.height))
        return found.astype(np.int64)

    def advance(self, mixed: np.ndarray) -> np.ndarray:
        fields = self.fields[bool(_begins(np.int64(mixed[0]), self.rules))]
        going = np.empty_like(mixed)
        going = going[: _open(mixed, self.rules, going)]
        images = _images(going, self.columns, self.height)
        pieces = zip(parts(going, PIECE), parts(images, PIECE), strict=True)
        flipped = unique(join([_flipped(*piece, fields) for piece in pieces] or [going]))
        children = np.empty(len(going) * self.width, going.dtype)  # what is not filled is free
        return children[: _merge(going, images, flipped, fields, children)]

    def resolve(self, mixed: np.ndarray, later: np.ndarray, values: np.ndarray) -> np.ndarray:
        fields = self.fields[bool(_begins(np.int64(mixed[0]), self.rules))]
        index = Index(later, values)
        out = np.empty(len(mixed), np.int8)
        for piece, into in zip(parts(mixed, PIECE), parts(out, PIECE), strict=True):
            _outcomes(piece, self.rules, into)
            images = _images(piece, self.columns, self.height)
            found = later, values, index.starts, index.shift
            missing = _resolve(piece, images, *found, fields, into)
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
    odd = filled >> np.uint64(1) & masks[0]
    for i in range(6):
        odd ^= odd >> np.uint64(1 << i)
    return odd & np.uint64(1) == 0


@njit(cache=True, nogil=True)
def _expand(keys, fields, rules, outcomes, children):  # type: ignore[no-untyped-def]
    """Fill in outcomes and children; see `Kernel.expand`. `fields` has those of either side."""
    _outcomes(keys, rules, outcomes)
    columns, height, _, room = fields[0]
    images = _images(keys, columns, height)
    field = (np.int64(1) << height) - 1
    for row in range(len(keys)):
        key, image = np.int64(keys[row]), np.int64(images[row])
        adds = fields[int(_begins(key, rules))][2]
        for column in range(columns):
            own = (key >> column * height) & field
            child = key + (adds[own] << column * height)
            other = image + (adds[own] << (columns - 1 - column) * height)
            is_legal = room[own] and outcomes[row] == OPEN
            children[row, column] = min(child, other) if is_legal else -1


@njit(cache=True, nogil=True)
def _images(keys, columns, height):  # type: ignore[no-untyped-def]
    """Return the mirror images of keys, a block at a time and column by column.

    The inner loop has no branch, so that several positions are done at once.
    """
    images = np.empty_like(keys)
    field = np.uint64((1 << height) - 1)
    rest = np.empty(BLOCK, np.uint64)
    image = np.empty(BLOCK, np.uint64)
    for start in range(0, len(keys), BLOCK):
        size = min(BLOCK, len(keys) - start)
        for i in range(size):
            rest[i] = keys[start + i]
            image[i] = 0
        for _ in range(columns):
            for i in range(size):
                image[i] = image[i] << np.uint64(height) | rest[i] & field
                rest[i] >>= np.uint64(height)
        for i in range(size):
            images[start + i] = image[i]
    return images


@njit(cache=True, nogil=True)
def _orbits(keys, images, sizes):  # type: ignore[no-untyped-def]
    """Fill in how many images each key has; 0 if its mirror image is less."""
    for row in range(len(keys)):
        sizes[row] = 1 + (images[row] > keys[row]) - (images[row] < keys[row])


@njit(cache=True, nogil=True)
def _open(keys, rules, out):  # type: ignore[no-untyped-def]
    """Fill in the keys of games that are not over; return how many there are."""
    found = np.empty(BLOCK, np.int8)
    n = 0
    for start in range(0, len(keys), BLOCK):
        block = keys[start : start + BLOCK]
        _outcomes(block, rules, found)
        for i in range(len(block)):
            out[n] = block[i]
            n += found[i] == OPEN
    return n


@njit(cache=True, nogil=True)
def _child(key, column, fields):  # type: ignore[no-untyped-def]
    """Return the child by a column, or -1 if the column is full."""
    _, height, adds, room = fields
    shift = column * height
    own = (key >> shift) & ((np.int64(1) << height) - 1)
    return key + (adds[own] << shift) if room[own] else np.int64(-1)


@njit(cache=True, nogil=True)
def _flipped(keys, images, fields):  # type: ignore[no-untyped-def]
    """Return the canonical images of the children that are not canonical."""
    columns, height, adds, room = fields
    field = (np.int64(1) << height) - 1
    out = np.empty(len(keys) * columns, keys.dtype)
    n = 0
    for column in range(columns):
        shift, mirrored = column * height, (columns - 1 - column) * height
        for row in range(len(keys)):
            key = np.int64(keys[row])
            own = (key >> shift) & field
            image = np.int64(images[row]) + (adds[own] << mirrored)
            out[n] = image
            n += (image < key + (adds[own] << shift)) & room[own]
    return out[:n].copy()


@njit(cache=True, nogil=True)
def _merge(keys, images, flipped, fields, out):  # type: ignore[no-untyped-def]
    """Fill in the canonical children of open games, distinct and ascending; return how many."""
    columns, height, adds, room = fields
    field = (np.int64(1) << height) - 1
    last = np.int64(1) << 62
    places = np.full(columns, -1, np.int64)
    heads = np.full(columns, -1, np.int64)
    n = place = 0
    least = np.int64(-1)
    while True:
        following = np.int64(flipped[place]) if place < len(flipped) else last
        for column in range(columns):
            if heads[column] == least:
                head = last
                shift, mirrored = column * height, (columns - 1 - column) * height
                for i in range(places[column] + 1, len(keys)):
                    places[column] = i
                    key = np.int64(keys[i])
                    own = (key >> shift) & field
                    child = key + (adds[own] << shift)
                    if room[own] and np.int64(images[i]) + (adds[own] << mirrored) >= child:
                        head = child
                        break
                heads[column] = head
            following = min(following, heads[column])
        least = following
        if least == last:
            return n
        out[n] = least
        n += 1
        place += place < len(flipped) and np.int64(flipped[place]) == least


@njit(cache=True, nogil=True)
def _resolve(keys, images, later, values, starts, shift, fields, out):  # type: ignore[no-untyped-def]
    """Turn the outcomes of a piece of a tier in `out` into values; return a missing child, or -1.

    `starts` and `shift` are those of an `Index` of the next tier.
    """
    columns, height, adds, room = fields
    field = (np.int64(1) << height) - 1
    cursors = np.empty(columns, np.int64)
    key = np.int64(keys[0])
    for column in range(columns):
        cursors[column] = np.searchsorted(later, max(key, _child(key, column, fields)))
    for row in range(len(keys)):
        if out[row] != OPEN:
            out[row] *= 127
            continue
        key, image = np.int64(keys[row]), np.int64(images[row])
        best = -128
        for column in range(columns):
            own = (key >> column * height) & field
            if not room[own]:
                continue
            child = key + (adds[own] << column * height)
            other = image + (adds[own] << (columns - 1 - column) * height)
            if other < child:
                child = other
                group = min(child >> shift, len(starts) - 2)
                cursor = np.int64(starts[group])
                cursor += np.searchsorted(later[cursor : starts[group + 1]], child)
            else:
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
