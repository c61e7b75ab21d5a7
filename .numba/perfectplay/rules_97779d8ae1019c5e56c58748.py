"""The rules of dodgem:3x3, compiled by perfectplay 0.1.0 with numba 0.68.1."""

import numpy as np
from numba import njit

from solver.compiling.values import *
from solver.value import Outcome

compiled = njit(boundscheck=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)
entry = njit(boundscheck=True, nogil=True, cache=True)
text, WIDTH = text_maker(1), 1

@compiled
def split_2(p):
    second, full = (shifted_back(p, times(2, 9)), shifted(1, 9) - 1)
    sides = (shifted_back(p, 9) & full, p & full)
    return (second, sides[second], sides[1 - second])


ways_6 = ((0, 1, ), (1, 0, ), (1, 2, ), (2, 1, ), (3, 0, ), (3, 4, ), (4, 1, ), (4, 3, ), (4, 5, ), (5, 2, ), (5, 4, ), (6, 3, ), (6, 7, ), (7, 4, ), (7, 6, ), (7, 8, ), (8, 5, ), (8, 7, ), (0, 0, ), (1, 1, ), (2, 2, ), )


ways_8 = ((0, 1, ), (0, 3, ), (1, 2, ), (1, 4, ), (2, 5, ), (3, 4, ), (3, 0, ), (3, 6, ), (4, 5, ), (4, 1, ), (4, 7, ), (5, 2, ), (5, 8, ), (6, 7, ), (6, 3, ), (7, 8, ), (7, 4, ), (8, 5, ), (2, 2, ), (5, 5, ), (8, 8, ), )


@compiled
def make_ways_4():
    return (ways_6, ways_8, )


@compiled
def moves_0(p):
    second, mine, theirs = fixed(split_2(p), 3)
    taken = mine | theirs
    return [times(a, 9) + b for a, b in make_ways_4()[second] if shifted_back(mine, a) & 1 and (a == b or not shifted_back(taken, b) & 1)]


@compiled
def join_12(second, mine, theirs):
    sides = (theirs, mine) if second else (mine, theirs)
    return shifted(shifted(second, 9) | sides[0], 9) | sides[1]


@compiled
def play_10(p, m):
    second, mine, theirs = fixed(split_2(p), 3)
    start, end = fixed(divmod(m, 9), 2)
    mine ^= shifted(1, start)
    return join_12(1 - second, theirs, mine if start == end else mine | shifted(1, end))


@compiled
def primitive_14(p):
    _, _, theirs = fixed(split_2(p), 3)
    if not theirs:
        return Outcome.LOSS
    return None if moves_0(p) else Outcome.WIN


@compiled
def unpack(key):
    return key


@compiled
def pack(p):
    return p if 0 <= p < 4294967296 else -1


@entry
def expand(keys, outcomes, children, at):
    # Fill in outcomes and children; return the number of columns that would be needed, or -1 at a
    # row whose rules must be asked in Python. If they raise an error, `at` has the row, too.
    most = 0
    for row in range(len(keys)):
        at[0] = row
        p = unpack(np.int64(keys[row]))
        over = primitive_14(p)
        count = 0
        if over is not None:
            outcomes[row] = over
        else:
            outcomes[row] = OPEN
            for m in moves_0(p):
                child = pack(play_10(p, m))
                if child < 0:
                    return -1
                if count < children.shape[1]:
                    children[row, count] = child
                count += 1
            if count == 0:
                return -1
        for column in range(count, children.shape[1]):
            children[row, column] = -1
        most = max(most, count)
    return most

