"""The rules of Connect 4 on arrays of keys; `solver.games.connect4` explains the keys.

A tier holds canonical keys, ascending: the children by one column of a
sorted tier are sorted, too, as long as they are canonical. So the next tier is a merge of one
stream per column with the canonical images of the other children, the flipped ones, which are few
and are sorted.

To look children up, the values of a range of keys in the next tier are spread over an array that
fits in the cache, one element per key; then every column follows its children through this range.
Flipped ones are looked up in an index.

All compiled code is in this file, because numba's cache does not notice edits in other files.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from solver.loops import compiled, count_bits, inner
from solver.rules.kernel import Later, LayeredKernel
from solver.rules.key_arrays import index_of, starting_values, unique
from solver.value import NARROW, OPEN

PIECE = 1 << 18  # positions processed at once
MOST_K = 8
SMEARS, FOLDS = 4, 3  # enough for columns of 16 bits, and for MOST_K in a row
BLOCK = 1 << 12  # positions whose outcomes or images fit in the cache
RANGE = 1 << 19  # keys whose values fit in the cache
LAST = 1 << 62  # above every key
MISSING = NARROW  # above the value of every move
Fields = tuple[int, int, np.ndarray, np.ndarray]
"""The number of columns, their bits, what a stone adds to a column's field, and if it has room."""


