"""`perfect` never loses."""

from __future__ import annotations

import pytest

from solver import TableAgent
from tests.web.browser.visits import Visits, at, ending, play_games, winner

pytestmark = [pytest.mark.slow, pytest.mark.large]

SIDES = {"x": 0, "o": 1}


def players(human: str, other: str) -> dict[str, str]:
    return {side: "human" if side == human else other for side in SIDES}


@pytest.mark.parametrize("human", ["x", pytest.param("o", marks=pytest.mark.campaign)])
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
