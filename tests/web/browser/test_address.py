"""The address stores and shares games; errors are reported in words."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from solver import TableAgent
from tests.support.live import serving
from tests.web.browser.visits import (
    CHESS,
    CONNECT4,
    NIM,
    Visits,
    address,
    at,
    beat,
    board_of,
    cell,
    choose,
    labels,
    opponent,
    record,
    status,
)

pytestmark = [pytest.mark.slow, pytest.mark.large]

SHOWN = """() => ["#board svg", "#chart", "#status", "#facts", "#moves", "#line"].map((name) =>
  document.querySelector(name).innerHTML.replace(/ class="(settle|drop)"/g, ""))"""


def shown(page: Page) -> list[str]:
    """Return what the page shows of a game: board, players, history and values."""
    texts: list[str] = page.evaluate(SHOWN)
    checked = str(page.locator("#values").is_checked())
    return [*texts, *labels(page), opponent(page), checked, page.title()]


@pytest.mark.parametrize(
    "state",
    [
        "#x=human&o=level:easy&moves=4,0,8,2&values=1",
        at(CONNECT4, x="human", o="perfect", moves="1,1,2,2", values=1),
        at(CHESS, x="human", o="human", moves="c2b3,c3b2"),
    ],
)
@pytest.mark.thinned(3)
def test_a_copied_link_opens_the_same_game(visit: Visits, state: str) -> None:
    """Board, players, history and values; undo works as before."""
    page = visit(state)
    count = len(record(page).split(","))
    expect(page.locator("#chart li")).to_have_count(count + 1)
    if "values=1" in state:
        expect(page.locator("#line button").first).to_be_visible()
    other = visit(page.url.removeprefix(visit.site))
    expect(other.locator("#chart li")).to_have_count(count + 1)
    if "values=1" in state:
        expect(other.locator("#line button").first).to_be_visible()
    assert shown(other) == shown(page)
    for each in (page, other):
        each.click("#undo")
        expect(each).to_have_url(re.compile("ply="))
    assert labels(other) == labels(page)
    assert address(other) == address(page)


@pytest.mark.large
def test_without_clipboard_permission_the_link_is_shown(visit: Visits) -> None:
    page = visit("#moves=0,1,4,2,8&o=human", permissions=[])
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    page.click("#share")
    expect(page.locator("#notice")).to_contain_text(page.url.replace("#", "?"))


BROKEN = {
    "#moves=0,0": "Move 2 of the link is not possible: this is the game up to there.",
    "#moves=0,3,1,4,2,5": "Move 6 of the link is not possible: this is the game up to there.",
    "#moves=x": "Move 1 of the link is not possible: this is the start.",
    "#moves=%zz": "A part of the address cannot be read, “moves=%zz”: it is left out.",
    "#hello=1": "The address has a part without a meaning, “hello=1”: it is left out.",
    "#o=random": "There is no opponent “random”: Medium plays instead.",
    "#x=perfect&o=perfect": "One side has to be yours: you play X.",
    "#moves=0,1&ply=zz": "The game has no move zz: this is its end.",
    "#game=chess960": "There is no game “chess960” here: this is Connect 4 on 4x4.",
    "#view=shop": "The page has no part “shop”: this is the board.",
}


@pytest.mark.parametrize(
    "hashes", [["#moves=0,0"], pytest.param([*BROKEN], marks=pytest.mark.large)]
)
def test_errors_in_links_are_reported(visit: Visits, hashes: list[str]) -> None:
    """In the first address, and in those that follow it; the page can be played."""
    page = visit(hashes[0])
    for hash_ in hashes:
        page.goto(visit.site + hash_)
        notice = page.locator("#notice")
        expect(notice.locator("p")).to_have_text(BROKEN[hash_])
        expect(status(page)).to_have_text(re.compile("to move|has won"))
        page.click("#dismiss")
        expect(notice).to_be_hidden()
        page.click("#new")
        expect(page.locator("#chart li")).to_have_count(1)


def test_a_lost_server_is_reported_and_asked_again(visits: Visits, tables: dict[str, Path]) -> None:
    """One that hangs, too; the failed move is played when the server is back."""
    visits.allow("ERR_CONNECTION_REFUSED")
    visits.allow("failed: http")
    visits.allow("app.js|was preloaded")
    folder, named = tables[CONNECT4].parent, ("--table", str(tables[CONNECT4]))
    with serving(folder, *named) as first:
        port = first.port
        visits.site = f"http://127.0.0.1:{port}/"
        page = visits(at(CONNECT4, o="human"))
        notice = page.locator("#notice")
        page.route(re.compile("explain|healthz"), lambda route: None)  # nobody answers
        cell(page, 1).click()
        expect(notice).to_contain_text("This site does not answer at the moment.")
        page.unroute_all()
        expect(page.locator("#chart li")).to_have_count(2)  # without a click
        expect(notice).to_be_hidden()
        page.click("#set-up")
        assert first.stop() == (0, "")
    page.fill("#pasted", "2 3")
    expect(page.locator("#found")).to_contain_text("This site does not answer at the moment.")
    page.click("#found button")
    page.click("#setup-close")
    cell(page, 2).click()
    expect(notice).to_contain_text("This site does not answer at the moment. Try again a little")
    assert record(page) == "1"
    other = page.context.new_page()
    with serving(folder, *named, "--port", str(port)) as second:
        expect(page.locator("#chart li")).to_have_count(3)
        expect(notice).to_be_hidden()
        expect(page.locator("#found")).to_have_text("A game of 2 moves. Red to move.")
        assert record(page) == "1,2"
        other.route("**/app.js", lambda route: route.abort())
        other.goto(visits.site)
        expect(other.locator("#notice")).to_contain_text("This site does not answer at the moment.")
        other.unroute_all()
        expect(other.locator("#board .cell").first).to_be_visible()
        assert second.stop() == (0, "")


def test_back_and_forward_step_through_the_game(visit: Visits) -> None:
    page = visit("#game=tictactoe&x=human&o=human")
    for number in (0, 3, 1):
        cell(page, number).click()
        expect(cell(page, number)).to_have_attribute("aria-label", re.compile("[XO]$"))
    page.go_back()
    expect(cell(page, 1)).to_have_attribute("aria-label", "cell 2, empty")
    page.go_back()
    expect(cell(page, 3)).to_have_attribute("aria-label", "cell 4, empty")
    page.go_forward()
    page.go_forward()
    expect(cell(page, 1)).to_have_attribute("aria-label", "cell 2, X")
    page.click("#tab-map")
    page.go_back()
    expect(page.locator("#panel-play")).to_be_visible()
    assert record(page) == "0,3,1"


def test_arrow_keys_home_and_end_step_through_the_game(visit: Visits) -> None:
    page = visit("#moves=0,3,1&x=human&o=human")
    steps = {"Home": "0", "ArrowRight": "1", "End": None, "ArrowLeft": "2"}
    page.locator("#new").focus()
    for key, ply in steps.items():
        page.keyboard.press(key)
        assert address(page).get("ply") == ply


def test_todays_puzzle_is_played_out_and_stays_solved(
    visit: Visits, agents: dict[str, TableAgent]
) -> None:
    """It comes first, has a number, and is answered by the best defence."""
    page = visit("#view=puzzles", permissions=["clipboard-read", "clipboard-write"])
    verdict, solved = page.locator("#verdict"), page.locator("#today [aria-pressed=true]")
    expect(page.locator("#number")).to_have_text(re.compile(r"^Today’s puzzle, no\. \d+$"))
    assert solved.inner_text() == "Tic-tac-toe"
    assert page.locator("#today button").count() == 3
    best, *others = agents["tictactoe"].scores(board_of(page))
    page.locator("#puzzle-board .cell").nth(others[0].move).click()
    expect(verdict).to_contain_text("there. Try again.")
    page.locator("#puzzle-board .cell").nth(others[0].move).click()
    expect(page.locator("#squares .wrong")).to_have_count(1)
    page.locator("#puzzle-board .cell").nth(best.move).click()
    expect(verdict).to_contain_text("find the next move")
    while "No other move" not in verdict.inner_text():
        best = agents["tictactoe"].scores(board_of(page))[0]
        page.locator("#puzzle-board .cell").nth(best.move).click()
        expect(verdict).to_have_text(re.compile("No other move|find the next move"))
    expect(solved).to_have_text("✓ Tic-tac-toe")
    page.click("#share-puzzle")
    expect(page.locator("#live")).to_have_text("The text and its link are copied.")
    result, _, link = page.evaluate("navigator.clipboard.readText()").partition("\n")
    assert re.fullmatch("Tic-tac-toe no\\. \\d+ 🟧🟦{2,3}", result)
    assert link == f"{visit.site}p/{address(page)['puzzle']}"
    assert address(page)["puzzle"] == result.split()[2]
    page.evaluate("""localStorage["perfectplay.streak"] = JSON.stringify(
      {...JSON.parse(localStorage["perfectplay.streak"]), days: 4})""")
    page.reload()
    expect(verdict).to_contain_text("You have solved no.")
    expect(page.locator("#task")).to_have_text("Solved.")
    expect(page.locator("#squares i")).to_have_count(len(result.split()[-1]))
    assert page.locator("#puzzle-board [aria-disabled=false]").count() == 0
    expect(page.locator("#number")).to_contain_text(" · 4 days in a row")
    page.locator("#today button").nth(1).click()
    expect(page.locator("#game")).to_have_value(CONNECT4)
    expect(page.locator("#today [aria-pressed=true]")).to_contain_text("Connect")
    expect(page.locator("#task")).to_contain_text(" to move: ")
    page.click("#next")
    expect(page.locator("#number")).to_have_text("One more puzzle")
    page.click("#solution")
    page.click("#share-puzzle")
    expect(page.locator("#live")).to_have_text("The text and its link are copied.")
    text = page.evaluate("navigator.clipboard.readText()")
    assert text.startswith("Connect 4 on 4x4, a puzzle\n")


ONE = "Against all opponents, without help: 1 won, 0 drawn, 0 lost."


def test_results_and_opponents_are_remembered(visit: Visits) -> None:
    page = visit("#o=level:medium")
    choose(page, "Easy")
    beat(page)
    expect(page.locator("#score")).to_have_text(ONE)
    page.goto(visit.site + "#game=tictactoe")
    page.reload()
    expect(page.locator("#opponents :checked")).to_have_value("level:easy")
    expect(page.locator("#score")).to_have_text(ONE)


@pytest.mark.parametrize(
    ("link", "asked"),
    [
        ("", "connect4:4x4/explain"),
        ("#values=1", "tictactoe/whole"),
        (at(CONNECT4, moves="1,2", x="human", o="human"), "connect4:4x4/record"),
        (at(CONNECT4, position="12", turn="X"), "connect4:4x4/explain"),
        (at(CHESS, moves="c2b3,c3b2"), f"{CHESS}/record"),
        (at(NIM, view="puzzles"), f"{NIM}/whole"),
    ],
)
@pytest.mark.thinned(2)
def test_the_first_request_is_made_while_the_modules_load(
    visit: Visits, link: str, asked: str
) -> None:
    """By the HTML, and once: the modules ask for the same address."""
    page = visit(link)
    first = page.evaluate(
        """() => performance.getEntriesByType("resource")
          .filter(({ name, initiatorType }) => initiatorType === "link" && name.includes("/api/"))
          .map(({ name }) => name)"""
    )
    assert [unquote(urlsplit(url).path) for url in first] == [f"/api/v1/{asked}"]
    assert visit.requests.count(first[0]) == 1
    kind = asked.rpartition("/")[2]
    assert [f"/{kind}?" in url for url in visit.requests].count(True) == 1


def test_a_move_is_painted_before_the_server_answers(visit: Visits) -> None:
    page = visit(at(CONNECT4, o="human"))
    held: list[Route] = []
    page.route("**/explain?*", lambda route: held.append(route))  # noqa: PLW0108 -- it sets attributes
    cell(page, 1).click()
    expect(cell(page, 1)).to_have_attribute("aria-label", "column 2, from the bottom Red")
    assert record(page) == ""
    for route in held:
        route.continue_()
    expect(page.locator("#chart li")).to_have_count(2)
    assert record(page) == "1"


def test_tic_tac_toe_continues_without_the_server(visits: Visits, tables: dict[str, Path]) -> None:
    with serving(tables[CONNECT4].parent) as running:
        visits.site = f"http://127.0.0.1:{running.port}/"
        page = visits()
        assert running.stop() == (0, "")
    cell(page, 0).click()
    expect(page.locator("#chart li")).to_have_count(3)
    page.click("#tab-puzzles")
    expect(page.locator("#task")).to_contain_text("to move: ")
    page.click("#solution")
    expect(page.locator("#tally")).to_contain_text("0 of 1")
