"""Exact search of Connect 4, four in a row, on boards of up to 64 bits and eight columns.

A position is two bitboards of the layout of `solver.games.connect4`, one bit above each column
being free: the stones of the side to move, and all stones. A score is 0 for a draw; s > 0 if the
side to move wins and has s - 1 stones of its own left when it has placed the winning one; s < 0 if
the other side does. Scores are found by searches with a null window, which ask whether the score is
above a bound. A search keeps its path in an array, so that it can stop after a number of nodes and
go on later. The method follows Pascal Pons' tutorial, Solving Connect 4, in its bitboards, its
order of moves and its windows.

Three theorems decide positions without a search; docs/explanation/connect4.md draws and explains
them. The *leader* is to move on an even number of empty squares; on an odd number the other side is
the leader. The *follower* always plays above the leader's stone if that column had an even number
of empty squares, else at the bottom of another one with an odd number. A square is *high* if an
even number of squares is above it, and *low* if an odd number is.

1. Claimeven stops. The leader does not win if its stones, the low squares and those of the squares
   that can be played at once that the follower must leave to it have no four in a row.
2. Claimeven wins. If besides the follower's stones and other high squares have four in a row, the
   follower wins.
3. Odd threat. The leader wins if it has a threat at a low square with an odd number of empty
   squares below it, and the follower gets no four in a row elsewhere: it must at last play just
   below. Elsewhere it is the leader who answers, so that theorem 1 says what the follower gets.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from solver.loops import compiled, count_bits
from solver.rules.search import Search, pause
from solver.value import Outcome, score

inlined: Any = partial(compiled, inline="always")
SLICE = 1 << 19  # nodes between two pauses, about a tenth of a second
NO_BOUND = 999  # no score
REMEMBERED = 10  # empty squares from which on positions are remembered
SKIPPED = 10  # more empty squares: look for a remembered child before searching any
MIRRORED = 16  # fewer stones: a position is remembered together with its mirror image
FIRST = 1 << 20  # the order of the move that was remembered
NO_COLUMN = 8

BITS = 19  # of a position's hash that say its index, one of 2**19 pairs of entries: 8 MB, which
# caches and page tables still hold
# An entry: six bits for each bound, four for the best move, three for the work, then the rest of
# the position's hash.
MOST, COLUMN, WORK = 6, 12, 16  # the first bit of each but the lower bound
OFFSET = 32  # added to scores in an entry
ANY = 31  # no score is above it, or below -ANY
FACTOR, FACTOR2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


class Board(NamedTuple):
    """What describes a board; bit 63 is above all squares, so that its bitboards have a sign."""

    columns: int
    rows: int
    level: int
    rise: int
    """The distances of squares beside each other: down to the right, on a level and up."""
    bottom: int
    """The lowest square of each column."""
    cells: int
    low: int


FRAME = np.dtype(
    [
        ("mine", np.int64),
        ("mask", np.int64),
        ("own", np.int64),  # the threats of the side to move
        ("against", np.int64),  # those of the other side
        ("moves", np.int64),  # those that do not lose at once
        # for each of eight columns: the threats after a move there, the replies to it, and its
        # order, which is 0 if there is no such move or it has been searched
        ("threats", np.int64, 8),
        ("replies", np.int64, 8),
        ("order", np.int64, 8),
        ("index", np.int64),  # of the entries where the position is remembered
        ("sign", np.int64),
        ("entered", np.int64),  # the number of nodes until this one
        ("best", np.int64),  # the highest score so far
        ("column", np.int64),  # the one searched last
        ("steps", np.int64),  # the moves since the node before it
    ]
)
"""A node of the path that is searched."""


class Connect4Search(Search):
    """Scores of positions on one board, with a table of positions that all searches share.

    Threads may search at once: an entry is one number, which is read and written in one step.
    """

    def __init__(self, columns: int, rows: int, split: Callable[[int], tuple[int, int]]) -> None:
        """Take the size of a board and `Connect4.split`."""
        self.squares, self.split = columns * rows, split
        self._board = _describe(columns, rows)
        self._table = np.zeros(2 << BITS, np.int64)

    def score(self, p: int) -> int:
        stones, found = self._search(p, -ANY, ANY)
        if not found:
            return 0
        outcome = Outcome.WIN if found > 0 else Outcome.LOSS
        plies = self.squares + 2 - stones - 2 * abs(found)
        return score(outcome, plies - (plies % 2 != (outcome is Outcome.WIN)))

    def exceeds(self, p: int, outcome: Outcome) -> bool:
        return self._search(p, int(outcome), int(outcome) + 1)[1] > outcome

    def _search(self, p: int, low: int, high: int) -> tuple[int, int]:
        """Return the number of stones, and the score of a position, or the bound it is beyond."""
        first, second = self.split(p)
        stones = (first | second).bit_count()
        empty = self.squares - stones
        path = np.zeros(empty + 2, FRAME)
        path["mine"][0], path["mask"][0] = second if stones % 2 else first, first | second
        found = _begin(path[0], empty, self._board)
        if found != NO_BOUND:
            return stones, int(found)
        least, most = max(low, -((empty - 2) // 2)), min(high, (empty - 1) // 2)
        while least < most:
            asked = _between(least, most)
            found = self._bound(path, empty, asked)
            least, most = (least, found) if found <= asked else (found, most)
        return stones, least

    def _bound(self, path: np.ndarray, empty: int, alpha: int) -> int:
        """Return a bound on the first node's score that tells whether it is above `alpha`."""
        if alpha >= (empty - 1) // 2:
            return (empty - 1) // 2
        ply = nodes = 0
        while True:
            found, ply, alpha, nodes = _is_above(
                path, empty, ply, alpha, nodes, nodes + SLICE, self._board, self._table
            )
            if found != NO_BOUND:
                return int(found)
            pause(SLICE)


