"""The server as a process: where it listens, how it stops, and hostile clients."""

from __future__ import annotations

import json
import random
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver import TableFormatError, load_game
from solver.solving.solve import SolveOptions, solve_file
from solver.web import server
from solver.web.catalogue import open_agents
from tests.conftest import ROOT, SHIPPED, Command, python
from tests.support.forged import DATA
from tests.support.live import PATIENCE, Live, read_answer, serving, wait_closed
from tests.support.tables import table_path

pytestmark = pytest.mark.slow
ROW = "connect4:4x4"


@pytest.fixture(scope="module")
def tables() -> Path:
    return table_path(ROW).parent


@pytest.fixture(scope="module")
def live(tables: Path) -> Iterator[Live]:
    with serving(tables, "--game", ROW) as running:
        yield running
        assert running.stop() == (0, "")


def batch(count: int, *, expect: bool = False) -> bytes:
    """Return a request for this many positions, each of which the server has to look up."""
    columns = random.Random(count)
    texts = ["".join(columns.choices("1234", k=6)) for _ in range(count)]
    body = json.dumps({"positions": texts}).encode()
    head = f"POST /api/v1/{ROW}/batch HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + (b"Expect: 100-continue\r\n" if expect else b"") + b"\r\n" + body


def test_it_prints_one_line_with_its_address(live: Live) -> None:
    url = f"http://127.0.0.1:{live.port}/"
    assert live.line == f"serving {ROW}, tictactoe at {url} (Ctrl-C stops it)\n"
    status, head, body = live.get("/api/v1/tictactoe?position=X...O....")
    assert (status, json.loads(body)["move"]) == (200, 1)
    assert b"\r\nserver:" not in head
    assert b"\r\ndate:" in head


def test_an_unavailable_address_is_refused(live: Live, command: Command) -> None:
    message = command.refuses("serve", "--port", str(live.port))
    assert f"cannot listen at 127.0.0.1 port {live.port}: Address already in use" in message
    for host in ("192.0.2.1", "a" * 300, "\N{SNOWMAN}..", "1.2.3.4.5"):
        assert "cannot listen at " in command.refuses("serve", "--host", host, "--port", "0")


def test_damaged_missing_and_repeated_tables_are_refused(
    command: Command, tmp_path: Path, tables: Path
) -> None:
    large = bytearray((tables / "connect4-4x4.safetensors").read_bytes())
    large[-100] ^= 1
    (tmp_path / "altered.safetensors").write_bytes(large)
    message = command.refuses("serve", "--table", "altered.safetensors")
    assert "altered.safetensors: the table has been altered" in message
    (tmp_path / "altered.json").write_bytes(DATA.replace(b"0.5", b"0.6", 1))
    assert "altered or truncated" in command.refuses("serve", "--table", "altered.json")
    assert "No such file" in command.refuses("serve", "--table", "none.json")
    message = command.refuses("serve", "--game", "mnk:4,4,4")
    assert "no table for mnk:4,4,4 yet" in message
    assert "run perfectplay solve mnk:4,4,4" in message
    twice = command.refuses("serve", "--table", str(SHIPPED), "--table", str(SHIPPED))
    assert "a second table of tictactoe" in twice


def test_without_the_extra_it_writes_a_file_and_the_error_names_it(tmp_path: Path) -> None:
    code = (
        "import sys; names = 'anyio', 'httptools', 'starlette', 'uvicorn'\n"
        "sys.modules.update(dict.fromkeys(names)); from solver.cli import run\n"
        "sys.exit(run(['serve', '--static', sys.argv[1]]) or run(['serve']))"
    )
    done = python("-c", code, str(tmp_path))
    assert done.returncode == 2
    assert (tmp_path / "index.html").exists()
    *_, line = done.stderr.splitlines()  # those before are about progress, on a slow machine
    assert "serving needs the extra 'web': run python -m pip install anyio" in line


def test_tables_by_file_and_games_by_name(tables: Path, tmp_path: Path) -> None:
    spec, file = f"{ROOT}/tests/support/user_games.py:Heap", str(tmp_path / "mine.json")
    solve_file(load_game(spec), file, SolveOptions())
    large = str(tables / "connect4-4x4.safetensors")
    agents = open_agents([spec], [large, file, str(SHIPPED)])
    assert [agent.game.spec for agent in agents] == ["user_games:Heap", ROW, "tictactoe"]
    strategy = str(ROOT / "examples" / "check-strategy" / "never-lose.txt")
    for path, said in (
        (file, "the table is of a custom game, .*--game user_games.py:Heap"),
        (strategy, "a strategy, not a table: best, line, play, info, verify and render take it"),
    ):
        with pytest.raises(TableFormatError, match=f"{path}: {said}"):
            open_agents([], [path])


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.thinned(2)
def test_it_finishes_the_requests_in_flight(tables: Path, how: int) -> None:
    """And closes the connections without one: idle, or with half of a request's head."""
    with (
        serving(tables, "--game", ROW) as live,
        live.connect() as working,
        live.connect() as idle,
        live.connect() as partial,
    ):
        partial.sendall(b"GET /healthz HTTP/1.1\r\n")
        idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert read_answer(idle)[0] == 200
        request = batch(1_000, expect=True)
        working.sendall(request[:-500])
        assert read_answer(working)[0] == 100  # the application waits for the body
        live.process.send_signal(how)
        wait_closed(idle)
        wait_closed(partial)
        with pytest.raises(ConnectionError):
            live.connect()
        working.sendall(request[-500:])
        status, _, body = read_answer(working)
        assert status == 200
        assert len(json.loads(body)["results"]) == 1_000
        wait_closed(working)
        assert live.process.wait(timeout=PATIENCE) == 0
        assert live.process.stderr is not None
        assert live.process.stderr.read() == ""


