"""Loading players by name, and the players that read the table."""

from __future__ import annotations

import math

import pytest

from solver import TableAgent, UnknownPlayerError, load_player, solve
from solver.games.mnk import Mnk
from solver.players import derived_seed
from tests.conftest import BOTS


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
        ("none.py:move", "cannot be loaded: FileNotFoundError"),
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
    for name in ("lookahead1", "center-first", f"{BOTS}:sees_numpad"):
        convention = "numpad" if ":" in name else "rows"
        with pytest.raises(UnknownPlayerError, match="mnk:2,3,2"):
            load_player(name, agent, convention)


def test_places_get_different_seeds() -> None:
    assert len({derived_seed(seed, place) for seed in range(3) for place in (0, 1, "X")}) == 9
    assert derived_seed(5, "X") == derived_seed(5, "X")
