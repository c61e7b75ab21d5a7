"""A game that is answered by search: its board is shown at once, and values as they are found."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, Route, expect

from solver import TableAgent
from tests.web.browser.visits import CONNECT4, Visits, at, badges, cell, mark, record, status

pytestmark = [pytest.mark.slow, pytest.mark.large]

SERVER = "searching"
HELD = re.compile(r"/(explain|outcomes|player)\?")


def hold_values(page: Page, known: dict[str, str], what: re.Pattern[str] = HELD) -> list[Route]:
    """Answer each request for values that the search goes on; return those requests."""
    held: list[Route] = []

    def refuse(route: Route) -> None:
        held.append(route)
        body = json.dumps({"error": "ask again", "known": known})
        headers = {"retry-after": "0.01", "content-type": "application/json"}
        route.fulfill(status=503, headers=headers, body=body)

    page.route(what, refuse)
    return held


def test_moves_are_played_before_their_values_are_known(
    visit: Visits, agents: dict[str, TableAgent]
) -> None:
    visit.allow("status of 503")
    page = visit("#view=games")
    held = hold_values(page, {"1": "loss"})
    page.goto(visit.site + at(CONNECT4, o="human", values=1))
    expect(status(page)).to_have_text("Red to move. The computer is working it out …")
    expect(page.locator("#moves li").first).to_contain_text("Loses")
    assert badges(page) == [(0, "L")]
    cell(page, 1).click()
    expect(cell(page, 1)).to_have_attribute("aria-label", re.compile("from the bottom Red"))
    expect(status(page)).to_have_text("Yellow to move. The computer is working it out …")
    expect(page.locator("#chart .unknown")).to_have_count(2)
    assert record(page) == "1"
    assert held
    page.unroute(HELD)
    scores = agents[CONNECT4].scores("2")
    expect(page.locator("#board .badge")).to_have_count(len(scores))
    expect(page.locator("#board .badge").filter(has_text=re.compile(r"^[WL]$"))).to_have_count(0)
    assert badges(page) == sorted((s.move, mark(s.outcome, s.distance)) for s in scores)
    expect(page.locator("#line button").first).to_be_visible()
    expect(page.locator("#chart .unknown")).to_have_count(0)


def test_outcomes_are_shown_before_values(visit: Visits, agents: dict[str, TableAgent]) -> None:
    visit.allow("status of 503")
    page = visit("#view=games")
    hold_values(page, {}, re.compile(r"/explain\?"))
    with page.expect_console_message(lambda message: "status of 503" in message.text):
        page.goto(visit.site + at(CONNECT4, o="human", values=1))
    right = [(s.move, s.outcome.name[0]) for s in agents[CONNECT4].scores("")]
    expect(page.locator("#board .badge")).to_have_count(len(right))
    assert badges(page) == sorted(right)


def test_an_opponent_that_needs_values_waits_for_them(visit: Visits) -> None:
    visit.allow("status of 503")
    page = visit("#view=games")
    hold_values(page, {})
    page.goto(visit.site + at(CONNECT4, o="perfect"))
    with page.expect_response(HELD):
        cell(page, 3).click()
    expect(status(page)).to_have_text("Yellow to move: Perfect is thinking.")
    expect(status(page)).to_have_attribute("data-wait", re.compile(r"^\d+ s$"))
    assert record(page) == ""
    page.click("#bar")
    page.click("#bar")
    expect(page.locator("#bar-note")).to_have_text("It is not worked out yet.")
    page.unroute(HELD)
    expect(status(page)).to_have_text("Your turn: Red to move.")
    assert record(page).startswith("3,")
    assert "wait" not in page.locator("#status").evaluate("(e) => ({...e.dataset})")


def test_the_value_beside_the_board_comes_before_the_reply(visit: Visits) -> None:
    page = visit(at(CONNECT4, o="perfect"))
    held: list[Route] = []
    page.route(re.compile(r"/player\?"), lambda route: held.append(route))  # noqa: PLW0108
    cell(page, 3).click()
    expect(page.locator("#board .value")).to_have_text("=A draw with best play.")
    held[0].continue_()
    expect(status(page)).to_have_text("Your turn: Red to move.")
    expect(page.locator("#board .value")).to_have_text("")


def test_puzzles_of_a_searched_game_can_be_solved(visit: Visits) -> None:
    page = visit(at(CONNECT4, view="puzzles"))
    expect(page.locator("#task")).to_have_text(re.compile("find the win|hold the draw"))
    page.click("#solution")
    expect(page.locator("#verdict")).to_have_text(re.compile(r"^The move is \d"))
