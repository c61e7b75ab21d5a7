"""Games that are pasted, set up, embedded in other pages and sent to friends."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from solver import TableAgent
from solver.web.single import write_single
from tests.support.live import Live
from tests.web.browser.visits import LOST, Visits, at, cell, record, status

pytestmark = pytest.mark.slow
SERVER = "searching"
DOMINEERING, DODGEM = "domineering:3x3", "dodgem:3x3"


def paste(page: Page, text: str) -> str:
    """Paste a text and return what the page says it is."""
    page.fill("#pasted", "")
    expect(page.locator("#found")).not_to_have_text(re.compile("^A game|to move"))
    page.fill("#pasted", text)
    expect(page.locator("#found")).to_have_text(re.compile("^(A game|An address|Move|. to move)"))
    return page.locator("#found").inner_text()


def test_a_game_is_pasted_and_its_mistakes_are_played_against_the_page(visit: Visits) -> None:
    visit.allow("status of 400")
    page = visit()
    page.click("#set-up")
    page.keyboard.insert_text("[4,0,8]")  # in place of the position that is selected
    expect(page.locator("#found")).to_have_text("A game of 3 moves. O to move.")
    for text in ("1 2 5 9 4 6 7", "1. 1 2 2. 5 9 3. 4 6 4. 7"):
        assert paste(page, text) == "A game of 7 moves. The game is over: X has won."
    assert paste(page, "5 5").startswith("Move 2 of the record: '5' is not a legal move")
    assert paste(page, "XO./.../...") == "X to move."
    page.fill("#pasted", "hello")
    expect(page.locator("#found")).to_have_text(
        "This is no game or position of Tic-tac-toe. Write moves such as 1, or a board such as"
        " “.........”."
    )
    page.fill("#pasted", " ")
    expect(page.locator("#found")).to_contain_text("Paste moves, a board")
    page.fill("#pasted", "1 " * 10_001)
    expect(page.locator("#found")).to_contain_text("too long")
    page.fill("#pasted", "1259467")
    expect(page.locator("#found")).to_contain_text("A game of 7 moves")
    page.click("#setup-open")
    expect(page.locator("#chart li")).to_have_count(8)
    assert record(page) == "0,1,4,8,3,5,6"
    page.get_by_role("button", name="Try again: Move 2: O 2").click()
    expect(status(page)).to_have_text("Your turn: O to move.")
    cell(page, 4).click()
    expect(page.locator("#lesson")).to_contain_text("Right: 5, draw")
    expect(status(page)).to_have_text("Your turn: O to move.")


def test_a_position_is_set_up_by_clicks_or_keys(visit: Visits) -> None:
    visit.allow("status of 400")
    page = visit()
    page.click("#set-up")
    page.locator("#signs-of").get_by_label("O", exact=True).check()
    page.locator("#setup-board .cell").nth(4).click()
    expect(page.locator("#found")).to_contain_text("Too many O: 0 X and 1 O")
    expect(page.locator("#setup-open")).to_have_attribute("aria-disabled", "true")
    page.locator("#signs-of").get_by_label("X", exact=True).check()
    page.locator("#setup-board .cell").nth(0).press("Enter")
    expect(page.locator("#found")).to_have_text("X to move.")
    page.locator("#setup-board .cell").nth(0).click()
    expect(page.locator("#pasted")).to_have_value("....O....")
    page.locator("#setup-board .cell").nth(1).click()
    expect(page.locator("#second")).to_be_hidden()  # the stones say who is to move
    page.click("#setup-open")
    expect(page).to_have_url(re.compile(r"position=\.X\.\.O\.\.\.\."))
    page = visit(at(DODGEM, x="human", o="human"))
    page.click("#set-up")
    page.click("#second")
    expect(page.locator("#found")).to_have_text("Black to move.")


def test_the_board_alone_is_embedded_and_links_back(
    visit: Visits, searching: Live, tmp_path: Path
) -> None:
    page = visit("#moves=0,4&x=human&o=human", permissions=["clipboard-read", "clipboard-write"])
    page.click("#more summary")
    name = page.locator("#code").inner_text()
    for _ in range(2):
        page.click("#code")
        expect(page.locator("#code")).to_have_text("Copied")
    expect(page.locator("#code")).to_have_text(name)
    code = page.evaluate("navigator.clipboard.readText()")
    visit.site = f"http://localhost:{searching.port}/"
    page.route("**/blog", lambda route: route.fulfill(body=f"<p>{code}", content_type="text/html"))
    page.goto(f"http://127.0.0.1:{searching.port}/blog")
    frame = page.frame_locator("iframe")
    before = page.evaluate("history.length")
    frame.locator(".cell").nth(8).click()
    expect(frame.locator("#status")).to_have_text("O to move.")
    assert page.evaluate("history.length") == before
    expect(frame.get_by_role("heading", level=1)).to_have_text("O to move.")
    expect(frame.locator("header")).to_be_hidden()
    expect(frame.get_by_role("main").locator("#back")).to_have_attribute(
        "href", re.compile(r"/#.*moves=0,4,8&")
    )
    alone = Path(write_single(str(tmp_path), TableAgent())).as_uri()
    visit.site = alone
    page = visit("#embed&moves=0", viewport={"width": 320, "height": 320})
    expect(page.locator("header")).to_be_hidden()
    assert page.evaluate("document.documentElement.scrollHeight") <= 320
    visit.complaints.clear()


def test_a_link_carries_a_game(visit: Visits) -> None:
    page = visit("#moves=0,4&x=human&o=human", permissions=["clipboard-read", "clipboard-write"])
    page.click("#more summary")
    page.click("#link")
    expect(page.locator("#live")).to_have_text("The link is copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == f"{visit.site}?game=tictactoe&moves=0,4&x=human&o=human"
    other = visit(link.removeprefix(visit.site))
    expect(other).to_have_url(link.replace("?", "#"))
    expect(status(other)).to_have_text("X to move: what would you play?")
    page.goto(visit.site + LOST)
    page.click("#share")
    expect(page.locator("#live")).to_have_text("The text and its link are copied.")
    result, link = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert result == "Tic-tac-toe: X has won."
    other = visit(link.removeprefix(visit.site))
    expect(status(other)).to_have_text("X has won after 5 moves, and X made no mistake.")
    expect(other.locator("#new")).to_have_text("Play it yourself")
    expect(other.locator("#lesson")).to_contain_text("Move 2 lost the game.")


@pytest.mark.parametrize(
    ("state", "short"),
    [
        ("#view=puzzles&puzzle=5", "p/5"),
        ("#game=ponghauki&view=puzzles&puzzle=5", "p/ponghauki/5"),
        ("#game=tictactoe&moves=4,0,8,1,2,6,5&x=human&o=level:medium", "g/tictactoe/5192376"),
        (at("connect4:4x3", moves="0,3", x="human", o="level:medium"), "g/connect4:4x3/14"),
    ],
)
def test_a_shared_link_is_short_and_leads_back(visit: Visits, state: str, short: str) -> None:
    page = visit(state, permissions=["clipboard-read", "clipboard-write"])
    if "puzzle" in state:
        expect(page.locator("#puzzle-board .cell").first).to_be_visible()
        page.click("#share-puzzle")
    else:
        page.click("#more summary")
        page.click("#link")
    expect(page.locator("#live")).to_contain_text("copied")
    link = page.evaluate("navigator.clipboard.readText()").split("\n")[-1]
    assert link == visit.site + short
    seen = page.locator("#task" if "puzzle" in state else "#status").inner_text()
    other = visit(short)
    expect(other.locator("#task" if "puzzle" in state else "#status")).to_have_text(seen)
    expect(other).to_have_url(re.compile(r"/#game="))


@pytest.mark.parametrize(
    ("short", "said"),
    [
        ("g/chess/e4", "There is no game “chess” here: this is Tic-tac-toe."),
        ("g/tictactoe/5195", "Move 4 of the link is not possible: this is the game up to there."),
        ("p/0", "Puzzle no. 0 has never been. This is the one of today, no. "),
        ("p/abc", "“abc” is no puzzle of Tic-tac-toe: this is another one."),
    ],
)
def test_a_wrong_short_link_leads_to_the_nearest_view(visit: Visits, short: str, said: str) -> None:
    if short == "p/abc":
        visit.allow("status of 400")
    expect(visit(short).locator("#notice p")).to_contain_text(said)


def test_pieces_are_drawn_as_what_they_are(visit: Visits) -> None:
    page = visit(at(DOMINEERING, x="human", o="human"))
    cell(page, 0).click()
    cell(page, 4).click()
    bars = page.locator("#board svg rect[rx='6']")
    sizes = bars.evaluate_all("(all) => all.map((b) => b.getAttribute('width') + b.style.fill)")
    assert len(sizes) == 2
    assert sizes[0] != sizes[1]
    page = visit(at(DODGEM, x="human", o="human", moves="77,31,47,41"))
    assert page.locator("#board use[href='#disc-W']").count() == 2
    expect(page.locator("#board path[d^='M-6-11']")).to_have_count(1)
    cell(page, 2).click()
    expect(page.locator("#live")).to_contain_text("off the board")
    page = visit(at("connect4:4x3", x="human", o="human", moves="0"))
    assert page.locator("#status use").get_attribute("href") == "#disc-O"
