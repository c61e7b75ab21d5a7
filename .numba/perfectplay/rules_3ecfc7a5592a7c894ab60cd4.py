"""The rules of ponghauki, compiled by perfectplay 0.1.0 with numba 0.68.1."""

import numpy as np
from numba import njit

from solver.compiling.values import *
from solver.value import Outcome

compiled = njit(boundscheck=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)
entry = njit(boundscheck=True, nogil=True, cache=True)
text, WIDTH = text_maker(1), 1

NEIGHBOURS_2 = (np.array([2, 3], np.int64), np.array([2, 4], np.int64), np.array([0, 1, 3, 4], np.int64), np.array([0, 2, 4], np.int64), np.array([1, 2, 3], np.int64), )


@compiled
def empty_4(p):
    return bit_length(~(shifted_back(p, 5) | p) & 31) - 1


@compiled
def moves_0(p):
    return [point for point in NEIGHBOURS_2[empty_4(p)] if shifted_back(p, 5 + point) & 1]


@compiled
def play_6(p, m):
    return shifted(p & 31, 5) | shifted_back(p, 5) ^ shifted(1, m) | shifted(1, empty_4(p))


@compiled
def primitive_8(p):
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
        over = primitive_8(p)
        count = 0
        if over is not None:
            outcomes[row] = over
        else:
            outcomes[row] = OPEN
            for m in moves_0(p):
                child = pack(play_6(p, m))
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

