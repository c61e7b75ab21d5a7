"""The lightest strategy with its bound: local search, then integer programming by HiGHS.

Takes the graph of candidates; returns choices, their weight, and how light a strategy can be.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.errors import needs_extra
from solver.strategy.candidates import Candidates
from solver.strategy.smallest import children_first, find_smallest

MOST_NODES = 20_000  # beyond that, even the first bound takes minutes
PATIENCE = 60.0  # seconds
NEARLY = 1e-6  # what HiGHS allows a whole number to be off


class Fewest(NamedTuple):
    """What has been found among candidates."""

    choice: list[int]
    """The place of the chosen child among the children of each node."""
    weight: int
    """How many nodes count in the strategy that makes these choices."""
    bound: int
    """How many count in every strategy, at least; 0 if that is unknown."""


def find_fewest(found: Candidates) -> Fewest:
    """Return the lightest strategy known, with a bound if scipy is installed.

    The result is the same on every machine, unless HiGHS improves the search and just meets its
    limit of time. If the claimant wins but could repeat positions, the bound ignores that.
    """
    choice = find_smallest(found)
    weight = found.weigh(choice)
    try:
        exact, bound = _solve(found)
    except ImportError:
        return Fewest(choice, weight, 0)
    if exact and found.weigh(exact) < weight:
        choice, weight = exact, found.weigh(exact)
    return Fewest(choice, weight, bound)


def _solve(found: Candidates) -> tuple[list[int], int]:
    """Return choices that are proved the lightest, else none, and the bound; 0 without one.

    A variable of 0 or 1 for each node says whether the strategy has it: the start is in it, with
    a node of the claimant some child is, and with one of the other side all children are.
    """
    with needs_extra("the fewest possible", "exact"):
        import numpy as np
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import coo_matrix
    if len(found.places) > MOST_NODES:
        return [], 0
    rows, columns, values, row = list[int](), list[int](), list[int](), 0
    for n, children in enumerate(found.children):
        for group in [children] * bool(children) if found.is_own(n) else [[k] for k in children]:
            rows += [row] * (len(group) + 1)
            columns += [n, *group]
            values += [-1, *(1 for _ in group)]
            row += 1
    nodes = len(found.places)
    lowest = np.zeros(nodes)
    lowest[0] = 1
    solved = milp(
        np.array(found.weights, float),
        constraints=LinearConstraint(coo_matrix((values, (rows, columns)), (row, nodes)), 0),
        bounds=Bounds(lowest, 1),
        integrality=np.ones(nodes),
        options={"time_limit": PATIENCE, "mip_rel_gap": 0},
    )
    known = solved.mip_dual_bound
    bound = max(0, math.ceil(known - NEARLY)) if known is not None and known > 0 else 0
    if solved.status != 0:
        return [], bound
    has = [x > 1 / 2 for x in solved.x]
    choice = [
        next((i for i, k in enumerate(c) if has[k]), 0) if found.is_own(n) else 0
        for n, c in enumerate(found.children)
    ]
    chosen = [found.after(n, choice) for n in range(nodes)]
    is_valid = found.aim == "holds" or children_first(chosen)
    return choice if is_valid else [], bound
