"""The rules of connect4:2x20, compiled by perfectplay 0.1.0 with numba 0.68.1."""

import numpy as np
from numba import njit

from solver.compiling.values import *
from solver.value import Outcome

compiled = njit(boundscheck=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)
entry = njit(boundscheck=True, nogil=True, cache=True)
text, WIDTH = text_maker(1), 1

lid_of_2 = ((0, 1048576, ), (1, 2199023255552, ), )


@compiled
def moves_0(p):
    free = 2199024304128 & ~p
    return [c for c, lid in lid_of_2 if free & lid]


smears_8 = ((1, 2199022206975, ), (2, 1099510054911, ), (4, 274875940863, ), (8, 17177780223, ), (16, 65011743, ), )


@compiled
def filled_6(p):
    for shift, inside in smears_8:
        p |= shifted_back(p, shift) & inside
    return p


shifts_10 = (0, 21, )


@compiled
def play_4(p, m):
    filled, shift = (filled_6(p), shifts_10[m])
    marker = shifted(shifted_back((shifted_back(filled, shift) & 2097151) + 1, 1), shift)
    return p + (marker if (bit_count(filled) - 2) % 2 else shifted(marker, 1))


@compiled
def split_14(p):
    markers = shifted_back(filled_6(p) + 2097153, 1)
    first = p - markers
    return (first, markers - 2097153 - first)


folds_18 = ((1, 2, ), (20, 40, ), (21, 42, ), (22, 44, ), )


@compiled
def has_line_16(stones):
    if bit_count(stones) < 4:
        return False
    for folds in folds_18:
        run = stones
        for fold in folds:
            run &= shifted_back(run, fold)
        if run:
            return True
    return False


@compiled
def primitive_12(p):
    first, second = fixed(split_14(p), 2)
    if has_line_16(first if bit_count(first) > bit_count(second) else second):
        return Outcome.LOSS
    return Outcome.DRAW if p & 2199024304128 == 2199024304128 else None


@compiled
def tier_20(p):
    return bit_count(filled_6(p)) - 2


@compiled
def unpack(key):
    return key


@compiled
def pack(p):
    return p if 0 <= p < 4611686018427387904 else -1


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




@entry
def tiers(keys, found):
    for row in range(len(keys)):
        found[row] = tier_20(unpack(np.int64(keys[row])))