def _describe(columns: int, rows: int) -> Board:
    bottom = sum(1 << column * (rows + 1) for column in range(columns))
    low = sum(bottom << row for row in range(rows - 2, -1, -2))
    cells = bottom * ((1 << rows) - 1)
    return Board(columns, rows, rows + 1, rows + 2, bottom, cells, low)


def _between(least: int, most: int) -> int:
    """Return the bound to ask about: about the outcome first, then nearer and nearer."""
    middle = least + (most - least) // 2
    if middle <= 0 and least < 0:
        return min(middle, -(-least // 2))
    return max(middle, most // 2) if middle >= 0 else middle


@inlined
def _down(p, s):  # type: ignore[no-untyped-def]
    """Return `p >> s` for squares, of which the processor shifts many at once without a sign."""
    return np.int64(np.uint64(p) >> np.uint64(s))


@inlined
def _beside(p, s):  # type: ignore[no-untyped-def]
    """Return the squares that complete four in a row in the direction of a shift."""
    s2, s3 = s + s, s + s + s
    after, before = (p << s) & (p << s2), _down(p, s) & _down(p, s2)
    return (after & ((p << s3) | _down(p, s))) | (before & ((p << s) | _down(p, s3)))


@inlined
def _threats(p, empty, board):  # type: ignore[no-untyped-def]
    """Return the empty squares that complete four in a row with the stones `p`."""
    above = (p << 1) & (p << 2) & (p << 3)
    beside = _beside(p, board.rows) | _beside(p, board.level) | _beside(p, board.rise)
    return (above | beside) & empty


@inlined
def _run(p, s):  # type: ignore[no-untyped-def]
    pairs = p & _down(p, s)
    return pairs & _down(pairs, s + s)


@inlined
def _has_four(p, board):  # type: ignore[no-untyped-def]
    return (_run(p, 1) | _run(p, board.rows) | _run(p, board.level) | _run(p, board.rise)) != 0


@inlined
def _playable(mask, board):  # type: ignore[no-untyped-def]
    """Return the squares that can be played at once."""
    return (mask + board.bottom) & board.cells


@inlined
def _column(n, board):  # type: ignore[no-untyped-def]
    """Return the squares of column n; none beyond the last column."""
    return ((1 << board.rows) - 1) << min(board.level * n, 63)


@inlined
def _safe(play, threats):  # type: ignore[no-untyped-def]
    """Return the moves that do not lose at once to these threats of the other side.

    They are 0 if there is none.
    """
    forced = threats & play
    moves = play & ~_down(threats, 1)
    if forced != 0:
        moves &= forced
    if (forced & (forced - 1)) != 0:
        moves = 0
    return moves


@compiled
def _hash(mine, mask, stones, board):  # type: ignore[no-untyped-def]
    """Return the index of a position's entries and the sign that they bear.

    Both together are those of no other position, but of the mirror image of one with few stones.
    The sum of the bitboards identifies a position, and what is done to it can be undone.
    """
    key = mine + mask
    if stones < MIRRORED:
        field = (1 << board.level) - 1
        rest, image = key, 0
        for _ in range(board.columns):
            image = (image << board.level) | (rest & field)
            rest >>= board.level
        key = min(key, image)
    number = np.uint64(key) * FACTOR
    number ^= number >> np.uint64(32)
    number *= FACTOR2
    return np.int64(number >> np.uint64(64 - BITS)) << 1, np.int64(number) << BITS


@inlined
def _is_of(entry, sign):  # type: ignore[no-untyped-def]
    """Return whether an entry bears a sign."""
    return (entry ^ sign) >> BITS == 0


@inlined
def _find(index, sign, table):  # type: ignore[no-untyped-def]
    """Return what is remembered of a position: its bounds, best move and work; 0 if nothing."""
    entry = table[index]  # read once, as another thread may write meanwhile
    if not _is_of(entry, sign):
        entry = table[index + 1]
    return entry ^ sign if _is_of(entry, sign) else 0


@inlined
def _least(entry):  # type: ignore[no-untyped-def]
    return (entry & 63) - OFFSET


@inlined
def _most(entry):  # type: ignore[no-untyped-def]
    return (entry >> MOST & 63) - OFFSET


@compiled
def _remember(frame, value, above, work, table):  # type: ignore[no-untyped-def]
    """Remember that a node's score is at least `value`, if `above`, or at most that.

    It takes the place of the entry that took less work.
    """
    index, sign = frame.index, frame.sign
    low, high = (value, OFFSET - 1) if above else (-OFFSET, value)
    column = frame.column if above else NO_COLUMN
    entry, second = table[index], table[index + 1]  # read once, as in _find
    if not _is_of(entry, sign) and (_is_of(second, sign) or second >> WORK & 7 < entry >> WORK & 7):
        index, entry = index + 1, second
    found = entry ^ sign
    if _is_of(entry, sign) and found != 0:
        low, high = max(low, _least(found)), min(high, _most(found))
        if column == NO_COLUMN:
            column = found >> COLUMN & 15
    size = 0
    while work > 0 and size < 7:
        work >>= 3
        size += 1
    bounds = (low + OFFSET) | (high + OFFSET) << MOST
    table[index] = sign | bounds | column << COLUMN | size << WORK


@compiled
def _decided(frame, empty_squares, alpha, board):  # type: ignore[no-untyped-def]
    """Return a bound on the score that settles whether it is above `alpha`, or NO_BOUND.

    It follows from the three theorems of the module, which are about the leader's score.
    """
    mine, own, against = frame.mine, frame.own, frame.against
    theirs, empty, play = mine ^ frame.mask, board.cells ^ frame.mask, _playable(frame.mask, board)
    if empty_squares & 1 == 0:  # the side to move leads
        return _leader_bound(mine, theirs, empty, play, own, against, alpha, board)
    bound = _leader_bound(theirs, mine, empty, play, against, own, -alpha - 1, board)
    return bound if bound == NO_BOUND else -bound


@compiled
def _leader_bound(  # type: ignore[no-untyped-def]
    leader, follower, empty, play, leads, follows, alpha, board
):
    """Return a bound on the leader's score that settles whether it is above `alpha`, or NO_BOUND.

    `leads` are the threats of the leader, `follows` those of the follower.
    """
    least = _odd_threat(follower, empty, play, leads, alpha, board)
    if least != NO_BOUND:
        return least
    if alpha >= 0:  # is it a win?
        return NO_BOUND if _may_win(leader, empty, play, follows, board) else 0
    if not _has_four(follower | empty, board):  # it is no loss, whatever happens
        return 0
    is_lost = _claimeven_wins(follower, empty, play, -alpha, board)
    if is_lost and not _may_win(leader, empty, play, follows, board):
        return alpha
    return NO_BOUND


@inlined
def _above(squares, board):  # type: ignore[no-untyped-def]
    """Return the squares above some squares, up to eight."""
    free = board.cells & ~board.bottom  # squares that are above others
    above = (squares << 1) & free
    above |= (above << 1) & free
    free &= free << 1
    above |= (above << 2) & free
    free &= free << 2
    return above | (above << 4) & free


@compiled
def _may_win(answered, empty, play, threats, board):  # type: ignore[no-untyped-def]
    """Theorem 1, Claimeven stops: return whether it does not keep a side from winning.

    `answered` are the stones of that side, the leader, and `threats` those of the other side: above
    them it gets nothing. Of high squares that can be played at once, the other side answers one
    with another, first taking one if their number is odd. So of two it gets one, which it chooses;
    of three one of two that the other side chooses.
    """
    empty &= ~_above(threats & ~(board.low | play), board)
    gets, high = answered | (empty & board.low), play & ~board.low
    if not _has_four(gets | high, board):
        return False
    count = count_bits(high)
    if count > 3 or count == 0:
        return True
    if count == 1:
        return _has_four(gets, board)
    winning = 0
    while high != 0:
        square = high & -high
        high ^= square
        winning += _has_four(gets | square, board)
    return winning >= count - 1


@compiled
def _claimeven_wins(follower, empty, play, b, board):  # type: ignore[no-untyped-def]
    """Theorem 2, Claimeven wins: return whether the follower gets four in a row by it.

    That is for a score of `b` or more: if the high squares have 2 (b - 1) others above, half of
    these are left to it when it has won. It holds only if the leader cannot win before.
    """
    rows = max(board.rows - 2 * (b - 1), 0)
    sure = empty & ~(board.low | play) & board.bottom * ((1 << rows) - 1)
    return sure != 0 and _has_four(follower | sure, board)


@compiled
def _odd_threat(follower, empty, play, threats, alpha, board):  # type: ignore[no-untyped-def]
    """Theorem 3, odd threat: return a bound above `alpha` on the leader's score, or NO_BOUND.

    `threats` are the leader's. Outside of the threat's column it answers what the follower plays.
    """
    left = threats & board.low & ~play
    while left != 0:
        square = left & -left
        left ^= square
        column = _column(0, board)
        while column & square == 0:
            column <<= board.level
        under, others = empty & column & (square - 1), ~column
        bound = count_bits(column & -square) // 2  # the threat's square counts
        if count_bits(under) & 1 == 1 and bound > alpha:
            gets = follower | (under & ~board.low)
            if not _may_win(gets, empty & others, play & others, threats & others, board):
                return bound
    return NO_BOUND


@inlined
def _expand(frame, empty_squares, board):  # type: ignore[no-untyped-def]
    """Fill in a frame's moves; return whether one wins, since the other side has no reply to it.

    Moves are ordered by the number of threats that they leave, those on the side's own rows first,
    then from the middle column outwards.
    """
    mine, mask, moves = frame.mine, frame.mask, frame.moves
    good = board.low if empty_squares & 1 == 0 else board.cells & ~board.low
    wins = False
    for column in range(8):
        move = moves & _column(column, board)
        after = mask | move
        threats = _threats(mine | move, board.cells ^ after, board)
        replies = _safe(_playable(after, board), threats)
        aside = abs(2 * column - board.columns + 1)
        order = count_bits(threats) * 2 + count_bits(threats & good) + 1
        order = order << 6 | (7 - aside) << 3 | column
        if move == 0:
            order = 0
        elif replies == 0:
            wins = True
        frame.threats[column] = threats
        frame.replies[column] = replies
        frame.order[column] = order
    return wins


@inlined
def _recall(frame, stones, alpha, board, table):  # type: ignore[no-untyped-def]
    """Return a remembered bound that settles whether a node's score is above `alpha`, or NO_BOUND.

    Sets the node's index and sign, and its best move so far, if one is remembered.
    """
    index, sign = _hash(frame.mine, frame.mask, stones, board)
    frame.index, frame.sign = index, sign
    found = _find(index, sign, table)
    if found == 0:
        return NO_BOUND
    if _least(found) > alpha:
        return _least(found)
    if _most(found) <= alpha:
        return _most(found)
    frame.column = found >> COLUMN & 15
    return NO_BOUND


@inlined
def _recall_child(frame, stones, alpha, board, table):  # type: ignore[no-untyped-def]
    """Return a bound above `alpha` that is remembered of a node's child, or NO_BOUND."""
    mine, mask, moves = frame.mine, frame.mask, frame.moves
    for column in range(board.columns):
        move = moves & _column(column, board)
        if move != 0:
            index, sign = _hash(mine ^ mask, mask | move, stones + 1, board)
            found = _find(index, sign, table)
            if found != 0 and -_most(found) > alpha:
                return -_most(found)
    return NO_BOUND


@inlined
def _enter(frame, empty, alpha, board, table):  # type: ignore[no-untyped-def]
    """Return a bound that settles whether a node's score is above `alpha`, or NO_BOUND.

    In that case its moves are filled in.
    """
    if frame.moves == 0 or empty <= 2:
        return -(empty // 2) if frame.moves == 0 else 0
    if alpha < -((empty - 2) // 2):  # the other side wins with its second stone or later
        return -((empty - 2) // 2)
    stones = count_bits(board.cells) - empty
    value = _decided(frame, empty, alpha, board)
    frame.column = NO_COLUMN
    if value == NO_BOUND and empty >= REMEMBERED:
        value = _recall(frame, stones, alpha, board, table)
    if value != NO_BOUND:
        return value
    if _expand(frame, empty, board):
        return (empty - 1) // 2
    if alpha >= (empty - 3) // 2:
        return (empty - 3) // 2
    column = frame.column
    if column < NO_COLUMN and frame.order[column] != 0:
        frame.order[column] |= FIRST
    return _recall_child(frame, stones, alpha, board, table) if empty > SKIPPED else NO_BOUND


@inlined
def _descend(path, ply, empty, board):  # type: ignore[no-untyped-def]
    """Take the first of a node's moves that are left, and those that are then forced.

    Fill in the position after them; return their number.
    """
    frame = path[ply]
    order = 0
    for each in range(8):
        order = max(order, frame.order[each])
    column = order & 7
    frame.order[column] = 0
    frame.column = column
    mine, mask = frame.mine ^ frame.mask, frame.mask | frame.moves & _column(column, board)
    own, against, moves = frame.against, frame.threats[column], frame.replies[column]
    steps = 1
    while ply + steps < empty - 2 and moves != 0 and moves & (moves - 1) == 0:
        own, against = against, _threats(mine | moves, board.cells ^ (mask | moves), board)
        mine, mask = mine ^ mask, mask | moves
        moves = _safe(_playable(mask, board), against)
        steps += 1
    after = path[ply + steps]
    after.steps, after.mine, after.mask, after.moves = steps, mine, mask, moves
    after.own, after.against = own & ~mask, against
    return steps


@compiled
def _begin(frame, empty, board):  # type: ignore[no-untyped-def]
    """Return the score of the first node if no search is needed, or NO_BOUND.

    In that case its threats and moves are filled in.
    """
    mine, mask = frame.mine, frame.mask
    free, play = board.cells ^ mask, _playable(mask, board)
    if _threats(mine, free, board) & play != 0:
        return (empty + 1) // 2
    frame.own, frame.against = _threats(mine, free, board), _threats(mine ^ mask, free, board)
    frame.moves = _safe(play, frame.against)
    if frame.moves == 0:
        return -(empty // 2)
    return 0 if empty <= 2 else NO_BOUND


@compiled
def _is_above(path, empty, ply, alpha, nodes, most, board, table):  # type: ignore[no-untyped-def]
    """Search whether the first node's score is above the first `alpha`.

    Return a bound on it that tells, or NO_BOUND when `most` nodes have been entered; and the ply,
    alpha and number of nodes from which the search goes on when it is called again.
    """
    while nodes < most:
        nodes += 1
        frame = path[ply]
        value = _enter(frame, empty - ply, alpha, board, table)
        if value == NO_BOUND:
            frame.entered, frame.best = nodes, -NO_BOUND
        while value != NO_BOUND:  # go back to a node that has moves left
            if ply == 0:
                return value, ply, alpha, nodes
            if frame.steps & 1:
                alpha, value = -alpha - 1, -value
            ply -= frame.steps
            frame = path[ply]
            best = frame.best = max(value, frame.best)
            left = 0
            for column in range(8):
                left |= frame.order[column]
            if value <= alpha and left != 0:
                value = NO_BOUND
            else:
                if empty - ply >= REMEMBERED:
                    work = nodes - frame.entered
                    _remember(frame, best, value > alpha, work, table)
                value = best
        steps = _descend(path, ply, empty, board)
        ply += steps
        if steps & 1:
            alpha = -alpha - 1
    return NO_BOUND, ply, alpha, nodes
