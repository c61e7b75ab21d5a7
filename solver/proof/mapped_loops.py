"""The compiled loops of `mapped_arrays`, all in one file, so that an edit recompiles all of them.

In all of them `table` has the arrays offsets, remainders and values, and `layout` the numbers
multiplier, key mask, width, remainder mask and limit, as uint64.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from solver.value import OPEN

MISSING, WRONG = 1, 2
NONE = -1  # in place of a place or a bucket
WIDE = 1 << 20  # replaces the limit of a table's values while they are compared
WORST = -WIDE - 1  # below the value of every move
WAY = 3  # bits of the index of a symmetry, below a place
LAST_WAY = (1 << WAY) - 1


@njit(cache=True)
def follow(places, numbers, moves, after, reached):  # type: ignore[no-untyped-def]
    """Follow all moves, again and again, until they lead to no new image.

    `reached` has the images of each place, as bits, and `after` those that a move leads to, by its
    symmetry and the images before it. `places` and `numbers` have the place of each row, and how
    many moves it has.
    """
    waiting = reached.copy()  # images that have not been followed
    more = True
    while more:
        more = False
        end = 0
        for row in range(len(places)):
            begin, end = end, end + numbers[row]
            images = waiting[places[row]]
            if not images:
                continue
            waiting[places[row]] = 0
            for move in moves[begin:end]:
                child = move >> WAY
                fresh = after[move & LAST_WAY, images] & ~reached[child]
                if fresh:
                    reached[child] |= fresh
                    waiting[child] |= fresh
                    more = True


@njit(cache=True)
def place_of(key, table, layout):  # type: ignore[no-untyped-def]
    """Return the place of a key's entry, or NONE."""
    offsets, remainders, _ = table
    multiplier, mask, width, low, _ = layout
    if np.uint64(key) > mask:
        return NONE
    mixed = (np.uint64(key) * multiplier) & mask
    remainder = mixed & low
    bucket = mixed >> width
    for place in range(np.int64(offsets[bucket]), np.int64(offsets[bucket + np.uint64(1)])):
        if remainders[place] == remainder:
            return place
    return NONE


@njit(cache=True)
def flatten(children):  # type: ignore[no-untyped-def]
    """Return the children in all rows, without the gaps, and how many each row has."""
    flat, numbers = np.empty(children.size, np.int64), np.empty(len(children), np.int32)
    stop = 0
    for row in range(len(children)):
        start = stop
        for child in children[row]:
            flat[stop] = child
            stop += child >= 0
        numbers[row] = stop - start
    return flat[:stop], numbers


@njit(cache=True)
def add_up(sizes, ended, claims):  # type: ignore[no-untyped-def]
    """Return the sums of the sizes of wins, draws, losses, ends and all."""
    wins = losses = ends = total = np.int64(0)
    for row in range(len(sizes)):
        size = np.int64(sizes[row])
        wins += size * (claims[row] > 0)
        losses += size * (claims[row] < 0)
        ends += size * ended[row]
        total += size
    return wins, total - wins - losses, losses, ends, total


@njit(cache=True)
def check_order(table, total):  # type: ignore[no-untyped-def]
    """Return the first bucket with entries out of order or beyond the table's end, or NONE."""
    offsets, remainders, _ = table
    for bucket in range(len(offsets) - 1):
        start, stop = np.int64(offsets[bucket]), np.int64(offsets[bucket + 1])
        if start > stop or stop > total:
            return bucket
        for place in range(start + 1, stop):
            if remainders[place - 1] >= remainders[place]:
                return bucket
    return NONE


@njit(cache=True)
def check_rows(rows, table, layout, seen, places, claims, fresh, found):  # type: ignore[no-untyped-def]
    """Compare each row's entry with the right value, and replace children by their places.

    See `_Visit._check`. Values are compared with the limit WIDE, so that no distance reaches 0, a
    draw.
    """
    keys, outcomes, children, numbers = rows
    values, lead = table[2], WIDE - np.int64(layout[4])
    new = stop = 0
    for row in range(len(keys)):
        start, stop = stop, stop + numbers[row]
        places[row] = place_of(keys[row], table, layout)
        claim = np.int64(values[places[row]])
        claims[row] = claim
        claim += np.sign(claim) * lead
        right = np.int64(outcomes[row]) * WIDE
        if outcomes[row] == OPEN:
            right = np.int64(WORST)
            for i in range(start, stop):
                child = children[i]
                place = place_of(child, table, layout)
                if place < 0:
                    found[0], found[1], found[3] = MISSING, row, child
                    return
                if not seen[place]:
                    seen[place] = True
                    fresh[new] = child
                    new += 1
                children[i] = place
                value = -np.int64(values[place])
                right = max(right, value + np.sign(value) * (lead - 1))  # and one ply later
        if claim != right:
            found[0], found[1], found[3] = WRONG, row, right
    found[2] = new
