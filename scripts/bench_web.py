"""Measures the server under load: wrk drives it from the same machine, over loopback.

    python -m scripts.bench_web [--seconds N] [--game NAME]

It needs Linux and wrk (in Debian the package wrk). Rates are those that wrk reaches. Latencies are
measured separately, at half the target rate, by a generator that sends on schedule whether or not
answers arrive.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from solver import TableAgent, open_agent
from solver.tables.mapped_table import MappedTable

COMMAND = [str(Path(sys.executable).with_name("perfectplay"))]
HELLO = [sys.executable, "-m", "scripts.bench_web", "--hello"]
TICKS = os.sysconf("SC_CLK_TCK")
DISTINCT = 20_000  # positions asked about one by one
DRAWN = 400_000  # positions that batches are drawn from, more than a server caches
BATCH = 10_000
BATCHES = 40  # different ones
SAMPLES = 10  # of a server's memory
LINES = 16  # connections
REST = 2  # seconds after a load, in which the server finishes its requests
SINGLE, MANY = 3_000, 200_000  # targets: look-ups per second, positions per second in batches
LUA = """\
local lines, place = {{}}, {start}
for line in io.lines({path:?}) do lines[#lines + 1] = line end
request = function()
  place = place % #lines + 1
  return wrk.format({method:?}, {form})
end
"""


Row = tuple[str, str, str]  # what was measured, the result, what it is compared with


class Server(NamedTuple):
    """A running server."""

    process: subprocess.Popen[str]
    url: str

    def cpu(self) -> float:
        """Return the CPU time it has used, in seconds."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS

    def megabytes(self, what: str = "VmRSS") -> float:
        """Return its memory, mapped tables included, or its peak memory (VmHWM)."""
        text = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(rf"{what}:\s+(\d+)", text)
        return int(found[1]) / 1024 if found else 0.0


class Load(NamedTuple):
    """The throughput of a server under load."""

    rate: float
    errors: int
    cpu: float
    """The share of one processor that the server used."""
    memory: list[float]
    """Its memory in megabytes, sampled over time."""


@contextmanager
def running(*command: str) -> Iterator[Server]:
    """Run a server until the end of the block; its first line gives its address."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        found = re.search(r"http://\S+/", process.stdout.readline())
        if found is None:
            raise RuntimeError(f"{command[0]} does not print the address it listens on")
        yield Server(process, found[0])
    finally:
        process.send_signal(signal.SIGTERM)
        if process.wait(timeout=30):
            print(f"{command[0]} ended with status {process.returncode}", file=sys.stderr)


def drive(server: Server, lines: Sequence[str], seconds: int, post: str | None = None) -> Load:
    """Load a server with wrk: GET the addresses in lines, or POST them as bodies to `post`."""
    with tempfile.TemporaryDirectory() as directory:
        data, script = os.path.join(directory, "lines"), os.path.join(directory, "load.lua")
        Path(data).write_text("\n".join(lines) + "\n")
        form = "lines[place]" if post is None else f"{json.dumps(post)}, nil, lines[place]"
        text = LUA.replace("{path:?}", json.dumps(data)).replace("{form}", form)
        text = text.replace("{method:?}", '"GET"' if post is None else '"POST"')
        Path(script).write_text(text.replace("{start}", "0").replace("{{}}", "{}"))
        before = server.cpu()
        command = ["wrk", "-t1", f"-c{LINES}", f"-d{seconds}s", "-s", script, server.url]
        wrk = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        memory = []
        for _ in range(SAMPLES):
            time.sleep(seconds / SAMPLES)
            memory.append(server.megabytes())
        said, _ = wrk.communicate()
    rate = re.search(r"Requests/sec:\s+([\d.]+)", said)
    wrong = re.search(r"Non-2xx or 3xx responses: (\d+)", said)
    lost = re.search(r"Socket errors: (.*)", said)
    errors = sum(map(int, re.findall(r"\d+", lost[1]))) if lost else 0
    errors += int(wrong[1]) if wrong else 0
    cpu = (server.cpu() - before) / seconds
    return Load(float(rate[1]) if rate else 0.0, errors, cpu, memory)


async def paced(
    server: Server, requests: Sequence[bytes], rate: float, seconds: int
) -> list[float]:
    """Send requests on schedule; return how late each answer was, in seconds."""
    place = urlsplit(server.url)
    start, count = time.perf_counter() + 0.1, int(rate * seconds)
    numbers = iter(range(count))
    waits: list[float] = []

    async def line() -> None:
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        for number in numbers:
            due = start + number / rate
            if time.perf_counter() > start + 3 * seconds:
                return  # the rate is too high for it; the delays measured so far show that
            await asyncio.sleep(max(0.0, due - time.perf_counter()))
            writer.write(requests[number % len(requests)])
            head = await reader.readuntil(b"\r\n\r\n")
            size = re.search(rb"content-length: (\d+)", head)
            if not head.startswith(b"HTTP/1.1 200") or size is None:
                raise RuntimeError(f"the server answers {head[:60]!r}")
            await reader.readexactly(int(size[1]))
            waits.append(time.perf_counter() - due)
        writer.close()

    await asyncio.gather(*(line() for _ in range(LINES)))
    return sorted(waits)


def texts_of(agent: TableAgent) -> list[str]:
    """Return the texts of positions drawn at random, each once."""
    table, generator = agent.table, random.Random(0)
    if not isinstance(table, MappedTable):
        found = {
            agent.game.text(s.position(p))
            for p, _ in table.positions()
            for s in agent.game.symmetries
        }
        texts = sorted(found)
    else:
        places = generator.sample(range(table.layout.entries), min(DRAWN, table.layout.entries))
        texts = sorted({agent.game.text(table.entry(place)[0]) for place in places})
    generator.shuffle(texts)
    return texts


def get(path: str) -> bytes:
    """Return the request for a path."""
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def post(path: str, body: str) -> bytes:
    """Return the request that posts a body."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
    return (head + body).encode()


def measure(server: Server, hello: Load, spec: str, texts: list[str], seconds: int) -> list[Row]:
    """Return a game's rows."""
    path = f"/api/v1/{quote(spec, safe=':,')}"
    single = [f"{path}?position={quote(text)}" for text in texts[:DISTINCT]]
    load = drive(server, single, seconds)
    time.sleep(REST)
    waits = asyncio.run(paced(server, [get(line) for line in single], SINGLE / 2, seconds))
    row = row_of(f"{spec} over HTTP, one by one", load, 1, SINGLE, waits, server, hello)
    drawn = random.Random(1)
    bodies = [json.dumps({"positions": drawn.choices(texts, k=BATCH)}) for _ in range(BATCHES)]
    load = drive(server, bodies, seconds, f"{path}/batch")
    time.sleep(REST)
    requests = [post(f"{path}/batch", body) for body in bodies]
    waits = asyncio.run(paced(server, requests, MANY / 2 / BATCH, seconds))
    many = f"{spec} over HTTP, batches of {BATCH:,}"
    return [row, row_of(many, load, BATCH, MANY, waits, server, hello)]


def row_of(
    what: str, load: Load, each: int, aim: int, waits: list[float], server: Server, hello: Load
) -> Row:
    """Return the row of a load."""
    p99 = 1000 * waits[int(len(waits) * 0.99)]
    first, last = load.memory[0], load.memory[-1]
    return (
        what,
        f"{load.rate * each:,.0f} positions/s, {load.errors} errors; p99 {p99:.1f} ms at half the"
        " target",
        f"target: {aim:,}/s, 50 ms; {load.rate / hello.rate:.2f} of a bare Starlette's requests;"
        f" memory {first:.0f} MB, at the end {last:.0f}, peak {server.megabytes('VmHWM'):.0f}",
    )


def serve_hello() -> None:
    """Serve the smallest application: the most that Starlette and uvicorn can do."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    from solver.web.server import listen, serve_app, url_of

    async def hello(request: Request) -> JSONResponse:
        return JSONResponse({"hello": "world"})

    listener = listen("127.0.0.1", 0)
    print(url_of(listener), flush=True)
    serve_app(Starlette(routes=[Route("/", hello)]), listener)


def served(seconds: int = 10, game: str = "connect4:5x5") -> list[Row]:
    """Return the rows of tic-tac-toe and of a game with a mapped table."""
    if shutil.which("wrk") is None:
        return [
            ("the server under load", "wrk is not installed (in Debian: apt-get install wrk)", "-")
        ]
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "table.safetensors")
        subprocess.run([*COMMAND, "solve", game, "-o", path], check=True, stdout=subprocess.DEVNULL)
        with running(*HELLO) as server:
            hello = drive(server, ["/"], seconds)
        for agent in (TableAgent(), open_agent(table=path)):
            texts = texts_of(agent)
            with running(*COMMAND, "serve", "--port", "0", "--table", path) as server:
                rows += measure(server, hello, agent.game.spec, texts, seconds)
    return rows


def main() -> None:
    """Measure what the arguments select."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--game", default="connect4:5x5")
    parser.add_argument("--hello", action="store_true")
    chosen = parser.parse_args()
    if chosen.hello:
        serve_hello()
        return
    for row in served(chosen.seconds, chosen.game):
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
