"""Markov chains in fractions, without rounding."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Chain = Sequence[dict[int, Fraction]]
"""For each state, the probabilities of its successors; empty where the game ends."""


def ends(chain: Chain, start: int = 0) -> dict[int | None, Fraction]:
    """Return the probability of each end; None stands for a game that never ends.

    It removes one state after another, and leads its predecessors on to its successors.
    """
    after: list[dict[int | None, Fraction]] = [dict(successors.items()) for successors in chain]
    before: list[set[int]] = [set() for _ in after]
    for state, successors in enumerate(after):
        for other in successors:
            assert other is not None
            before[other].add(state)
    left = {state for state, successors in enumerate(after) if successors}
    while left:
        others = left - {start} or left
        state = min(others, key=lambda s: (len(before[s]) * len(after[s]), s))
        left.remove(state)
        out = after[state]
        again = out.pop(state, Fraction(0))
        before[state].discard(state)
        after[state] = out = {b: c / (1 - again) for b, c in out.items()} or {None: Fraction(1)}
        if state == start:
            break
        for b in out:
            if b is not None:
                before[b].discard(state)
                before[b] |= before[state]
        for a in before[state]:
            share = after[a].pop(state)
            for b, chance in out.items():
                after[a][b] = after[a].get(b, Fraction(0)) + share * chance
    return after[start] if after[start] else {start: Fraction(1)}


def visits(chain: Chain, state: int) -> Fraction | None:
    """Return the expected visits to a state; None if there may be no end to them."""
    stopped = [{} if s == state else successors for s, successors in enumerate(chain)]
    comes = ends(stopped).get(state, Fraction(0))
    back = sum(
        chance * ends(stopped, after).get(state, Fraction(0))
        for after, chance in chain[state].items()
    )
    if not comes:
        return Fraction(0)
    return None if back == 1 else comes / (1 - back)