@pytest.mark.large
def test_rules_that_hang_do_not_keep_it_alive(tmp_path: Path) -> None:
    (tmp_path / "hang.py").write_text(
        "import os\n"
        "from tests.support.user_games import Heap\n"
        "class Hang(Heap):\n"
        "    def parse(self, text, turn=None):\n"
        f"        if text == '3' and os.path.exists({str(tmp_path / 'on')!r}):\n"
        f"            open({str(tmp_path / 'hangs')!r}, 'w').close()\n"
        "            while True: pass\n"
        "        return super().parse(text, turn)\n"
    )
    spec = f"{tmp_path / 'hang.py'}:Hang"
    solve_file(load_game(spec), str(tmp_path / "hang.json"), SolveOptions())
    sys.modules.pop("hang")
    brief = "import sys; from solver.web import server; server.SHUTDOWN_SECONDS = 1\n"
    code = f"{brief}from solver.cli import run; sys.exit(run(sys.argv[1:]))"
    table = ("--game", spec, "--table", str(tmp_path / "hang.json"))
    with serving(tmp_path, *table, main=[sys.executable, "-c", code]) as live:
        (tmp_path / "on").touch()
        with live.connect() as hanging:
            hanging.sendall(b"GET /api/v1/hang:Hang?position=3 HTTP/1.1\r\nHost: x\r\n\r\n")
            while not (tmp_path / "hangs").exists():
                time.sleep(0.02)
            assert live.get("/healthz")[0] == 200
            message = "perfectplay: stopped within a request that does not end\n"
            assert live.stop() == (0, message)


def test_what_is_not_http_is_refused(live: Live) -> None:
    for request in (
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nBroken header\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    ):
        with live.connect() as connection:
            connection.sendall(request)
            status, head, _ = read_answer(connection)
            assert status == 400
            assert b"connection: close" in head
            wait_closed(connection)


def test_strange_requests_do_no_harm(live: Live) -> None:
    for path in ("*", "http://elsewhere.example/healthz", "//x", "/%00", "/a%0ab", "/#x"):
        status, _, body = live.ask(f"OPTIONS {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert status in (204, 400, 404)
    upgrade = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
    status, _, body = live.ask(upgrade + b"Sec-WebSocket-Key: x\r\n\r\n")
    assert (status, body) == (200, b'{"status":"ok"}')


def test_a_large_body_is_refused_before_it_is_read(live: Live) -> None:
    head = f"POST /api/v1/{ROW}/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n"
    status, _, body = live.ask(head.encode())
    assert (status, "2,000,000" in json.loads(body)["error"]) == (413, True)
    chunked = head.replace("Content-Length: 99999999999", "Transfer-Encoding: chunked").encode()
    with live.connect() as connection:
        connection.sendall(chunked)
        for _ in range(40):
            connection.sendall(b"10000\r\n" + b" " * 65536 + b"\r\n")
        connection.sendall(b"0\r\n\r\n")
        assert read_answer(connection)[0] == 413


@pytest.mark.large  # it waits for ten seconds
def test_a_body_that_does_not_arrive_and_an_idle_connection_time_out(live: Live) -> None:
    post = f"POST /api/v1/{ROW}/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n"
    start = time.monotonic()
    with live.connect() as bodiless, live.connect() as idle:
        bodiless.sendall(post.encode())
        idle.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert read_answer(idle)[0] == 200
        wait_closed(idle)
        assert time.monotonic() - start > server.IDLE_SECONDS - 1
        status, head, body = read_answer(bodiless)
        assert (status, "10 s" in json.loads(body)["error"]) == (408, True)
        assert b"connection: close" in head
        wait_closed(bodiless)


@pytest.mark.skipif(not hasattr(socket, "TCP_USER_TIMEOUT"), reason="Linux closes it")
def test_a_client_that_does_not_read_is_disconnected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "UNREAD_MILLISECONDS", 500)
    with server.listen("127.0.0.1", 0) as listener, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        deaf.connect(listener.getsockname())
        connection, _ = listener.accept()
        with connection, pytest.raises(TimeoutError, match="Connection timed out"):
            connection.sendall(b"x" * 100_000_000)


def test_a_head_needs_a_host(live: Live) -> None:
    for head in ("", "Host: x\r\nHost: y\r\n"):
        status, _, body = live.ask(f"GET /healthz HTTP/1.1\r\n{head}\r\n".encode())
        assert (status, "Host headers; it must have one" in json.loads(body)["error"]) == (
            400,
            True,
        )
