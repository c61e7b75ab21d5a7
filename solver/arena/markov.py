"""Markov chains: how often each position of a game occurs when both players' moves are random.

Takes the transitions, for each state the probabilities of its successors; returns the expected
number of visits to each state. States can repeat, as positions of chess do. States that lead to
each other form a group; groups are solved one after another from the start. Source of the grouping:
Robert Tarjan, "Depth-first search and linear graph algorithms", SIAM Journal on Computing 1 (1972).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from solver.errors import MatchTooLargeError

Transitions = list[dict[int, float]]
"""For each state, the probabilities of its successors; empty where the game ends."""

REST = 1e-13  # share of all games that may remain unfinished
MOST_STEPS = 20_000_000  # transitions followed before giving up


class Visits(NamedTuple):
    """How games pass through the states on average."""

    times: list[float]
    """The expected visits to each state; 0 for states from which no game ends."""
    endless: float
    """The probability of reaching states from which no game ends."""
    repeats: bool
    """Whether a state can repeat."""


def visits(transitions: Transitions) -> Visits:
    """Return the expected visits to each state of games that start in state 0.

    The error is below 1e-12 where states do not repeat and where games end; it is about 1e-11 if
    reaching the ends takes thousands of rounds. Raises MatchTooLargeError if it would take too
    long.
    """
    times = [0.0] * len(transitions)
    times[0] = 1.0
    endless, steps, repeats = 0.0, 0, False
    components = groups(transitions)
    for group in reversed(components):
        if len(group) == 1 and group[0] not in transitions[group[0]]:
            share = times[group[0]]
            for after, probability in transitions[group[0]].items():
                times[after] += share * probability
            continue
        repeats = True
        waiting = {state: times[state] for state in group}
        for state in group:
            times[state] = 0.0
        left = sum(waiting.values())
        if all(transitions[state].keys() <= waiting.keys() for state in group):
            endless += left
            continue
        rest = REST / len(components)
        while left > rest:
            made = _flow(transitions, group, waiting, times)
            before, left, steps = left, sum(waiting.values()), steps + made
            remaining = _remaining_steps(made, before, left, rest)
            if steps > MOST_STEPS / 10 and steps + remaining > MOST_STEPS:
                raise MatchTooLargeError("its games cycle for too long")
    return Visits(times, endless, repeats)


def _remaining_steps(made: int, before: float, left: float, rest: float) -> float:
    """Return the steps still to make if every round leaves the same share as the last one."""
    if left <= rest:
        return 0
    return made * math.log(rest / left) / math.log(left / before) if left < before else math.inf


def _flow(
    transitions: Transitions, group: list[int], waiting: dict[int, float], times: list[float]
) -> int:
    """Move the shares waiting at a group's states on by one transition; return the steps made."""
    steps = 0
    for state in reversed(group):  # in order of discovery, so mostly along the moves
        share, waiting[state] = waiting[state], 0.0
        times[state] += share
        steps += len(transitions[state])
        for after, probability in transitions[state].items():
            if after in waiting:
                waiting[after] += share * probability
            else:
                times[after] += share * probability
    return steps


def groups(transitions: Transitions) -> list[list[int]]:
    """Return the groups of states that lead to each other, each after those that it leads to."""
    components: list[list[int]] = []
    number = [0] * len(transitions)  # order of discovery, from 1; 0 if not yet visited
    low = [0] * len(transitions)  # lowest number on the stack that it leads to; 0 if off the stack
    stack: list[int] = []
    path: list[tuple[int, Iterator[int]]] = []
    met, entered = 0, 0
    while True:
        if not number[entered]:
            met += 1
            number[entered] = low[entered] = met
            stack.append(entered)
            path.append((entered, iter(transitions[entered])))
        state, rest = path[-1]
        for after in rest:
            if not number[after]:
                entered = after
                break
            if low[after]:
                low[state] = min(low[state], number[after])
        else:
            path.pop()
            if low[state] == number[state]:
                group = [stack.pop()]
                while group[-1] != state:
                    group.append(stack.pop())
                components.append(group)
                for member in group:
                    low[member] = 0
            elif path:
                before = path[-1][0]
                low[before] = min(low[before], low[state])
            if not path:
                return components
