"""A small strategy among candidates, by local search counted in steps.

Takes the graph; returns the place of the chosen child at each node of the claimant. The search
starts from the moves with the smallest trees, changes one choice at a time, and keeps a change that
makes the strategy lighter, or heavier with a probability that falls to nothing. All numbers are
whole, so every machine finds the same strategy, compiled or not.
"""

from __future__ import annotations

from typing import Any

from solver.strategy.candidates import Candidates

try:
    from numba import njit
except ImportError:

    def njit(**_: Any) -> Any:
        """Leave a function as it is, without numba."""
        return lambda function: function


RUNS, STEPS = 4, 1_000_000
COLDEST = 14  # at the end, a change that makes the strategy heavier by 1 is kept once in 2**14
LARGEST = 1 << 60  # trees are counted up to this
ACYCLIC, MUST_END, MAY_REPEAT = range(3)
"""What a graph has: no cycles; cycles, but a strategy must have none; cycles that it may have."""


def find_smallest(found: Candidates) -> tuple[int, list[int]]:
    """Return the weight of the lightest strategy found, and its choices."""
    nodes = len(found.places)
    order = children_first(found.children)
    kind = ACYCLIC if order else MUST_END if found.aim == "wins" else MAY_REPEAT
    first, flat = [0], list[int]()
    for children in found.children:
        flat += children
        first.append(len(flat))
    choice, trees = [0] * nodes, [0] * nodes
    own = [int(is_own and len(c) > 0) for (_, is_own), c in zip(found.places, found.children)]
    for n in order:
        sizes = [trees[k] for k in found.children[n]]
        if own[n]:
            choice[n] = sizes.index(min(sizes))
            sizes = [min(sizes)]
        trees[n] = min(LARGEST, 1 + sum(sizes))
    graph: list[Any] = [first, flat, own, [*map(int, found.weights)]]
    state: list[Any] = [choice, [*choice], *([0] * size for size in (nodes, nodes, nodes + 1))]
    state += [[0] * (len(flat) + 1), [0] * nodes]
    if hasattr(search, "py_func"):
        import numpy as np

        graph, state = ([np.array(some, np.int64) for some in all_] for all_ in (graph, state))
    weight = search(*graph, *state, kind, RUNS, STEPS)
    return int(weight), [int(c) for c in state[1]]


def children_first(children: list[list[int]]) -> list[int]:
    """Return the nodes of a graph, each after its children; nothing if there is a cycle."""
    order, seen, path = list[int](), bytearray(len(children)), [(0, iter(children[0]))]
    seen[0] = 1
    while path:
        n, rest = path[-1]
        k = next(rest, None)
        if k is None:
            seen[n] = 2
            order.append(n)
            path.pop()
        elif seen[k] == 1:
            return []
        elif not seen[k]:
            seen[k] = 1
            path.append((k, iter(children[k])))
    return order


@njit(cache=True)
def search(first, flat, own, weights, choice, best, count, place, many, stack, left, kind, runs, steps):  # type: ignore[no-untyped-def]
    """Set `best` to the best choices found, from `choice`, and return their weight.

    The children of node n are in `flat`, from first[n] up to first[n + 1]. The other arrays are
    room to work in: how many nodes of the strategy lead to a node, where a node is among the many
    that have several choices, these with their number at the end, and two for walks.
    """
    lightest, x = -1, 1
    for run in range(runs):
        if run:
            for n in range(len(own)):
                choice[n] = best[n]
        weight = recount(first, flat, own, weights, choice, count, place, many, stack)
        if lightest < 0:
            lightest = weight
        for step in range(steps):
            if not many[-1]:
                return lightest
            x = x * 48271 % 2147483647  # Park and Miller's generator
            n = many[x % many[-1]]
            old = choice[n]
            x = x * 48271 % 2147483647
            new = x % (first[n + 1] - first[n] - 1)
            new += new >= old
            choice[n] = new
            if kind == 0:
                after = weight + count_in(
                    first, flat, own, weights, choice, count, place, many, stack, flat[first[n] + new], 1
                )
                after += count_in(
                    first, flat, own, weights, choice, count, place, many, stack, flat[first[n] + old], -1
                )
            else:
                after = recount(first, flat, own, weights, choice, count, place, many, stack)
            shift = (after - weight) * (1 + step * 14 // steps)
            x = x * 48271 % 2147483647
            keeps = shift <= 0 or (shift < 31 and x % (1 << shift) == 0)
            if keeps and kind == 1:
                keeps = ends(first, flat, own, choice, count, stack, left)
            if keeps:
                weight = after
                if weight < lightest:
                    lightest = weight
                    for k in range(len(own)):
                        best[k] = choice[k]
                continue
            choice[n] = old
            if kind == 0:
                count_in(first, flat, own, weights, choice, count, place, many, stack, flat[first[n] + old], 1)
                count_in(first, flat, own, weights, choice, count, place, many, stack, flat[first[n] + new], -1)
            else:
                recount(first, flat, own, weights, choice, count, place, many, stack)
    return lightest


@njit(cache=True)
def count_in(first, flat, own, weights, choice, count, place, many, stack, n, by):  # type: ignore[no-untyped-def]
    """Count one more way to a node, or with -1 one less; return by how much the weight changes."""
    change, top = 0, 1
    stack[0] = n
    while top:
        top -= 1
        n = stack[top]
        count[n] += by
        if count[n] != (by + 1) // 2:  # it was in the strategy before, or still is
            continue
        change += by * weights[n]
        start, stop = first[n], first[n + 1]
        if own[n]:
            if stop - start > 1 and by > 0:
                place[n] = many[-1]
                many[many[-1]] = n
                many[-1] += 1
            elif stop - start > 1:
                many[-1] -= 1
                last = many[many[-1]]
                many[place[n]] = last
                place[last] = place[n]
            start += choice[n]
            stop = start + 1
        for k in range(start, stop):
            stack[top] = flat[k]
            top += 1
    return change


@njit(cache=True)
def recount(first, flat, own, weights, choice, count, place, many, stack):  # type: ignore[no-untyped-def]
    """Count the ways to each node anew, from the start; return the weight."""
    for n in range(len(own)):
        count[n] = 0
    many[-1] = 0
    return count_in(first, flat, own, weights, choice, count, place, many, stack, 0, 1)


@njit(cache=True)
def ends(first, flat, own, choice, count, stack, left):  # type: ignore[no-untyped-def]
    """Return whether the strategy has no cycle: each node comes after all that lead to it."""
    waiting = 0
    for n in range(len(own)):
        left[n] = count[n]
        waiting += count[n] > 0
    left[0] -= 1
    stack[0] = 0
    top = 1
    if left[0]:
        return False
    while top:
        top -= 1
        n = stack[top]
        waiting -= 1
        start, stop = first[n], first[n + 1]
        if own[n]:
            start += choice[n]
            stop = start + 1
        for k in range(start, stop):
            left[flat[k]] -= 1
            if not left[flat[k]]:
                stack[top] = flat[k]
                top += 1
    return waiting == 0
