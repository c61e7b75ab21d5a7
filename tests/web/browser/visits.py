"""Visits to the page, each in a new browser context, and helpers that read the page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    FloatRect,
    Locator,
    Page,
    Request,
)

from solver import Outcome, TableAgent
from solver.agent import words

CONNECT4 = "connect4:4x4"
CHESS = "kingspawns:..k./.pp./.PP./.K.."
MORRIS = "morris"
NIM = "nim:2,3"
PONG = "ponghauki"
LOST = "#moves=0,1,4,2,8&x=perfect&o=human"
PREPARE = """
let drawn = 4711;
Math.random = () => (drawn = (drawn * 48271) % 2147483647) / 2147483647;
addEventListener("securitypolicyviolation", (event) =>
  console.error(`against the policy: ${event.violatedDirective} ${event.blockedURI}`));
"""
PLAY_GAMES = (Path(__file__).parent / "games.js").read_text()
READ_BADGES = """() => {
  const inside = (box, x, y) => box.left < x && x < box.right && box.top < y && y < box.bottom;
  const cells = [...document.querySelectorAll("#board .cell")];
  return [...document.querySelectorAll("#board .badge")].map((badge) => {
    const box = badge.getBoundingClientRect();
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    const cell = cells.find((c) => inside(c.getBoundingClientRect(), x, y));
    return [Number(cell.dataset.cell ?? cell.dataset.column), badge.textContent];
  });
}"""


class Visits:
    """Opens the page; `end` fails if there was a complaint that no test allowed.

    Complaints are console messages, errors, failed requests, violations of the policy, and requests
    to other sites.
    """

    def __init__(self, browser: Browser, patience: int) -> None:
        self.browser = browser
        self.patience = patience
        self.site = ""
        self.contexts: list[BrowserContext] = []
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.allowed: list[str] = []

    def __call__(
        self, hash_: str = "#game=tictactoe&o=perfect", *, calm: bool = True, **options: Any
    ) -> Page:
        """Open the page at an address in a new context; calm means no motion and no delays.

        Each visit draws the same random numbers.
        """
        options.setdefault("reduced_motion", "reduce" if calm else "no-preference")
        context = self.browser.new_context(**options)
        self.contexts.append(context)
        context.set_default_timeout(self.patience)
        context.add_init_script(PREPARE)
        context.on("console", self._heard)
        context.on("weberror", lambda error: self.complaints.append(f"{error.error}"))
        context.on("request", self._asked)
        context.on("requestfailed", lambda asked: self.complaints.append(f"failed: {asked.url}"))
        page = context.new_page()
        page.goto(self.site + hash_)
        page.wait_for_selector("#board :is(.cell[aria-label], .keys button)", state="attached")
        return page

    def allow(self, pattern: str) -> None:
        """Allow complaints that match a pattern; the test must provoke one."""
        self.allowed.append(pattern)

    def end(self) -> None:
        for context in self.contexts:
            context.close()
        for pattern in self.allowed:
            assert any(re.search(pattern, text) for text in self.complaints), pattern
        allowed = "|".join(self.allowed) or r"\Z\A."
        unexpected = [text for text in self.complaints if not re.search(allowed, text)]
        assert unexpected == [], unexpected

    def _heard(self, message: ConsoleMessage) -> None:
        self.complaints.append(f"{message.type}: {message.text} {message.location}")

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)
        here, there = urlsplit(self.site), urlsplit(request.url)
        same = there.scheme == "data" or (there.scheme, there.netloc) == (here.scheme, here.netloc)
        if not same:
            self.complaints.append(f"another host: {request.url}")


def at(game: str, **keys: Any) -> str:
    """Return the address of a game in some state."""
    return "#" + "&".join([f"game={game}", *(f"{key}={value}" for key, value in keys.items())])


def address(page: Page | str) -> dict[str, str]:
    """Return the keys and values of the page's address."""
    url = page if isinstance(page, str) else page.url
    parts = [part.partition("=") for part in urlsplit(url).fragment.split("&") if part]
    return {key: unquote(value) for key, _, value in parts}


