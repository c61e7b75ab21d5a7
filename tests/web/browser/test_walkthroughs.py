"""Twelve walkthroughs of the page as it is served by default; none may come to a dead end."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from solver import TableAgent
from tests.support.live import MAIN, Live, serving
from tests.web.browser.visits import (
    Visits,
    address,
    at,
    beat,
    board_of,
    cell,
    choose,
    labels,
    record,
    status,
)

pytestmark = pytest.mark.slow

SERVER = "everything"
CLIPBOARD = ["clipboard-read", "clipboard-write"]
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}
NEAREST = re.compile("left out|has no part|plays instead")
OVER = re.compile("You won!|You lost|A draw")


@pytest.fixture(scope="module")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Serve all games that `serve` offers by itself."""
    with serving(tmp_path_factory.mktemp("everything")) as running:
        yield running


def goes_on(page: Page) -> None:
    """Assert that nothing is wrong, and that a new game is one click away."""
    expect(page.locator("#notice")).to_be_hidden()
    page.click("#new")
    expect(status(page)).to_have_text(re.compile("Your turn|to move"))
    page.locator("#board :is(.cell[aria-disabled=false], .keys button)").first.click()
    expect(page.locator("#chart li").nth(1)).to_be_attached()


def lose(page: Page) -> None:
    """Lose at tic-tac-toe as X against a perfect opponent."""
    for number in (0, 1, 3):
        cell(page, number).click()
        expect(status(page)).to_have_text(re.compile("Your turn: X to move|You lost"))
    expect(status(page)).to_have_text("You lost.")


def solve_puzzle(page: Page) -> None:
    """Answer a puzzle of tic-tac-toe with the best moves until it is solved."""
    verdict = page.locator("#verdict")
    while "No other move" not in verdict.inner_text():
        best = TableAgent().scores(board_of(page))[0]
        page.locator("#puzzle-board .cell").nth(best.move).click()
        expect(verdict).to_have_text(re.compile("No other move|find the next move"))


def copied(page: Page, button: str) -> str:
    """Share by a button, and return the link that was copied."""
    page.click(button)
    expect(page.locator("#live")).to_contain_text("copied")
    text: str = page.evaluate("navigator.clipboard.readText()")
    return text.rpartition("\n")[2]


def test_a_first_visit_leads_to_a_win(visit: Visits) -> None:
    page = visit("", permissions=CLIPBOARD)
    expect(status(page)).to_have_text("Your turn: X to move.")
    choose(page, "Easy")
    beat(page)
    expect(status(page)).to_have_text("You won!")
    expect(page.locator("#score")).to_contain_text("1 won")
    assert copied(page, "#share").startswith(visit.site)
    goes_on(page)


def test_a_loss_leads_to_its_lesson(visit: Visits) -> None:
    page = visit(at("tictactoe", o="perfect"))
    lose(page)
    lesson = page.locator("#lesson")
    expect(lesson).to_contain_text("lost the game.")
    lesson.get_by_role("button", name="Try again").click()
    for number, name in enumerate(labels(page)):
        if name.endswith("empty") and "Right" not in lesson.inner_text():
            cell(page, number).click()
            expect(lesson).to_contain_text(re.compile("Try again|Right"))
    expect(lesson).to_contain_text("Right")
    lesson.get_by_role("button", name="Close").click()
    goes_on(page)


def test_todays_puzzle_is_answered_wrongly_then_rightly_shared_and_opened(visit: Visits) -> None:
    page = visit("#view=puzzles", permissions=CLIPBOARD)
    expect(page.locator("#number")).to_contain_text("Today’s puzzle")
    before = board_of(page)
    wrong = TableAgent().scores(before)[-1].move
    page.locator("#puzzle-board .cell").nth(wrong).click()
    expect(page.locator("#verdict")).to_contain_text("Try again.")
    expect(page.locator("#squares .wrong")).to_have_count(1)
    assert board_of(page) == before
    solve_puzzle(page)
    link = copied(page, "#share-puzzle")
    other = visit(link.removeprefix(visit.site), **PHONE)
    expect(other.locator("#number")).to_contain_text("Today’s puzzle")
    assert board_of(other) == before
    expect(other.locator("#task")).to_contain_text("to move")
    solve_puzzle(other)
    other.click("#play-on")
    expect(status(other)).to_contain_text("to move")
    goes_on(other)


