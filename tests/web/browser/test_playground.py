"""The playground in a browser: rules are solved, played, proved, stopped and sent, in a sandbox."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from scripts.site import build_page, build_playground
from tests.conftest import SHIPPED, Command
from tests.support.javascript import tool
from tests.web.browser.conftest import PATIENCE
from tests.web.test_playground import SLIPS, TAKE

pytestmark = pytest.mark.large

ENDLESS = TAKE.replace("return 10", "\n        while True:\n            pass")
TICTACTOE = (
    "from solver.games.mnk import Mnk\n\n\n"
    "class Row(Mnk):\n    spec = 'row:Row'\n\n"
    "    def __init__(self):\n        super().__init__(3, 3, 3)\n"
)
SENTENCES = {14: "line 14, raised NameError", 7: "breaks a law at [10]: a position is a number"}
HOSTILE = (Path(__file__).parent / "hostile.py").read_text()


class Site(ThreadingHTTPServer):
    """The site, and the paths that were asked for."""

    seen: list[str]


class Handler(SimpleHTTPRequestHandler):
    server: Any

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        self.server.seen.append(self.path)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    tool("pyodide/pyodide.mjs")
    folder = tmp_path_factory.mktemp("site")
    build_page(folder / "page")
    build_playground(folder)
    server = Site(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    server.seen = []
    Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(browser: Browser, site: Site) -> Iterator[Page]:
    """Return the playground with its first example; errors that nothing catches fail the test."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    made, errors = context.new_page(), list[str]()
    made.on("pageerror", lambda error: errors.append(str(error)))
    made.goto(address(site))
    expect(made.locator("#rules")).not_to_have_value("")
    yield made
    context.close()
    assert errors == []


def address(site: Site, path: str = "play.html") -> str:
    return f"http://127.0.0.1:{site.server_port}/{path}"


def solve(page: Page, rules: str | None = None) -> None:
    """Solve rules, by default those that are there, as far as the page gets with them."""
    if rules is not None:
        page.fill("#rules", rules)
    page.click("#solve")
    expect(page.locator("#stop")).to_be_hidden()


def saved(page: Page, button: str, folder: Path) -> Path:
    """Return the file that a button downloads."""
    with page.expect_download() as download:
        page.click(button)
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def test_a_game_is_solved_played_proved_and_opened_at_home(
    page: Page, site: Site, command: Command, tmp_path: Path
) -> None:
    assert not [path for path in site.seen if path.endswith(".bin")]
    page.select_option("#example", index=2)
    solve(page)
    expect(page.locator("#verdict")).to_have_text(
        "First to move: First wins in 3 moves with best play."
    )
    player = page.frame_locator("#player iframe")
    expect(player.locator("#status")).to_have_text(re.compile("Your turn"))
    player.locator(".press:has(#values)").click()
    expect(player.locator("#moves li").first).to_contain_text("4")
    page.click("#send")
    expect(page.locator("#sent")).to_contain_text("a link of")  # the address is that link now
    expect(page.locator("#sent")).to_contain_text(f"a link of {len(page.url)} characters")
    page.click("#make-report")
    expect(page.locator("#report h3").last).to_have_text("Cost")
    expect(page.locator("#report")).to_contain_text("a side that could win gives the win away")
    page.click("#prove")
    expect(page.locator("#proved")).to_have_text(re.compile("^Proved .* In 3 Pythons"))
    expect(page.locator("#proved")).to_be_in_viewport()
    expect(page.locator("#ends")).to_have_text(re.compile("^When .* random games are over"))
    for button in ("#save-rules", "#save-table"):
        assert saved(page, button, tmp_path).stat().st_size > 100
    page.locator("#rules").press_sequentially(" ")
    expect(page.locator("#result")).to_be_hidden()
    page.locator("#rules").press("Backspace")
    expect(page.locator("#prove")).to_be_visible()
    assert command(*page.inner_text("#home").split()[1:]) == 0
    assert command.err == ""


