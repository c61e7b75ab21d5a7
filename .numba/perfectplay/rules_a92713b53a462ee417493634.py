"""The rules of hexapawn:3x3, compiled by perfectplay 0.1.0 with numba 0.68.1."""

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


steps_6 = ((27, 8, 1, False, ), (28, 8, 2, True, ), (37, 16, 2, False, ), (36, 16, 1, True, ), (38, 16, 4, True, ), (47, 32, 4, False, ), (46, 32, 2, True, ), (57, 64, 8, False, ), (58, 64, 16, True, ), (67, 128, 16, False, ), (66, 128, 8, True, ), (68, 128, 32, True, ), (77, 256, 32, False, ), (76, 256, 16, True, ), )


steps_8 = ((3, 1, 8, False, ), (4, 1, 16, True, ), (13, 2, 16, False, ), (12, 2, 8, True, ), (14, 2, 32, True, ), (23, 4, 32, False, ), (22, 4, 16, True, ), (33, 8, 64, False, ), (34, 8, 128, True, ), (43, 16, 128, False, ), (42, 16, 64, True, ), (44, 16, 256, True, ), (53, 32, 256, False, ), (52, 32, 128, True, ), )


@compiled
def make_steps_4():
    return (steps_6, steps_8, )


@compiled
def moves_0(p):
    black, mine, theirs = fixed(split_2(p), 3)
    free, steps = (~(mine | theirs), make_steps_4()[black])
    return [m for m, a, b, captures in steps if mine & a and (theirs if captures else free) & b]


@compiled
def join_12(second, mine, theirs):
    sides = (theirs, mine) if second else (mine, theirs)
    return shifted(shifted(second, 9) | sides[0], 9) | sides[1]


@compiled
def play_10(p, m):
    black, mine, theirs = fixed(split_2(p), 3)
    start, target = fixed(divmod(m, 9), 2)
    return join_12(1 - black, theirs & ~shifted(1, target), mine ^ shifted(1, start) | shifted(1, target))


goals_16 = (7, 448, )


@compiled
def primitive_14(p):
    black, _, theirs = fixed(split_2(p), 3)
    return Outcome.LOSS if theirs & goals_16[1 - black] or not moves_0(p) else None


rows_ahead_20 = (2, 1, 0, 0, 1, 2, )


@compiled
def tier_18(p):
    rows = [shifted_back(p, times(i, 3)) & 7 for i in range(times(2, 3))]
    ahead = sum([times(n, bit_count(row)) for n, row in zip(rows_ahead_20, rows)])
    return times(times(2, 3), 3 - 1) - ahead


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




@entry
def tiers(keys, found):
    for row in range(len(keys)):
        found[row] = tier_18(unpack(np.int64(keys[row])))
