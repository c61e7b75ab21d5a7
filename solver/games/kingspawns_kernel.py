"""The rules of kings and pawns on arrays of keys; see `solver.games.kingspawns_board` for keys.

Moves are generated for White. If Black is to move, the colours are exchanged before and after.

All compiled functions are in this file, since numba's cache does not notice edits in other files.
"""

from __future__ import annotations

import numpy as np

from solver.games.kingspawns_board import ALL, BETWEEN, KING, PUSH, QUEEN, RANK, TAKE, TURN
from solver.loops import compiled, count_bits
from solver.rules.kernel import TieredKernel
from solver.value import OPEN

SQUARE = 0x1_0001_0001  # the bits of a1 in the three sets
MOST_KING, MOST_QUEEN = 8, 11  # moves
POWERS = np.zeros(19, np.int64)  # the powers of 2 up to 2**17 differ modulo 19
POWERS[[(1 << square) % 19 for square in range(16)]] = range(16)


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
def _attacked(square, low, high, black, occupied, reach, lines):  # type: ignore[no-untyped-def]
    """Return whether a black piece attacks a square, given the sets and all occupied squares."""
    if reach[0, square] & low & high & black or reach[3, square] & low & ~high & black:
        return True
    queens = reach[1, square] & high & ~low & black
    while queens:
        if not lines[square, POWERS[(queens & -queens) % 19]] & occupied:
            return True
        queens &= queens - 1
    return False


@compiled
def _moves(p, reach, lines, promotes, row):  # type: ignore[no-untyped-def]
    """Write the positions after White's legal moves to `row`; return the number of moves."""
    low, high, black = p & ALL, p >> 16 & ALL, p >> 32 & ALL
    occupied = low | high
    white = occupied & ~black
    king = low & high & white
    home = POWERS[king % 19]
    checked = _attacked(home, low, high, black, occupied, reach, lines)
    lined = reach[1, home] if high & ~low & black else 0  # where a piece may be pinned
    rest, n = white, 0
    while rest:
        start = rest & -rest
        rest ^= start
        a = POWERS[start % 19]
        pawn = not high & start
        if pawn:
            targets = reach[2, a] & ~occupied | reach[3, a] & black
        else:
            targets = reach[0 if low & start else 1, a] & ~white
        moved = (p >> a) & SQUARE
        risky = checked or start & (king | lined)
        while targets:
            target = targets & -targets
            targets ^= target
            b = POWERS[target % 19]
            if lines[a, b] & occupied:
                continue
            if risky:
                safe = b if start == king else home
                others = black & ~target
                if _attacked(safe, low, high, others, occupied & ~start | target, reach, lines):
                    continue
            piece = 1 << 16 if pawn and promotes and b >= 12 else moved
            row[n] = p & ~(SQUARE << a | SQUARE << b) | piece << b | TURN
            n += 1
    return n


@compiled
def _expand(keys, reach, lines, wins, outcomes, children):  # type: ignore[no-untyped-def]
    """Write the outcomes and the keys that moves lead to; see `TieredKernel.successors`."""
    for i in range(len(keys)):
        row, p = children[i], keys[i]
        black = p >= TURN
        if black:
            p = _flip(p)
        low, high, others = p & ALL, p >> 16 & ALL, p >> 32 & ALL
        n = 0
        if wins and low & ~high & others & RANK:
            outcomes[i] = -1
        else:
            n = _moves(p, reach, lines, not wins, row)
            outcomes[i] = OPEN
            if n == 0:
                home = POWERS[(low & high & ~others) % 19]
                outcomes[i] = -_attacked(home, low, high, others, low | high, reach, lines)
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