class Connect4Kernel(LayeredKernel):
    """Connect 4 on boards whose keys have up to 62 bits."""

    def __init__(
        self, columns: int, rows: int, smears: Sequence[tuple[int, int]], folds: ArrayLike
    ) -> None:
        """Take the size of the board, and the shifts that `Connect4` uses, for up to MOST_K."""
        self.columns, self.height = columns, rows + 1
        self.bits, self.width = columns * self.height, columns
        self.position_bytes = 3 * np.dtype(self.dtype).itemsize
        empty = sum(1 << column * self.height for column in range(columns))
        shifts = np.zeros((4, FOLDS), np.uint64)
        amounts = np.minimum(folds, 63).reshape(4, -1)
        shifts[:, : amounts.shape[1]] = amounts
        masks = np.zeros(SMEARS, np.uint64)
        masks[: len(smears)] = [mask for _, mask in smears]
        self.rules = (empty << rows, masks, shifts, empty)
        fields = np.arange(1 << self.height)
        marker = np.array([1 << max(0, int(f).bit_length() - 1) for f in fields], np.int64)
        room = marker < 1 << rows
        # what a stone of the second player, and of the first, adds to a column's field
        self.fields = [(columns, self.height, add, room) for add in (marker, marker << 1)]

    def successors(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        outcomes = np.empty(len(keys), np.int8)
        children = np.empty((len(keys), self.width), np.int64)
        keys = keys.astype(self.dtype, copy=False)  # for which _outcomes is compiled
        _outcomes(keys, self.rules, outcomes)
        _expand(keys, tuple(self.fields), self.rules, outcomes, children)
        return outcomes, children

    def orient(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        images = self._images(keys).view(np.int64)
        is_less = (keys >= 0) & (images < keys)
        return np.where(is_less, images, keys).astype(np.int64), is_less.astype(np.int8)

    def outcomes(self, keys: np.ndarray) -> np.ndarray:
        results = np.empty(len(keys), np.int8)
        _outcomes(keys.astype(self.dtype, copy=False), self.rules, results)
        return results

    def orbits(self, keys: np.ndarray) -> np.ndarray:
        sizes = np.empty(len(keys), np.int8)
        for start in range(0, len(keys), PIECE):
            piece = slice(start, start + PIECE)
            _orbits(keys[piece], self._images(keys[piece]), sizes[piece])
        return sizes

    def _images(self, keys: np.ndarray) -> np.ndarray:
        """Return the mirror images of keys, in blocks that fit in the cache."""
        images = np.empty(len(keys), np.uint64)
        for start in range(0, len(keys), BLOCK):
            block = slice(start, start + BLOCK)
            _mirror(keys[block].astype(np.uint64), self.columns, self.height, images[block])
        return images

    def advance(self, keys: np.ndarray) -> np.ndarray:
        fields = self._fields(keys)
        kept, _, flipped, _ = self._children(keys, fields)
        children = np.empty(len(keys) * self.width, keys.dtype)  # what is not filled is free
        return children[: _merge(keys, kept, unique(flipped), fields, *self._heads(), children)]

    def resolve(self, keys: np.ndarray, later: Later) -> np.ndarray:
        fields = self._fields(keys)
        kept, outcomes, flipped, rows = self._children(keys, fields)
        values = starting_values(outcomes)
        state = *self._heads(), np.full(RANGE, MISSING, np.int8)
        none = [(keys[:0], values[:0])]  # after the last piece no child may be left
        for after, worth in chain((read() for read in later), none):
            _look_up(flipped, rows, after, worth, *index_of(after), values)
            missing = _sweep(keys, kept, after, worth, fields, state, values)
            if missing >= 0:
                raise KeyError(f"the key {missing} is missing")
            del after, worth  # before the next piece is read
        for missing in (int(flipped.max(initial=0)), int(state[1].min())):
            if 0 < missing < LAST:
                raise KeyError(f"the key {missing} is missing")
        return values

    def _heads(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the row before each column's first child, and that child, not yet known."""
        return np.full(self.width, -1, np.int64), np.full(self.width, -1, np.int64)

    def _fields(self, keys: np.ndarray) -> Fields:
        """Return what a stone of the side to move adds to a column's field."""
        return self.fields[bool(_begins(np.int64(keys[0]), self.rules))]

    def _children(self, keys: np.ndarray, fields: Fields) -> tuple[np.ndarray, ...]:
        """Return the columns that lead to canonical children, a bit each, and the outcomes.

        Then the canonical images of the other children, and the row of each.
        """
        kept, outcomes = np.empty(len(keys), np.uint16), np.empty(len(keys), np.int8)
        most = len(keys) * self.width  # of which few are filled; the rest takes no memory
        flipped, rows = np.empty(most, keys.dtype), np.empty(most, np.int32)
        scratch = *np.empty((2, BLOCK), np.uint64), np.empty(BLOCK, np.uint16)
        count = _classify(keys, fields, self.rules, kept, outcomes, flipped, rows, scratch)
        return kept, outcomes, flipped[:count], rows[:count]


@inner
def _smear(key, masks):  # type: ignore[no-untyped-def]
    """Return a key with all bits set from each column's marker down."""
    m1, m2, m4, m8 = masks
    key |= key >> np.uint64(1) & m1
    key |= key >> np.uint64(2) & m2
    key |= key >> np.uint64(4) & m4
    return key | key >> np.uint64(8) & m8


@compiled
def _outcomes(keys, rules, out):  # type: ignore[no-untyped-def]
    """Fill in the outcomes for the side to move, or OPEN.

    There is no branch, and all shifts are numbers, so that several positions are done at once.
    """
    full, empty, masks = np.uint64(rules[0]), np.uint64(rules[3]), rules[1]
    (a1, a2, a3), (b1, b2, b3), (c1, c2, c3), (d1, d2, d3) = rules[2]
    for row in range(len(keys)):
        key = np.uint64(keys[row])
        filled = _smear(key, masks) >> np.uint64(1) & masks[0]  # the cells with a stone
        odd = np.uint64(count_bits(filled) & 1)
        second = odd - np.uint64(1)  # all bits, if the second player moved last
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


@compiled
def _begins(key, rules):  # type: ignore[no-untyped-def]
    """Return whether the first player is to move: the number of stones is even."""
    masks = rules[1]
    return count_bits(_smear(np.uint64(key), masks) >> np.uint64(1) & masks[0]) & 1 == 0


@compiled
def _expand(keys, fields, rules, outcomes, children):  # type: ignore[no-untyped-def]
    """Fill in the children, given the outcomes; see `Kernel`. `fields` has those of either side."""
    columns, height, _, room = fields[0]
    field = (np.int64(1) << height) - 1
    for row in range(len(keys)):
        key = np.int64(keys[row])
        adds = fields[int(_begins(key, rules))][2]
        for column in range(columns):
            stack = (key >> column * height) & field
            is_legal = room[stack] and outcomes[row] == OPEN
            children[row, column] = key + (adds[stack] << column * height) if is_legal else -1


@compiled
def _mirror(keys, columns, height, images):  # type: ignore[no-untyped-def]
    """Fill in the mirror images of a block of keys, column by column; the keys become 0.

    The inner loop has no branch, so that several positions are done at once.
    """
    field = np.uint64((1 << height) - 1)
    images[:] = 0
    for _ in range(columns):
        for i in range(len(keys)):
            images[i] = images[i] << np.uint64(height) | keys[i] & field
            keys[i] >>= np.uint64(height)


@compiled
def _orbits(keys, images, sizes):  # type: ignore[no-untyped-def]
    """Fill in how many images each key has; 0 if its mirror image is less."""
    for row in range(len(keys)):
        key = np.uint64(keys[row])
        sizes[row] = 1 + (images[row] > key) - (images[row] < key)


@compiled
def _classify(keys, fields, rules, kept, outcomes, flipped, rows, scratch):  # type: ignore[no-untyped-def]
    """Fill in what `Connect4Kernel._children` returns; return how many flipped children there are.

    All loops but the last have no branch, so that several positions are done at once.
    """
    columns, height, adds, _ = fields
    turn = np.uint64(adds[1] >> 1)  # 1 if the first player is to move, whose stone adds more
    lids, masks, field = np.uint64(rules[0]), rules[1], np.uint64((1 << height) - 1)
    added, images, others = scratch
    n = 0
    for start in range(0, len(keys), BLOCK):
        block, marks = keys[start : start + BLOCK], kept[start : start + BLOCK]
        results = outcomes[start : start + BLOCK]
        for i in range(len(block)):
            added[i] = block[i]
        _mirror(added[: len(block)], columns, height, images)
        _outcomes(block, rules, results)
        for i in range(len(block)):
            smeared = _smear(np.uint64(block[i]), masks)
            marker = smeared ^ smeared >> np.uint64(1) & masks[0]  # the highest bit of each column
            is_open = np.uint64(0) - np.uint64(results[i] == OPEN)
            added[i] = (marker & ~lids & is_open) << turn
            marks[i] = others[i] = 0
        for column in range(columns):
            shift = np.uint64(column * height)
            mirrored = np.uint64((columns - 1 - column) * height)
            bit = np.uint16(1 << column)
            for i in range(len(block)):
                add = added[i] >> shift & field
                child = np.uint64(block[i]) + (add << shift)
                image = images[i] + (add << mirrored)
                is_kept = np.uint16(0) - np.uint16((child <= image) & (add != 0))
                is_other = np.uint16(0) - np.uint16(image < child)
                marks[i] |= bit & is_kept
                others[i] |= bit & is_other
        for i in range(len(block)):
            for column in range(columns if others[i] else 0):  # most have no such child
                add = added[i] >> np.uint64(column * height) & field
                flipped[n] = images[i] + (add << np.uint64((columns - 1 - column) * height))
                rows[n] = start + i
                n += others[i] >> column & 1
    return n


@inner
def _next_child(keys, kept, fields, column, row):  # type: ignore[no-untyped-def]
    """Return the next row, from `row` on, with a canonical child by a column, and that child.

    Beyond the last one these are the last row and LAST.
    """
    _, height, adds, _ = fields
    shift, field = column * height, (np.int64(1) << height) - 1
    for i in range(row, len(keys)):
        if kept[i] >> column & 1:
            key = np.int64(keys[i])
            return i, key + (adds[(key >> shift) & field] << shift)
    return len(keys) - 1, np.int64(LAST)


@compiled
def _merge(keys, kept, flipped, fields, rows, heads, out):  # type: ignore[no-untyped-def]
    """Fill in the canonical children of open games, distinct and ascending; return how many.

    The streams that are merged are those of the columns, each with the row that it has come to and
    the child there, its head, and the `flipped` children. `rows` and `heads` are all -1.
    """
    count = taken = 0  # how many children are filled in, and flipped ones are merged
    least = np.int64(-1)  # the child filled in last, which is the head of some streams
    while True:
        for column in range(fields[0]):
            if heads[column] == least:
                rows[column], heads[column] = _next_child(
                    keys, kept, fields, column, rows[column] + 1
                )
        if taken < len(flipped) and np.int64(flipped[taken]) == least:
            taken += 1
        least = np.int64(flipped[taken]) if taken < len(flipped) else np.int64(LAST)
        for head in heads:
            least = min(least, head)
        if least == LAST:
            return count
        out[count] = least
        count += 1


@compiled
def _look_up(children, rows, later, values, starts, shift, out):  # type: ignore[no-untyped-def]
    """Raise the values of rows in `out` by each child found in later keys; it becomes 0.

    `starts` and `shift` are the `index_of` the later keys: where each group of them starts, which
    has the same bits from `shift` on.
    """
    for i in range(len(children)):
        child = np.int64(children[i])
        group = min(child >> shift, len(starts) - 2)
        index, stop = np.int64(starts[group]), np.int64(starts[group + 1])
        while index < stop and np.int64(later[index]) < child:
            index += 1
        if child and index < stop and np.int64(later[index]) == child:
            out[rows[i]] = max(np.int64(out[rows[i]]), _worth(values[index]))
            children[i] = 0


@inner
def _worth(value):  # type: ignore[no-untyped-def]
    """Return what a move to a position with this value is worth."""
    value = -np.int64(value)
    return value - np.sign(value)


@compiled
def _sweep(keys, kept, later, values, fields, state, out):  # type: ignore[no-untyped-def]
    """Increase values in `out` to what canonical children give; return a missing child, or -1.

    `later` are some of the later keys; the next call gets those that follow. The state in between
    is each column's row and the child of this, its head, both -1 before the first call, and a table
    full of MISSING. For one range of later keys after the other, the values of those in it are
    spread over the table, and each column follows its children through the range.
    """
    _, heads, table = state
    start = stop = end = np.int64(0)
    limit = np.int64(later[-1]) + 1 if len(later) else np.int64(0)
    while True:
        for column in range(fields[0]):
            if heads[column] < end:
                missing = _follow(keys, kept, fields, column, end, state, out)
                if missing >= 0:
                    return missing
        for i in range(start, stop):
            table[np.int64(later[i]) & (RANGE - 1)] = MISSING
        least = np.int64(LAST)
        for head in heads:
            least = min(least, head)
        if least >= limit:
            return np.int64(-1)
        base = least & ~np.int64(RANGE - 1)
        end = min(base + RANGE, limit)
        start = stop
        while np.int64(later[start]) < base:
            start += 1
        stop = start
        while stop < len(later) and np.int64(later[stop]) < end:
            table[np.int64(later[stop]) & (RANGE - 1)] = _worth(values[stop])
            stop += 1


@inner
def _follow(keys, kept, fields, column, end, state, out):  # type: ignore[no-untyped-def]
    """Look up a column's children below `end`; return one that is missing, or -1.

    The head of the column becomes the first child beyond.
    """
    rows, heads, table = state
    _, height, adds, _ = fields
    shift, field = column * height, (np.int64(1) << height) - 1
    heads[column] = LAST
    for row in range(max(rows[column], 0), len(keys)):
        rows[column] = row
        key = np.int64(keys[row])
        child = key + (adds[(key >> shift) & field] << shift)
        is_kept = kept[row] >> column & 1
        if is_kept and child >= end:
            heads[column] = child
            break
        value = table[child & (RANGE - 1)]
        if is_kept and value == MISSING:
            return child
        if is_kept:
            out[row] = max(out[row], value)
    return np.int64(-1)
