"""The entrance: a card for each game that is served."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from solver import TableAgent, load_game
from solver.rules.descriptions import title_of
from solver.solving.solve import SolveOptions, solve_file
from solver.value import outcome
from tests.support import user_games
from tests.support.live import serving
from tests.web.browser.visits import CONNECT4, MORRIS, Visits, address, cell, record, status

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


def test_marks_without_a_picture_are_shown_as_text(visits: Visits, tmp_path: Path) -> None:
    """The signs in the page are letters and what the first position has, so no digits."""
    spec = f"{user_games.__file__}:Digits"
    table = str(tmp_path / "digits.json")
    solve_file(load_game(spec), table, SolveOptions())
    with serving(tmp_path, "--game", spec, "--table", table) as running:
        visits.site = f"http://127.0.0.1:{running.port}/"
        page = visits("#game=user_games:Digits&o=human&x=human")
        cell(page, 1).click()
        expect(page.locator("#board [data-piece='1']")).to_have_text("3")
        cell(page, 0).click()
        expect(page.locator("#board [data-piece='0']")).to_have_text("2")


def test_forced_waits_play_themselves(visits: Visits, tmp_path: Path) -> None:
    """Of seven, X takes two, and O can only wait: it is X's turn again, also after an undo."""
    spec, table = f"{user_games.__file__}:Again", str(tmp_path / "again.json")
    solve_file(load_game(spec), table, SolveOptions())
    with serving(tmp_path, "--game", spec, "--table", table) as running:
        visits.site = f"http://127.0.0.1:{running.port}/"
        page = visits("#game=user_games:Again&o=human&x=human&values=1")
        page.locator("#board button[data-move='2']").click()
        expect(status(page)).to_have_text("X to move: X loses in 3 moves with best play.")
        assert record(page) == "2,'wait'"
        page.click("#undo")
        expect(status(page)).to_have_text("X to move: X loses in 4 moves with best play.")
        assert "asks the server" not in page.locator("#facts").inner_text()
