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

from scripts.bench import PERFECTPLAY
from scripts.bench_peers import positions_of
from solver import open_agent

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
SHOWN = "name => document.querySelector(name) && performance.now()"
OWN_MOVE = """() => new Promise((done) => {
  const start = performance.now();
  document.querySelector("#board [data-column='1']").click();
  requestAnimationFrame(() => requestAnimationFrame(() =>
    done(document.querySelector("#board [data-column='1'][aria-label*=' X']")
      ? performance.now() - start : Infinity)));
})"""


@contextmanager
def running(*command: str) -> Iterator[str]:
    """Run a server until the end of the block; yield its address."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield re.findall(r"http://\S+/", process.stdout.readline())[0]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)


def load_hello(figures: Figures) -> None:
    """Measure the requests of a bare Starlette."""
    with running(sys.executable, "-c", HELLO) as url:
        figures.update(drive(url, '"GET"', ["/"]), each=SECONDS)


def load(figures: Figures, table: str, batch: int, rate: float) -> None:
    """Measure a server's positions a second, and latencies at a rate of positions."""
    agent = open_agent(table=table)
    count = min(DISTINCT, agent.table.counts["positions"] // 2)
    texts, place = positions_of(agent, count)[1], f"/api/v1/{agent.game.spec}"
    if batch == 1:
        method, lines = '"GET"', [f"{place}?position={text}" for text in texts]
        requests = [f"GET {line} HTTP/1.1\r\nHost: x\r\n\r\n".encode() for line in lines]
    else:
        method, chosen = f'"POST", "{place}/batch", nil', random.Random(0).choices
        lines = [json.dumps({"positions": chosen(texts, k=batch)}) for _ in range(BATCHES)]
        head = f"POST {place}/batch HTTP/1.1\r\nHost: x\r\nContent-Length: "
        requests = [f"{head}{len(line)}\r\n\r\n{line}".encode() for line in lines]
    with running(*PERFECTPLAY, "serve", "--port", "0", "--table", table) as url:
        figures.update(drive(url, method, lines))
        time.sleep(2)  # the server finishes its requests
        waits = sorted(asyncio.run(paced(url, requests, rate / batch)))
        figures["ms p99 at half the target"] = 1000 * waits[int(len(waits) * 0.99)]
    figures.update(of=figures["of"] * batch, each=SECONDS)


def drive(url: str, method: str, lines: Sequence[str]) -> dict[str, int]:
    """Load a server with wrk: request the addresses in lines, or post them as bodies."""
    Path("lines").write_text("\n".join(lines) + "\n")
    Path("load.lua").write_text(LUA.replace("METHOD", method))
    command = ["wrk", "-t1", f"-c{LINES}", f"-d{SECONDS}s", "-s", "load.lua", url]
    report = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    errors = re.findall(r"(?:responses:|connect|read|write|timeout) (\d+)", report)
    requests = re.findall(r"(\d+) requests in", report)
    return {"of": int(requests[0]), "errors": sum(map(int, errors))}


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
        command = [*PERFECTPLAY, "serve", "--port", "0", "--table", "5x4.safetensors"]
        with running(*command) as url:
            for _ in range(VISITS):
                context = browser.new_context(reduced_motion="reduce")
                page = context.new_page()
                session: Any = context.new_cdp_session(page)
                session.send("Network.enable")
                session.send("Network.emulateNetworkConditions", SLOW)
                page.goto(url + (link or "#game=connect4:5x4&o=human"), wait_until="commit")
                shown = page.wait_for_function(SHOWN, arg=awaited)  # looked for in each frame
                times.append(shown.json_value() if link else page.evaluate(OWN_MOVE))
                context.close()
        browser.close()
    figures.update(each=statistics.median(times) / 1000)
