"""The rules of breakthrough:2x4, compiled by perfectplay 0.1.0 with numba 0.68.1."""

import numpy as np
from numba import njit

from solver.compiling.values import *
from solver.value import Outcome

compiled = njit(boundscheck=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)
entry = njit(boundscheck=True, nogil=True, cache=True)
text, WIDTH = text_maker(1), 1

@compiled
def split_2(p):
    second, full = (shifted_back(p, times(2, 8)), shifted(1, 8) - 1)
    sides = (shifted_back(p, 8) & full, p & full)
    return (second, sides[second], sides[1 - second])


forward_6 = ((2, 0, ), (2, 1, ), (3, 0, ), (3, 1, ), (4, 2, ), (4, 3, ), (5, 2, ), (5, 3, ), (6, 4, ), (6, 5, ), (7, 4, ), (7, 5, ), )


forward_8 = ((0, 2, ), (0, 3, ), (1, 2, ), (1, 3, ), (2, 4, ), (2, 5, ), (3, 4, ), (3, 5, ), (4, 6, ), (4, 7, ), (5, 6, ), (5, 7, ), )


@compiled
def make_forward_4():
    return (forward_6, forward_8, )


@compiled
def moves_0(p):
    second, mine, theirs = fixed(split_2(p), 3)
    return [times(a, 8) + b for a, b in make_forward_4()[second] if shifted_back(mine, a) & 1 and (not shifted_back(mine, b) & 1) and (not (shifted_back(theirs, b) & 1 and (a - b) % 2 == 0))]


@compiled
def join_12(second, mine, theirs):
    sides = (theirs, mine) if second else (mine, theirs)
    return shifted(shifted(second, 8) | sides[0], 8) | sides[1]


@compiled
def play_10(p, m):
    second, mine, theirs = fixed(split_2(p), 3)
    start, end = fixed(divmod(m, 8), 2)
    return join_12(1 - second, theirs & ~shifted(1, end), mine ^ shifted(1, start) ^ shifted(1, end))


goals_16 = (3, 192, )


@compiled
def primitive_14(p):
    second, mine, theirs = fixed(split_2(p), 3)
    return Outcome.LOSS if theirs & goals_16[1 - second] or not mine else None


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

