"""Exact search of Connect 4, four in a row, on boards of up to 64 bits and eight columns.

A position is two bitboards of the layout of `solver.games.connect4`, one bit above each column
being free: the stones of the side to move, and all stones. A score is 0 for a draw; s > 0 if the
side to move wins and has s - 1 stones of its own left when it has placed the winning one; s < 0 if
the other side does. Scores are found by searches with a null window, which ask whether the score is
above a bound. A search keeps its path in an array, so that it can stop after a number of nodes and
go on later. The method follows Pascal Pons' tutorial, Solving Connect 4, in its bitboards, its
order of moves and its windows.

Two rules decide positions without a search. Say that the *leader* is to move on an even number of
empty squares, and that the other side, the *follower*, plays as follows: above the leader's stone
if that column had an even number of empty squares, and else, since then another column has an odd
number, at the bottom of such a column. So the follower can always play on. Call a square *high* if
an even number of squares is above it, and *low* if an odd number is.

    columns with an even number        with an odd number
    of empty squares                   of empty squares

         high   follower                    high   follower
         low    leader                      low    leader
         high   follower                    high   whoever plays here first
         low    leader                      (stones)

Claimeven. The leader's stones will be some of its own, of the low squares and of the squares that
can be played at once. If these have no four in a row, the leader does not win. If, besides, the
follower has four in a row of its stones and of high squares that cannot be played at once, at most
2 (b - 1) squares below the top row, it wins: at the latest when it has filled them, and then each
of these columns still has 2 (b - 1) empty squares above, half of them its own, so that its score is
b or more. With an odd number of empty squares, the side to move becomes the follower by playing at
the bottom of a column with an odd number.

Odd threat. With an odd number of empty squares, let the other side have a threat at a low square,
with an odd number of empty squares below it. The other columns have an even number of empty
squares, in which the other side answers as the follower; below the threat it answers above each
stone. So the side to move must at last play the square below the threat, and loses, unless it makes
four in a row: of its stones, of low squares and squares to be played at once in the other columns,
and of high squares below the threat. If n squares are above the threat, the score of the other side
is (n + 1) / 2 or more.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numba import njit

from solver.rules.search import Search, pause
from solver.value import Outcome, score

BITS_KEPT = 20  # 2**20 entries are 8 MB, which caches and page tables still hold
SLICE = 1 << 19  # nodes between two pauses, about a tenth of a second
UNFINISHED = 1000  # in place of a score
SPREAD = 0x0101010101010101  # a byte's worth in every byte

# the numbers that describe a board, in an array
LEVEL, FALL, RISE, BOTTOM, CELLS, LOW, WIDTH, BITS, HIGH = 0, 1, 2, 3, 4, 5, 6, 7, 8
# the state of a search that has stopped
PLY, NODES, ALPHA, LEAST, MOST, ASKED = 0, 1, 2, 3, 4, 5
STATE = 6
# the frame of a node: for each of eight columns, the threats after a move there, the replies to it
# and its order; the position, with the threats against the side to move and the moves that do not
# lose at once; and what has been found
THREATS, REPLIES, ORDER = 0, 8, 16
MINE, MASK, AGAINST, MOVES, HASH, ENTERED, BEST, COLUMN = 24, 25, 26, 27, 28, 29, 30, 31
FRAME = 32
SHIFT = 200  # added to scores in a frame, whose numbers have no sign
NO_BOUND = 999
OFFSET = 32  # added to scores in an entry
ANY = 31  # no score is above it, or below -ANY
REMEMBERED = 8  # empty squares from which on positions are remembered
SKIPPED = 10  # more empty squares: look for a remembered child before searching any
MIRRORED = 16  # fewer stones: a position is remembered together with its mirror image
FIRST = np.uint64(1 << 20)  # the order of the move that was remembered

# an entry: six bits for each bound, four for the best move, three for the work, then the rest of
# the position's hash, whose other bits are its place
NO_COLUMN = 8
ZERO, ONE, TWO, THREE, FOUR, SIX, SEVEN, TWELVE, FIFTEEN, WORK, SIX_BITS, LAST_BIT, ALL_BITS = map(
    np.uint64, (0, 1, 2, 3, 4, 6, 7, 12, 15, 16, 63, 63, 64)
)
REST = np.uint64((1 << 19) - 1)
# to count bits
PAIRS, FOURS, EIGHTS = map(np.uint64, (0x55 * SPREAD, 0x33 * SPREAD, 0x0F * SPREAD))
SUM, TOP_BYTE = np.uint64(SPREAD), np.uint64(56)
FACTOR, FACTOR2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)


class Connect4Search(Search):
    """Scores of positions on one board, with a table of positions that all searches share.

    Threads may search at once: an entry is one number, which is read and written in one step.
    """

    def __init__(self, columns: int, rows: int, split: Callable[[int], tuple[int, int]]) -> None:
        """Take the size of a board and `Connect4.split`."""
        self.squares, self.split = columns * rows, split
        self._board = _describe(columns, rows)
        self._table = np.zeros(1 << BITS_KEPT, np.uint64)

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
        path = np.zeros((self.squares - stones + 2, FRAME), np.uint64)
        path[0, MINE], path[0, MASK] = second if stones % 2 else first, first | second
        state = np.full(STATE, -1, np.int64)
        state[NODES] = 0
        while True:
            most = state[NODES] + SLICE
            found = int(_solve((low, high), most, self._board, self._table, path, state))
            if found != UNFINISHED:
                return stones, found
            pause(SLICE)


def _describe(columns: int, rows: int) -> np.ndarray:
    """Return the numbers that describe a board, and the bits of a pair of entries."""
    level = rows + 1
    bottom = sum(1 << column * level for column in range(columns))
    low = sum(bottom << row for row in range(rows - 2, -1, -2))
    column = (1 << rows) - 1
    board = np.zeros(HIGH + OFFSET, np.uint64)
    board[:HIGH] = level, rows, rows + 2, bottom, bottom * column, low, columns, BITS_KEPT - 1
    for b in range(1, OFFSET):  # high squares that win with a score of b or more
        board[HIGH + b] = sum(bottom << row for row in range(rows - 1 - 2 * (b - 1), -1, -2))
    return board


@njit(cache=True, inline="always")
def _count(bits):  # type: ignore[no-untyped-def]
    """Return the number of bits that are set, which LLVM turns into an instruction."""
    bits -= (bits >> ONE) & PAIRS
    bits = (bits & FOURS) + ((bits >> TWO) & FOURS)
    return (((bits + (bits >> FOUR)) & EIGHTS) * SUM) >> TOP_BYTE


@njit(cache=True, inline="always")
def _beside(p, s):  # type: ignore[no-untyped-def]
    """Return the squares that complete four in a row in the direction of a shift."""
    s2, s3 = s + s, s + s + s
    after, before = (p << s) & (p << s2), (p >> s) & (p >> s2)
    return (after & ((p << s3) | (p >> s))) | (before & ((p << s) | (p >> s3)))


@njit(cache=True, inline="always")
def _threats(p, empty, level, fall, rise):  # type: ignore[no-untyped-def]
    """Return the empty squares that complete four in a row with the stones `p`."""
    above = (p << ONE) & (p << TWO) & (p << THREE)
    return (above | _beside(p, level) | _beside(p, fall) | _beside(p, rise)) & empty


@njit(cache=True, inline="always")
def _run(p, s):  # type: ignore[no-untyped-def]
    pairs = p & (p >> s)
    return pairs & (pairs >> (s + s))


@njit(cache=True, inline="always")
def _has_four(p, level, fall, rise):  # type: ignore[no-untyped-def]
    return (_run(p, ONE) | _run(p, level) | _run(p, fall) | _run(p, rise)) != ZERO


@njit(cache=True, inline="always")
def _hash(mine, mask, stones, level, columns):  # type: ignore[no-untyped-def]
    """Return a number that no other position has, but the mirror image of one with few stones.

    The sum of the bitboards identifies a position, and what is done to it can be undone.
    """
    key = mine + mask
    if stones < MIRRORED:
        field = (ONE << level) - ONE
        rest, image = key, ZERO
        for _ in range(columns):
            image = (image << level) | (rest & field)
            rest >>= level
        key = min(key, image)
    number = key * FACTOR
    number ^= number >> np.uint64(32)
    return number * FACTOR2


@njit(cache=True, inline="always")
def _either(first, second, sign):  # type: ignore[no-untyped-def]
    """Return what two entries say of a position: its bounds, best move and work; 0 if nothing."""
    found = first ^ sign
    if found > REST:
        found = second ^ sign
    return found if found <= REST else ZERO


@njit(cache=True, inline="always")
def _least(entry):  # type: ignore[no-untyped-def]
    return np.int64(entry & SIX_BITS) - OFFSET


@njit(cache=True, inline="always")
def _most(entry):  # type: ignore[no-untyped-def]
    return np.int64((entry >> SIX) & SIX_BITS) - OFFSET


@njit(cache=True)
def _remember(path, ply, value, above, work, bits, table):  # type: ignore[no-untyped-def]
    """Remember that a node's score is at least `value`, if `above`, or at most that.

    It takes the place of the entry that took less work.
    """
    number = path[ply, HASH]
    place = number >> (ALL_BITS - bits) << ONE
    sign = number << bits
    low, high = (value, OFFSET - 1) if above else (-OFFSET, value)
    column = np.int64(path[ply, COLUMN]) if above else NO_COLUMN
    found = table[place] ^ sign
    if found > REST:
        other = table[place + ONE] ^ sign
        if other <= REST:
            place += ONE
            found = other
        elif (table[place + ONE] >> WORK) & SEVEN < (table[place] >> WORK) & SEVEN:
            place += ONE
    if found <= REST and found != ZERO:
        low, high = max(low, _least(found)), min(high, _most(found))
        if column == NO_COLUMN:
            column = np.int64((found >> TWELVE) & FIFTEEN)
    size = 0
    while work > 0 and size < 7:
        work >>= 3
        size += 1
    bounds = np.uint64(low + OFFSET) | (np.uint64(high + OFFSET) << SIX)
    table[place] = sign | bounds | (np.uint64(column) << TWELVE) | (np.uint64(size) << WORK)


@njit(cache=True, inline="always")
def _rules_out(path, ply, empty_squares, alpha, board):  # type: ignore[no-untyped-def]
    """Return a bound on the score that settles whether it is above `alpha`, or NO_BOUND.

    The module explains the two rules.
    """
    mine, mask, threats = path[ply, MINE], path[ply, MASK], path[ply, AGAINST]
    level, fall, rise = board[LEVEL], board[FALL], board[RISE]
    low, cells = board[LOW], board[CELLS]
    play = (mask + board[BOTTOM]) & cells
    empty = cells ^ mask
    theirs = mine ^ mask
    if empty_squares & 1 == 0:
        if alpha >= 0:
            if not _has_four(mine | (empty & (low | play)), level, fall, rise):
                return 0
        else:
            sure = board[HIGH - alpha]
            if (
                sure != ZERO
                and _has_four(theirs | (empty & sure & ~play), level, fall, rise)
                and not _has_four(mine | (empty & (low | play)), level, fall, rise)
            ):
                return alpha
    elif alpha < 0:
        if not _has_four(theirs | (empty & (low | play)), level, fall, rise):
            return 0
        left = threats & low & ~play
        while left != ZERO:
            square = left & (ZERO - left)
            left ^= square
            below = square - ONE
            column = (ONE << fall) - ONE
            while column & square == ZERO:
                column <<= level
            under = empty & column & below
            if _count(under) & ONE == ONE:
                score = np.int64(_count(column & ~below)) // 2
                if -score <= alpha:
                    others = empty & ~column & (low | play)
                    if not _has_four(mine | others | (under & ~low), level, fall, rise):
                        return -score
    return NO_BOUND


@njit(cache=True, inline="always")
def _expand(path, ply, empty_squares, board):  # type: ignore[no-untyped-def]
    """Fill in a frame's moves; return whether one wins, since the other side has no reply to it.

    Moves are ordered by the number of threats that they leave, those on the side's own rows first,
    then from the middle column outwards.
    """
    mine, mask, moves = path[ply, MINE], path[ply, MASK], path[ply, MOVES]
    level, fall, rise = board[LEVEL], board[FALL], board[RISE]
    bottom, cells, width = board[BOTTOM], board[CELLS], np.int64(board[WIDTH])
    good = board[LOW] if empty_squares & 1 == 0 else cells & ~board[LOW]
    first = (ONE << fall) - ONE
    wins = ZERO
    for column in range(8):
        move = moves & first << min(level * np.uint64(column), LAST_BIT)
        after = mask | move
        threats = _threats(mine | move, cells ^ after, level, fall, rise)
        play = (after + bottom) & cells
        forced = threats & play
        replies = play & ~(threats >> ONE)
        if forced != ZERO:
            replies = replies & forced
        if (forced & (forced - ONE)) != ZERO:
            replies = ZERO
        aside = abs(2 * column - width + 1)
        order = _count(threats) * TWO + _count(threats & good) + ONE
        order = (order << SIX) | np.uint64(7 - aside) << THREE | np.uint64(column)
        if move == ZERO:
            order = ZERO
            replies = ONE
        if replies == ZERO:
            wins |= ONE
        path[ply, THREATS + column] = threats
        path[ply, REPLIES + column] = replies
        path[ply, ORDER + column] = order
    return wins != ZERO


@njit(cache=True, inline="always")
def _recall(path, ply, stones, alpha, board, table):  # type: ignore[no-untyped-def]
    """Return a remembered bound that settles whether a node's score is above `alpha`, or NO_BOUND.

    Sets the node's hash, and its best move so far, if one is remembered.
    """
    bits = board[BITS]
    number = _hash(path[ply, MINE], path[ply, MASK], stones, board[LEVEL], np.int64(board[WIDTH]))
    place = number >> (ALL_BITS - bits) << ONE
    found = _either(table[place], table[place + ONE], number << bits)
    path[ply, HASH] = number
    if found == ZERO:
        return NO_BOUND
    if _least(found) > alpha:
        return _least(found)
    if _most(found) <= alpha:
        return _most(found)
    path[ply, COLUMN] = (found >> TWELVE) & FIFTEEN
    return NO_BOUND


@njit(cache=True, inline="always")
def _recall_child(path, ply, stones, alpha, board, table):  # type: ignore[no-untyped-def]
    """Return a bound above `alpha` that is remembered of a node's child, or NO_BOUND."""
    level, columns, bits = board[LEVEL], np.int64(board[WIDTH]), board[BITS]
    mine, mask, moves = path[ply, MINE], path[ply, MASK], path[ply, MOVES]
    theirs, first = mine ^ mask, (ONE << board[FALL]) - ONE
    for column in range(columns):
        move = moves & first << level * np.uint64(column)
        if move != ZERO:
            number = _hash(theirs, mask | move, stones + 1, level, columns)
            place = number >> (ALL_BITS - bits) << ONE
            found = _either(table[place], table[place + ONE], number << bits)
            if found != ZERO and -_most(found) > alpha:
                return -_most(found)
    return NO_BOUND


