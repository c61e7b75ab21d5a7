"""The page shows what is in the table."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from solver import Outcome, TableAgent
from solver.agent import words
from tests.web.browser.visits import (
    CHESS,
    CONNECT4,
    MORRIS,
    Visits,
    address,
    at,
    badges,
    board_of,
    box,
    cell,
    labels,
    mark,
    record,
    replay,
    status,
)

pytestmark = [pytest.mark.slow, pytest.mark.large]
COLOURS = {"X": "Red", "O": "Yellow"}  # of discs

READ_ROWS = """(rows) => rows.map((row) =>
  [...row.querySelectorAll(".move, strong, svg")].map((part) => part.textContent))"""
POSITIONS = {
    CONNECT4: ["", "0", "1,1,1", "0,1,0,1,3", "2,2,2,2,1,1"],
    "tictactoe": ["", "0", "0,4", "4,0,8", "1,3,5,7"],
    CHESS: ["", "c2b3", "b1c1,b3c2"],
    MORRIS: ["", "4,0", "4,0,5,3,6,2"],
}


VERBS = {Outcome.WIN: "wins", Outcome.DRAW: "draw", Outcome.LOSS: "loses"}


def plain(outcome: Outcome, distance: int | None) -> str:
    """Return a value as the page says it."""
    return words.value_text(outcome, distance).replace(str(outcome), VERBS[outcome])


def expected(agent: TableAgent, p: Any) -> list[tuple[int, str]]:
    """Return the values that the board should show, each with its cell or column."""
    game = agent.game
    across = game.board[0] if game.spec == CONNECT4 and game.board else 99
    values = [(game.cell(p, s.move), mark(s.outcome, s.distance)) for s in agent.scores(p)]
    return sorted((place % across, text) for place, text in values if place is not None)


def shown_values(page: Page) -> list[tuple[int, str]]:
    """Return the values on the board, of pieces when each is pointed at.

    Until then, a piece shows its best one.
    """
    page.mouse.move(0, 0)
    pieces = page.locator("#board .drags").all()
    at_rest = badges(page)
    found = [] if pieces else at_rest
    assert len(at_rest) >= len(pieces)
    for piece in pieces:
        place = int(piece.get_attribute("data-cell") or 0)
        page.mouse.move(0, 0)
        others = [badge for badge in at_rest if badge[0] != place]
        piece.hover()
        aimed = badges(page)
        assert all(badge in aimed for badge in others)
        for badge in others:
            aimed.remove(badge)
        found += aimed
    return sorted(found)


@pytest.mark.parametrize("game", POSITIONS)
@pytest.mark.thinned(4)
def test_the_values_shown_are_those_of_the_table(
    visit: Visits, agents: dict[str, TableAgent], game: str
) -> None:
    agent = agents[game]
    page = visit(at(game, x="human", o="human"))
    assert badges(page) == []
    page.locator("#values").check()
    for moves in POSITIONS[game]:
        page.goto(visit.site + at(game, moves=moves, x="human", o="human", values=1))
        p, turn = replay(agent, moves)
        scores = agent.scores(p)
        expect(page.locator("#chart li")).to_have_count(len(moves.split(",")) + 1 if moves else 1)
        said = words.verdict(agent, p, turn)
        if game == CONNECT4:  # by the colours of the discs
            said = re.sub(r"\b[XO]\b", lambda seat: COLOURS[seat[0]], said)
        expect(status(page)).to_have_text(said)
        assert shown_values(page) == expected(agent, p)
        listed = page.locator("#moves li").evaluate_all(READ_ROWS)
        values = [plain(s.outcome, s.distance).capitalize() for s in scores]
        marks = [mark(s.outcome, s.distance) for s in scores]
        assert listed == [
            [s.label, icon, text] for s, icon, text in zip(scores, marks, values, strict=True)
        ]


def test_values_are_in_the_accessible_names(visit: Visits) -> None:
    page = visit("#moves=0,1&o=human&values=1")
    names = labels(page)
    assert names[0] == "cell 1, X"
    assert names[3] == "cell 4, empty, wins in 3 moves, best"
    assert names[2] == "cell 3, empty, draw"
    first = page.locator("#moves .move").first
    assert re.match(r"play \d: wins in 3 moves, best", first.get_attribute("aria-label") or "")
    page.locator("#values").uncheck()
    expect(page.locator("#live")).to_have_text("Hints are hidden.")
    assert labels(page)[3] == "cell 4, empty"


@pytest.mark.parametrize(("game", "moves"), [("tictactoe", "0,1"), (CONNECT4, "0,1,1")])
def test_the_best_line_can_be_played(
    visit: Visits, agents: dict[str, TableAgent], game: str, moves: str
) -> None:
    agent = agents[game]
    page = visit(at(game, moves=moves, x="human", o="human", values=1))
    p, _ = replay(agent, moves)
    line = [str(agent.game.code(m)) for m in agent.line(p)]
    steps = page.locator("#line button")
    expect(steps).to_have_count(len(line))
    steps.last.click()
    expect(status(page)).to_have_text(re.compile("has won|draw"))
    assert record(page) == ",".join([moves, *line])


def test_the_bars_are_for_the_reader(visit: Visits) -> None:
    """As O, the board showed W1, and the bar L1 below the line."""
    page = visit("#moves=0,1,2,4,3&x=perfect&o=human&values=1")
    assert (7, "W1") in badges(page)
    last = page.locator("#chart .bar").last
    expect(last).to_have_class("bar up side-1")
    expect(last).to_have_text("1")
    expect(page.locator("#legend")).to_contain_text("Up: you win. Down: X wins.")
    cell(page, 7).click()
    expect(status(page)).to_have_text("O has won.")
    expect(page.locator("#chart .bar").last).to_have_class("bar up side-1")
    expect(page.locator("#chart .bar").last).to_have_text("✓")


def test_a_puzzle_accepts_only_its_solution(visit: Visits, agents: dict[str, TableAgent]) -> None:
    page = visit("#view=puzzles")
    task, verdict = page.locator("#task"), page.locator("#verdict")
    expect(task).to_contain_text("to move")
    page.click("#next")
    expect(page).to_have_url(re.compile("puzzle=.{9}:"))
    expect(task).to_have_text(re.compile("^[XO] to move: (find the win|hold the draw)"))
    scores = agents["tictactoe"].scores(board_of(page))
    best, others = scores[0], scores[1:]
    assert others
    assert all(score.outcome < best.outcome for score in others)
    assert ("win" in task.inner_text()) == (best.outcome is Outcome.WIN)
    puzzle = page.locator("#puzzle-board .cell")
    for score in others:
        puzzle.nth(score.move).click()
        expect(verdict).to_have_text(
            re.compile(f"^{score.label}: ([XO] wins|only a draw) there. Try again")
        )
    puzzle.nth(best.move).click()
    expect(verdict).to_have_text(re.compile(f"^Right: {best.label}, {VERBS[best.outcome]}"))
    expect(page.locator("#tally")).to_contain_text("first try: 0 of 1")
    page.click("#next")
    expect(page.locator("#tally")).to_be_empty()
    best = agents["tictactoe"].scores(board_of(page))[0]
    page.locator("#puzzle-board .cell").nth(best.move).click()
    expect(page.locator("#tally")).to_contain_text("first try: 1 of 2")


@pytest.mark.parametrize("game", ["tictactoe", CONNECT4, CHESS])
def test_a_puzzle_shows_its_solution_and_can_be_played_on(
    visit: Visits, agents: dict[str, TableAgent], game: str
) -> None:
    page = visit(at(game, view="puzzles"))
    expect(page.locator("#task")).to_contain_text("to move: ")
    page.click("#solution")
    expect(page.locator("#puzzle-board .badge").first).to_be_visible()
    verdict = page.locator("#verdict").inner_text()
    page.click("#play-on")
    expect(page.locator("#panel-play")).to_be_visible()
    expect(status(page)).to_contain_text("Your turn")
    keys = address(page)
    best, second = agents[game].scores(keys["position"], keys["turn"])[:2]
    assert second.outcome < best.outcome
    value = plain(best.outcome, best.distance)
    assert verdict.startswith(f"The move is {best.label}: {value}")


def test_what_was_answered_to_a_puzzle_is_still_known_after_a_reload(visit: Visits) -> None:
    """A wrong answer, or the solution, and then a reload made the next answer the first one."""
    page = visit(at("tictactoe", view="puzzles"))
    expect(page.locator("#play-on")).to_have_attribute("aria-disabled", "true")  # hints are there
    number = address(page)["puzzle"]
    moves = page.locator("#puzzle-board .cell:not([aria-disabled='true'])")
    for n in range(moves.count()):
        moves.nth(n).click()
        if page.locator("#squares .wrong").count():
            break
        page.reload()
    page.reload()
    expect(page.locator("#squares .wrong")).to_have_count(1)
    expect(page.locator("#tally")).to_be_empty()
    page.click("#solution")
    page.reload()
    assert address(page)["puzzle"] == number
    expect(page.locator("#verdict")).to_contain_text("The move is")
    page.click("#solution")  # now to try it again
    expect(page.locator("#verdict")).to_have_text(
        "The solution was shown: this try does not count."
    )
    while "No other move" not in page.locator("#verdict").inner_text():
        best = TableAgent().scores(board_of(page))[0]
        page.locator("#puzzle-board .cell").nth(best.move).click()
    expect(page.locator("#task")).to_have_text("Solved, but not counted.")
    expect(page.locator("#tally")).to_contain_text("first try: 0 of 1")
    assert page.evaluate("localStorage['perfectplay.streak']") is None


@pytest.mark.parametrize("side", ["X", "O"])
def test_the_strategy_map_never_loses(
    visit: Visits, agents: dict[str, TableAgent], side: str
) -> None:
    """Random paths through the map are legal games with the table's moves."""
    agent = agents["tictactoe"]
    page = visit("#view=map")
    page.locator("#map-sides").get_by_label(side, exact=True).check()
    expect(page.locator("#map svg > title")).to_have_text(re.compile(f"play of {side}$"))
    where, replies = page.locator("#map-where"), page.locator("#map-replies button")
    draws = random.Random(side)
    ends = set()
    for _ in range(6):
        page.click("#zoom-all")
        while "can take" in where.inner_text():
            count = replies.count() - replies.filter(has_text="Back").count()
            replies.nth(draws.randrange(count)).click()
        walked = re.findall(r"([XO]) (\d)", where.inner_text())
        p = agent.game.initial()
        for number, (who, label) in enumerate(walked):
            assert who == "XO"[number % 2]
            if who == side:
                best, *others = agent.scores_at(p)
                tied = [s.move for s in others if s[2:] == best[2:]]
                assert int(label) - 1 in (best.move, *tied)
            p = agent.game.play(p, int(label) - 1)
        assert agent.game.primitive(p) is not None
        ends.add(where.inner_text().rpartition(f"{side} ")[2])
        lost = agent.game.primitive(p) is Outcome.LOSS
        assert ends <= {"has won.", "has a draw."}
        assert where.inner_text().endswith("has won." if lost else "has a draw.")
    assert "has won." in ends


