"""The server as a process: where it listens, how it ends, and clients that mean ill."""

from __future__ import annotations

import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from solver import TableAgent, TableFormatError, load_game
from solver.solving.solve import SolveOptions, solve_file
from solver.web import catalogue as served
from tests.conftest import SHIPPED, Command
from tests.support.live import Live, read_answer, serving, waits_closed
from tests.tables.test_json_table import DATA, edited

ROW = "connect4:4x4"


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables")
    solve_file(load_game(ROW), str(folder / "connect4-4x4.safetensors"), SolveOptions())
    return folder


@pytest.fixture(scope="module")
def live(tables: Path) -> Iterator[Live]:
    with serving(tables, "--game", ROW) as running:
        yield running
        assert running.stop() == (0, "")


def batch(count: int) -> bytes:
    """Return a request about so many positions that the server has to look at each."""
    columns = random.Random(count)
    texts = ["".join(columns.choices("1234", k=6)) for _ in range(count)]
    body = json.dumps({"positions": texts}).encode()
    head = f"POST /api/v1/{ROW}/batch HTTP/1.1\r\nHost: x\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


# where it listens


def test_it_says_in_one_line_where_it_listens(live: Live) -> None:
    url = f"http://127.0.0.1:{live.port}/"
    assert live.line == f"serving tictactoe, {ROW} at {url} (Ctrl-C ends it)\n"
    status, head, body = live.get("/api/v1/tictactoe?position=X...O....")
    assert (status, json.loads(body)["move"]) == (200, 1)
    assert b"\r\nserver:" not in head
    assert b"\r\ndate:" in head


def test_it_refuses_an_address_that_it_cannot_have(live: Live, command: Command) -> None:
    said = command.refuses("serve", "--port", str(live.port))
    assert f"cannot listen at 127.0.0.1 port {live.port}: Address already in use" in said
    assert "cannot listen at 192.0.2.1 port 0" in command.refuses(
        "serve", "--host", "192.0.2.1", "--port", "0"
    )
    for host in ("no.such.host.invalid", "a" * 300, "\N{SNOWMAN}..", "1.2.3.4.5"):
        assert "cannot listen at " in command.refuses("serve", "--host", host)
    for port in ("-1", "65536", "x"):
        assert "--port" in command.refuses("serve", "--port", port)


def test_it_refuses_tables_that_it_cannot_serve(
    command: Command, tmp_path: Path, tables: Path
) -> None:
    large = bytearray((tables / "connect4-4x4.safetensors").read_bytes())
    large[-100] ^= 1
    (tmp_path / "altered.safetensors").write_bytes(large)
    assert "altered.safetensors: the table has been altered" in command.refuses(
        "serve", "--table", "altered.safetensors"
    )
    (tmp_path / "altered.json").write_bytes(DATA.replace(b"0.5", b"0.6", 1))
    assert "altered or truncated" in command.refuses("serve", "--table", "altered.json")
    (tmp_path / "wrong.json").write_bytes(edited(win=2835)[:-9])
    assert "wrong.json: not a complete JSON file" in command.refuses(
        "serve", "--table", "wrong.json"
    )
    assert "No such file" in command.refuses("serve", "--table", "none.json")
    assert "no game 'go'" in command.refuses("serve", "--game", "go")
    said = command.refuses("serve", "--game", "nim:3,4,5")
    assert "no table for nim:3,4,5 yet: run perfectplay solve nim:3,4,5" in said
    twice = command.refuses("serve", "--table", str(SHIPPED), "--table", str(SHIPPED))
    assert "a second table of tictactoe" in twice


