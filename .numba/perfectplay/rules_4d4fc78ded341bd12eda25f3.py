"""The rules of mnk:4,3,3, compiled by perfectplay 0.1.0 with numba 0.68.1."""

import numpy as np
from numba import njit

from solver.compiling.values import *
from solver.value import Outcome

compiled = njit(boundscheck=True, no_cfunc_wrapper=True, no_cpython_wrapper=True)
entry = njit(boundscheck=True, nogil=True, cache=True)
text, WIDTH = text_maker(1), 1

bits_2 = ((0, 1, ), (1, 2, ), (2, 4, ), (3, 8, ), (4, 16, ), (5, 32, ), (6, 64, ), (7, 128, ), (8, 256, ), (9, 512, ), (10, 1024, ), (11, 2048, ), )


@compiled
def moves_0(p):
    occupied = shifted_back(p, 12) | p
    return [cell for cell, bit in bits_2 if not occupied & bit]


@compiled
def split_6(p):
    return (shifted_back(p, 12), p & 4095)


@compiled
def play_4(p, m):
    mine, theirs = fixed(split_6(p), 2)
    return shifted(theirs, 12) | mine | shifted(1, m)


lines_12 = (7, 14, 112, 224, 1792, 3584, 273, 546, 1092, 2184, 1057, 2114, 292, 584, )


@compiled
def has_line_10(stones):
    for line in lines_12:
        if stones & line == line:
            return True
    return False


@compiled
def primitive_8(p):
    mine, theirs = fixed(split_6(p), 2)
    if has_line_10(theirs):
        return Outcome.WIN if False else Outcome.LOSS
    return Outcome.DRAW if mine | theirs == 4095 else None


@compiled
def tier_14(p):
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
        over = primitive_8(p)
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
        found[row] = tier_14(unpack(np.int64(keys[row])))
