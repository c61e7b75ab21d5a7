"""Accessibility and layout: narrow and wide, light and dark, reduced motion, names, axe."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.support.live import Live
from tests.web.browser.visits import CHESS, CONNECT4, MORRIS, NIM, PONG, Visits, at, box, cell

pytestmark = [pytest.mark.slow, pytest.mark.large]

# what is shown: its address, and an element that only it has
STATES = {
    "play": ("#game=tictactoe", "#status"),
    "lost": ("#moves=0,1,4,2,8&x=perfect&o=human", "#lesson figure"),
    "values": ("#moves=0,1,3&values=1&o=human", "#line button"),
    "over": ("#moves=0,3,1,4,2&o=human&values=1", "#status.over"),
    "waits": ("#moves=0,4,8&ply=1&x=human&o=perfect", "#run"),
    "puzzles": ("#view=puzzles", "#puzzle-board .cell"),
    "games": ("#view=games", "#cards a"),
    "map": ("#view=map", "#map-replies button"),
    "notice": ("#moves=0,0", "#notice"),
    "connect4": (at(CONNECT4, moves="1,1", values=1, o="human"), ".rack .badge"),
    "chess": (at(CHESS, values=1, o="human"), ".squares .cell[aria-label]"),
    "nim": (at(NIM, values=1, o="human"), ".heaps .badge"),
    "ponghauki": (at(PONG, values=1, o="human"), ".points .cell[aria-label]"),
    "morris": (at(MORRIS, moves="4,0,5,3,6,2", o="human", values=1), ".points .cell[aria-label]"),
}
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN_AXE = """async (tags) => (await axe.run(document, { runOnly: tags })).violations.map((found) =>
  [found.id, ...found.nodes.map((node) => node.html.slice(0, 150))])"""
TOO_SMALL = """() => {
  const targets = [...document.querySelectorAll("button, select, input, summary")]
    .map((element) => element.closest("label") ?? element);
  return targets
    .filter((element) => element.checkVisibility())
    .map((element) => [element, element.getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < 43.9)
    .map(([element, box]) => [element.outerHTML.slice(0, 120), box.width, box.height]);
}"""
TOO_WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def each_state(page: Page) -> Iterator[str]:
    """Yield the name of each state while the page shows it."""
    site = page.url.partition("#")[0]
    for state, (hash_, element) in STATES.items():
        page.goto(site + hash_)
        expect(page.locator(element).first).to_be_visible()
        yield state


@pytest.mark.parametrize(
    ("scheme", "width"),
    [  # some labels are hidden where it is narrow
        ("light", 390),
        ("dark", 1280),
        pytest.param("light", 1280, marks=pytest.mark.campaign),
    ],
)
def test_axe_finds_no_violations(axe: str, visit: Visits, scheme: str, width: int) -> None:
    page = visit(color_scheme=scheme, viewport={"width": width, "height": 844})
    found = {}
    for state in each_state(page):
        if not page.evaluate("'axe' in window"):
            page.evaluate(axe)
        found[state] = page.evaluate(RUN_AXE, RULES)
    assert found == {state: [] for state in STATES}


@pytest.mark.large
def test_a_phone_needs_no_horizontal_scrolling(visit: Visits) -> None:
    """Nothing is wider than the screen, and all touch targets measure 44 pixels."""
    page = visit(viewport={"width": 320, "height": 640}, has_touch=True, is_mobile=True)
    found = {
        state: (page.evaluate(TOO_WIDE), page.evaluate(TOO_SMALL)) for state in each_state(page)
    }
    assert found == {state: (0, []) for state in STATES}


TOPS = """() => [".room", ".tabs", "#status", "#board", "#hints", ".rest", "#chart", "#about"]
  .map((name) => [name, document.querySelector(name).getBoundingClientRect().top])"""
IN_VIEW = """(names) => names.filter((name) => {
  const element = document.querySelector(name);
  const box = element.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const top = document.elementFromPoint(x, y);
  const seen = top && (element.contains(top) || top.contains(element));
  const inside = box.bottom <= innerHeight && box.right <= innerWidth;
  return !(seen && inside && box.top >= 0 && box.left >= 0);
})"""
STAGES = {
    "#moves=0,1,4&o=human&values=1": (
        *("#status", "#board .frame", "#values", "#new", "#undo", "#swap"),
    ),
    at(CONNECT4, moves="1,1"): (
        *("#pitch", "#opponents", "#promise", "#status", "#board .frame", "#values"),
        *("#new", "#undo"),
    ),
    at(CHESS): ("#pitch", "#status", "#board .frame", "#values", "#new", "#undo"),
    "#view=puzzles": ("#task", "#puzzle-board .frame", "#verdict", "#solution", "#next"),
}


@pytest.mark.parametrize("size", [(1280, 720), (820, 1180), (390, 844), (844, 390)])
@pytest.mark.thinned(2, 2)
def test_board_status_and_controls_are_in_one_view(visit: Visits, size: tuple[int, int]) -> None:
    """Hints, New game and Start were below the fold, and on a phone the verdict on a puzzle."""
    width, height = size
    touch = width == 844
    view = {"width": width, "height": height}
    page = visit(viewport=view, has_touch=touch, is_mobile=touch)
    for hash_, names in STAGES.items():
        page.goto(visit.site + hash_)
        expect(page.locator(names[-1])).to_be_visible()
        shown = "#puzzle-board .cell" if "puz" in hash_ else "#board .frame"
        expect(page.locator(shown).first).to_be_visible()
        assert page.evaluate(IN_VIEW, [*names]) == [], hash_
    if width < 700:
        page.goto(visit.site + "#moves=0,1,4&o=human&values=1")
        board, hints = box(page.locator("#board .frame")), box(page.locator("#moves"))
        assert 0 < hints["y"] - board["y"] - board["height"] < 160


@pytest.mark.parametrize("size", [(412, 823), (1280, 720)])
def test_nothing_moves_while_the_page_loads(visit: Visits, size: tuple[int, int]) -> None:
    page = visit("#view=games", viewport={"width": size[0], "height": size[1]})
    page.route("**/app.js", lambda route: route.abort())
    visit.allow("ERR_FAILED")
    visit.allow("failed: http")
    page.goto(visit.site)
    page.reload()
    before = page.evaluate(TOPS)
    page.unroute("**/app.js")
    page.goto(visit.site + "#game=tictactoe")
    page.reload()
    expect(page.locator("#promise")).to_contain_text("Medium")
    assert page.evaluate(TOPS) == before


@pytest.mark.large
def test_the_dark_scheme_is_dark(visit: Visits) -> None:
    page = visit("#moves=0&o=human", color_scheme="light")
    ground = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)"
    assert sum(page.evaluate(ground)[:3]) > 700
    page.emulate_media(color_scheme="dark")
    assert sum(page.evaluate(ground)[:3]) < 150


def test_forced_colours_show_what_is_selected(visit: Visits) -> None:
    page = visit("#moves=0,4&o=human&values=1", forced_colors="active")
    style = "(tab) => [getComputedStyle(tab).borderBottomColor, getComputedStyle(tab).color].join()"
    selected, *others = (
        page.locator(f'.tabs [aria-selected="{on}"]').first.evaluate(style)
        for on in ("true", "false")
    )
    assert selected not in others
    line = "getComputedStyle(document.querySelector('.top')).borderBottomColor"
    assert others[0].partition(")")[0] not in page.evaluate(line)
    switch = "getComputedStyle(document.getElementById('values')).appearance"
    assert page.evaluate(switch) == "auto"
    badge = page.locator("#value-draw > *").last
    assert badge.evaluate("(shape) => getComputedStyle(shape).fill") == "rgb(112, 112, 112)"


def test_without_javascript_the_page_says_so(visits: Visits, live: Live) -> None:
    context = visits.browser.new_context(java_script_enabled=False)
    visits.contexts.append(context)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{live.port}/")
    expect(page.locator("noscript .notice")).to_be_visible()
    expect(page.get_by_role("button")).to_have_count(0)


@pytest.mark.large
def test_cells_have_accessible_names(visit: Visits) -> None:
    page = visit()
    for game, moves, names in (
        ("tictactoe", "0,4", {0: "cell 1, X", 4: "cell 5, O", 8: "cell 9, empty"}),
        (CONNECT4, "0,0,0,0,1", {0: "column 1, from the bottom Red, Yellow, Red, Yellow, full"}),
        (CONNECT4, "1", {1: "column 2, from the bottom Red", 2: "column 3, empty"}),
        (CHESS, "", {2: "c4, black king", 10: "c2, white pawn", 0: "a4, empty"}),
        (MORRIS, "4", {4: "point 5, X", 0: "point 1, empty"}),
        (PONG, "", {0: "point 1, X", 2: "point 3, empty", 4: "point 5, O"}),
        (NIM, "", {0: "heap 1, take 2 of 2", 4: "heap 2, take 1 of 3"}),
    ):
        page.goto(visit.site + at(game, moves=moves, x="human", o="human"))
        for number, label in names.items():
            expect(cell(page, number)).to_have_attribute("aria-label", label)


def test_changes_are_announced(visit: Visits) -> None:
    page = visit("#o=human")
    live = page.locator("#live")
    assert live.get_attribute("aria-live") == "polite"
    cell(page, 4).click()
    expect(live).to_have_text("X plays 5. O to move.")
    page.click("#undo")
    expect(live).to_have_text("Move 0 of 1. X to move.")
    page.locator("#values").check()
    expect(live).to_have_text("Hints are shown. X to move: a draw with best play.")
    page.click("#tab-puzzles")
    expect(live).to_have_text(re.compile(r"^New puzzle\. [XO] to move: "))


@pytest.mark.large
def test_the_focus_is_kept(visit: Visits) -> None:
    """After a move, in the list of moves, in the history and in the tabs."""
    page = visit("#o=human&values=1")
    cell(page, 4).click()
    expect(cell(page, 4)).to_be_focused()
    page.locator("#moves .move").first.press("Enter")
    expect(page.locator("#chart li")).to_have_count(3)
    expect(page.locator("#moves .move").first).to_be_focused()
    page.locator('#chart [data-ply="1"]').press("Enter")
    expect(page.locator('#chart [data-ply="1"]')).to_be_focused()
    page.locator("#tab-play").press("ArrowRight")
    expect(page.locator("#tab-puzzles")).to_be_focused()
    expect(page.locator("#panel-puzzles")).to_be_visible()
    page.keyboard.press("End")
    expect(page.locator("#panel-map")).to_be_visible()
