"""Chains with cycles, against reachability and linear algebra in fractions."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import MatchTooLargeError
from solver.arena.markov import Next, groups, visits
from tests.support.properties import examples

QUICK = examples(200)
Exact = Sequence[dict[int, Fraction]]
WHOLE = 4  # probabilities in so many parts are the same as floats and as fractions


# the same without rounding, by other means


def reached(following: Next, start: int) -> set[int]:
    """Return all that one or more moves lead to."""
    found: set[int] = set()
    waiting = [*following[start]]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found.add(state)
            waiting += following[state]
    return found


def ends(following: Exact, start: int = 0) -> dict[int | None, Fraction]:
    """Return where a game ends with what probability; None is that it never does.

    It takes one state after another out, and leads what comes to it on to where it goes from there.
    """
    after: list[dict[int | None, Fraction]] = [dict(chances.items()) for chances in following]
    before: list[set[int]] = [set() for _ in after]
    for state, chances in enumerate(after):
        for other in chances:
            assert other is not None
            before[other].add(state)
    left = {state for state, chances in enumerate(after) if chances}
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


def times(following: Exact, state: int) -> Fraction | None:
    """Return how often a state is visited on average, None if it may be visited for ever."""
    stopped = [{} if s == state else chances for s, chances in enumerate(following)]
    comes = ends(stopped).get(state, Fraction(0))
    back = sum(
        chance * ends(stopped, after).get(state, Fraction(0))
        for after, chance in following[state].items()
    )
    if not comes:
        return Fraction(0)
    return None if back == 1 else comes / (1 - back)


def exact(following: Next) -> list[dict[int, Fraction]]:
    return [{state: Fraction(c) for state, c in chances.items()} for chances in following]


def assert_exact(following: Next) -> None:
    """What `visits` finds is what linear algebra finds; where a game ends, to 1e-12."""
    found = visits(following)
    parts = exact(following)
    assert abs(found.endless - ends(parts).get(None, 0)) < 1e-12
    for state, often in enumerate(found.times):
        true = times(parts, state)
        if following[state]:
            assert often == pytest.approx(float(true or 0), rel=1e-10, abs=1e-12)
        else:
            assert abs(often - (true or 0)) < 1e-12
    here = {0} | reached(following, 0)
    assert found.repeats == any(state in reached(following, state) for state in here)


@st.composite
def chains(draw: st.DrawFn, most: int = 5) -> Next:
    """Chains of a few states, whatever leads wherever; some states end the game."""
    size = draw(st.integers(1, most))
    following: Next = []
    for _ in range(size):
        after = draw(st.lists(st.integers(0, size - 1), max_size=3, unique=True))
        cuts = draw(
            st.lists(
                st.integers(1, WHOLE - 1),
                min_size=max(0, len(after) - 1),
                max_size=max(0, len(after) - 1),
                unique=True,
            )
        )
        bounds = [0, *sorted(cuts), WHOLE]
        shares = [(b - a) / WHOLE for a, b in pairwise(bounds)]
        following.append(dict(zip(after, shares, strict=bool(after))))
    return following


# groups


@QUICK
@given(st.integers(1, 12).flatmap(lambda n: st.lists(st.sets(st.integers(0, n - 1)), min_size=n)))
def test_groups_are_those_that_lead_to_each_other(edges: list[set[int]]) -> None:
    size = len(edges)
    following: Next = [dict.fromkeys(sorted(after), 1.0) for after in edges]
    leads = [reached(following, state) | {state} for state in range(size)]
    found = groups(following)
    assert sorted(state for group in found for state in group) == sorted(leads[0])
    for group in found:
        for state in group:
            assert {other for other in leads[state] if state in leads[other]} == set(group)
    done: set[int] = set()
    for group in found:
        done |= set(group)
        assert all(following[state].keys() <= done for state in group)


@pytest.mark.parametrize("back", [False, True], ids=["a row", "a ring"])
def test_a_hundred_thousand_states_in_a_row(back: bool) -> None:
    size = 100_000
    following: Next = [{state + 1: 1.0} for state in range(size - 1)]
    found = groups([*following, {0: 1.0} if back else {}])
    assert len(found) == (1 if back else size)
    assert sum(map(len, found)) == size
    if not back:
        often = visits([*following, {}])
        assert often.times == [1.0] * size
        assert (often.endless, often.repeats) == (0.0, False)


# visits


@QUICK
@given(chains())
def test_visits_of_any_chain(following: Next) -> None:
    assert_exact(following)


def test_a_game_that_is_over_at_once() -> None:
    assert visits([{}]) == ([1.0], 0.0, False)


def test_states_without_a_way_out_go_on_for_ever() -> None:
    assert visits([{0: 1.0}]) == ([0.0], 1.0, True)
    following: Next = [{1: 0.25, 3: 0.75}, {2: 1.0}, {1: 1.0}, {}]
    assert visits(following) == ([1.0, 0.0, 0.0, 0.75], 0.25, True)


def test_only_what_the_start_leads_to_counts() -> None:
    assert visits([{2: 1.0}, {1: 1.0}, {}]) == ([1.0, 0.0, 1.0], 0.0, False)


@pytest.mark.parametrize("chance", [2**-4, 2**-7, 2**-10, 2**-13])
def test_nearly_closed_groups(chance: float) -> None:
    """Two states, round and round, each with its own way out: the ends are exact to 1e-12."""
    stay = 1 - chance
    following: Next = [{1: stay, 2: chance}, {0: stay, 3: chance}, {}, {}]
    found, true = visits(following), ends(exact(following))
    assert (found.endless, found.repeats) == (0.0, True)
    assert all(abs(found.times[end] - true[end]) < 1e-12 for end in (2, 3))
    first = times(exact(following), 0)
    assert first is not None
    assert found.times[0] == pytest.approx(float(first), rel=1e-11)


def ruin(fortune: int, goal: int, chance: float) -> Next:
    """A gambler wins or loses 1 until it has nothing or the goal, which is the last state."""
    order = [fortune, *(money for money in range(goal + 1) if money != fortune)]
    number = {money: state for state, money in enumerate(order)}  # its fortune is state 0
    return [
        {number[money - 1]: 1 - chance, number[money + 1]: chance} if 0 < money < goal else {}
        for money in order
    ]


@pytest.mark.parametrize(("fortune", "goal"), [(1, 2), (3, 10), (7, 20), (19, 20)])
@pytest.mark.parametrize("chance", [0.5, 0.25, 0.625])
def test_the_gamblers_ruin(fortune: int, goal: int, chance: float) -> None:
    """The well-known chances, and the length of a fair game: what it has times what it lacks."""
    found = visits(ruin(fortune, goal, chance))
    odds = Fraction(1 - chance) / Fraction(chance)
    if odds == 1:
        wins = Fraction(fortune, goal)
        assert sum(found.times) == pytest.approx(fortune * (goal - fortune) + 1, abs=1e-10)
    else:
        wins = (1 - odds**fortune) / (1 - odds**goal)
    assert abs(found.times[-1] - wins) < 1e-12
    assert found.endless == 0


def test_a_way_out_that_is_hardly_ever_taken_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("solver.arena.markov.MOST_STEPS", 10_000)
    with pytest.raises(MatchTooLargeError, match="go round for too long"):
        visits([{1: 1.0}, {0: 1 - 1e-9, 2: 1e-9}, {}])
    assert visits([{1: 1.0}, {0: 0.5, 2: 0.5}, {}]).times == pytest.approx([2, 2, 1])


def test_what_is_left_of_many_groups_adds_up_to_nothing() -> None:
    """Each of 300 pairs is left in the end, and all that entered comes out."""
    pairs = range(0, 600, 2)
    rows = [row for s in pairs for row in ({s + 1: 1.0}, {s: 0.5, s + 2: 0.5})]
    assert visits([*rows, {}]).times[-1] == pytest.approx(1, abs=1e-12)
