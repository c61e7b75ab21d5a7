"""What people met when they tried the page; each test failed before it was mended."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.live import serving
from tests.web.browser.visits import (
    CONNECT4,
    LOST,
    NIM,
    Visits,
    address,
    at,
    beat,
    box,
    cell,
    choose,
    record,
    status,
)

pytestmark = [pytest.mark.slow, pytest.mark.large]

SERVER = "searching"
CLIPBOARD = ["clipboard-read", "clipboard-write"]
FOCUSED = "document.activeElement.getAttribute('aria-label')"
DIGITS = """async (labels) => {
  const { TextBoard } = await import("./textboard.js");
  const played = [];
  const root = document.createElement("div");
  const board = new TextBoard(root, {}, (move) => played.push(move.label));
  const moves = labels.map((label, move) => ({ label, move }));
  board.show({ known: { position: "", moves }, open: true });
  for (const key of [0, 1]) board.pressDigit(key);
  return played;
}"""
BOTTOMS = """() => {
  const box = (name) => document.querySelector(name).getBoundingClientRect();
  const all = [...document.querySelectorAll(".dock > *, .segments label, .lesson button")];
  const right = Math.max(...all.map((one) => one.getBoundingClientRect().right));
  return [box("#board .frame").bottom <= box(".dock").top, right <= innerWidth - 15,
    box("#new").height < 50, document.documentElement.scrollWidth <= innerWidth];
}"""


def shared(page: Page) -> list[str]:
    """Return what Share copies: a text, and a link."""
    page.click("#share")
    expect(page.locator("#share")).to_have_text("Copied")
    text: str = page.evaluate("navigator.clipboard.readText()")
    expect(page.locator("#share")).to_have_text("Share")
    return text.split("\n")


def test_back_leaves_the_puzzles(visit: Visits) -> None:
    page = visit("")
    for tab in ("#tab-puzzles", "#tab-play", "#tab-puzzles"):
        page.click(tab)
    expect(page).to_have_url(re.compile("puzzle="))
    first = page.url
    page.click("#next")
    expect(page).not_to_have_url(first)
    page.go_back()
    expect(page).to_have_url(first)
    page.go_back()
    expect(page.locator("#panel-play")).to_be_visible()
    page.go_forward()
    expect(page).to_have_url(first)


@pytest.mark.parametrize(("game", "share"), [(CONNECT4, 0.15), ("tictactoe", 0.2)])
def test_a_mirrored_document_does_not_mirror_the_board(
    visit: Visits, game: str, share: float
) -> None:
    page = visit(at(game, o="human"))
    page.evaluate("document.documentElement.dir = 'rtl'")
    board = box(page.locator("#board .frame"))
    page.mouse.click(board["x"] + share * board["width"], board["y"] + share * board["height"])
    expect(page).to_have_url(re.compile("moves=0&"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("game", "keys", "said"),
    [
        ("tictactoe", {}, "Medium slips now and then."),
        ("tictactoe", {"o": "perfect"}, "cannot lose"),
        ("tictactoe", {"o": "human"}, "It is a draw if nobody"),
        ("wild", {"o": "perfect"}, "You can win this: Perfect makes no mistake, so neither may"),
        ("hexapawn:4x4", {"x": "perfect", "o": "human"}, "cannot lose"),
        ("tictactoe", {"o": "perfect", "moves": "0,8"}, "From here on, Perfect never slips."),
    ],
)
@pytest.mark.thinned(2)
def test_only_an_opponent_that_cannot_lose_says_so(
    visit: Visits, game: str, keys: dict[str, str], said: str
) -> None:
    page = visit(at(game, **keys))
    expect(page.locator("#promise")).to_contain_text(said)
    assert page.locator("body").inner_text().count("cannot lose") == said.count("cannot lose")


def test_a_result_names_who_played_and_counts_once(visit: Visits) -> None:
    """A reload, a step back and another opponent after the end change nothing of it."""
    page = visit(at("tictactoe", o="level:easy"), permissions=CLIPBOARD)
    beat(page)
    score, one = (
        page.locator("#score"),
        "Against all opponents, without help: 1 won, 0 drawn, 0 lost.",
    )
    expect(score).to_have_text(one)
    last = int(record(page)[-1])
    for other in ("A friend", "Perfect"):
        choose(page, other)
        text, link = shared(page)
        assert re.fullmatch(
            r"Tic-tac-toe: I won against Easy in \d moves, with \d mistakes?\.", text
        )
        assert link.endswith("&x=human&o=level:easy")
    page.reload()
    expect(status(page)).to_have_text("You won!")
    page.click("#undo")
    cell(page, last).click()
    expect(score).to_have_text(one)


@pytest.mark.parametrize(
    ("keys", "why"),
    [
        ({"moves": "0,8,1,7", "o": "perfect"}, "opened from a link"),
        ({"position": "XX.OO....", "o": "perfect"}, "a position set up"),
    ],
)
def test_a_link_makes_no_boast(visit: Visits, keys: dict[str, str], why: str) -> None:
    """Perfect had not played what was won."""
    page = visit(at("tictactoe", x="human", **keys), permissions=CLIPBOARD)
    expect(page.locator("#promise")).to_have_text(
        f"From here on, Perfect never slips. Not counted: {why}."
    )
    choose(page, "Easy")
    choose(page, "Perfect")
    cell(page, 2).click()
    expect(status(page)).to_have_class(re.compile("over"))
    assert "Perfect" not in shared(page)[0]
    expect(page.locator("#score")).to_be_empty()


def test_hints_are_told_after_a_reload(visit: Visits) -> None:
    page = visit(at("tictactoe", o="level:easy"), permissions=CLIPBOARD)
    page.locator("#values").check()
    page.locator("#values").uncheck()
    cell(page, 4).click()
    expect(page.locator("#chart li")).to_have_count(3)
    page.reload()
    expect(page.locator("#promise")).to_contain_text("Not counted: hints were shown.")
    beat(page)
    assert shared(page)[0].endswith("helped by hints.")
    expect(page.locator("#score")).to_be_empty()


def test_stones_and_sides_have_their_names_and_pictures(visit: Visits) -> None:
    page = visit(at("dodgem:3x3", o="human"))
    expect(cell(page, 3)).to_have_attribute("aria-label", "a2, black stone")
    cell(page, 7).click()
    page.locator("#board .cell[aria-label*='can go here']").first.click()
    expect(status(page)).to_contain_text("Black to move")
    assert page.locator("#status use").get_attribute("href") == "#disc-b"


def test_a_draw_by_repetition_is_reviewed(visit: Visits) -> None:
    page = visit(at("ponghauki", x="human", o="human"))
    while "times" not in status(page).inner_text():
        page.locator("#board .drags").first.click()
        page.locator("#board .cell[aria-label*='can go here']").first.click()
    expect(page.locator("#chart .unknown")).to_have_count(0)
    expect(page.locator("#legend")).to_contain_text("Up: X wins")


@pytest.mark.parametrize("fails", [False, True])
def test_a_game_that_loads_has_no_board_of_another(visit: Visits, fails: bool) -> None:
    page = visit(at("tictactoe", moves="4"), permissions=CLIPBOARD)
    held: list[Route] = []
    page.route("**/whole?*", lambda route: held.append(route))  # noqa: PLW0108 -- it sets attributes
    page.select_option("#game", "wild")
    expect(status(page)).to_have_text("Loading Wild tic-tac-toe …")
    expect(page.locator("#board .cell")).to_have_count(0)
    page.keyboard.press("1")
    if fails:
        visit.allow("ERR_FAILED")
        visit.allow("failed: http")
        held[0].abort()
        said = "Wild tic-tac-toe cannot be shown. This site does not answer"
        expect(page.locator("#notice")).to_contain_text(said)
        expect(page.locator("#notice")).to_contain_text("This is Tic-tac-toe.")
        cell(page, 4).click()
        expect(page.locator("#chart li")).to_have_count(3)
        page.unroute("**/whole?*")
        page.click("#retry")
        expect(page.locator("#game")).to_have_value("wild")
    else:
        held[0].continue_()
    expect(page.locator("#board .cell")).to_have_count(9)
    assert record(page) == ""


def test_the_board_grows_with_the_zoom(visit: Visits) -> None:
    """At 200 %, where a window of 1280x720 has 640x360 CSS pixels; the select kept its text."""
    page = visit(viewport={"width": 1280, "height": 720})
    expect(page.locator("#board .frame")).to_be_visible()
    page.set_viewport_size({"width": 640, "height": 360})
    assert 2 * box(page.locator("#board .frame"))["width"] > 568
    assert box(page.locator("#game"))["width"] > 100


@pytest.mark.parametrize("state", ["", LOST, at(NIM, values=1, x="human", o="human")])
def test_large_text_fits_a_phone(visit: Visits, state: str) -> None:
    page = visit(state, viewport={"width": 390, "height": 844})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_choice_of_moves_returns_the_focus(visit: Visits) -> None:
    page = visit(at("wild", o="human"))
    page.keyboard.press("5")
    page.keyboard.press("Escape")
    assert page.evaluate(FOCUSED) == "cell 5, empty"
    page.keyboard.press("5")
    page.keyboard.press("Enter")
    expect(cell(page, 4)).to_have_attribute("aria-label", "cell 5, O")
    assert page.evaluate(FOCUSED) == "cell 5, O"


@pytest.mark.parametrize(
    ("labels", "played"), [(["0", "1", "2"], ["1", "2"]), (["a", "b"], ["a", "b"]), (["1"], ["1"])]
)
def test_a_digit_plays_the_move_of_that_name(
    visit: Visits, labels: list[str], played: list[str]
) -> None:
    assert visit().evaluate(DIGITS, labels) == played


@pytest.mark.parametrize("width", [320, 360, 390])
@pytest.mark.parametrize("state", ["", LOST])
def test_the_dock_covers_no_cell_of_a_small_phone(visit: Visits, width: int, state: str) -> None:
    page = visit(state, viewport={"width": width, "height": 640})
    assert page.evaluate(BOTTOMS) == [True, True, True, True]


@pytest.mark.parametrize(("name", "game"), [("connect4", CONNECT4), ("hexapawn", "hexapawn:4x4")])
def test_a_family_names_a_game(visit: Visits, name: str, game: str) -> None:
    """The second one could not be played: the symmetries of its cells do not show in its texts."""
    page = visit(at(name))
    expect(page.locator("#notice")).to_be_hidden()
    expect(page.locator("#game")).to_have_value(game)


def test_a_bad_puzzle_link_shows_another_puzzle(visit: Visits) -> None:
    visit.allow("status of 400")
    page = visit("#view=puzzles&puzzle=XXX:O")
    expect(page.locator("#notice")).to_contain_text("XXX")
    expect(page.locator("#task")).to_have_text(re.compile("find the win|hold the draw"))
    expect(page.locator("#puzzle-board .cell")).to_have_count(9)


def test_a_searched_game_asks_once_and_easy_draws_before_it_searches(visit: Visits) -> None:
    page = visit(at(CONNECT4, o="level:easy"))
    assert ["/rules?" in url for url in visit.requests].count(True) == 1
    page.evaluate("Math.random = () => 0.99")
    cell(page, 1).click()
    expect(page).to_have_url(re.compile(r"moves=1,\d"))
    assert not any("/explain?" in url for url in visit.requests)


def test_the_lesson_asks_first(visit: Visits) -> None:
    """It had shown the better move; a wrong one is refuted, and the board is as before."""
    page = visit(LOST)
    lesson = page.locator("#lesson")
    expect(lesson).to_contain_text("Move 2 lost the game.")
    expect(lesson.locator("figure")).to_have_text(["O played 2"])
    lesson.get_by_role("button", name="Try again").click()
    expect(lesson).to_contain_text("Find a better move than 2.")
    for wrong in (1, 3):
        cell(page, wrong).click()
        expect(lesson).to_contain_text(f"{wrong + 1}: X wins there. Try again.")
        expect(page.locator("#live")).to_contain_text("X wins there.")
        expect(cell(page, wrong)).to_have_attribute("aria-label", f"cell {wrong + 1}, empty")
    assert page.locator("#mistakes").inner_text().count("Better") == 0
    cell(page, 4).click()
    expect(lesson).to_contain_text("Right: 5, draw.")
    lesson.get_by_role("button", name="Close").click()
    expect(lesson).to_be_hidden()
    page.goto(visit.site + LOST + "&values=0")
    lesson.get_by_role("button", name="Solution").click()
    expect(lesson.locator("figure")).to_have_text(["O played 2", "Better: 5"])


def test_a_wrong_move_is_answered_on_the_board(visit: Visits) -> None:
    page = visit("#view=puzzles&puzzle=X.O.X...O:X", calm=False)
    puzzle = page.locator("#puzzle-board .cell")
    expect(puzzle.first).to_have_attribute("aria-label", "cell 1, X")
    puzzle.nth(1).click()
    expect(puzzle.nth(5)).to_have_attribute("aria-label", "cell 6, O")
    expect(page.locator("#verdict")).to_have_text("2: O wins there. Try again.")
    expect(puzzle.nth(5)).to_have_attribute("aria-label", "cell 6, empty")
    expect(puzzle.nth(1)).to_have_attribute("aria-label", "cell 2, empty")


def test_the_opponent_waits_after_a_bad_link(visit: Visits) -> None:
    page = visit("#moves=0,0")
    expect(page.locator("#notice")).to_contain_text("is not possible")
    expect(page.locator("#run")).to_have_text("Play from here")
    assert record(page) == "0"


@pytest.mark.parametrize("calm", [True, False])
def test_the_end_is_an_event(visit: Visits, calm: bool) -> None:
    """The line is drawn, other marks are dimmed; the result is large unless motion is reduced."""
    page = visit("#position=XO..XO...&o=level:easy", calm=calm)
    expect(page.locator("#share")).to_be_hidden()
    cell(page, 8).click()
    if not calm:
        expect(page.locator(".banner")).to_contain_text("You won!")
        assert page.locator(".banner i").count() > 5
    expect(page.locator(".banner")).to_have_count(0)
    assert page.locator("#board [data-piece][opacity]").count() == 2
    expect(page.locator("#board .strike")).to_have_attribute("stroke", "var(--x)")
    expect(page.locator("#share")).to_be_visible()


def test_the_user_gets_the_side_that_does_not_lose(visit: Visits) -> None:
    """An old address without seats still means the first one."""
    page = visit("")
    page.select_option("#game", "hexapawn:4x4")
    expect(page).to_have_url(re.compile("x=human"))
    page.select_option("#game", "dodgem:3x3")
    loses = page.locator("#facts", has_text="White, who begins, loses").count()
    assert address(page)["o" if loses else "x"] == "human"


def test_the_day_is_the_players_and_stays_that_of_the_puzzle(visit: Visits) -> None:
    page = visit("#game=tictactoe", timezone_id="America/New_York")
    page.clock.set_fixed_time("2026-03-05T01:00:00Z")  # the evening of the 4th there
    page.click("#tab-puzzles")
    expect(page.locator("#number")).to_have_text("Today’s puzzle, no. 63")
    page.clock.set_fixed_time("2026-03-05T05:00:30Z")
    page.keyboard.press("5")
    for number in "123456789" * 3:
        page.keyboard.press(number)
    expect(page.locator("#task")).to_have_text("Solved.")
    streak = page.evaluate("JSON.parse(localStorage['perfectplay.streak'])")
    assert streak == {"last": 63, "days": 1}
    page.goto(visit.site + "#view=puzzles&puzzle=900")
    expect(page.locator("#notice")).to_contain_text("Puzzle no. 900 is still to come.")


def test_what_is_worked_out_when_asked_is_not_called_worked_out(visit: Visits) -> None:
    page = visit(at(CONNECT4, o="perfect"))
    expect(page.locator("#promise")).to_contain_text("works out each position")


def test_the_value_is_shown_only_after_the_users_move(visit: Visits) -> None:
    """And a friend gets none."""
    page = visit(at("tictactoe", o="perfect"), calm=False)
    value = page.locator("#board .value")
    expect(value).to_have_attribute("data-outcome", "none")
    cell(page, 4).click()
    expect(value).to_have_attribute("data-outcome", "draw")
    expect(value).to_have_attribute("data-outcome", "none")
    page.click("#bar")
    expect(value).to_have_count(0)


def test_doors_are_shown_on_the_first_visits(visit: Visits) -> None:
    page = visit("")
    for _ in range(2):
        expect(page.locator("#doors a")).not_to_have_count(0)
        page.reload()
    page.locator("#doors a", has_text="Today").click()
    expect(page.locator("#number")).to_contain_text("Today’s puzzle")
    page.reload()
    expect(page.locator("#number")).to_contain_text("Today’s puzzle")
    expect(page.locator("#doors a")).to_have_count(0)


SHIFTS = """() => new Promise((done) => {
  const list = (found) => done(found.getEntries().map(({ value }) => value));
  new PerformanceObserver(list).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done([]), 300);
})"""


@pytest.mark.parametrize("state", ["", at(CONNECT4), "#view=games"])
def test_nothing_shifts_while_the_page_loads(visit: Visits, state: str) -> None:
    page = visit(state, viewport={"width": 1280, "height": 800})
    assert page.evaluate(SHIFTS) == []


def test_the_gallery_shows_dominoes(visit: Visits) -> None:
    page = visit("#view=games")
    card = page.locator('#cards a[href*="domineering"]')
    expect(card.locator("rect[rx]")).to_have_count(2)
    expect(card.locator('use[href="#mark-X"]')).to_have_count(0)


def test_the_page_of_one_game_has_no_list_of_games(
    visits: Visits, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Not even while it loads."""
    with serving(tmp_path_factory.mktemp("one"), "--game", "tictactoe") as server:
        visits.site = f"http://127.0.0.1:{server.port}/"
        page = visits("", viewport={"width": 1280, "height": 800})
        expect(page.locator("#game")).to_be_hidden()
        expect(page.locator(".tabs button:visible")).to_have_text(["Play", "Puzzles", "Map"])
        assert page.evaluate(SHIFTS) == []


