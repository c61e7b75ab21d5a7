"""`perfect` never loses, and neither do the best moves that the page shows."""

from __future__ import annotations

import re
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from solver import Outcome, TableAgent
from tests.web.browser.visits import (
    CHESS,
    CONNECT4,
    MORRIS,
    Visits,
    at,
    ending,
    play_games,
    status,
    winner,
)

pytestmark = pytest.mark.slow

REPEATED = "The position has come 3 times: a draw."
SIDES = {"x": 0, "o": 1}


def players(human: str, other: str) -> dict[str, str]:
    return {side: "human" if side == human else other for side in SIDES}


@pytest.mark.parametrize("human", ["x", pytest.param("o", marks=pytest.mark.large)])
def test_perfect_never_loses_tic_tac_toe(
    visit: Visits, agents: dict[str, TableAgent], human: str
) -> None:
    agent = agents["tictactoe"]
    page = visit(at("tictactoe", **players(human, "perfect")))
    played = play_games(page, 25, seed=SIDES[human] + 2)
    assert len({keys["moves"] for _, keys in played}) > 10
    for result, keys in played:
        assert result == ending(agent, keys["moves"], SIDES[human])
        assert winner(agent, keys["moves"]) != agent.game.seats[SIDES[human]]
    assert any(winner(agent, keys["moves"]) for _, keys in played), "a random human should lose"


@pytest.mark.large
@pytest.mark.parametrize("game", [CONNECT4, CHESS, MORRIS])
def test_perfect_loses_served_games_only_if_they_are_lost(
    visit: Visits, agents: dict[str, TableAgent], game: str
) -> None:
    """That is, only if the start is a win for the human."""
    agent = agents[game]
    page = visit(at(game))
    for human, number in SIDES.items():
        sit(page, game, players(human, "perfect"))
        for result, keys in play_games(page, 2, seed=number + 5):
            assert result == (ending(agent, keys["moves"], number) or REPEATED)
            if value_for(agent, human) is not Outcome.WIN:
                assert winner(agent, keys["moves"]) != agent.game.seats[number]


@pytest.mark.large
@pytest.mark.parametrize("human", SIDES)
def test_the_best_moves_shown_lose_to_no_player(
    visit: Visits, agents: dict[str, TableAgent], human: str
) -> None:
    agent = agents["tictactoe"]
    page = visit(at("tictactoe", values=1, **players(human, "random")))
    page.click("#more summary")
    seat = "#player-second" if human == "x" else "#player-first"
    names = page.locator(f"{seat} option").evaluate_all("(all) => all.map((one) => one.value)")
    names.remove("human")
    assert len(names) > 12
    won = 0
    for name in names:
        page.select_option(seat, name)
        for result, keys in play_games(page, 1, follow=True):
            assert result == ending(agent, keys["moves"], SIDES[human])
            assert winner(agent, keys["moves"]) in (None, agent.game.seats[SIDES[human]]), name
            won += winner(agent, keys["moves"]) is not None
    assert won, "weak players should lose"


@pytest.mark.large
@pytest.mark.parametrize("game", [CONNECT4, CHESS, MORRIS])
def test_the_best_moves_shown_reach_the_value_of_the_start(
    visit: Visits, agents: dict[str, TableAgent], game: str
) -> None:
    agent = agents[game]
    page = visit(at(game))
    for human, other in product(SIDES, ("perfect", "random")):
        sit(page, game, players(human, other))
        [(result, keys)] = play_games(page, 1, follow=True)
        assert result == (ending(agent, keys["moves"], SIDES[human]) or REPEATED)
        victor, seat = winner(agent, keys["moves"]), agent.game.seats[SIDES[human]]
        got = Outcome.DRAW if victor is None else Outcome.WIN if victor == seat else Outcome.LOSS
        assert got >= value_for(agent, human), keys


def sit(page: Page, game: str, seats: dict[str, str]) -> None:
    """Start a new game, with values shown."""
    page.goto(page.url.partition("#")[0] + at(game, values=1, **seats))
    expect(page.locator("#player-first")).to_have_value(seats["x"])
    expect(page.locator("#player-second")).to_have_value(seats["o"])
    expect(status(page)).not_to_have_class(re.compile("over"))


def value_for(agent: TableAgent, human: str) -> Outcome:
    """Return the outcome of a game's start for a side."""
    outcome = agent.outcome(agent.game.initial())
    return outcome if SIDES[human] == 0 else Outcome(-outcome)
