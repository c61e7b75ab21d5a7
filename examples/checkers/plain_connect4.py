"""A plain search of Connect 4, four in a row, to prove the scores of a book.

It shares no code with the search that made the book and uses none of the rules by which that one
decides positions unsearched, nor does it look for remembered children before searching: alpha-beta
by recursion, moves that do not lose at once, most threats first, and a table of bounds.

The value of a position is 0 for a draw. If the side to move wins, it is one more than the number of
squares that are then still empty, and if it loses, the negative of that; so a move has the negative
of the value of the position that it leads to.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit, types

FIELDS = 3  # the bottom squares, all squares and the bits of a column precede the columns
BITS = 22  # of the table's size
ABOVE, BELOW = 1, 2  # the kinds of bounds; 0 is an unused entry

_ONE = np.uint64(1)


class PlainSearch:
    """Values of positions on one board."""

    def __init__(self, columns: int, rows: int) -> None:
        height = rows + 1
        bottom = sum(1 << column * height for column in range(columns))
        fields = [((1 << rows) - 1) << column * height for column in range(columns)]
        middle_first = sorted(fields, key=lambda f: abs(2 * fields.index(f) - columns + 1))
        self._board = np.array([bottom, sum(fields), height, *middle_first], np.uint64)
        self._keys = np.zeros(1 << BITS, np.uint64)
        self._bounds = np.zeros((1 << BITS, 2), np.int8)
        self._orders = np.zeros((columns * rows + 1, 8), np.int64)

    def value(self, mine: int, theirs: int) -> int:
        """Return the value, given the stones of the side to move and those of the other side."""
        tables = self._board, self._keys, self._bounds, self._orders
        return int(_value(np.uint64(mine), np.uint64(theirs), tables))


@njit(cache=True)
def _wins(stones, empty, height):  # type: ignore[no-untyped-def]
    """Return the empty squares that complete four in a row."""
    found = (stones << _ONE) & (stones << _ONE + _ONE) & (stones << _ONE + _ONE + _ONE)
    for step in (height - _ONE, height, height + _ONE):
        below, above = stones << step, stones >> step  # the neighbours on either side
        two_below, two_above = below & (below << step), above & (above >> step)
        found |= two_below & (below << step + step | above)
        found |= two_above & (above >> step + step | below)
    return found & empty


@njit(cache=True)
def _count(bits):  # type: ignore[no-untyped-def]
    count = 0
    while bits:
        bits &= bits - _ONE
        count += 1
    return count


@njit(cache=True)
def _safe(mine, theirs, board):  # type: ignore[no-untyped-def]
    """Return the moves after which the other side cannot win at once."""
    taken = mine | theirs
    wins = _wins(theirs, board[1] & ~taken, board[2])
    moves = (taken + board[0]) & board[1]
    forced = moves & wins
    if forced & (forced - _ONE):
        return np.uint64(0)
    return (forced if forced else moves) & ~(wins >> _ONE)


_tuple: Any = types.Tuple
TABLES = _tuple(  # the board, the keys of entries, their bounds, and the order of moves
    (types.uint64[::1], types.uint64[::1], types.int8[:, ::1], types.int64[:, ::1])
)


@njit(
    types.int64(types.uint64, types.uint64, types.int64, types.int64, types.int64, TABLES),
    cache=True,
)
def _search(mine, theirs, empty, low, high, tables):  # type: ignore[no-untyped-def]
    """Return the value if it is between `low` and `high`, else a bound beyond that side.

    The side to move cannot win at once.
    """
    board, keys, bounds, orders = tables
    safe = _safe(mine, theirs, board)
    if empty == 0:
        return 0
    if safe == 0:
        return 0 if empty == 1 else 1 - empty
    high = min(high, max(0, empty - 2))
    low = max(low, min(0, 3 - empty))
    if low >= high:
        return low
    key = mine + (mine | theirs) + board[0]
    place = np.int64((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(64 - BITS))
    if keys[place] == key:
        kind, bound = bounds[place]
        if kind == ABOVE:
            low = max(low, bound)
        else:
            high = min(high, bound)
        if low >= high:
            return bound
    count = 0
    for column in range(len(board) - FIELDS):
        move = safe & board[FIELDS + column]
        if move:
            wins = _wins(mine | move, board[1] & ~(mine | theirs | move), board[2])
            order = _count(wins) * 8 + 7 - column
            at = count
            while at and orders[empty, at - 1] < order:
                orders[empty, at] = orders[empty, at - 1]
                at -= 1
            orders[empty, at] = order
            count += 1
    best, least = -empty, low
    for i in range(count):
        after = mine | safe & board[FIELDS + 7 - orders[empty, i] % 8]
        floor = max(low, best)
        value = -_search(theirs, after, empty - 1, -high, -floor, tables)
        best = max(best, value)
        if best >= high:
            break
    keys[place] = key
    bounds[place, 0] = ABOVE if best > least else BELOW
    bounds[place, 1] = best
    return best


@njit(cache=True, nogil=True)
def _value(mine, theirs, tables):  # type: ignore[no-untyped-def]
    board = tables[0]
    empty = _count(board[1] & ~(mine | theirs))
    if _wins(mine, board[1] & ~(mine | theirs), board[2]) & ((mine | theirs) + board[0]):
        return empty
    low, high = -empty, empty
    while low < high:  # ask about the outcome first, then nearer and nearer
        middle = low + (high - low) // 2
        if middle <= 0 and low // 2 < middle:
            middle = -(-low // 2)
        elif middle >= 0 and high // 2 > middle:
            middle = high // 2
        found = _search(mine, theirs, empty, middle, middle + 1, tables)
        if found <= middle:
            high = middle
        else:
            low = middle + 1
    return low
