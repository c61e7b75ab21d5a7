"""The rules of notakto, compiled by perfectplay 0.1.0 with numba 0.68.1."""

import numpy as np
from numba import njit

from solver.compiling.values import *
from solver.value import Outcome

compiled = njit(boundscheck=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)
entry = njit(boundscheck=True, nogil=True, cache=True)
text, WIDTH = text_maker(1), 1

@compiled
def moves_0(p):
    return [cell for cell in range(9) if not shifted_back(p, cell) & 1]


@compiled
def play_2(p, m):
    return p | shifted(1, m)


@compiled
def full_lines_6(stones, lines):
    return [line for line in lines if stones & line == line]


lines_8 = (7, 56, 448, 73, 146, 292, 273, 84, )


@compiled
def primitive_4(p):
    return Outcome.WIN if full_lines_6(p, lines_8) else None


@compiled
def tier_10(p):
    return bit_count(p)


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
        over = primitive_4(p)
        count = 0
        if over is not None:
            outcomes[row] = over
        else:
            outcomes[row] = OPEN
            for m in moves_0(p):
                child = pack(play_2(p, m))
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




@entry
def tiers(keys, found):
    for row in range(len(keys)):
        found[row] = tier_10(unpack(np.int64(keys[row])))
