"""Depth-first proof-number search over compiled rules: can one side, the attacker, force a win?

The algorithm is df-pn: A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications",
doctoral thesis, University of Tokyo, 2002. A node is a canonical key, doubled, plus 1 if the
attacker is to move. The attacker wants a win, and the defender anything else. The numbers of a node
say about how many more positions must be solved to show that the side to move gets what it wants
(phi), and that it does not (delta):

    phi(n) = min of delta(c), delta(n) = sum of phi(c), over the children c of n

Where that is known, one of them is 0; then MOST stands for the other one, and the size of the proof
for the 0. Before its moves are searched a node has phi 1, and its number of moves as delta. The
search goes on with the child of the least delta until another is clearly better, by a quarter: J.
Pawlewicz and L. Lew, "Improving Depth-First PN-Search: 1+epsilon Trick", 2006.

The numbers of nodes are in buckets of a table; in a full one, new numbers replace those that took
the least work. Where positions repeat, what a node is worth may depend on the way to it: A.
Kishimoto and M. Mueller, "A General Solution to the Graph History Interaction Problem", 2004. Here
a proof follows from ends alone: where a position repeats on the way from the start, the search ends
without a result.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from solver.loops import compiled, inner
from solver.value import OPEN

WAYS = 4  # entries of a bucket, each a node plus 1, or 0, and its numbers
BITS = 28  # of each of two numbers, phi above delta; above both is the logarithm of their work
MOST = (1 << BITS) - 1
NODE, PHI, DELTA, FIRST, STOP, CHOSEN, BEGAN = range(7)  # of a frame; limits of its numbers
TOP, POSITIONS, STORED, LATEST, RESULT = range(5)  # of the counts
SOLVED, PAUSED, FULL, WIDE, DEEP, BROKEN, REPEATED = range(7)  # why a search returns


@inner
def _pack(phi, delta):  # type: ignore[no-untyped-def]
    """Return two numbers of a node as one, without the work."""
    return phi << BITS | delta


def phi_of(numbers: Any) -> Any:
    """Return phi, or the size of the proof where delta is MOST."""
    return numbers >> BITS & MOST


def delta_of(numbers: Any) -> Any:
    """Return delta, or the size of the proof where phi is MOST."""
    return numbers & MOST


@inner
def _work(numbers):  # type: ignore[no-untyped-def]
    """Return the logarithm of the work that numbers took."""
    return numbers >> 2 * BITS


def is_won(numbers: Any) -> Any:
    """Return whether the side to move gets what it wants."""
    return numbers & MOST == MOST


def is_lost(numbers: Any) -> Any:
    """Return whether the side to move does not get what it wants."""
    return numbers >> BITS & MOST == MOST


# the same for loops: calling compiled code from Python would load what numba compiles with
_phi, _delta, _is_won, _is_lost = map(inner, (phi_of, delta_of, is_won, is_lost))


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
        if table[i + 1] < table[least + 1]:  # which took less work
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
    """Fill in the sizes of the proofs that nodes are lost for the sides to move there; else 0."""
    for i in range(len(nodes)):
        numbers = look(table, nodes[i])
        sizes[i] = 0
        if numbers >= 0 and _is_lost(numbers):
            sizes[i] = _delta(numbers)


@compiled
def summed(numbers, first, stop):  # type: ignore[no-untyped-def]
    """Return the numbers of a node, the best child, and the second least delta.

    They follow from the `numbers` of the children, from `first` to below `stop`.
    """
    phi = second = least = MOST
    total, chosen = 0, first
    for i in range(first, stop):
        child_phi, child_delta = _phi(numbers[i]), _delta(numbers[i])
        if _is_won(numbers[i]):  # what is beside MOST is the size of a proof
            child_phi = 0
        elif _is_lost(numbers[i]):
            child_delta = 0
        total += child_phi
        if child_delta < phi or (child_delta == phi and child_phi < least):
            second, phi, least, chosen = phi, child_delta, child_phi, i
        elif child_delta < second:
            second = child_delta
    if phi == 0:
        return _pack(_smallest_proof(numbers, first, stop), MOST), chosen, second
    if total == 0:
        return _pack(MOST, _proof_of_all(numbers, first, stop)), chosen, second
    return _pack(phi, min(total, MOST - 1)), chosen, second


@inner
def _smallest_proof(numbers, first, stop):  # type: ignore[no-untyped-def]
    """Return the size of the proof of a node that is won, by a child that is lost."""
    size = MOST
    for i in range(first, stop):
        if _is_lost(numbers[i]):
            size = min(size, _delta(numbers[i]))
    return min(size + 1, MOST - 1)


@inner
def _proof_of_all(numbers, first, stop):  # type: ignore[no-untyped-def]
    """Return the size of the proof of a node that is lost, since all of its children are won."""
    size = 1
    for i in range(first, stop):
        size += _phi(numbers[i])
    return min(size, MOST - 1)


@inner
def first_numbers(expand, node, one):  # type: ignore[no-untyped-def]
    """Return the numbers of a node before it is searched, from its moves; -1 if that fails."""
    key, outcome, at, none = one
    key[0] = node >> 1
    mobility = expand(key, outcome, none, at)
    if mobility < 0:
        return np.int64(-1)
    if outcome[0] == OPEN:
        return np.int64(_pack(1, min(mobility, MOST - 1)))
    if outcome[0] >= node & 1:  # a draw is enough for the defender
        return np.int64(_pack(1, MOST))
    return np.int64(_pack(MOST, 1))


@inner
def _has(nodes, wanted):  # type: ignore[no-untyped-def]
    """Return whether a node is among some nodes; `in` would load more of numba."""
    for node in nodes:  # noqa: SIM110
        if node == wanted:
            return True
    return False


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
    each = np.empty(images[1].shape[2], np.int64)
    sums = images[0], images[1]
    if len(each) > 1 and orient(own.copy(), *sums, each, own, ways) >= 0:
        return BROKEN
    counts[POSITIONS] += 1
    frame[BEGAN], frame[STOP] = counts[POSITIONS], first
    for i in range(count):
        node = own[i] * 2 + 1 - turn
        if _has(nodes[first : frame[STOP]], node):
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


@inner
def _log(work):  # type: ignore[no-untyped-def]
    """Return the number of binary digits of a number."""
    digits = 0
    while work >> digits:
        digits += 1
    return digits


@cache
def search_loop() -> Any:
    """Return `_search`, compiled once for all rules.

    It gets `expand` and `orient` as pointers, since numba keeps its code until this file changes.
    """
    expand = "FunctionType(int64(int64[::1], int8[::1], int64[:, ::1], int64[::1]))"
    sums = "uint64[::1], int64[:, :, ::1]"
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
        is_solved = _is_won(found) or _is_lost(found)
        if is_solved or _phi(found) >= frame[PHI] or _delta(found) >= frame[DELTA]:
            work = max(_log(counts[POSITIONS] - frame[BEGAN] + 1), _work(look(table, frame[NODE])))
            store(table, counts, frame[NODE], found | work << 2 * BITS)
            if counts[TOP] == 0:
                counts[RESULT] = found
                return SOLVED
            counts[TOP] -= 1
            numbers[frames[counts[TOP], CHOSEN]] = found
            continue
        frame[CHOSEN], node = chosen, nodes[chosen]
        if _has(frames[: counts[TOP], NODE], node):
            return REPEATED
        counts[TOP] += 1
        child = frames[counts[TOP]]
        child[NODE], child[FIRST], child[STOP] = node, frame[STOP], 0
        child[PHI] = min(MOST, frame[DELTA] - _delta(found) + _phi(numbers[chosen]))
        child[DELTA] = min(frame[PHI], second + 1 + (second >> 2))