def record(page: Page) -> str:
    """Return the moves in the page's address."""
    return address(page).get("moves", "")


def status(page: Page) -> Locator:
    return page.locator("#status")


def box(where: Locator) -> FloatRect:
    """Return the place and size of an element that is shown."""
    found = where.bounding_box()
    assert found
    return found


def cell(page: Page, number: int) -> Locator:
    """Return the button of a cell, from 0, or of a column."""
    return page.locator(f'#board [data-cell="{number}"], #board [data-column="{number}"]')


def labels(page: Page, board: str = "#board") -> list[str]:
    """Return the accessible names of the cells."""
    found: list[str] = page.locator(f"{board} .cell").evaluate_all(
        "(cells) => cells.map((cell) => cell.getAttribute('aria-label'))"
    )
    return found


def board_of(page: Page) -> str:
    """Return the puzzle of tic-tac-toe that is shown, in the agent's notation."""
    signs = [text.rpartition(" ")[2] for text in labels(page, "#puzzle-board")]
    return "".join("." if sign == "empty" else sign for sign in signs)


def choose(page: Page, opponent: str) -> None:
    """Choose an opponent by its name."""
    page.locator("#opponents").get_by_label(opponent, exact=True).check()


def opponent(page: Page) -> str:
    """Return the opponent that is chosen, as in an address."""
    return page.locator("#opponents :checked").input_value()


def badges(page: Page) -> list[tuple[int, str]]:
    """Return the values on the board, each with its cell or column, in order."""
    return sorted((place, text) for place, text in page.evaluate(READ_BADGES))


def mark(outcome: Outcome, distance: int | None) -> str:
    """Return a value as a board shows it, in moves."""
    letters = {Outcome.WIN: "W", Outcome.DRAW: "D", Outcome.LOSS: "L"}
    return letters[outcome] + ("" if distance is None else str(words.moves_in(distance)))


def replay(agent: TableAgent, moves: str) -> tuple[Any, str]:
    """Return the position after the moves of an address, by the rules, and who is to move."""
    game = agent.game
    p = game.initial()
    codes = [code for code in moves.split(",") if code]
    for code in codes:
        p = game.play(p, next(m for m in game.moves(p) if str(game.code(m)) == code))
    return p, game.seats[len(codes) % 2]


def winner(agent: TableAgent, moves: str) -> str | None:
    """Return the winner of the game in an address, by the rules; None for a draw."""
    p, turn = replay(agent, moves)
    over = agent.game.primitive(p)
    if over in (None, Outcome.DRAW):
        return None
    return turn if over is Outcome.WIN else agent.game.other(turn)


def ending(agent: TableAgent, moves: str, human: int | None = None) -> str | None:
    """Return how the page says that the game in an address ended; None if it is not over.

    `human` is the side of the only human, 0 or 1, if there is one.
    """
    p, turn = replay(agent, moves)
    result = words.result(agent.game, p, turn)
    if human is None or result is None:
        return result and result.removeprefix("The game is over: ").capitalize()
    victor = winner(agent, moves)
    if victor is None:
        return "A draw."
    return "You won!" if victor == agent.game.seats[human] else "You lost."


def beat(page: Page) -> None:
    """Win at tic-tac-toe as X against Easy, which plays the worst moves."""
    page.evaluate("Math.random = () => 0.999")
    over = page.locator("#status.over, #status:has-text('Your turn')")
    while not page.locator("#status.over").count():
        over.wait_for()
        board = "".join(name.rpartition(" ")[2].replace("empty", ".") for name in labels(page))
        cell(page, int(str(TableAgent().best_move(board)))).click()
        page.wait_for_timeout(50)


def play_games(page: Page, games: int, seed: int = 1) -> list[Any]:
    """Play games for the human on the page, by random moves.

    Returns for each game the page's status at the end, and the keys and values of its address.
    """
    played = page.evaluate(PLAY_GAMES, {"games": games, "seed": seed})
    return [(result, address(url)) for result, url in played]
