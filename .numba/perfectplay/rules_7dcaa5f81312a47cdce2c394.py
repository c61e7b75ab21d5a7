"""The rules of mutorere, compiled by perfectplay 0.1.0 with numba 0.68.1."""

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


STEPS_4 = ((0, 3, ), (0, 1, ), (0, 4, ), (1, 0, ), (1, 2, ), (1, 4, ), (2, 1, ), (2, 5, ), (2, 4, ), (5, 2, ), (5, 8, ), (5, 4, ), (8, 5, ), (8, 7, ), (8, 4, ), (7, 8, ), (7, 6, ), (7, 4, ), (6, 7, ), (6, 3, ), (6, 4, ), (3, 6, ), (3, 0, ), (3, 4, ), (4, 0, ), (4, 1, ), (4, 2, ), (4, 5, ), (4, 8, ), (4, 7, ), (4, 6, ), (4, 3, ), )


BESIDE_6 = (10, 5, 34, 65, 495, 260, 136, 320, 160, )


@compiled
def moves_0(p):
    _, mine, theirs = fixed(split_2(p), 3)
    return [times(a, 9) + b for a, b in STEPS_4 if shifted_back(mine, a) & 1 and (not shifted_back(mine | theirs, b) & 1) and (b != 4 or theirs & BESIDE_6[a] != 0)]


@compiled
def join_10(second, mine, theirs):
    sides = (theirs, mine) if second else (mine, theirs)
    return shifted(shifted(second, 9) | sides[0], 9) | sides[1]


@compiled
def play_8(p, m):
    second, mine, theirs = fixed(split_2(p), 3)
    start, end = fixed(divmod(m, 9), 2)
    return join_10(1 - second, theirs, mine ^ shifted(1, start) ^ shifted(1, end))


@compiled
def primitive_12(p):
    return None if moves_0(p) else Outcome.LOSS


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
        over = primitive_12(p)
        count = 0
        if over is not None:
            outcomes[row] = over
        else:
            outcomes[row] = OPEN
            for m in moves_0(p):
                child = pack(play_8(p, m))
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