def test_without_the_extra_it_says_what_to_install() -> None:
    code = (
        "import sys; sys.modules['uvicorn'] = None; from solver.cli import run;"
        " sys.exit(run(['serve']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "pip install 'perfectplay[web]'" in done.stderr


def test_the_other_commands_do_not_load_it() -> None:
    code = "import sys; import solver.cli; sys.exit('starlette' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_tables_by_file_and_games_by_name(tables: Path, tmp_path: Path) -> None:
    (tmp_path / "sticks.py").write_text(
        "from solver import Game, Outcome\n"
        "class Sticks(Game):\n"
        "    def initial(self): return 4\n"
        "    def moves(self, p): return [n for n in (1, 2) if n <= p]\n"
        "    def play(self, p, m): return p - m\n"
        "    def primitive(self, p): return None if p else Outcome.LOSS\n"
    )
    spec = f"{tmp_path / 'sticks.py'}:Sticks"
    file = str(tmp_path / "mine.json")
    solve_file(load_game(spec), file, SolveOptions())
    large = str(tables / "connect4-4x4.safetensors")
    agents = served.open_agents([spec], [large, file, str(SHIPPED)])
    assert [agent.game.spec for agent in agents] == ["tictactoe", ROW, "sticks:Sticks"]
    with pytest.raises(TableFormatError, match="--game FILE.py:CLASS"):
        served.open_agents([], [file])


# how it ends


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_it_finishes_what_is_in_flight(tables: Path, how: int) -> None:
    with serving(tables, "--game", ROW) as live, live.connect() as line, live.connect() as idle:
        request = batch(1_000)
        idle.sendall(b"GET /healthz HTTP/1.1\r\n")
        line.sendall(request[:-500])
        time.sleep(0.2)
        begun = time.perf_counter()
        live.process.send_signal(how)
        time.sleep(1)
        line.sendall(request[-500:])
        status, _, body = read_answer(line)
        assert status == 200
        assert len(json.loads(body)["results"]) == 1_000
        assert waits_closed(line) < 3
        assert live.process.wait(timeout=30) == 0
        assert time.perf_counter() - begun < 8
        assert live.process.stderr is not None
        assert live.process.stderr.read() == ""


def test_it_ends_at_once_if_nothing_is_in_flight(tables: Path) -> None:
    with serving(tables) as live:
        assert live.get("/healthz")[0] == 200
        begun = time.perf_counter()
        assert live.stop() == (0, "")
        assert time.perf_counter() - begun < 5


# clients that mean ill


@pytest.mark.parametrize(
    "request_",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: x\r\nBroken header\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
)
def test_what_is_no_request_gets_an_error_of_json(live: Live, request_: bytes) -> None:
    status, head, body = live.ask(request_)
    assert status in (400, 404, 405)
    assert b"content-type: application/json" in head
    assert list(json.loads(body)) == ["error"]


def test_strange_requests_do_no_harm(live: Live) -> None:
    for path in ("*", "http://elsewhere.example/healthz", "//x", "/%00", "/a%0ab", "/#x"):
        status, _, body = live.ask(f"OPTIONS {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert status in (204, 400, 404)
    upgrade = b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
    status, _, body = live.ask(upgrade + b"Sec-WebSocket-Key: x\r\n\r\n")
    assert (status, body) == (200, b'{"status":"ok"}')
    for path in ("/../../etc/passwd", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/x", "/\\..\\x"):
        assert live.get(path)[0] in (400, 404)


def test_headers_without_end_are_refused(live: Live) -> None:
    with live.connect() as line:
        line.sendall(b"GET / HTTP/1.1\r\n")
        try:
            for _ in range(100):
                line.sendall(b"X-Many: " + b"a" * 8_000 + b"\r\n")
            status, _, body = read_answer(line)
        except ConnectionError:  # it was closed while we were still sending
            return
        assert status == 431
        assert "more than 64,000 bytes" in json.loads(body)["error"]


def test_a_large_body_is_refused_before_it_is_read(live: Live) -> None:
    head = f"POST /api/v1/{ROW}/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n"
    begun = time.perf_counter()
    status, _, body = live.ask(head.encode())
    assert (status, "2,000,000" in json.loads(body)["error"]) == (413, True)
    assert time.perf_counter() - begun < 5
    chunked = head.replace("Content-Length: 99999999999", "Transfer-Encoding: chunked").encode()
    with live.connect() as line:
        line.sendall(chunked)
        for _ in range(40):
            line.sendall(b"10000\r\n" + b" " * 65536 + b"\r\n")
        line.sendall(b"0\r\n\r\n")
        assert read_answer(line)[0] == 413


def test_slow_clients_are_let_go(live: Live) -> None:
    """Of headers that never end, of a body that never comes, and of silence, each in its time."""
    body = f"POST /api/v1/{ROW}/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n".encode()
    silent, headers, junk, bodies, resting = (live.connect() for _ in range(5))
    stop = threading.Event()

    def drip() -> None:
        for byte in b"GET /healthz HTTP/1.1\r\nX-Slow: " + b"a" * 1000:
            for line, data in ((headers, bytes([byte])), (junk, b"\r\n")):
                with suppress(OSError):
                    line.sendall(data)
            if stop.wait(0.3):
                return

    dripping = threading.Thread(target=drip)
    with silent, headers, junk, bodies, resting:
        bodies.sendall(body)
        resting.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert read_answer(resting)[0] == 200
        dripping.start()
        begun = time.perf_counter()
        assert 3 < waits_closed(resting) < 9
        status, head, said = read_answer(bodies)
        assert (status, "10 s" in json.loads(said)["error"]) == (408, True)
        assert b"connection: close" in head
        for line in (silent, headers, junk):
            waits_closed(line)
        stop.set()
        dripping.join()
        assert time.perf_counter() - begun < 20


def test_many_idle_connections_do_not_starve_the_others(live: Live) -> None:
    held = [live.connect() for _ in range(700)]
    try:
        for line in held[::2]:
            line.sendall(b"GET /healthz HTTP/1.1\r\nX: ")
        begun = time.perf_counter()
        for _ in range(50):
            assert live.get(f"/api/v1/{ROW}")[0] == 200
        assert time.perf_counter() - begun < 5
    finally:
        for line in held:
            line.close()


def test_a_reader_who_does_not_read_holds_up_nobody(live: Live) -> None:
    request = b"GET /api/v1/tictactoe/map?side=O HTTP/1.1\r\nHost: x\r\n\r\n" * 20
    with socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        deaf.connect(("127.0.0.1", live.port))
        deaf.sendall(request)
        for _ in range(20):
            assert live.get("/api/v1/tictactoe")[0] == 200


def test_a_long_batch_does_not_hold_up_single_questions(live: Live) -> None:
    with live.connect() as line:
        line.sendall(batch(9_999))
        waits = []
        for _ in range(50):
            begun = time.perf_counter()
            assert live.get(f"/api/v1/{ROW}")[0] == 200
            waits.append(time.perf_counter() - begun)
        assert sorted(waits)[25] < 0.2
        assert read_answer(line)[0] == 200


def test_pipelined_requests_are_answered_in_order(live: Live) -> None:
    boards = ["X........", "X...O....", "XO......."]
    head = "GET /api/v1/tictactoe?position={} HTTP/1.1\r\nHost: x\r\n\r\n"
    with live.connect() as line:
        line.sendall("".join(head.format(board) for board in boards).encode())
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        data = b""
        while piece := line.recv(65536):
            data += piece
    places = [data.index(f'"position":"{board}"'.encode()) for board in boards]
    assert places == sorted(places)
    assert data.endswith(b'{"status":"ok"}')


def test_the_table_is_opened_read_only(live: Live, tables: Path) -> None:
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("tells what a process has open where /proc does")
    maps = Path(f"/proc/{live.process.pid}/maps").read_text().splitlines()
    rights = [line.split()[1] for line in maps if "connect4-4x4.safetensors" in line]
    assert rights
    assert all("w" not in right for right in rights)


def test_an_agent_may_be_served_from_python() -> None:
    from solver.web.app import create_app

    assert create_app([TableAgent()]).routes
