"""The entrance: a card for each game that is served."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from solver import TableAgent, load_game
from solver.rules.descriptions import title_of
from solver.value import outcome
from tests.web.browser.visits import CONNECT4, MORRIS, Visits, address, cell, status

pytestmark = [pytest.mark.slow, pytest.mark.large]

VALUES = {"draw": "A draw", "win": "The first player can", "loss": "The second player can"}


def test_each_game_has_a_card_with_a_picture_and_its_value(
    visit: Visits, agents: dict[str, TableAgent]
) -> None:
    """Tic-tac-toe comes first, the others in the order of the server."""
    page = visit("#view=games")
    cards = page.locator("#cards li")
    expect(page.locator("#panel-play")).to_be_hidden()
    expect(cards.locator("strong")).to_have_text([title_of(load_game(name)) for name in agents])
    expect(cards.locator("svg")).to_have_count(len(agents))
    for card, agent in zip(cards.all(), agents.values(), strict=True):
        value = str(outcome(agent.table.probe(agent.game.initial())))
        expect(card).to_contain_text(VALUES[value])
        expect(card).to_contain_text(f"{agent.table.counts['positions']:,} positions")
    assert cards.first.locator("svg g").count() == 4  # marks


def test_a_card_opens_its_game_and_back_returns(visit: Visits) -> None:
    page = visit("#game=tictactoe&o=human")
    cell(page, 4).click()
    page.click("#tab-games")
    assert address(page) == {"view": "games"}
    page.get_by_role("link", name=re.compile("morris")).click()
    expect(page.locator("#game")).to_have_value(MORRIS)
    expect(status(page)).to_have_text("Your turn: X to move.")
    page.go_back()
    expect(page.locator("#panel-games")).to_be_visible()
    page.go_back()
    expect(cell(page, 4)).to_have_attribute("aria-label", "cell 5, X")
    page.reload()
    page.click("#tab-games")
    page.locator("#cards a").nth(1).press("Enter")
    expect(page.locator("#game")).to_have_value(CONNECT4)