def test_a_puzzle_that_takes_long_is_announced_and_can_be_left(visit: Visits) -> None:
    page = visit(at(CONNECT4, view="puzzles"))
    expect(page.locator("#task")).to_contain_text(" to move: ")
    held: list[Route] = []
    page.route("**/puzzles?*", lambda route: held.append(route))  # noqa: PLW0108 -- it sets attributes
    page.click("#next")
    expect(page.locator("#task")).to_have_text("Looking for a puzzle …")
    expect(page.locator("#puzzle-board")).to_have_attribute("aria-busy", "true")
    page.click("#tab-play")
    expect(page.locator("#panel-play")).to_be_visible()
    page.click("#tab-puzzles")
    held[0].continue_()
    expect(page.locator("#task")).to_contain_text(" to move: ")


def test_a_pasted_address_opens_without_hints(visit: Visits) -> None:
    """A pasted game is shown with hints, which the next one had, too, so that it did not count."""
    page = visit()
    for text, hints in [("5 1 9 2", "true"), (f"{visit.site}#game=tictactoe&moves=4", "false")]:
        page.click("#set-up")
        page.fill("#pasted", text)
        expect(page.locator("#setup-open")).to_have_attribute("aria-disabled", "false")
        page.click("#setup-open")
        expect(page.locator("#setup")).to_be_hidden()
        expect(page.locator("#values")).to_be_checked(checked=hints == "true")
    expect(page.locator("#promise")).not_to_contain_text("hints")


def test_a_loss_without_a_mistake_says_that_the_side_always_loses(visit: Visits) -> None:
    """And counts the moves of the user alone."""
    page = visit("#position=X.XO...OX&turn=O&x=perfect&o=human", permissions=CLIPBOARD)
    cell(page, 1).click()
    lesson = page.locator("#lesson")
    expect(lesson).to_contain_text("You made no mistake: O always loses from there.")
    text = "Tic-tac-toe: I lost against Perfect from a position set up in 1 move, with 0 mistakes."
    assert shared(page)[0] == text
    lesson.get_by_role("button", name="Swap sides").click()
    expect(lesson).to_be_hidden()
    assert address(page)["x"] == "human"
