"""The rules of domineering:3x3, compiled by perfectplay 0.1.0 with numba 0.68.1."""

import numpy as np
from numba import njit

from solver.compiling.values import *
from solver.value import Outcome

compiled = njit(boundscheck=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)
entry = njit(boundscheck=True, nogil=True, cache=True)
text, WIDTH = text_maker(1), 1

dominoes_2 = ((0, 3, 0, ), (1, 4, 0, ), (2, 5, 0, ), (3, 6, 0, ), (4, 7, 0, ), (5, 8, 0, ), (0, 1, 1, ), (1, 2, 1, ), (3, 4, 1, ), (4, 5, 1, ), (6, 7, 1, ), (7, 8, 1, ), )


@compiled
def moves_0(p):
    turn = shifted_back(p, 9)
    return [times(a, 9) + b for a, b, second in dominoes_2 if second == turn and (not (shifted_back(p, a) | shifted_back(p, b)) & 1)]


@compiled
def play_4(p, m):
    a, b = fixed(divmod(m, 9), 2)
    return p ^ shifted(1, a) ^ shifted(1, b) ^ shifted(1, 9)


@compiled
def primitive_6(p):
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
        over = primitive_6(p)
        count = 0
        if over is not None:
            outcomes[row] = over
        else:
            outcomes[row] = OPEN
            for m in moves_0(p):
                child = pack(play_4(p, m))
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

