"""What is drawn on boards is seen: at 3 : 1 beside what is there without it, in both schemes.

Texts, on boards and elsewhere, are seen at 4.5 : 1.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import FloatRect, Locator, Page, expect

from solver import TableAgent
from tests.web.browser.visits import CHESS, CONNECT4, MORRIS, NIM, PONG, Visits, at, box, cell

pytestmark = [pytest.mark.slow, pytest.mark.large]
LEAST, LEAST_OF_TEXT = 3, 4.5  # of WCAG 1.4.11 and 1.4.3
# each kind of board: a game, moves, and a cell whose button takes the focus
BOARDS = {
    "tictactoe": ("0,4,8", 2),
    CONNECT4: ("1,1", 2),
    CHESS: ("", 8),
    MORRIS: ("4,0,5,3,6,2", 1),
    PONG: ("", 0),
    NIM: ("", 1),
}


TEXTS = """() => [...document.querySelectorAll("main *, header *, footer *")]
  .filter((one) => [...one.childNodes].some(({ data }) => data?.trim()))
  .filter((one) => one.checkVisibility() && !one.matches("option, title"))
  .filter((one) => !one.closest(".unseen, [aria-disabled=true]"))
  .map((one) => [one.textContent, one.getBoundingClientRect().toJSON()])
  .filter(([, { width, bottom }]) => width && bottom < innerHeight)"""
NO_TEXT = "* { -webkit-text-fill-color: #0000 !important } text { fill: #0000 !important }"
ADD_STYLE = """async (style) =>
  document.adoptedStyleSheets.push(await new CSSStyleSheet().replace(style))"""
READ = (
    *("#moves=0,1,3&values=1&o=human", "#moves=0,1,4,2,8&x=perfect&o=human", "#view=puzzles"),
    *("#view=games", at(CONNECT4, moves="1,1,0", values=1, o="human")),
    *(at(CHESS, values=1, o="human"), at(PONG, values=1, o="human")),
)


def luminance(board: Locator | Page) -> Any:
    """Return the relative luminance of each pixel of a board."""
    picture = np.asarray(Image.open(io.BytesIO(board.screenshot())).convert("RGB")) / 255
    linear = np.where(picture <= 0.04045, picture / 12.92, ((picture + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def seen(before: Any, after: Any, frame: FloatRect, part: FloatRect) -> int:
    """Return how many pixels of a part of a board have changed at LEAST to 1."""
    left, top = (max(0, round(part[k] - frame[k])) for k in ("x", "y"))
    area = np.s_[top : top + round(part["height"]), left : left + round(part["width"])]
    return int((ratios(before, after)[area] >= LEAST).sum())


def ratios(before: Any, after: Any) -> Any:
    """Return the contrast of each pixel with what it was."""
    return (np.maximum(before, after) + 0.05) / (np.minimum(before, after) + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_are_seen(visit: Visits, scheme: str) -> None:
    """Those in pictures, too, which axe does not look at; some pixels have their full colour."""
    size: Any = {"width": 1280, "height": 900}
    page = visit(color_scheme=scheme, viewport=size, device_scale_factor=2)
    faint = {}
    for state in READ:
        page.goto("about:blank")
        page.goto(visit.site + state)
        page.wait_for_selector("h2:visible, .badge", state="attached")
        if "puzzles" in state:
            expect(page.locator("#task")).to_contain_text("to move:")
            page.click("#solution")
        page.wait_for_load_state("networkidle")
        texts, written = page.evaluate(TEXTS), luminance(page)
        page.evaluate(ADD_STYLE, NO_TEXT)
        found = ratios(written, luminance(page))
        assert len(texts) > 15, state
        for text, part in texts:
            top, left, bottom, right = (
                max(0, int(2 * part[k])) for k in ("top", "left", "bottom", "right")
            )
            most = found[top : bottom + 1, left : right + 1].max(initial=1)
            if most < LEAST_OF_TEXT:
                faint[state, text] = most
    assert faint == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", BOARDS)
def test_rings_and_badges_are_seen_beside_the_board(visit: Visits, game: str, scheme: str) -> None:
    """The ring of the focus was 1.04 : 1 on a rack, and hints 1.16 : 1 on squares."""
    moves, number = BOARDS[game]
    page = visit(at(game, moves=moves, x="human", o="human"), color_scheme=scheme)
    board, frame = page.locator("#board .frame"), box(page.locator("#board .frame"))
    page.mouse.move(1, 1)
    plain = luminance(board)
    page.locator("#swap").focus()
    page.keyboard.press("Tab")
    cell(page, number).focus()
    ring = box(cell(page, number))
    assert seen(plain, luminance(board), frame, ring) >= ring["width"] + ring["height"]
    page.locator("#values").check()
    page.locator("#values").blur()
    badges = page.locator("#board .badge").all()
    shown = luminance(board)
    assert len(badges) >= 2
    for badge in badges:
        area = box(badge)
        assert seen(plain, shown, frame, area) >= area["width"] + area["height"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("game", ["tictactoe", CONNECT4, CHESS, PONG])
def test_the_last_move_is_seen(
    visit: Visits, agents: dict[str, TableAgent], game: str, scheme: str
) -> None:
    """Its cells are tinted; the same position without a last move has none."""
    agent = agents[game]
    rules = agent.game
    start = rules.initial()
    m = agent.table.best(start)
    after, code = rules.play(start, m), rules.code(m)
    options = {"x": "human", "o": "human"}
    page = visit(at(game, moves=code, **options), color_scheme=scheme)
    board, frame = page.locator("#board .frame"), box(page.locator("#board .frame"))
    tinted = luminance(board)
    turn = rules.other(rules.turn(start))
    page.goto("about:blank")
    page.goto(visit.site + at(game, position=rules.text(after, turn), turn=turn, **options))
    page.wait_for_selector("#board .cell[aria-label]", state="attached")
    at_cell = rules.cell(start, m)
    assert at_cell is not None
    target = cell(page, at_cell % 4 if game == CONNECT4 else at_cell)
    part = box(target)
    changed = seen(luminance(board), tinted, frame, part)
    assert changed >= min(part["width"], part["height"])
