"""What must not stop the server: tables that change, rules that exit or are slow, odd heads."""

from __future__ import annotations

import asyncio
import os
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from solver import MappedTable, TableAgent, UnknownPositionError, load_game
from solver.solving.solve import SolveOptions, solve_file
from solver.tables.source import open_source
from solver.web.app import create_app
from solver.web.catalogue import open_agents
from solver.web.middleware import MAX_ADDRESS, MAX_HEADERS
from tests.support.asgi import Client
from tests.support.tables import mapped_bytes

API = "/api/v1"
MISERE = "mnk:3,3,3,misere"
RULES = '''
    import threading

    from solver import Game, Outcome


    class Count(Game):
        """Take one or two of five; its text stops the rules when a test says so."""

        stop = None
        asked, go_on = threading.Event(), threading.Event()

        def initial(self):
            return 5

        def moves(self, p):
            return [n for n in (1, 2) if n <= p]

        def play(self, p, m):
            return p - m

        def primitive(self, p):
            return None if p else Outcome.LOSS

        def parse(self, text, turn=None):
            if text == "2":
                self.asked.set()
                assert self.go_on.wait(180)
            return super().parse(text, turn)

        def label(self, p, m):
            if self.stop is not None:
                raise self.stop
            return str(m)
'''
HOST = [(b"host", b"x")]
PATIENCE = 180  # seconds: the last resort of a wait
COUNT = f"{API}/counted:Count"


@pytest.fixture
def custom(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Client, Any]:
    """Return a client of a server with a custom game, and its rules."""
    (tmp_path / "counted.py").write_text(textwrap.dedent(RULES))
    spec = f"{tmp_path / 'counted.py'}:Count"
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    monkeypatch.delitem(sys.modules, "counted", raising=False)
    solve_file(load_game(spec), None, SolveOptions())
    agents = open_agents([spec], [])
    return Client(create_app(agents)), type(agents[0].game)


@pytest.mark.parametrize("left", [0, 700, -1])
def test_a_table_that_is_shortened_makes_its_game_unavailable(tmp_path: Path, left: int) -> None:
    """Mapped, it ended the server at the next request: the system sends SIGBUS."""
    path = tmp_path / "t.safetensors"
    path.write_bytes(mapped_bytes(MISERE))
    table = MappedTable(open_source(path, at_once=0))  # as files of more than 256 MB are opened
    client = Client(create_app([TableAgent(), TableAgent(table)]))
    assert client.get(f"{API}/{MISERE}").status == 200
    size = path.stat().st_size
    os.truncate(path, left % size)
    boards = ["X........", ".X.......", "..X......", "X...O....", "XO.......", "O...X...."]
    answers = [
        client.get(f"{API}/{MISERE}{name}?position={b}") for b in boards for name in ("", "/line")
    ]
    answers.append(client.post(f"{API}/{MISERE}/batch", {"positions": boards * 5}))
    refused = [answer for answer in answers if answer.status != 200]
    assert refused
    assert answers[-1] in refused
    for answer in refused:
        assert answer.status == 503
        assert answer.error == (
            f"{MISERE} is unavailable: the table's file has been shortened since it was opened: it"
            f" has {left % size:,} of {size:,} bytes"
        )
    assert client.get(f"{API}/tictactoe").json["move"] == 0
    path.write_bytes(mapped_bytes(MISERE))
    assert client.get(f"{API}/{MISERE}?position=X........").status == 200


def test_a_served_table_is_copied_into_memory(tmp_path: Path) -> None:
    path = tmp_path / "t.safetensors"
    path.write_bytes(mapped_bytes(MISERE))
    client = Client(create_app(open_agents([], [str(path)])))
    os.truncate(path, 0)
    assert client.get(f"{API}/{MISERE}?position=X........").status == 200


@pytest.mark.parametrize("stop", [SystemExit(3), KeyboardInterrupt()])
def test_rules_cannot_stop_the_server(
    custom: tuple[Client, Any], stop: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    client, rules = custom
    monkeypatch.setattr(rules, "stop", stop)
    for path in (f"{COUNT}/line", f"{COUNT}/explain"):
        answer = client.get(path)
        assert answer.status == 500
        assert f"the rules of counted:Count raised {type(stop).__name__}" in answer.error
    assert client.get(f"{API}/tictactoe").status == 200
    monkeypatch.setattr(rules, "stop", None)
    assert client.get(COUNT).json["move"] == 2


class Silent(ValueError):
    def __str__(self) -> str:
        raise RuntimeError("nothing to say")


class Lost(UnknownPositionError):
    def __str__(self) -> str:
        raise SystemExit(3)


@pytest.mark.parametrize("stop", [Silent(), Lost(), Exception(Silent()), KeyError(Silent())])
def test_an_exception_without_a_text_is_answered_as_json(
    custom: tuple[Client, Any], stop: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was answered as "Internal Server Error", in plain text."""
    client, rules = custom
    monkeypatch.setattr(rules, "stop", stop)
    for path in (f"{COUNT}/line", f"{COUNT}/explain"):
        answer = client.get(path)
        assert answer.status in (400, 500)
        assert "the rules of counted:Count raised " in answer.error


def test_slow_rules_hold_up_no_other_game(custom: tuple[Client, Any]) -> None:
    """They ran in the event loop, so nothing was answered until they had finished."""
    client, rules = custom

    async def ask() -> None:
        slow = [
            asyncio.create_task(client.ask("GET", f"{COUNT}?position=2", HOST)) for _ in "123456789"
        ]
        assert await asyncio.to_thread(rules.asked.wait, PATIENCE)
        for path in ("", "/line", "/explain", "/player?name=perfect", "/puzzles"):
            assert (await client.ask("GET", f"{API}/tictactoe{path}", HOST)).status == 200
        assert not any(task.done() for task in slow)
        rules.go_on.set()
        assert [answer.status for answer in await asyncio.gather(*slow)] == [200] * len(slow)

    client.run(ask())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("hosts", "version", "status"),
    [(0, "1.1", 400), (1, "1.1", 200), (2, "1.1", 400), (0, "1.0", 200), (2, "1.0", 400)],
)
def test_a_request_has_one_host(hosts: int, version: str, status: int) -> None:
    """HTTP/1.1 asks for it; two may mean one thing to a proxy and another to the server."""
    client = Client(create_app([TableAgent()]))
    answer = client.run(client.ask("GET", f"{API}/tictactoe", HOST * hosts, version=version))
    assert answer.status == status
    if status == 400:
        assert answer.error == f"the request has {hosts} Host headers; it must have one"


def test_the_limits_of_addresses_and_headers_are_exact() -> None:
    client = Client(create_app([TableAgent()]))
    start = f"{API}/tictactoe?position="
    for more, status in ((0, 400), (1, 414)):
        address = start + "%2E" * ((MAX_ADDRESS - len(start)) // 3)
        address += "." * (MAX_ADDRESS - len(address) + more)
        assert client.get(address).status == status
        filler = "x" * (MAX_HEADERS - len("host: x\r\n") - len("a: \r\n") + more)
        assert client.get("/healthz", a=filler).status == (431 if more else 200)
    assert "more than 64,000 bytes" in client.get("/healthz", a="x" * MAX_HEADERS).error
