"""Matches in games whose positions can repeat, and Markov chains, in fractions by other rules."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import (
    Game,
    MatchTooLargeError,
    Player,
    Result,
    TableAgent,
    load_player,
    play_exact,
    play_sampled,
    solve,
)
from solver.arena import markov
from solver.arena.markov import Transitions, groups, visits
from solver.arena.match import first_against_second
from tests.support import chains, graphs
from tests.support.chains import ends
from tests.support.cyclic_games import ORACLES, Position, read
from tests.support.properties import examples
from tests.support.solved import PAWNS, exact_match, player, solved_agent

Odds = dict[Hashable, Fraction]  # the probabilities of the positions that follow
Play = Callable[[Any], int | Odds]


def even(after: list[Hashable]) -> Odds:
    return {q: Fraction(after.count(q), len(after)) for q in after}


def one_perfect(agent: TableAgent, seat: str) -> Play:
    """Return the table's choice for one seat and random play for the other, by an oracle."""
    game, rules = agent.game, ORACLES[agent.game.spec][0]

    def play(position: Position) -> int | Odds:
        found = rules(position)
        if isinstance(found, int) or position[2] != seat:
            return found if isinstance(found, int) else even([*found])
        p = read(game, position)
        after = game.play(p, agent.best_move(p))
        return {next(q for q in found if read(game, q) == after): Fraction(1)}

    return play


def chain(play: Play, start: Any) -> tuple[list[Any], list[int | Odds]]:
    """Return all positions that games pass through, and what follows each."""
    met = {start: None}
    queue = [start]
    following = []
    for position in queue:
        following.append(play(position))
        found = following[-1]
        for q in found if isinstance(found, dict) else ():
            if q not in met:
                met[q] = None
                queue.append(q)
    return queue, following


def fractions(play: Play, start: Hashable, first: Any) -> list[Fraction]:
    """Return win, draw and loss of the side that moves first, without rounding."""
    met, following = chain(play, start)
    number = {position: i for i, position in enumerate(met)}
    rows = [{number[q]: c for q, c in x.items()} if isinstance(x, dict) else {} for x in following]
    total = dict.fromkeys((1, 0, -1), Fraction(0))
    for end, chance in ends(rows).items():
        over = 0 if end is None else following[end]
        assert isinstance(over, int)
        total[over if end is None or met[end][-1] == first else -over] += chance
    return [*total.values()]


@pytest.mark.parametrize("spec", ["achi", "morris", "morris:any", "ponghauki"])
@pytest.mark.thinned(3)
@pytest.mark.no_cover
def test_perfect_against_random_in_fractions(spec: str) -> None:
    agent, start = solved_agent(spec), ORACLES[spec][1]
    played = exact_match("perfect", "random", spec)
    first = fractions(one_perfect(agent, "X"), start, "X")
    second = fractions(one_perfect(agent, "O"), start, "X")[::-1]
    for result, exact in ((played.a_first, first), (played.a_second, second)):
        assert sum(exact) == 1
        assert all(abs(x - y) < 1e-12 for x, y in zip(result, exact, strict=True))


@pytest.mark.slow
def test_games_that_never_end_are_draws() -> None:
    for spec in ("ponghauki", PAWNS):
        played = exact_match("perfect", "perfect", spec)
        assert (played.a_first, played.a_second, played.both) == (Result(0, 1, 0),) * 3
        assert (played.repeats, played.faults) == (True, [])
    for game, values in (graphs.SELF_LOOP, graphs.DRAW_BY_CYCLE):
        assert values["a"] == (0, None)
        one = load_player("perfect", TableAgent(solve(game)))
        assert play_exact(game, one, one).both == Result(0, 1, 0)


@pytest.mark.no_cover
def test_a_game_of_which_a_part_never_ends() -> None:
    """Nobody wins with kings alone, so what is neither won nor lost before is drawn."""
    played = exact_match("perfect", "random", PAWNS)
    assert played.a_first.loss == played.a_second.loss == 0
    assert 0.1 < played.both.draw < 0.5
    assert sum(played.both) == pytest.approx(1, abs=1e-12)


def has_cycle(game: Game[Any, Any], first: Player, second: Player) -> bool:
    """Return whether a position can repeat: positions and those after them have no order."""
    seats = dict(zip(game.seats, (first, second), strict=True))
    queue = [(game.initial(), game.seats[0])]
    after: dict[Any, set[Any]] = {}
    for state in queue:
        if state not in after:
            p, seat = state
            moves = [] if game.primitive(p) is not None else seats[seat].distribution(game, p, seat)
            after[state] = {(game.play(p, m), game.other(seat)) for m in moves}
            queue += after[state]
    try:
        TopologicalSorter(after).prepare()
    except CycleError:
        return True
    return False


@pytest.mark.parametrize("spec", ["tictactoe", "morris", "achi", "ponghauki", PAWNS])
@pytest.mark.parametrize(("a", "b"), [("random", "perfect"), ("minimax", "nstep:2")])
@pytest.mark.thinned(6, 3)
def test_repeats_is_whether_a_position_can_repeat(spec: str, a: str, b: str) -> None:
    """In the games of these two players, not in all games."""
    game, one, two = solved_agent(spec).game, player(a, spec), player(b, spec)
    forth, back = has_cycle(game, one, two), has_cycle(game, two, one)
    assert first_against_second(game, one, two, {})[1] == forth
    assert first_against_second(game, two, one, {})[1] == back
    assert exact_match(a, b, spec).repeats == (forth or back)
    assert exact_match(a, a, spec).repeats == has_cycle(game, one, one)


def test_a_sampled_game_is_drawn_when_a_position_occurs_for_the_third_time() -> None:
    game, perfect = solved_agent("ponghauki").game, player("perfect", "ponghauki")
    played = play_sampled(game, perfect, perfect, 10, 0)
    assert (played.method, played.both, played.repeats) == ("sampled", Result(0, 1, 0), True)
    sampled = play_sampled(game, perfect, player("random", "ponghauki"), 2000, 0)
    assert sampled.both.loss == 0
    assert sampled.both.draw > 0.1  # games that would be won if they went on
    assert exact_match("perfect", "random", "ponghauki").both.win == pytest.approx(1)


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