def test_an_ended_game_is_opened_by_a_friend_on_a_phone(visit: Visits) -> None:
    page = visit(at("tictactoe", o="perfect"), permissions=CLIPBOARD)
    lose(page)
    link = copied(page, "#share")
    other = visit(link.removeprefix(visit.site), **PHONE)
    assert record(other) == record(page)
    expect(status(other)).to_have_class(re.compile("over"))
    expect(other.locator("#score")).to_be_empty()  # it was somebody else's
    other.goto(visit.site + "#moves=0,1,4,2,8&x=human&o=perfect")
    expect(other.locator("#legend")).to_contain_text("Up: X wins. Down: O wins.")
    expect(other.locator("#mistakes h3")).to_have_text("Move 2: O 2")  # whoever made it
    goes_on(other)


def test_a_game_from_a_file_is_played(visits: Visits, tmp_path: Path) -> None:
    subprocess.run([*MAIN, "new", "three_rows"], cwd=tmp_path, check=True, capture_output=True)
    with serving(tmp_path, "--game", f"{tmp_path}/three_rows.py:ThreeRows") as server:
        visits.site = f"http://127.0.0.1:{server.port}/"
        page = visits("", **PHONE)
        goes_on(page)


def test_connect_4_is_opened_from_its_tile(visit: Visits) -> None:
    page = visit("")
    page.locator("#doors a", has_text="Connect 4").click()
    expect(page.locator("#board [data-column]")).to_have_count(7)
    cell(page, 3).click()
    expect(page.locator("#chart li")).to_have_count(3)
    expect(status(page)).to_contain_text("Your turn")
    goes_on(page)


def test_the_keyboard_alone_is_enough(visit: Visits) -> None:
    page = visit(at("tictactoe", o="perfect"))
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the link that skips to the board
    while not OVER.match(status(page).inner_text()):
        free = [n for n, name in enumerate(labels(page), 1) if name.endswith("empty")]
        page.keyboard.press(str(free[0]))
        expect(status(page)).to_have_text(re.compile(f"Your turn|{OVER.pattern}"))
    page.keyboard.press("n")
    expect(status(page)).to_have_text("Your turn: X to move.")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("#chart li")).to_have_count(3)
    goes_on(page)


def test_what_a_screen_reader_says_tells_the_game(visit: Visits) -> None:
    page = visit(at("tictactoe", moves="0,4", x="human", o="human"))
    said = page.locator("body").aria_snapshot()
    tab, turn, board = (said.index(text) for text in ('tab "Play"', "X to move:", 'group "Board,'))
    assert tab < turn < board
    for name in ("cell 1, X", "cell 5, O", "cell 9, empty", "New game", "Undo", "Swap sides"):
        assert f'"{name}"' in said
    for number in (8, 2, 3, 6):
        cell(page, number).click()
    expect(status(page)).to_have_text("O has won.")
    expect(page.locator("#live")).to_contain_text("O has won.")
    assert "O has won." in page.locator("main").aria_snapshot()
    goes_on(page)


@pytest.mark.parametrize("old", ["x=minimax&o=human", "view=tables", "difficulty=hard"])
def test_an_old_bookmark_opens_the_nearest_view(visit: Visits, old: str) -> None:
    page = visit(f"#game=tictactoe&moves=0&{old}")
    expect(page.locator("#notice")).to_contain_text(
        re.compile("left out|has no part|plays instead")
    )
    assert address(page)["game"] == "tictactoe"
    page.locator("#notice button").click()
    goes_on(page)


def test_another_try_is_called_one(visit: Visits) -> None:
    """The value beside the board is that of the side that the user has now."""
    page = visit(at("tictactoe", o="perfect"), permissions=CLIPBOARD)
    lose(page)
    page.click("#undo")
    for number in (6, 5, -1):
        free = [n for n, name in enumerate(labels(page)) if name.endswith("empty")]
        cell(page, number if number in free else free[-1]).click()
        expect(status(page)).to_have_text(re.compile(f"Your turn|{OVER.pattern}"))
    expect(page.locator("#promise")).to_contain_text("Not counted: another try.")
    page.goto(visit.site + "#moves=0,1,4,2&x=human&o=human")
    for number in (3, 6):
        cell(page, number).click()
    choose(page, "Perfect")
    expect(page.locator("#board .value")).to_have_attribute("data-outcome", "none")
