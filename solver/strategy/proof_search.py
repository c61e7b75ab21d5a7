"""Proof-number search, depth first, over compiled rules: can one side, the attacker, force a win?

A node is a canonical key, doubled, plus 1 if the attacker is to move. The attacker wants a win,
and the defender anything else. The numbers of a node say about how many more positions must be
solved to show that the side to move gets what it wants (phi), and that it does not (delta). Where
that is known, one of them is 0, and the size of the proof is stored beside MOST, which stands for
the other.

The numbers of nodes are in buckets of a table; in a full one, new numbers replace those that took
the least work. A proof follows from ends alone: where a position repeats on the way from the start,
the search ends without a result.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from solver.loops import compiled, inner
from solver.value import OPEN

WAYS = 4  # entries of a bucket, each a node plus 1, or 0, and its numbers
BITS = 28  # of a number
MOST = (1 << BITS) - 1
WORK = 2 * BITS  # where numbers have the logarithm of the work that they took
NODE, PHI, DELTA, FIRST, STOP, CHOSEN, BEGAN = range(7)  # of a frame; limits of its numbers
TOP, POSITIONS, STORED, LATEST, RESULT = range(5)  # of the counts
SOLVED, PAUSED, FULL, WIDE, DEEP, BROKEN, REPEATED = range(7)  # why a search returns


@compiled
def bucket(table, node):  # type: ignore[no-untyped-def]
    """Return where the bucket of a node begins."""
    mixed = np.uint64(node) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ mixed >> np.uint64(29)) * np.uint64(0xBF58476D1CE4E5B9)
    buckets = np.uint64(len(table) // (2 * WAYS))
    return np.int64((mixed >> np.uint64(32)) * buckets >> np.uint64(32)) * (2 * WAYS)


@compiled
def look(table, node):  # type: ignore[no-untyped-def]
    """Return the stored numbers of a node, or -1."""
    at = bucket(table, node)
    for i in range(at, at + 2 * WAYS, 2):
        if table[i] == node + 1:
            return table[i + 1]
    return np.int64(-1)


@compiled
def store(table, counts, node, numbers):  # type: ignore[no-untyped-def]
    """Store the numbers of a node."""
    at = bucket(table, node)
    least = at
    for i in range(at, at + 2 * WAYS, 2):
        if table[i] == node + 1 or table[i] == 0:
            counts[STORED] += table[i] == 0
            least = i
            break
        if table[i + 1] < table[least + 1]:
            least = i
    table[least] = node + 1
    table[least + 1] = numbers


@compiled
def store_all(table, counts, others):  # type: ignore[no-untyped-def]
    """Store what another table has."""
    for i in range(0, len(others), 2):
        if others[i]:
            store(table, counts, others[i] - 1, others[i + 1])


@compiled
def proof_sizes(table, nodes, sizes):  # type: ignore[no-untyped-def]
    """Fill in the sizes of the proofs that the sides to move do not get what they want."""
    for i in range(len(nodes)):
        n = look(table, nodes[i])
        sizes[i] = 0
        if n >= 0 and n >> BITS & MOST == MOST:
            sizes[i] = n & MOST


@compiled
def summed(numbers, first, stop):  # type: ignore[no-untyped-def]
    """Return the numbers that follow from those of the children, the best of these, and a limit."""
    phi = second = least = MOST
    delta, chosen = 0, first
    for i in range(first, stop):
        its_phi, its_delta = numbers[i] >> BITS & MOST, numbers[i] & MOST
        if its_delta == MOST:
            its_phi = 0
        elif its_phi == MOST:
            its_delta = 0
        delta += its_phi
        if its_delta < phi or (its_delta == phi and its_phi < least):
            second, phi, least, chosen = phi, its_delta, its_phi, i
        elif its_delta < second:
            second = its_delta
    if phi == 0:
        size = MOST
        for i in range(first, stop):
            if numbers[i] >> BITS & MOST == MOST:
                size = min(size, numbers[i] & MOST)
        return min(size + 1, MOST - 1) << BITS | MOST, chosen, second
    if delta == 0:
        size = 1
        for i in range(first, stop):
            size += numbers[i] >> BITS & MOST
        return MOST << BITS | min(size, MOST - 1), chosen, second
    return phi << BITS | min(delta, MOST - 1), chosen, second


@inner
def first_numbers(expand, node, one):  # type: ignore[no-untyped-def]
    """Return the numbers of a node before it is searched, from its moves; -1 if that fails."""
    key, outcome, at, none = one
    key[0] = node >> 1
    mobility = expand(key, outcome, none, at)
    if outcome[0] == OPEN or mobility < 0:
        return np.int64(1 << BITS | min(mobility, MOST - 1)) if mobility >= 0 else np.int64(-1)
    is_won = outcome[0] >= node & 1  # a draw is enough for the defender
    return np.int64(1 << BITS | MOST if is_won else MOST << BITS | 1)


@inner
def add_children(expand, orient, images, table, counts, stack, row, one):  # type: ignore[no-untyped-def]
    """Expand the latest frame; return SOLVED, or why that fails."""
    frames, nodes, numbers = stack
    frame, key = frames[counts[TOP]], one[0]
    first, turn = frame[FIRST], frame[NODE] & 1
    key[0] = counts[LATEST] = frame[NODE] >> 1
    count = expand(key, one[1], row, one[2])
    if count > row.shape[1]:
        return WIDE
    if first + count > len(nodes) or counts[TOP] + 1 == len(frames):
        return DEEP
    if count < 0:
        return BROKEN
    own, ways = row[0, :count].copy(), np.empty(count, np.int8)
    each = np.empty(images[2].shape[2], np.int64)
    sums = images[0], images[1], images[2]
    if len(each) > 1 and orient(own.copy(), *sums, each, own, ways) >= 0:
        return BROKEN
    counts[POSITIONS] += 1
    frame[BEGAN], frame[STOP] = counts[POSITIONS], first
    for i in range(count):
        node = own[i] * 2 + 1 - turn
        is_new = True
        for j in range(first, frame[STOP]):
            is_new &= nodes[j] != node
        if not is_new:
            continue
        known = look(table, node)
        if known < 0:
            counts[LATEST] = own[i]
            known = first_numbers(expand, node, one)
            if known < 0:
                return BROKEN
            store(table, counts, node, known)
        nodes[frame[STOP]], numbers[frame[STOP]] = node, known
        frame[STOP] += 1
    return SOLVED


@cache
def search_loop() -> Any:
    """Return `_search`, compiled once for all rules.

    It gets `expand` and `orient` as pointers, since numba keeps its code until this file changes.
    """
    expand = "FunctionType(int64(int64[::1], int8[::1], int64[:, ::1], int64[::1]))"
    sums = "uint64[::1], int64[::1], int64[:, :, ::1]"
    orient = f"FunctionType(int64(int64[::1], {sums}, int64[::1], int64[::1], int8[::1]))"
    stack = "Tuple((int64[:, ::1], int64[::1], int64[::1]))"
    rest = f"int64[::1], int64[::1], {stack}, int64[:, ::1], UniTuple(int64, 2)"
    loop = compiled(_search)
    loop.compile(f"int64({expand}, {orient}, Tuple(({sums})), {rest})")
    loop.disable_compile()
    return loop


def _search(expand, orient, images, table, counts, stack, row, limits):  # type: ignore[no-untyped-def]
    """Go on until the first frame is solved, or return why not.

    A stack has `frames`, the positions on the way, and `nodes` and `numbers` of their children. It
    stops at either of two limits: of positions in all, and of entries stored.
    """
    (limit, full), (frames, nodes, numbers) = limits, stack
    key, at, none = np.empty(1, np.int64), np.empty(1, np.int64), np.empty((1, 0), np.int64)
    one = key, np.empty(1, np.int8), at, none
    while True:
        frame = frames[counts[TOP]]
        if frame[STOP] == 0:
            if counts[POSITIONS] >= limit or counts[STORED] >= full:
                return PAUSED if counts[POSITIONS] >= limit else FULL
            why = add_children(expand, orient, images, table, counts, stack, row, one)
            if why != SOLVED:
                frame[STOP] = 0
                return why
        found, chosen, second = summed(numbers, frame[FIRST], frame[STOP])
        phi, delta = found >> BITS & MOST, found & MOST
        if MOST in (phi, delta) or phi >= frame[PHI] or delta >= frame[DELTA]:
            work = 0
            while counts[POSITIONS] - frame[BEGAN] + 1 >> work:
                work += 1
            work = max(work, look(table, frame[NODE]) >> WORK)
            store(table, counts, frame[NODE], found | work << WORK)
            if counts[TOP] == 0:
                counts[RESULT] = found
                return SOLVED
            counts[TOP] -= 1
            numbers[frames[counts[TOP], CHOSEN]] = found
            continue
        frame[CHOSEN], node = chosen, nodes[chosen]
        for i in range(counts[TOP]):
            if frames[i, NODE] == node:
                return REPEATED
        counts[TOP] += 1
        child = frames[counts[TOP]]
        child[NODE], child[FIRST], child[STOP] = node, frame[STOP], 0
        child[PHI] = min(MOST, frame[DELTA] - delta + (numbers[chosen] >> BITS & MOST))
        child[DELTA] = min(frame[PHI], second + 1 + (second >> 2))
