"""The rules of kings and pawns on arrays of keys; see `solver.games.kingspawns_board` for keys.

Moves are generated for White. If Black is to move, the colours are exchanged before and after.

All compiled functions but `count_bits` are in this file, since numba's cache does not notice edits
in other files.
"""

from __future__ import annotations

import numpy as np

from solver.games.kingspawns_board import ALL, BETWEEN, KING, PUSH, QUEEN, RANK, TAKE, TURN
from solver.loops import compiled, count_bits
from solver.rules.kernel import TieredKernel
from solver.value import OPEN

A_B_C, B_C_D = 0x7777, 0xEEEE  # files
# How far a step shifts squares, and where it can end: downwards or to the left, and the other way
WAYS = (1, A_B_C, B_C_D), (3, B_C_D, A_B_C), (4, ALL, ALL), (5, A_B_C, B_C_D)
SQUARE = 0x1_0001_0001  # the bits of a1 in the three sets
MOST_KING, MOST_QUEEN = 8, 11  # moves


class KingsPawnsKernel(TieredKernel):
    """Kings and pawns with any start."""

    bits = 49

    def __init__(self, pawns: int, ahead: int, wins: bool) -> None:
        """Set the most pawns of a side, the steps ahead at the start, and if promotion wins."""
        self.width = MOST_KING + MOST_QUEEN * pawns
        self.ahead, self.wins = ahead, wins
        self.lines = np.array(BETWEEN, np.int64)
        self.reach = np.array([KING, QUEEN, PUSH, TAKE], np.int64)

    def successors(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        outcomes = np.empty(len(keys), np.int8)
        children = np.empty((len(keys), self.width), np.int64)
        _expand(keys, self.reach, self.lines, self.wins, outcomes, children)
        return outcomes, children

    def orient(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        canonical, numbers = np.empty(len(keys), np.int64), np.empty(len(keys), np.int8)
        _orient(keys, canonical, numbers)
        return canonical, numbers

    def tiers(self, keys: np.ndarray) -> np.ndarray:
        tiers = np.empty(len(keys), np.int64)
        _tiers(keys, self.ahead, tiers)
        return tiers

    def orbits(self, keys: np.ndarray) -> np.ndarray:
        """Return 4 for canonical keys: no position is one of its other images."""
        return np.where(self.orient(keys)[0] == keys, 4, 0).astype(np.int8)


@compiled
def _flip(p):  # type: ignore[no-untyped-def]
    """Return the position with the colours exchanged, the board upside down."""
    upside = (p >> 4) & 0x0F0F_0F0F_0F0F | (p & 0x0F0F_0F0F_0F0F) << 4
    upside = (upside >> 8) & 0x00FF_00FF_00FF | (upside & 0x00FF_00FF_00FF) << 8
    return upside ^ ((upside | upside >> 16) & ALL) << 32 | ~p & TURN


@compiled
def _mirror(p):  # type: ignore[no-untyped-def]
    """Return the position with left and right exchanged."""
    q = (p >> 1) & 0x5555_5555_5555 | (p & 0x5555_5555_5555) << 1
    return p & TURN | (q >> 2) & 0x3333_3333_3333 | (q & 0x3333_3333_3333) << 2


@compiled
def _slides(queens, empty):  # type: ignore[no-untyped-def]
    """Return the squares that queens attack: those up to the first that is not empty, included."""
    attacked = 0
    for shift, left, right in WAYS:
        up, down = (queens << shift) & right, (queens >> shift) & left
        up |= (up & empty) << shift & right
        down |= (down & empty) >> shift & left
        attacked |= up | (up & empty) << shift & right | down | (down & empty) >> shift & left
    return attacked


@compiled
def _moves(p, reach, lines, promotes, row):  # type: ignore[no-untyped-def]
    """Write the positions after White's legal moves to `row`.

    Returns the number of moves, and whether White is in check.
    """
    low, high, black = p & ALL, p >> 16 & ALL, p >> 32 & ALL
    occupied = low | high
    white = occupied & ~black
    king = low & high & white
    home = count_bits(king - 1)  # the number of its square
    queens, pawns, other = high & ~low & black, low & ~high & black, low & high & black
    attacked = reach[0, count_bits(other - 1)] | (pawns & A_B_C) >> 3 | (pawns & B_C_D) >> 5
    attacked |= _slides(queens, ~occupied | king)
    close = reach[0, home] & other | reach[3, home] & pawns  # pieces that check from nearby
    answers = (0 if close & (close - 1) else close) if close else ALL
    lined = reach[1, home] & queens
    rest, n = white, 0
    while rest:
        start = rest & -rest
        rest ^= start
        a = count_bits(start - 1)
        pawn = not high & start
        if start == king:
            targets = reach[0, a] & ~white & ~attacked
        else:
            if pawn:
                targets = (reach[2, a] & ~occupied | reach[3, a] & black) & answers
            else:
                targets = _slides(start, ~occupied) & ~white & answers
            others = lined
            while others:
                queen = others & -others
                others ^= queen
                between = lines[home, count_bits(queen - 1)]
                if not between & occupied & ~start:  # the queen gives check, or would
                    targets &= between | queen
        moved, kept = (p >> a) & SQUARE, p & ~(SQUARE << a) | TURN
        while targets:
            target = targets & -targets
            targets ^= target
            b = count_bits(target - 1)
            piece = 1 << 16 if pawn and promotes and b >= 12 else moved
            row[n] = kept & ~(SQUARE << b) | piece << b
            n += 1
    return n, attacked & king != 0


@compiled
def _expand(keys, reach, lines, wins, outcomes, children):  # type: ignore[no-untyped-def]
    """Write the outcomes and the keys that moves lead to; see `TieredKernel.successors`."""
    for i in range(len(keys)):
        row, p = children[i], keys[i]
        black = p >= TURN
        if black:
            p = _flip(p)
        n = 0
        if wins and p & ~(p >> 16) & p >> 32 & RANK:
            outcomes[i] = -1
        else:
            n, checked = _moves(p, reach, lines, not wins, row)
            outcomes[i] = OPEN if n else -checked
        if black:
            for j in range(n):
                row[j] = _flip(row[j])
        row[n:] = -1


@compiled
def _orient(keys, canonical, numbers):  # type: ignore[no-untyped-def]
    """Write the canonical images and the numbers of the symmetries that map the keys to them."""
    for i in range(len(keys)):
        p, number = keys[i], 0
        if p < 0:
            canonical[i], numbers[i] = -1, 0
            continue
        if p >= TURN:
            p, number = _flip(p), 2
        image = _mirror(p)
        if image < p:
            p, number = image, number + 1
        canonical[i], numbers[i] = p, number


@compiled
def _tiers(keys, start, tiers):  # type: ignore[no-untyped-def]
    """Write the tiers, given the steps ahead at the start; see `KingsPawns.tier`."""
    for i in range(len(keys)):
        p = keys[i]
        low, high, black = p & ALL, p >> 16 & ALL, p >> 32 & ALL
        ahead = count_bits(high & ~low)
        for rank in range(4):
            pawns = low & ~high & RANK << 4 * rank
            ahead += (4 - rank) * count_bits(pawns & ~black)
            ahead += (1 + rank) * count_bits(pawns & black)
        tiers[i] = start - ahead
