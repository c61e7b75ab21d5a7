"""Loading players by name; listed players against their sources, on every position.

To test a new one, write it a second time in `tests/support/heuristics.py`.
"""

from __future__ import annotations

import math
from inspect import isfunction

import pytest

from solver import TableAgent, UnknownPlayerError, load_player, solve
from solver.games.mnk import Mnk
from solver.players import PLAYERS, derived_seed, heuristics
from solver.players.heuristics import NStep
from tests.conftest import BOTS
from tests.support import oracle
from tests.support.heuristics import EXPECTED


def test_level_sets_the_share_of_best_moves(agent: TableAgent) -> None:
    game = agent.game
    for skill in (0.0, 0.25, 1.0):
        shares = load_player(f"level:{skill}", agent).distribution(game, game.initial(), "X")
        assert math.isclose(shares[0], skill + (1 - skill) / 9)
        assert all(math.isclose(shares.get(cell, 0), (1 - skill) / 9) for cell in range(1, 9))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nobody", "no player 'nobody'; the players are: human, random, win"),
        ("mine:move", "no player 'mine:move'; write python:mine:move for a function of a module"),
        ("random:3", "takes nothing after a colon"),
        ("nstep", "give the number of plies to look ahead, from 1 to 1000, as in nstep:3"),
        ("nstep:1001", "give the number of plies"),
        ("nstep:²", "give the number of plies"),
        ("level:2", "a number from 0 to 1"),
        ("level:nan", "a number from 0 to 1"),
        ("lookahead1:new", "lookahead1 and lookahead1:printed are"),
    ],
)
def test_unknown_players_are_refused(agent: TableAgent, name: str, message: str) -> None:
    with pytest.raises(UnknownPlayerError, match=message):
        load_player(name, agent)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("none.py:move", "^there is no file none.py$"),
        ("python:json:nothing", "cannot be loaded: AttributeError"),
        (f"{BOTS}:Trained", "bots.py:Trained is a class: name a function, or create an instance"),
        ("tests/bots/functions.py", "move, minimax, .*functions.py has none; .* a method of"),
        (f"{BOTS}:sees_cells", r"is called with \(rows, side\), which it does not take"),
        ("command:", "names no program"),
        ("command:'", "No closing quotation"),
        ("command:no-such-program x", "there is no program 'no-such-program' that may be"),
    ],
)
def test_players_that_cannot_be_loaded(agent: TableAgent, name: str, error: str) -> None:
    with pytest.raises(UnknownPlayerError, match=error):
        load_player(name, agent)


def test_players_are_refused_for_games_they_do_not_fit() -> None:
    agent = TableAgent(solve(Mnk(2, 3, 2)))
    assert load_player("winblock", agent)
    for name in ("lookahead1", "center-first", f"{BOTS}:first_free"):
        convention = "numpad" if ":" in name else "rows"
        with pytest.raises(UnknownPlayerError, match="mnk:2,3,2"):
            load_player(name, agent, convention)


def test_places_get_different_seeds() -> None:
    assert len({derived_seed(seed, place) for seed in range(3) for place in (0, 1, "X")}) == 9
    assert derived_seed(5, "X") == derived_seed(5, "X")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.large] * (n == "nstep:9")) for n in EXPECTED]
)
def test_a_player_moves_as_its_source_says(agent: TableAgent, name: str) -> None:
    """On every position, with the same probabilities."""
    player = load_player(name, agent)
    for board in oracle.unfinished():
        p = agent.game.parse(board)
        shares = player.distribution(agent.game, p, oracle.turn(board))
        expected = EXPECTED[name](board)
        assert shares.keys() == expected.keys(), board
        assert all(math.isclose(shares[cell], expected[cell]) for cell in shares)


def test_every_rule_of_thumb_is_listed_and_names_its_source() -> None:
    functions = {thing for name, thing in vars(heuristics).items() if isfunction(thing)}
    written = {f for f in functions if f.__module__ == heuristics.__name__ and f.__name__[0] != "_"}
    assert written <= {listed.about for listed in heuristics.HEURISTICS}
    without = {p.name for p in PLAYERS if "Source: " not in (p.about.__doc__ or "")}
    assert without <= {"level:P"}


def stones(x: list[int], o: list[int]) -> int:
    """A position with X to move, cells from 1; the sources print some that no game reaches."""
    return sum(1 << cell - 1 for cell in x) << 9 | sum(1 << cell - 1 for cell in o)


@pytest.mark.parametrize(
    ("x", "o", "depth", "printed"),
    [
        ([1, 2], [5], 2, {3: 100, 4: 0, 6: 0, 7: 0, 8: 0, 9: 0}),
        ([2, 8], [1, 5], 4, {3: -100, 4: -100, 6: -100, 7: -100, 9: -100}),
        ([4, 7, 8], [1, 2, 5], 3, {3: -100, 6: -100, 9: 100}),
    ],
)
def test_the_scores_that_wesley_beckner_prints(
    x: list[int], o: list[int], depth: int, printed: dict[int, int]
) -> None:
    scores = NStep(Mnk(3, 3, 3), depth).scores(stones(x, o))
    assert {cell + 1: score for cell, score in scores.items()} == printed


def test_a_full_board_scores_zero() -> None:
    game = Mnk(3, 3, 3)
    assert NStep(game, 3).scores(game.parse("XOXXOOO.X")) == {7: 0}
