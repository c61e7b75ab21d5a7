"""Chains: what becomes of a game in which each position has probabilities for what comes next.

Takes for each state the probabilities of the states that follow; returns how often each is visited
on average. States can come again and again, as in chess. States that lead to each other are taken
together, the others one after another from the start: after Robert Tarjan, "Depth-first search and
linear graph algorithms", SIAM Journal on Computing 1 (1972).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from solver.errors import MatchTooLargeError

if TYPE_CHECKING:
    from collections.abc import Iterator

Next = list[dict[int, float]]
"""For each state those that may follow, with their probabilities; none where it ends."""

REST = 1e-13  # of all games, which may be left over
MOST_STEPS = 20_000_000  # moves that are followed before it is given up


class Visits(NamedTuple):
    """What becomes of a game on average."""

    times: list[float]
    """How often each state is visited; those without a way out do not count."""
    endless: float
    """The probability to come to states without a way out, where the game never ends."""
    repeats: bool
    """Whether a state can come again."""


def visits(following: Next) -> Visits:
    """Return how often each state is visited, from state 0.

    Where states do not come again the error is below 1e-12. At the ends it is so, too, unless it
    takes thousands of rounds to come to them; then rounding makes it some 1e-11. Raises
    MatchTooLargeError where that would take too long.
    """
    times = [0.0] * len(following)
    times[0] = 1.0
    endless, steps, repeats = 0.0, 0, False
    found = groups(following)
    for group in reversed(found):
        if len(group) == 1 and group[0] not in following[group[0]]:
            share = times[group[0]]
            for after, chance in following[group[0]].items():
                times[after] += share * chance
            continue
        repeats = True
        waiting = {state: times[state] for state in group}
        for state in group:
            times[state] = 0.0
        left = sum(waiting.values())
        if all(following[state].keys() <= waiting.keys() for state in group):
            endless += left
            continue
        rest = REST / len(found)
        while left > rest:
            made = _pass_on(following, group, waiting, times)
            before, left, steps = left, sum(waiting.values()), steps + made
            if steps > MOST_STEPS / 10 and steps + _to_come(made, before, left, rest) > MOST_STEPS:
                raise MatchTooLargeError("its games go round for too long")
    return Visits(times, endless, repeats)


def _to_come(made: int, before: float, left: float, rest: float) -> float:
    """Return how many steps are to come at least, if each round leaves as much as the last one."""
    if left <= rest:
        return 0
    return made * math.log(rest / left) / math.log(left / before) if left < before else math.inf


def _pass_on(
    following: Next, group: list[int], waiting: dict[int, float], times: list[float]
) -> int:
    """Pass what waits at each state of a group on to those that follow; return how many moves."""
    steps = 0
    for state in reversed(group):  # in the order in which they were met, so mostly along the moves
        share, waiting[state] = waiting[state], 0.0
        times[state] += share
        steps += len(following[state])
        for after, chance in following[state].items():
            if after in waiting:
                waiting[after] += share * chance
            else:
                times[after] += share * chance
    return steps


def groups(following: Next) -> list[list[int]]:
    """Return the states that lead to each other together, a group after all that it leads to."""
    found: list[list[int]] = []
    number = [0] * len(following)  # from 1, in the order in which they are met; 0 is not yet met
    low = [0] * len(following)  # the least number on the stack that it leads to; 0 is off the stack
    stack: list[int] = []
    path: list[tuple[int, Iterator[int]]] = []
    met, entered = 0, 0
    while True:
        if not number[entered]:
            met += 1
            number[entered] = low[entered] = met
            stack.append(entered)
            path.append((entered, iter(following[entered])))
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
                found.append(group)
                for member in group:
                    low[member] = 0
            elif path:
                before = path[-1][0]
                low[before] = min(low[before], low[state])
            if not path:
                return found