def test_tic_tac_toe_has_the_table_that_is_shipped(page: Page, tmp_path: Path) -> None:
    """But for its name and the files of its rules; and cells are named as its moves are, from 0.

    The second game that is solved has a Python that starts from a snapshot.
    """
    solve(page)
    solve(page, TICTACTOE + "\n    def label(self, p, m):\n        return str(m)\n")
    player = page.frame_locator("#player iframe")
    player.locator(".press:has(#values)").click()
    expect(player.locator("#moves li")).to_have_count(9)
    assert player.locator("#board text:not(.badge *)").all_text_contents() == [*"012345678"]
    ours, shipped = (
        json.loads(p.read_bytes()) for p in (saved(page, "#save-table", tmp_path), SHIPPED)
    )
    assert ours["entries"] == shipped["entries"]


@pytest.mark.parametrize(("rules", "line"), [*SLIPS.items()][1:3])
def test_a_slip_is_shown_at_its_line(page: Page, rules: str, line: int) -> None:
    solve(page, rules)
    expect(page.locator("#gutter mark")).to_have_text(str(line))
    expect(page.locator("#error")).to_contain_text(SENTENCES[line])
    page.keyboard.insert_text("# ")  # goes before the line, and replaces nothing
    assert page.input_value("#rules").split("\n")[line - 1] == f"# {rules.split(chr(10))[line - 1]}"


def test_endless_rules_are_stopped(page: Page) -> None:
    """By the button at once; by the page after its time, which a clock of the test lets pass."""
    page.fill("#rules", ENDLESS)
    page.clock.install()
    for wait, words in ((30_000, "Stopped."), (90_000, "Stopped after 60 seconds")):
        page.click("#solve")
        expect(page.locator("#ticker")).to_have_text("0 positions · 0 s")
        expect(page.locator("#status")).to_have_text("Solving …")
        running = page.frames[-1]
        page.clock.run_for(wait)
        if page.locator("#stop").is_visible():
            expect(page.locator("#ticker")).to_have_text(re.compile("· [1-5][0-9] s"))
            page.click("#stop")
        assert words in page.inner_text("#status")
        assert running.is_detached()


def test_own_rules_are_kept(page: Page, site: Site) -> None:
    """Beside examples and links, and after a reload; a line begins where the last one began."""
    page.fill("#rules", "")
    page.click("#solve")
    expect(page.locator("#error")).to_contain_text("Write rules first")
    page.locator("#rules").press_sequentially("    a\nb")
    expect(page.locator("#example")).to_have_value("")
    page.select_option("#example", index=1)
    expect(page.locator("#rules")).to_have_value(re.compile("^from"))
    call = "async (text) => (await import('/playground/link.js')).toFragment(text)"
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate("(hash) => { location.hash = hash }", page.evaluate(call, TAKE))
    expect(page.locator("#heading")).to_have_text("Subtraction")
    expect(page.locator("#about")).to_contain_text("A friend made up this game")
    expect(page.locator("#saying")).to_contain_text("Take one, two or three of ten matches")
    expect(page.locator("#sheet-title")).to_have_text(re.compile(r"Show the rules: \d+ lines"))
    expect(page.locator("#rules")).to_be_hidden()
    expect(page.get_by_role("button", name="Play")).to_be_in_viewport(ratio=1)
    page.go_back()
    expect(page.locator("#rules")).to_have_value("    a\n    b")
    page.reload()
    expect(page.locator("#rules")).to_have_value("    a\n    b")


EVERY = "".join(map(chr, [*range(1, 13), *range(14, 0xD800), *range(0xE000, 0x10800)]))


