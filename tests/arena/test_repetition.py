"""Matches in games whose positions can repeat, by other rules and other arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from fractions import Fraction
from graphlib import CycleError, TopologicalSorter
from typing import Any

import pytest

from solver import (
    Game,
    Player,
    Result,
    TableAgent,
    load_player,
    play_exact,
    play_sampled,
    solve,
)
from solver.arena.match import first_against_second
from tests.support import graphs
from tests.support.chains import ends
from tests.support.cyclic_games import ORACLES, Position, read
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


def test_random_against_random_in_fractions() -> None:
    agent, start = solved_agent("ponghauki"), ORACLES["ponghauki"][1]
    exact = fractions(one_perfect(agent, "nobody"), start, "X")
    assert list(exact_match("random", "random", "ponghauki").a_first) == pytest.approx(
        [float(share) for share in exact], abs=1e-12
    )


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
