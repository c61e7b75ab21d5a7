"""Playing by mouse and keyboard, undo and redo, and opponents."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from solver import TableAgent, load_game
from solver.rules.descriptions import about_of
from tests.web.browser.visits import (
    CHESS,
    CONNECT4,
    LOST,
    MORRIS,
    NIM,
    PONG,
    Visits,
    address,
    at,
    box,
    cell,
    choose,
    ending,
    labels,
    opponent,
    play_games,
    record,
    status,
    winner,
)

pytestmark = [pytest.mark.slow, pytest.mark.large]

OURS = re.compile("Your turn: X to move|You lost|A draw")
HEAR = """() => {
  window.heard = [];
  const live = document.getElementById("live");
  new MutationObserver(() => heard.push(live.textContent.trim())).observe(live, {childList: true});
}"""
OFFER = """async (cell) => {
  const { Board } = await import("./board.js");
  const listing = { board: [3, 4], style: "grid", joined: [], places: [], seats: ["X", "O"] };
  const moves = Array.from({ length: 25 }, (_, i) => (
    { move: i, label: `to ${25 - i}`, cell, origin: null }));
  const board = new Board(document.getElementById("board"), listing, () => {});
  const known = { marks: ".".repeat(12), moves, best: [], won: [] };
  board.show({ known, values: false, last: null, fresh: false, open: true });
}"""
FOCUSED = "document.activeElement.id || document.activeElement.getAttribute('aria-label')"


def moves(page: Page) -> list[int]:
    return [int(move) for move in record(page).split(",") if move]


def over(page: Page) -> bool:
    return "over" in (status(page).get_attribute("class") or "").split()


def test_a_game_by_mouse_at_human_speed(visit: Visits, agents: dict[str, TableAgent]) -> None:
    page = visit(calm=False)
    expect(status(page)).to_have_text("Your turn: X to move.")
    page.evaluate(HEAR)
    while not over(page):
        count = len(moves(page))
        number = next(n for n, text in enumerate(labels(page)) if text.endswith("empty"))
        cell(page, number).click()
        expect(cell(page, number)).to_have_attribute("aria-label", f"cell {number + 1}, X")
        expect(page).to_have_url(re.compile(rf"moves=\d(,\d){{{count + 1}}}|moves=\d(,\d){{8}}"))
        expect(status(page)).to_have_text(OURS)
    assert status(page).inner_text() == ending(agents["tictactoe"], record(page), 0)
    assert "won" not in status(page).inner_text()
    heard = page.evaluate("heard")
    sides = [f"{'XO'[n % 2]} plays {move + 1}." for n, move in enumerate(moves(page))]
    assert [text[: len(side)] for text, side in zip(heard, sides, strict=True)] == sides
    assert heard[-1].endswith(status(page).inner_text())


def test_a_game_by_keyboard_only(visit: Visits, agents: dict[str, TableAgent]) -> None:
    """From the link that skips to the board: Tab, arrows and Enter; the cell keeps the focus."""
    page = visit()
    keys = page.keyboard
    keys.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the board"
    keys.press("Enter")
    assert page.evaluate(FOCUSED) == "board"
    expect(page.locator("#notice")).to_be_hidden()
    keys.press("Tab")
    assert page.evaluate(FOCUSED) == "cell 1, empty"
    keys.press("Enter")  # X 1
    expect(status(page)).to_have_text(OURS)
    assert page.evaluate(FOCUSED) == "cell 1, X"
    place = 0
    while not over(page):
        goal = next(n for n, text in enumerate(labels(page)) if text.endswith("empty"))
        for _ in range(goal // 3 - place // 3):
            keys.press("ArrowDown")
        across = goal % 3 - place % 3
        for _ in range(abs(across)):
            keys.press("ArrowRight" if across > 0 else "ArrowLeft")
        assert page.evaluate(FOCUSED) == f"cell {goal + 1}, empty"
        keys.press("Space")
        expect(status(page)).to_have_text(OURS)
        place = goal
        assert page.evaluate(FOCUSED) == f"cell {place + 1}, X"
    assert status(page).inner_text() == ending(agents["tictactoe"], record(page), 0)
    assert len(moves(page)) >= 5
    keys.press("n")
    expect(page.locator("#chart li")).to_have_count(1)
    expect(page.locator("#live")).to_have_text(re.compile("X to move"))


@pytest.mark.large
def test_keys_play_undo_and_show_values(visit: Visits) -> None:
    page = visit("#o=human")
    page.keyboard.press("5")
    expect(cell(page, 4)).to_have_attribute("aria-label", "cell 5, X")
    expect(cell(page, 4)).to_be_focused()
    page.keyboard.press("u")
    expect(cell(page, 4)).to_have_attribute("aria-label", "cell 5, empty")
    page.keyboard.press("h")
    expect(page.locator("#values")).to_be_checked()


def test_undo_new_and_swap(visit: Visits) -> None:
    page = visit()
    expect(page.locator("#undo")).to_have_attribute("aria-disabled", "true")
    cell(page, 0).click()
    expect(page).to_have_url(re.compile(r"moves=0,\d&x"))
    page.click("#undo")
    expect(status(page)).to_have_text("Your turn: X to move.")
    assert labels(page) == [f"cell {n}, empty" for n in range(1, 10)]
    assert address(page)["ply"] == "0"
    cell(page, 8).click()
    expect(page).to_have_url(re.compile(r"moves=8,\d&x"))
    page.click("#swap")
    expect(status(page)).to_have_text("Your turn: O to move.")
    assert (address(page)["x"], address(page)["o"]) == ("perfect", "human")
    assert len(moves(page)) == 3
    page.click("#new")
    expect(status(page)).to_have_text("Your turn: O to move.")
    expect(page.locator("#chart li")).to_have_count(2)
    assert address(page)["x"] == "perfect"


def test_opponents_are_levels_and_a_friend(visit: Visits) -> None:
    """Medium at first; of two that play alike there is one."""
    page = visit("#game=tictactoe")
    assert opponent(page) == "level:medium"
    names = ["Easy", "Medium", "Hard", "Perfect", "A friend"]
    assert page.locator("#opponents label").all_inner_texts() == names
    cell(page, 4).click()
    expect(page.locator("#chart li")).to_have_count(3)
    for name, player in (
        *(("Perfect", "perfect"), ("Easy", "level:easy"), ("A friend", "human")),
        ("Hard", "level:hard"),
    ):
        choose(page, name)
        expect(page).to_have_url(re.compile(f"o={player}$"))
        page.keyboard.press("n")  # also with the focus on the choice
        cell(page, 4).click()
        expect(page.locator("#chart li")).to_have_count(2 if player == "human" else 3)
    page.goto(visit.site + at(CHESS))
    expect(page.locator("#opponents label")).to_have_text(["Easy", "Hard", "Perfect", "A friend"])
    expect(page.locator("#promise")).to_contain_text("Hard mostly guesses.")


def test_the_end_speaks_to_the_human_who_played(visit: Visits) -> None:
    page = visit(LOST)
    for start, last, mood, text in (
        ("#moves=0,1,4,2&x=human&o=level:easy", 8, "won", "X has won."),
        ("#position=XX.OO....&x=human&o=perfect", 2, "won", "You won!"),
        ("#moves=0,1,4,2&x=human&o=human", 8, "won", "X has won."),
        ("#position=XOXOOX.XO&turn=X&x=human&o=perfect", 6, "draw", "A draw."),
    ):
        page.goto(visit.site + start)
        cell(page, last).click()
        expect(status(page)).to_have_text(text)
        expect(status(page)).to_have_attribute("data-mood", mood)


@pytest.mark.parametrize(
    ("game", "presses", "code", "message"),
    [
        (CONNECT4, [1], "1", "Red plays 2."),
        (CHESS, [10, 5], "c2b3", "White plays cxb3+."),
        (MORRIS, [4], "4", "X plays 5."),
    ],
)
@pytest.mark.thinned(3)
def test_served_games_are_played_on_their_boards(
    visit: Visits, game: str, presses: list[int], code: str, message: str
) -> None:
    page = visit()
    page.select_option("#game", game)
    expect(page.locator("#about")).to_have_text(about_of(load_game(game)))
    expect(page).to_have_url(re.compile(f"game={re.escape(game)[:9]}"))
    page.evaluate(HEAR)
    for number in presses:
        cell(page, number).click()
    expect(page.locator("#chart li")).to_have_count(3)
    assert record(page).startswith(f"{code},")
    assert any(text.startswith(message) for text in page.evaluate("heard"))


def test_nim_is_played_by_clicking_counters(visit: Visits) -> None:
    """It was a list of buttons; a click takes the counter and those right of it."""
    page = visit(at(NIM, o="human"))
    expect(page.locator("#board [data-piece]")).to_have_count(5)
    cell(page, 3).hover()
    expect(page.locator('#board circle[fill="var(--hot)"]')).to_have_count(2)
    cell(page, 3).click()
    expect(page.locator("#board [data-piece]")).to_have_count(3)
    assert record(page) == "3-2"
    cell(page, 3).click()  # of heaps of 1 and 2: 1 of the second one
    expect(page).to_have_url(re.compile("moves=3-2,2-1&"))
    cell(page, 2).click()  # two heaps of 1, of which the second one
    cell(page, 2).click()
    expect(status(page)).to_have_text("Second has won.")


def test_digits_choose_a_heap_and_how_many(visit: Visits) -> None:
    page = visit(at(NIM, o="human"))
    page.keyboard.press("2")
    expect(page.locator("#live")).to_have_text("A heap of 3. How many?")
    page.keyboard.press("4")
    page.keyboard.press("3")
    expect(page).to_have_url(re.compile("moves=3-3&"))
    page.keyboard.press("1")
    page.keyboard.press("1")
    expect(page).to_have_url(re.compile("moves=3-3,2-1&"))


def middle_of(page: Page, number: int) -> tuple[float, float]:
    place = box(cell(page, number))
    return place["x"] + place["width"] / 2, place["y"] + place["height"] / 2


def drag(page: Page, start: int, end: int) -> None:
    page.mouse.move(*middle_of(page, start))
    page.mouse.down()
    page.mouse.move(*middle_of(page, end), steps=5)
    page.mouse.up()


def test_pieces_are_dragged(visit: Visits) -> None:
    """A piece dropped where it may not go returns, selected; a click there works as well."""
    for state, start, wrong, end, moves in (
        (at(CHESS, o="human"), 10, 0, 5, "c2b3"),
        (at(PONG, o="human"), 0, 4, 2, "0"),
        (at(MORRIS, o="human", moves="4,0,2,6,3,5"), 4, 0, 1, "46"),
    ):
        page = visit(state)
        before = record(page)
        drag(page, start, wrong)
        expect(cell(page, start)).to_have_attribute("aria-label", re.compile("selected"))
        assert record(page) == before
        assert page.locator("#board svg [data-piece][transform]").count() == 0
        drag(page, start, end)
        expect(page).to_have_url(re.compile(f"moves={','.join(filter(None, [before, moves]))}&"))
        expect(cell(page, start)).not_to_have_attribute("aria-label", re.compile("selected"))


def test_pieces_are_dragged_by_touch(visit: Visits) -> None:
    page = visit(
        at(PONG, o="human"), viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    session = page.context.new_cdp_session(page)
    (x, y), (to_x, to_y) = middle_of(page, 0), middle_of(page, 2)
    path = [(x + (to_x - x) * i / 5, y + (to_y - y) * i / 5) for i in range(6)]
    for i, (left, top) in enumerate(path):
        kind = "touchMove" if i else "touchStart"
        points = [{"x": left, "y": top}]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(cell(page, 2)).to_have_attribute("aria-label", "point 3, X")


@pytest.mark.parametrize(("width", "place"), [(360, 11), (1200, 0)])
@pytest.mark.thinned(2)
def test_many_moves_to_one_cell_are_listed_within_the_board(
    visit: Visits, width: int, place: int
) -> None:
    page = visit(viewport={"width": width, "height": 800})
    page.evaluate(OFFER, place)
    cell(page, place).click()
    choice = page.locator(".choice button")
    assert choice.all_inner_texts() == [f"to {n}" for n in range(1, 26)]
    board = box(page.locator("#board .frame"))
    for button in choice.all()[::8]:
        button.click(trial=True)
        one = box(button)
        assert board["x"] <= one["x"]
        assert one["x"] + one["width"] <= board["x"] + board["width"]


def test_pieces_are_selected_and_moved_by_keyboard(visit: Visits) -> None:
    """Select a piece, hear its targets, deselect it, and promote a pawn."""
    page = visit(at(CHESS, position=".q../.pP./.K.k/....%20w", turn="White", o="human"))
    cell(page, 6).press("Enter")
    expect(page.locator("#live")).to_have_text(re.compile(r"^c3 selected\. It can go to .*c4"))
    page.keyboard.press("Escape")
    expect(cell(page, 6)).to_have_attribute("aria-label", "c3, white pawn")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    expect(page.locator("#chart li")).to_have_count(2)
    assert record(page) == "c3c4q"
    assert labels(page)[2] == "c4, white queen"


def test_controls_do_nothing_before_the_first_game_is_there(visit: Visits) -> None:
    page = visit()
    held: list[Route] = []
    waits = True

    def hold(route: Route) -> None:
        if waits:
            held.append(route)
        else:
            route.continue_()

    page.route("**/api/v1/**", hold)
    page.evaluate("history.replaceState(null, '', '#game=ponghauki')")
    page.reload(wait_until="commit")
    page.locator("#game option").nth(1).wait_for(state="attached")
    page.evaluate(
        """() => {
          for (const one of document.querySelectorAll("button:not(.tabs button)")) one.click();
          for (const one of document.querySelectorAll(".tabs button")) one.click();
          for (const one of document.querySelectorAll("select:not(#game), input"))
            for (const type of ["input", "change"]) one.dispatchEvent(new Event(type));
        }"""
    )
    waits = False
    for route in held:
        route.continue_()
    page.locator("#tab-play").click()
    expect(page.locator("#board .cell")).to_have_count(5)


@pytest.mark.parametrize("human", [0, pytest.param(1, marks=pytest.mark.campaign)])
def test_perfect_never_loses_tic_tac_toe(
    visit: Visits, agents: dict[str, TableAgent], human: int
) -> None:
    agent = agents["tictactoe"]
    page = visit(at("tictactoe", **{"xo"[human]: "human", "xo"[1 - human]: "perfect"}))
    played = play_games(page, 25, seed=human + 2)
    assert len({keys["moves"] for _, keys in played}) > 10
    for result, keys in played:
        assert result == ending(agent, keys["moves"], human)
        assert winner(agent, keys["moves"]) != agent.game.seats[human]
    assert any(winner(agent, keys["moves"]) for _, keys in played), "a random human should lose"