def test_links_carry_every_character_and_nothing_runs(page: Page, site: Site) -> None:
    call = "async ([name, ...given]) => (await import('/playground/link.js'))[name](...given)"
    made = page.evaluate(call, ["toFragment", EVERY])
    assert page.evaluate(call, ["fromFragment", made]) == EVERY
    site.seen.clear()
    page.goto(address(site, "play.html" + page.evaluate(call, ["toFragment", TAKE])))
    page.reload()
    expect(page.locator("#rules")).to_have_value(TAKE)
    expect(page.locator("#unrun")).to_contain_text("Nothing has run yet")
    assert not [path for path in site.seen if path.endswith(".bin")]
    for fragment, words in (
        ("#zAAAA", "This link is of version “z”"),
        ("#aAAAA", "This link is damaged"),
        ("#a%", "This link is damaged"),
    ):
        page.evaluate("(hash) => { location.hash = hash }", fragment)
        expect(page.locator("#error")).to_contain_text(words)
    packer = zlib.compressobj(9, wbits=-15)
    bomb = base64.urlsafe_b64encode(packer.compress(bytes(10**7)) + packer.flush()).decode()
    page.evaluate("(hash) => { location.hash = hash }", "#a" + bomb.rstrip("="))
    expect(page.locator("#error")).to_contain_text("more than 100,000 characters")


@pytest.mark.parametrize("visit", ["first", "second"])
def test_hostile_rules_reach_nothing(page: Page, site: Site, visit: str) -> None:
    """JavaScript that rules run tries everything; what it reached is in the text of its error.

    At the second visit, Python starts from what the browser has kept.
    """
    if visit == "second":
        solve(page)
        page.wait_for_function("async () => (await (await caches.open('python')).keys()).length")
        page.reload()
        expect(page.locator("#rules")).not_to_have_value("")
    site.seen.clear()
    solve(page, HOSTILE.replace("ORIGIN", f"http://127.0.0.1:{site.server_port}"))
    said = page.inner_text("#error")
    assert "REACHED" not in said
    assert said.count("no ") == 20, said
    assert not [path for path in site.seen if "secret" in path]
    assert page.locator("#gutter mark").count() == 0


def test_it_is_accessible_and_fits_a_phone(page: Page, axe: str) -> None:
    """The frame with the game becomes as high as the game, no less and no more."""
    page.set_viewport_size({"width": 360, "height": 740})
    solve(page)
    page.click("#make-report")
    expect(page.locator("#report table")).to_have_count(2)
    page.locator("#player").scroll_into_view_if_needed()
    expect(page.locator("#player iframe")).to_have_attribute("style", re.compile(r"height: \d+px"))
    page.frame_locator("#player iframe").locator("footer").scroll_into_view_if_needed()
    box = page.locator("#player iframe").bounding_box()
    assert box is not None
    assert 740 < box["height"] < 2000
    page.evaluate(axe)
    assert page.evaluate("async () => (await axe.run(document)).violations.map((v) => v.id)") == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_it_is_used_by_keyboard_alone(page: Page) -> None:
    """Focus goes to Stop, which ends a game that never does, and back."""
    on = "document.activeElement.id"

    def tab_to(name: str) -> None:
        for _ in range(40):
            page.keyboard.press("Escape")
            page.keyboard.press("Tab")
            if page.evaluate(on) == name:
                page.keyboard.press("Enter")
                return
        raise AssertionError(name)

    tab_to("solve")
    expect(page.locator("#status")).to_have_text("Solved.")
    assert page.evaluate(on) == "title"  # of the result, where the game is next
    tab_to("make-report")
    expect(page.locator("#report h3").last).to_have_text("Cost")
    assert page.evaluate(on) == "make-report"
    page.fill("#rules", ENDLESS)
    tab_to("solve")
    expect(page.locator("#status")).to_have_text("Solving …")
    assert page.evaluate(on) == "stop"
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_have_text("Stopped.")
    assert page.evaluate(on) == "solve"


def test_the_page_has_the_small_games(browser: Browser, site: Site) -> None:
    page = browser.new_page()
    page.goto(address(site, "page/index.html#game=wild&o=perfect"))
    expect(page.locator("#status")).to_have_text(re.compile("Your turn"))
    page.click("#tab-games")
    expect(page.locator("#cards li")).to_have_count(11)
    page.close()
