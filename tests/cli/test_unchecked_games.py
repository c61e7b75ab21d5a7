"""Rules that give odd texts and types after their check: no exit fails, or passes them on as is."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from solver import load_game
from solver.web.app import create_app
from solver.web.catalogue import open_agents
from tests.conftest import Command
from tests.support.asgi import Client

RULES = """
from tests.support.user_games import Row

class Three(Row):
    board = (3, 1)
    odd = {}

    def initial(self):
        return "..."

    def cell(self, p, m):
        return self.odd.get("cell", m)

    def label(self, p, m):
        label = self.odd.get("label", "")
        return str(m) + label if isinstance(label, str) else label

    def marks(self, text):
        return self.odd.get("marks", text)

    def render(self, p, turn=None):
        return self.odd.get("render", p)
"""
BOT = "def move(position, moves, side):\n    return moves[-1]\nmove.deterministic = True\n"
COMMANDS = (
    *("best", "line", "explain", "puzzles", "play", "best --json"),
    *("render -o x.svg", "render -o x.svg --values", "serve --static site"),
    *(f"grade bot.py:move --convention text -o x.{form}" for form in ("html", "csv")),
    "arena random win",
)
RAW = re.compile("[\x00-\x09\x0b-\x1f\x7f\ud800-\udfff]")  # all control characters but line ends
ESCAPES = "\x1b[31m\x00<b>\ud800"
GAME = ("--game", "three.py:Three")


@pytest.fixture
def rules(command: Command, uncompiled: None, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the class of a game that is solved."""
    Path("three.py").write_text(RULES)
    Path("bot.py").write_text(BOT)
    monkeypatch.delitem(__import__("sys").modules, "three", raising=False)
    assert command("solve", GAME[1]) == 0, command.err
    return type(load_game(GAME[1]))


@pytest.mark.parametrize(
    "odd",
    [
        {"label": ESCAPES},
        {"marks": "X\x00."},
        {"marks": "X\ud800."},
        {"render": f"{ESCAPES}\r\n"},
        {"marks": None},
        {"render": None},
        {"label": 5},
        {"cell": "a"},
    ],
)
@pytest.mark.thinned(8, 2)
@pytest.mark.slow
def test_no_exit_passes_on_what_is_odd(rules: Any, odd: dict[str, Any], command: Command) -> None:
    rules.odd = odd
    is_text = isinstance(next(iter(odd.values())), str) and "cell" not in odd
    for words in COMMANDS:
        command.type("h", "?", "q")
        status = command(*words.split(), *GAME)
        checks_laws = words.split()[0] in ("play", "arena")  # which refuse odd labels and marks
        assert status in ((0, 2) if checks_laws or not is_text else (0,)), f"{words}: {command.err}"
        assert command.err.count("\n") <= 1 or status == 0
        assert not RAW.search(command.out + command.err), words
        for path in Path().glob("x.*"):
            text = path.read_bytes().decode()
            assert not RAW.search(text), words
            assert "<b>" not in text or path.suffix in (".txt", ".csv")
            if path.suffix == ".svg":
                ET.fromstring(text)
            path.unlink()


@pytest.mark.parametrize(
    ("name", "value"),
    [("seats", ("X\x1b[2J", "O")), ("title", "T\ud800"), ("about", ["x"]), ("board", (3, 0.5))],
)
def test_what_a_game_declares_is_checked_whenever_it_is_used(
    rules: Any, name: str, value: Any, command: Command
) -> None:
    setattr(rules, name, value)
    for words in ("best", "play", "render -o x.svg --values", "serve --static site"):
        message = command.refuses(*words.split(), *GAME)
        assert f"three:Three breaks a law: {name} " in message
        assert not RAW.search(message.rstrip("\n"))
    assert f"breaks a law: {name} " in command.refuses("check", GAME[1], status=1)


def test_places_of_cells_are_checked_before_they_are_drawn(rules: Any, command: Command) -> None:
    rules.board, rules.cell_places = None, ((0.5, 0), (1, 0), (2, 0))
    assert "cell_places are (column, row)" in command.refuses("render", "-o", "x.svg", *GAME)


def test_a_server_escapes_what_is_odd(rules: Any) -> None:
    rules.odd = {"marks": "X\ud800.", "label": ESCAPES}
    client = Client(create_app(open_agents([GAME[1]], [])))
    assert client.get("/").status == 200
    assert client.get("/api/v1/games").json["games"][0]["marks"] == "X\ud800."
    for path in ("", "/line", "/explain", "/picture", "/whole"):
        answer = client.get(f"/api/v1/three:Three{path}")
        assert answer.status == 200
        assert not RAW.search(answer.body.decode())
