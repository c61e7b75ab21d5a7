"""What must not stop the server: tables that change, rules that exit or are slow, odd heads."""

from __future__ import annotations

import asyncio
import os
import sys
import textwrap
from pathlib import Path
from threading import Event, Semaphore
from typing import Any

import pytest

from solver import MappedTable, TableAgent, load_game
from solver.players.heuristics import NStep
from solver.solving.solve import SolveOptions, solve_file
from solver.tables.source import open_source
from solver.web.app import create_app
from solver.web.catalogue import open_agents
from tests.support.asgi import Client
from tests.support.tables import mapped_bytes

API = "/api/v1"
MISERE = "mnk:3,3,3,misere"
RULES = '''
    import threading

    from tests.support.user_games import Heap


    class Count(Heap):
        """Its text, or a label, stops the rules when a test says so."""

        stop, is_slow = None, False
        asked, go_on = threading.Event(), threading.Event()

        def parse(self, text, turn=None):
            if self.is_slow and text == "2":
                self.asked.set()
                assert self.go_on.wait(180)
            return super().parse(text, turn)

        def label(self, p, m):
            if self.stop is not None:
                raise self.stop
            return str(m)
'''
HOST = [(b"host", b"x")]
BOARDS = ("X........", ".X.......")
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
    assert answers[-1] in refused or left < 0  # it may need nothing of the end
    for answer in refused:
        assert answer.status == 503
        assert answer.error == (
            f"{MISERE} is unavailable: the table's file has been shortened since it was opened: it"
            f" has {left % size:,} of {size:,} bytes"
        )
    assert client.get(f"{API}/tictactoe").json["move"] == 0
    path.write_bytes(mapped_bytes(MISERE))
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


def test_players_that_search_hold_up_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two search at once; a third is told to come back, and the others answer."""
    client, searching, go_on = Client(create_app([TableAgent()])), Semaphore(0), Event()
    scores = NStep.scores

    def wait(self: NStep, p: Any) -> dict[Any, int]:
        searching.release()
        assert go_on.wait(PATIENCE)
        return scores(self, p)

    monkeypatch.setattr(NStep, "scores", wait)

    async def ask() -> None:
        paths = [f"{API}/tictactoe/player?name=nstep:2&position={b}" for b in BOARDS]
        slow = [asyncio.create_task(client.ask("GET", path, HOST)) for path in paths]
        for _ in slow:
            assert await asyncio.to_thread(searching.acquire, timeout=PATIENCE)
        refused = await client.ask("GET", f"{API}/tictactoe/player?name=nstep:3", HOST)
        assert (refused.status, refused.headers["retry-after"]) == (503, "1")
        assert refused.error == "2 players are searching here already: ask again"
        for path in ("/player?name=level:0.5", "/player?name=think3", "/puzzles", "/picture"):
            assert (await client.ask("GET", f"{API}/tictactoe{path}", HOST)).status == 200
        assert not any(task.done() for task in slow)
        go_on.set()
        assert [answer.status for answer in await asyncio.gather(*slow)] == [200, 200]

    asyncio.run(ask())


def test_slow_rules_hold_up_no_other_game(custom: tuple[Client, Any]) -> None:
    client, rules = custom
    rules.is_slow = True

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
