"""The server under load, and the page on a slow network, for scripts/bench.toml.

wrk drives the server over loopback as fast as it answers. Latencies are measured apart, at half the
target rate, by a generator that sends on schedule whether or not answers arrive.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
import resource
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import sync_playwright

from scripts.measure import PERFECTPLAY
from scripts.sections import ROOT
from solver import MappedTable, TableAgent, open_agent

Figures = dict[str, Any]
HELLO = """
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from solver.web.server import listen, serve_app, url_of
async def hello(request): return PlainTextResponse("hello")
listener = listen("127.0.0.1", 0)
print(url_of(listener), flush=True)
serve_app(Starlette(routes=[Route("/", hello)]), listener)
"""
"""The smallest application: the most that Starlette and uvicorn can do."""
LUA = """
local lines, place = {}, 0
for line in io.lines("lines") do lines[#lines + 1] = line end
request = function()
  place = place % #lines + 1
  return wrk.format(METHOD, lines[place])
end
"""
SECONDS, LINES, DISTINCT, BATCHES = 10, 16, 20_000, 40
SLOW = {"offline": False, "latency": 400, "downloadThroughput": 2e5, "uploadThroughput": 93750}
"""400 ms of latency, 1.6 and 0.75 Mbit/s in bytes a second."""
VISITS = 5
PLAYABLE, OPENED = "#board .cell[aria-disabled=false]", "#chart li:nth-child(15)"
NOTE = """
const look = () => {
  if (!window.shown && document.querySelector(NAME)) window.shown = performance.now();
};
const all = { subtree: true, childList: true, attributes: true };
new MutationObserver(look).observe(document, all);
"""
OWN_MOVE = """() => new Promise((done) => {
  const start = performance.now();
  document.querySelector("#board [data-column='1']").click();
  requestAnimationFrame(() => requestAnimationFrame(() =>
    done(document.querySelector("#board [data-column='1'][aria-label*=' X']")
      ? performance.now() - start : Infinity)));
})"""


@contextmanager
def running(*command: str) -> Iterator[tuple[str, int]]:
    """Run a server until the end of the block; yield its address and process id."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield re.findall(r"http://\S+/", process.stdout.readline())[0], process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def table_of(spec: str) -> str:
    """Return the path of a game's table, which is solved once."""
    if spec == "tictactoe":
        return str(ROOT / "data" / "tictactoe.json")
    path = f"{spec.replace(':', '-')}.safetensors"
    if not Path(path).exists():
        subprocess.run(
            [*PERFECTPLAY, "solve", spec, "-o", path], check=True, stdout=subprocess.DEVNULL
        )
    return path


def load_hello(figures: Figures) -> None:
    """Measure the requests of a bare Starlette."""
    with running(sys.executable, "-c", HELLO) as (url, pid):
        figures.update(drive(url, '"GET"', ["/"], pid), each=SECONDS)


def load(figures: Figures, spec: str, batch: int, rate: float) -> None:
    """Measure a server's positions a second, its memory, and latencies at a rate of positions."""
    path = table_of(spec)
    texts, generator = texts_of(open_agent(table=path)), random.Random(0)
    if batch == 1:
        lines = [f"/api/v1/{spec}?position={text}" for text in texts[:DISTINCT]]
        requests = [f"GET {line} HTTP/1.1\r\nHost: x\r\n\r\n".encode() for line in lines]
    else:
        place = f"/api/v1/{spec}/batch"
        lines = [
            json.dumps({"positions": generator.choices(texts, k=batch)}) for _ in range(BATCHES)
        ]
        head = f"POST {place} HTTP/1.1\r\nHost: x\r\nContent-Length: "
        requests = [f"{head}{len(line)}\r\n\r\n{line}".encode() for line in lines]
    with running(*PERFECTPLAY, "serve", "--port", "0", "--table", path) as (url, pid):
        method = '"GET"' if batch == 1 else f'"POST", "{place}", nil'
        figures.update(drive(url, method, lines, pid))
        time.sleep(2)  # the server finishes its requests
        waits = sorted(asyncio.run(paced(url, requests, rate / batch)))
        figures["ms p99 at half the target"] = 1000 * waits[int(len(waits) * 0.99)]
    figures.update(of=figures["of"] * batch, each=SECONDS)


def texts_of(agent: TableAgent) -> list[str]:
    """Return the texts of positions, more of them than a server caches, in any order."""
    game, table, generator = agent.game, agent.table, random.Random(0)
    if isinstance(table, MappedTable):
        places = generator.sample(range(table.layout.entries), min(400_000, table.layout.entries))
        found = {game.text(table.entry(place)[0]) for place in places}
    else:
        found = {game.text(s.position(p)) for p, _ in table.positions() for s in game.symmetries}
    return generator.sample(sorted(found), len(found))


def megabytes(pid: int) -> float:
    """Return the memory of a process, mapped tables included."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def drive(url: str, method: str, lines: Sequence[str], pid: int) -> dict[str, float]:
    """Load a server with wrk: request the addresses in lines, or post them as bodies."""
    Path("lines").write_text("\n".join(lines) + "\n")
    Path("load.lua").write_text(LUA.replace("METHOD", method))
    command = ["wrk", "-t1", f"-c{LINES}", f"-d{SECONDS}s", "-s", "load.lua", url]
    wrk = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    time.sleep(1)
    first = megabytes(pid)
    said, _ = wrk.communicate()
    errors = re.findall(r"(?:responses:|connect|read|write|timeout) (\d+)", said)
    requests = re.findall(r"(\d+) requests in", said)
    found = {"of": int(requests[0]), "errors": sum(map(int, errors))}
    return found | {"MB at first": first, "MB at the end": megabytes(pid)}


async def paced(url: str, requests: Sequence[bytes], rate: float) -> list[float]:
    """Send requests on schedule; return how late each answer was, in seconds."""
    place, start = urlsplit(url), time.perf_counter() + 0.1
    due = iter([start + number / rate for number in range(int(rate * SECONDS))])
    bodies, waits = itertools.cycle(requests), list[float]()

    async def line() -> None:
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        for moment in due:
            if time.perf_counter() > start + 3 * SECONDS:
                return  # the rate is too high for it; the delays measured so far show that
            await asyncio.sleep(max(0.0, moment - time.perf_counter()))
            writer.write(next(bodies))
            head = await reader.readuntil(b"\r\n\r\n")
            size = re.search(rb"content-length: (\d+)", head)
            if not head.startswith(b"HTTP/1.1 200") or size is None:
                raise RuntimeError(f"the server answers {head[:60]!r}")
            await reader.readexactly(int(size[1]))
            waits.append(time.perf_counter() - moment)
        writer.close()

    await asyncio.gather(*(line() for _ in range(LINES)))
    return waits


def visit(figures: Figures, link: str) -> None:
    """Measure when a link is open on a slow network, or without one when a move is painted.

    Each time is the median of several visits with an empty cache, counted from their start.
    """
    awaited = OPENED if "moves" in link else PLAYABLE
    times = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        command = [*PERFECTPLAY, "serve", "--port", "0", "--table", table_of("connect4:5x4")]
        with running(*command) as (url, _):
            for _ in range(VISITS):
                context = browser.new_context(reduced_motion="reduce")
                page = context.new_page()
                session: Any = context.new_cdp_session(page)
                session.send("Network.enable")
                session.send("Network.emulateNetworkConditions", SLOW)
                page.add_init_script(NOTE.replace("NAME", repr(awaited)))
                page.goto(url + (link or "#game=connect4:5x4&o=human"))
                page.wait_for_selector(awaited, state="attached")
                times.append(page.evaluate("shown" if link else OWN_MOVE))
                context.close()
        browser.close()
    figures.update(each=statistics.median(times) / 1000)
