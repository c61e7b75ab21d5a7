"""The page where a strategy file takes the place of a table."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.conftest import ROOT
from tests.support.live import Live, serving
from tests.web.browser.visits import Visits, cell, record, status

pytestmark = [pytest.mark.slow, pytest.mark.large]
SERVER = "following"
CARDS = ROOT / "examples" / "check-strategy" / "never-lose.txt"


@pytest.fixture(scope="module")
def following(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with serving(tmp_path_factory.mktemp("following"), "--table", str(CARDS)) as live:
        yield live


def test_it_plays_its_side_and_is_checked_in_the_browser(visit: Visits) -> None:
    page = visit("#game=tictactoe&x=human&o=perfect&values=1&view=puzzles")
    expect(status(page)).to_have_text("Your turn: O to move.")
    assert record(page) == "4"
    expect(page.locator("#promise")).to_contain_text("with which X never loses")
    for name in ("#opponents", "#swap", "#hints", "#tab-puzzles", "#tab-map", "#learn", ".press"):
        expect(page.locator(name)).to_be_hidden()
    cell(page, 8).click()
    expect(status(page)).to_have_text("Your turn: O to move.")
    page.keyboard.press("h")
    expect(page.locator("#hints")).to_be_hidden()
    page.locator("#check").click()
    expect(page.locator("#checked")).to_contain_text("Right: the graph of its 50 positions")
    asked = len(visit.requests)
    cell(page, 2).click()
    expect(status(page)).to_have_text("You lost.")
    assert record(page) == "4,8,1,2,7"
    assert all("/strategy?" in url or "/rules?" in url for url in visit.requests[asked:])
    visit.allow("404")
    outside = visit("#game=tictactoe&moves=0,1")
    expect(outside.locator("#notice")).to_contain_text("X to move, is not in this strategy")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (CARDS.read_bytes().replace(b"nodes 50", b"nodes 51"), "Wrong, or not checked: Line"),
        (CARDS.read_bytes(), "Right:"),
        (None, "Wrong, or not checked:"),
    ],
)
def test_a_damaged_or_lost_file_is_named(visit: Visits, body: bytes | None, said: str) -> None:
    page = visit("#game=tictactoe")
    status = 500 if body is None else 200
    page.route("**/strategy/file**", lambda route: route.fulfill(status=status, body=body or ""))
    if body is None:
        visit.allow("500")
    page.locator("#check").click()
    expect(page.locator("#checked")).to_contain_text(said, ignore_case=True)