def test_a_click_on_a_board_of_the_map_zooms_to_it(visit: Visits) -> None:
    page = visit("#view=map&side=X")
    where, board = page.locator("#map-where"), page.locator("#map svg > g > g").nth(3)
    expect(where).to_have_text("X 1. Now O can take:")
    far, frame = box(board), box(page.locator("#map"))
    page.mouse.click(far["x"] + far["width"] / 2, far["y"] + far["height"] / 2)
    expect(where).to_have_text(re.compile("X 1; O 5, X"))
    assert address(page)["path"] == "5"
    assert frame["width"] * 0.7 < box(board)["width"] < frame["width"]
    page.get_by_label("back to the board around").click()
    expect(where).to_have_text("X 1. Now O can take:")
    assert box(board) == far


def test_a_place_in_the_map_has_an_address_and_shows_the_game(visit: Visits) -> None:
    page = visit("#view=map&side=O&path=5,2")
    where = page.locator("#map-where")
    expect(where).to_have_text(re.compile(r"^X 5, O \d; X 2, O \d"))
    expect(page.get_by_label("O", exact=True)).to_be_checked()
    page.goto(visit.site + "#view=map")
    expect(page.locator("#zoom-here")).to_be_hidden()
    page.goto(visit.site + "#view=map&moves=0,4,8&o=human&x=human")
    page.click("#zoom-here")
    expect(where).to_have_text(re.compile(r"^X 1; O 5, X \d"))


def test_a_game_without_a_map_has_no_tab_for_it(visit: Visits) -> None:
    page = visit(at(CHESS, view="map"))
    expect(page.locator("#tab-map")).to_be_hidden()
    expect(page.locator("#panel-play")).to_be_visible()
