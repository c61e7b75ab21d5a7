"""A small strategy among candidates: local search, then integer programming for a bound.

The search starts from the moves with the smallest trees, changes one choice at a time, and keeps a
change that makes the strategy lighter, or heavier with a probability that falls to nothing. It
counts steps, and all its numbers are whole, so every machine finds the same strategy, with numba in
a fraction of the time. HiGHS then proves how light a strategy can be.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from solver.errors import needs_extra
from solver.strategy.candidates import Candidates

try:
    from solver.loops import compiled
except ImportError:

    def compiled(function: Any) -> Any:  # type: ignore[no-redef,unused-ignore]
        """Leave a function as it is."""
        return function


RUNS, STEPS, MOST_STEPS = 4, 100, 1_000_000  # steps are those of a run, for each node, and at most
MOST_VISITS = 1_000_000_000  # of children in a run, if each step visits all: minutes
MOST_PROVED = 20_000  # nodes; beyond that, even the first bound takes minutes
LARGEST = 1 << 60  # trees are counted up to this
ACYCLIC, MUST_END, MAY_REPEAT = range(3)  # no cycles; cycles that a strategy must not, or may have
PATIENCE = 60.0  # seconds
NEARLY = 1e-6  # what HiGHS allows a whole number to be off


def find_smallest(found: Candidates) -> tuple[list[int], int, int | None]:
    """Return the choices and the weight of the lightest strategy known, and a bound of the weight.

    A choice is an index among the children of a node. Without scipy there is no bound. The
    strategy is the same on every machine, unless HiGHS improves on the search and just meets its
    limit of time. If the claimant wins but could repeat positions, the moves with the shortest wins
    start the search, no strategy with a cycle is kept, and the bound ignores that.
    """
    graph, state = _arrays(found, [0] * len(found.weights))
    kind, nodes = MUST_END if found.aim == "wins" else MAY_REPEAT, len(found.weights)
    steps = min(MOST_STEPS, STEPS * nodes)
    if choose_trees(graph, state):
        kind = ACYCLIC
    else:
        steps = min(steps, MOST_VISITS // len(found.children))
    weight = int(search(graph, state, kind, RUNS, steps))
    choice = [int(index) for index in state[1]]
    try:
        exact, bound = _solve(found)
    except ImportError:
        return choice, weight, None
    if exact:
        graph, state = _arrays(found, exact)
        lighter = int(recount(graph, state))
        if lighter < weight and (kind != MUST_END or ends(graph, state)):
            choice, weight = exact, lighter
    return choice, weight, bound


def _arrays(found: Candidates, choice: list[int]) -> tuple[Any, Any]:
    """Return the graph and the state of a search: lists, or arrays if the search is compiled.

    A graph is the index of each node's first child, all children, which nodes are the claimant's,
    and weights. A state is the choices tried and the best ones; how many nodes of the strategy lead
    to each node; where each node is among those with several choices; these, their number last; and
    two arrays for walks.
    """
    graph, nodes = (found.first, found.children, found.turns, found.weights), len(choice)
    sizes = nodes, nodes, nodes, nodes + 1, nodes, len(found.children) + 1
    state = choice, *([0] * size for size in sizes)
    if not hasattr(search, "py_func"):
        return tuple([*map(int, some)] for some in graph), state
    import numpy as np

    convert = partial(np.asarray, dtype=np.int64)
    return tuple(map(convert, graph)), tuple(map(convert, state))


@compiled
def choose_trees(graph, state):  # type: ignore[no-untyped-def]
    """Choose the children with the smallest trees; return False, with none chosen, for a cycle."""
    first, flat, own = graph[:3]
    choice, trees, left, order = state[0], state[1], state[5], state[6]
    for n in flat:
        left[n] += 1
    size = int(left[0] == 0)
    for i in range(len(left)):  # parents before children
        if i == size:
            return False
        n = order[i]
        for k in flat[first[n] : first[n + 1]]:
            left[k] -= 1
            if not left[k]:
                order[size] = k
                size += 1
    for n in order[:size][::-1]:
        start, stop = first[n], first[n + 1]
        if own[n]:
            for k in range(start, stop):
                if trees[flat[k]] < trees[flat[start + choice[n]]]:
                    choice[n] = k - start
            start += choice[n]
            stop = min(stop, start + 1)
        trees[n] = 1
        for k in range(start, stop):
            trees[n] = min(LARGEST, trees[n] + trees[flat[k]])
    return True


@compiled
def search(graph, state, kind, runs, steps):  # type: ignore[no-untyped-def]
    """Improve the best choices of a state, and return their weight; see `_arrays`."""
    first, choice, best, many = graph[0], state[0], state[1], state[4]
    x = 1
    best[:] = choice
    lightest = weight = recount(graph, state)
    for run in range(runs):
        if run:
            choice[:] = best
            weight = recount(graph, state)
        for step in range(steps):
            if not many[-1]:
                return lightest
            x = x * 48271 % 2147483647  # Park and Miller's generator
            n = many[x % many[-1]]
            old = choice[n]
            x = x * 48271 % 2147483647
            new = x % (first[n + 1] - first[n] - 1)
            new += new >= old
            change = switch(graph, state, kind, weight, n, new)
            shift = change * (1 + step * 28 // steps) // 2
            x = x * 48271 % 2147483647
            if (shift <= 0 or (shift < 31 and x % (1 << shift) == 0)) and (
                kind != MUST_END or ends(graph, state)
            ):
                weight += change
                if weight < lightest:
                    lightest = weight
                    best[:] = choice
            else:
                switch(graph, state, kind, weight + change, n, old)
    return lightest


@compiled
def switch(graph, state, kind, weight, n, new):  # type: ignore[no-untyped-def]
    """Choose another child; return by how much that changes the weight of the strategy."""
    first, flat = graph[:2]
    choice = state[0]
    old = choice[n]
    choice[n] = new
    if kind != ACYCLIC:  # a part that nothing leads to could hold itself in a cycle
        return recount(graph, state) - weight
    change = count_in(graph, state, flat[first[n] + new], 1)
    return change + count_in(graph, state, flat[first[n] + old], -1)


@compiled
def count_in(graph, state, n, by):  # type: ignore[no-untyped-def]
    """Count one more way to a node, or with -1 one less; return by how much the weight changes."""
    first, flat, own, weights = graph
    choice, _, count, slot, many, _, stack = state
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
                slot[n] = many[-1]
                many[many[-1]] = n
                many[-1] += 1
            elif stop - start > 1:
                many[-1] -= 1
                last = many[many[-1]]
                many[slot[n]] = last
                slot[last] = slot[n]
            start += choice[n]
            stop = min(stop, start + 1)
        for k in range(start, stop):
            stack[top] = flat[k]
            top += 1
    return change


@compiled
def recount(graph, state):  # type: ignore[no-untyped-def]
    """Count the ways to each node anew, from the start; return the weight."""
    count, many = state[2], state[4]
    for n in range(len(count)):
        count[n] = 0
    many[-1] = 0
    return count_in(graph, state, 0, 1)


@compiled
def ends(graph, state):  # type: ignore[no-untyped-def]
    """Return whether the strategy has no cycle."""
    first, flat, own = graph[:3]
    choice, count, left, stack = state[0], state[2], state[5], state[6]
    waiting = 0
    for n in range(len(count)):
        left[n] = count[n]
        waiting += count[n] > 0
    left[0] -= 1
    stack[0] = 0
    top = int(left[0] == 0)
    while top:
        top -= 1
        n = stack[top]
        waiting -= 1
        start, stop = first[n], first[n + 1]
        if own[n]:
            start += choice[n]
            stop = min(stop, start + 1)
        for k in range(start, stop):
            left[flat[k]] -= 1
            if not left[flat[k]]:
                stack[top] = flat[k]
                top += 1
    return waiting == 0


def _solve(found: Candidates) -> tuple[list[int], int]:
    """Return choices that are proved the lightest, else none, and the bound; 0 without one.

    A variable of 0 or 1 for each node says whether the strategy has it: the start is in it, with
    a node of the claimant some child is, and with one of the other side all children are.
    """
    with needs_extra("the fewest possible", "exact"):
        import numpy as np
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import coo_matrix
    nodes = len(found.weights)
    if nodes > MOST_PROVED:
        return [], 0
    rows, columns, values, row = list[int](), list[int](), list[int](), 0
    for n in range(nodes):
        children = found.after(n)
        for group in [children] * bool(children) if found.turns[n] else [[k] for k in children]:
            rows += [row] * (len(group) + 1)
            columns += [n, *group]
            values += [-1, *(1 for _ in group)]
            row += 1
    lowest: Any = np.zeros(nodes)
    lowest[0] = 1
    solved = milp(
        np.array(found.weights, float),
        constraints=LinearConstraint(coo_matrix((values, (rows, columns)), (row, nodes)), 0),
        bounds=Bounds(lowest, np.ones(nodes)),  # pyright: ignore[reportArgumentType]
        integrality=np.ones(nodes),
        options={"time_limit": PATIENCE, "mip_rel_gap": 0},
    )
    bound = max(0, math.ceil((solved.mip_dual_bound or 0) - NEARLY))
    if solved.status != 0:
        return [], bound
    has = [x > 1 / 2 for x in solved.x]
    kept = ((i for i, k in enumerate(found.after(n)) if has[k]) for n in range(nodes))
    return [next(indices, 0) for indices in kept], bound