@njit(cache=True, inline="always")
def _enter(path, ply, empty, alpha, board, table):  # type: ignore[no-untyped-def]
    """Return a bound that settles whether a node's score is above `alpha`, or NO_BOUND.

    In that case its moves are filled in.
    """
    if empty <= 2:
        return 0
    if alpha < -((empty - 2) // 2):  # the other side wins with its second stone or later
        return -((empty - 2) // 2)
    stones = np.int64(_count(board[CELLS])) - empty
    value = _rules_out(path, ply, empty, alpha, board)
    path[ply, COLUMN] = NO_COLUMN
    if value == NO_BOUND and empty >= REMEMBERED:
        value = _recall(path, ply, stones, alpha, board, table)
    if value != NO_BOUND:
        return value
    if _expand(path, ply, empty, board):
        return (empty - 1) // 2
    if alpha >= (empty - 3) // 2:
        return (empty - 3) // 2
    column = path[ply, COLUMN]
    if column < NO_COLUMN and path[ply, ORDER + column] != ZERO:
        path[ply, ORDER + column] |= FIRST
    return _recall_child(path, ply, stones, alpha, board, table) if empty > SKIPPED else NO_BOUND


@njit(cache=True, inline="always")
def _descend(path, ply, board):  # type: ignore[no-untyped-def]
    """Take the first of a node's moves that are left, and fill in the position after it."""
    order = ZERO
    for each in range(8):
        order = max(order, path[ply, ORDER + each])
    column = order & SEVEN
    path[ply, ORDER + column] = ZERO
    path[ply, COLUMN] = column
    move = path[ply, MOVES] & ((ONE << board[FALL]) - ONE) << board[LEVEL] * column
    path[ply + 1, MINE], path[ply + 1, MASK] = (
        path[ply, MINE] ^ path[ply, MASK],
        path[ply, MASK] | move,
    )
    path[ply + 1, AGAINST], path[ply + 1, MOVES] = (
        path[ply, THREATS + column],
        path[ply, REPLIES + column],
    )


@njit(cache=True)
def _is_above(empty, alpha, most, board, table, path, state):  # type: ignore[no-untyped-def]
    """Search whether the first node's score is above `alpha`.

    Return a bound on it that tells, or UNFINISHED when `most` nodes have been entered. The search
    goes on from its path and its state when it is called again.
    """
    ply, nodes = 0, state[NODES]
    if state[PLY] >= 0:
        ply, alpha = state[PLY], state[ALPHA]
    elif alpha >= (empty - 1) // 2:
        return (empty - 1) // 2
    while nodes < most:
        nodes += 1
        value = _enter(path, ply, empty - ply, alpha, board, table)
        if value == NO_BOUND:
            path[ply, ENTERED], path[ply, BEST] = np.uint64(nodes), ZERO
        while value != NO_BOUND:  # go back to a node that has moves left
            if ply == 0:
                state[PLY], state[NODES] = -1, nodes
                return value
            ply -= 1
            alpha = -alpha - 1
            value = -value
            best = max(value, np.int64(path[ply, BEST]) - SHIFT)
            path[ply, BEST] = np.uint64(best + SHIFT)
            left = ZERO
            for column in range(8):
                left |= path[ply, ORDER + column]
            if value <= alpha and left != ZERO:
                value = NO_BOUND
            else:
                if empty - ply >= REMEMBERED:
                    work = nodes - np.int64(path[ply, ENTERED])
                    _remember(path, ply, best, value > alpha, work, board[BITS], table)
                value = best
        _descend(path, ply, board)
        ply += 1
        alpha = -alpha - 1
    state[PLY], state[ALPHA], state[NODES] = ply, alpha, nodes
    return UNFINISHED


@njit(cache=True, nogil=True)
def _solve(bounds, most, board, table, path, state):  # type: ignore[no-untyped-def]
    """Return the score of the position of the path's first frame, or UNFINISHED.

    If it is not between the two bounds, the result is only the bound that it is beyond. A search
    goes on if `state` says that one has stopped.
    """
    level, fall, rise = board[LEVEL], board[FALL], board[RISE]
    cells = board[CELLS]
    mine, mask = path[0, MINE], path[0, MASK]
    free = cells ^ mask
    empty = np.int64(_count(free))
    play = (mask + board[BOTTOM]) & cells
    if _threats(mine, free, level, fall, rise) & play != ZERO:
        return (empty + 1) // 2
    threats = _threats(mine ^ mask, free, level, fall, rise)
    forced = threats & play
    moves = play & ~(threats >> ONE)
    if forced != ZERO:
        moves &= forced
    if moves == ZERO or forced & (forced - ONE) != ZERO:
        return -(empty // 2)
    if empty <= 2:
        return 0
    if state[PLY] < 0:
        path[0, AGAINST], path[0, MOVES] = threats, moves
        state[LEAST] = max(bounds[0], -((empty - 2) // 2))
        state[MOST] = min(bounds[1], (empty - 1) // 2)
    while state[LEAST] < state[MOST]:
        if state[PLY] < 0:
            state[ASKED] = _between(state[LEAST], state[MOST])
        found = _is_above(empty, state[ASKED], most, board, table, path, state)
        if found == UNFINISHED:
            return UNFINISHED
        state[MOST if found <= state[ASKED] else LEAST] = found
    return state[LEAST]


@njit(cache=True)
def _between(least, most):  # type: ignore[no-untyped-def]
    """Return the bound to ask about: about the outcome first, then nearer and nearer."""
    middle = least + (most - least) // 2
    if middle <= 0 and least < 0:
        return min(middle, -(-least // 2))
    return max(middle, most // 2) if middle >= 0 else middle
