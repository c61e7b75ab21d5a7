"""Markov chains with cycles, against reachability and linear algebra in fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import MatchTooLargeError
from solver.arena import markov
from solver.arena.markov import Transitions, groups, visits
from tests.support import chains
from tests.support.chains import ends
from tests.support.properties import examples

PARTS = 4  # probabilities in quarters are the same as floats and as fractions


def reached(transitions: Transitions, start: int) -> set[int]:
    """Return all states that one or more steps lead to."""
    found: set[int] = set()
    waiting = [*transitions[start]]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found.add(state)
            waiting += transitions[state]
    return found


def exact(transitions: Transitions) -> list[dict[int, Fraction]]:
    return [{state: Fraction(c) for state, c in after.items()} for after in transitions]


def assert_exact(transitions: Transitions) -> None:
    """Compare `visits` with linear algebra; where a game ends, to 1e-12."""
    found = visits(transitions)
    parts = exact(transitions)
    assert abs(found.endless - ends(parts).get(None, 0)) < 1e-12
    for state, often in enumerate(found.times):
        true = chains.visits(parts, state)
        if transitions[state]:
            assert often == pytest.approx(float(true or 0), rel=1e-10, abs=1e-12)
        else:
            assert abs(often - (true or 0)) < 1e-12
    here = {0} | reached(transitions, 0)
    assert found.repeats == any(state in reached(transitions, state) for state in here)


@st.composite
def any_chain(draw: st.DrawFn, most: int = 7) -> Transitions:
    """Draw a chain of a few states with any transitions; some states end the game."""
    size = draw(st.integers(1, most))
    transitions: Transitions = []
    for _ in range(size):
        after = draw(st.lists(st.integers(0, size - 1), max_size=4, unique=True))
        inner = draw(st.permutations(range(1, PARTS)))
        bounds = [0, *sorted(inner[: max(0, len(after) - 1)]), PARTS]
        shares = [(b - a) / PARTS for a, b in pairwise(bounds)]
        transitions.append(dict(zip(after, shares, strict=bool(after))))
    return transitions


@pytest.mark.slow
@pytest.mark.parametrize("back", [False, True], ids=["row", "ring"])
def test_tens_of_thousands_of_states_in_a_row(back: bool) -> None:
    size = 30_000
    transitions: Transitions = [{state + 1: 1.0} for state in range(size - 1)]
    found = groups([*transitions, {0: 1.0} if back else {}])
    assert len(found) == (1 if back else size)
    assert sum(map(len, found)) == size
    if not back:
        often = visits([*transitions, {}])
        assert often.times == [1.0] * size
        assert (often.endless, often.repeats) == (0.0, False)


@examples(100)
@given(any_chain())
def test_visits_of_any_chain(transitions: Transitions) -> None:
    assert_exact(transitions)


def test_states_from_which_no_game_ends() -> None:
    assert visits([{}]) == ([1.0], 0.0, False)
    assert visits([{0: 1.0}]) == ([0.0], 1.0, True)
    transitions: Transitions = [{1: 0.25, 3: 0.75}, {2: 1.0}, {1: 1.0}, {}]
    assert visits(transitions) == ([1.0, 0.0, 0.0, 0.75], 0.25, True)


@pytest.mark.parametrize("chance", [2**-4, 2**-13])
def test_nearly_closed_groups(chance: float) -> None:
    """Two states that lead to each other, each with a way out: the ends are exact to 1e-12."""
    stay = 1 - chance
    assert_exact([{1: stay, 2: chance}, {0: stay, 3: chance}, {}, {}])


def pair(chance: float) -> Transitions:
    """Two states that lead to each other, with a way out; a round makes three steps."""
    return [{1: 1.0}, {0: 1 - chance, 2: chance}, {}]


def test_a_hopeless_chain_is_refused_and_a_long_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """The long one takes more than half of the steps that are allowed."""
    monkeypatch.setattr(markov, "MOST_STEPS", 10_000)
    with pytest.raises(MatchTooLargeError, match="cycle for too long"):
        visits(pair(1e-9))
    assert visits(pair(0.01)).times == pytest.approx([100, 100, 1])


def test_the_rests_of_many_groups_add_up_to_nothing() -> None:
    """Every game passes through 300 pairs and leaves each of them."""
    pairs = range(0, 600, 2)
    rows = [row for s in pairs for row in ({s + 1: 1.0}, {s: 0.5, s + 2: 0.5})]
    assert visits([*rows, {}]).times[-1] == pytest.approx(1, abs=1e-12)
