"""The rules of connect4:9x6, compiled by perfectplay 0.1.0 with numba 0.68.1."""

import numpy as np
from numba import njit

from solver.compiling.values import *
from solver.value import Outcome

compiled = njit(boundscheck=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)
entry = njit(boundscheck=True, nogil=True, cache=True)
text, WIDTH = text_maker(1), 1

lid_of_2 = ((0, 64, ), (1, 8192, ), (2, 1048576, ), (3, 134217728, ), (4, 17179869184, ), (5, 2199023255552, ), (6, 281474976710656, ), (7, 36028797018963968, ), (8, 4611686018427387904, ), )


@compiled
def moves_0(p):
    free = 4647998506761461824 & ~p
    return [c for c, lid in lid_of_2 if free & lid]


smears_8 = ((1, 4575373530093313983, ), (2, 2251374276712583071, ), (4, 508374836677034887, ), )


@compiled
def filled_6(p):
    for shift, inside in smears_8:
        p |= shifted_back(p, shift) & inside
    return p


shifts_10 = (0, 7, 14, 21, 28, 35, 42, 49, 56, )


@compiled
def play_4(p, m):
    filled, shift = (filled_6(p), shifts_10[m])
    marker = shifted(shifted_back((shifted_back(filled, shift) & 127) + 1, 1), shift)
    return p + (marker if (bit_count(filled) - 9) % 2 else shifted(marker, 1))


@compiled
def split_14(p):
    markers = shifted_back(filled_6(p) + 72624976668147841, 1)
    first = p - markers
    return (first, markers - 72624976668147841 - first)


folds_18 = ((1, 2, ), (6, 12, ), (7, 14, ), (8, 16, ), )


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
    return Outcome.DRAW if p & 4647998506761461824 == 4647998506761461824 else None


@compiled
def tier_20(p):
    return bit_count(filled_6(p)) - 9


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
