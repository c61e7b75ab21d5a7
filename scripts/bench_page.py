"""Measures the page in a browser on a slow network: 400 ms of latency, 1.6 Mbit/s.

    python -m scripts.bench_page

It needs Chromium, whose network conditions are set; the server is on the same machine. Each time is
the median of several visits with an empty cache, counted in the page from the start of the visit.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from scripts.bench_web import COMMAND, running

GAME = "connect4:5x4"
LINK = "3,3,0,2,3,3,1,1,1,2,0,2,0,0"
SLOW = {
    "offline": False,
    "latency": 400,  # milliseconds
    "downloadThroughput": 1.6e6 / 8,  # bytes a second
    "uploadThroughput": 0.75e6 / 8,
}
VISITS = 5
NOTE = """(name) => {
  const look = () => {
    if (window.shown || !document.querySelector(name)) return;
    window.shown = performance.now();
  };
  const all = { subtree: true, childList: true, attributes: true };
  new MutationObserver(look).observe(document, all);
}"""
OWN_MOVE = """() => new Promise((done) => {
  const start = performance.now();
  document.querySelector("#board [data-column='1']").click();
  requestAnimationFrame(() => requestAnimationFrame(() =>
    done(document.querySelector("#board [data-column='1'][aria-label*=' X']")
      ? performance.now() - start : Infinity)));
})"""
Row = tuple[str, str, str]  # what was measured, the result, what it is compared with


def visited() -> list[Row]:
    """Return the rows of the page."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        return [("the page on a slow network", "Chromium is not installed", "-")]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = str(Path(folder, "table.safetensors"))
        subprocess.run([*COMMAND, "solve", GAME, "-o", path], check=True, stdout=subprocess.DEVNULL)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        with running(*COMMAND, "serve", "--port", "0", "--table", path) as server:
            return list(_measure(browser, server.url))


def _measure(browser: Browser, site: str) -> Iterator[Row]:
    open_cell = "#board .cell[aria-disabled=false]"
    links = {
        "the page is playable": ("#game=tictactoe", open_cell, 2),
        f"the page is playable, {GAME}": (f"#game={GAME}", open_cell, 2),
        "a link of 14 plies opens": (
            f"#game={GAME}&moves={LINK}&o=human&values=1",
            "#chart li:nth-child(15)",
            1.5,
        ),
    }
    for what, (link, name, target) in links.items():
        times = []
        for _ in range(VISITS):
            with _visit(browser, site + link, name) as page:
                times.append(page.evaluate("shown"))
        yield _row(what, times, target)
    with _visit(browser, f"{site}#game={GAME}&o=human", open_cell) as page:
        times = []
        for _ in range(VISITS):
            times.append(page.evaluate(OWN_MOVE))
            page.wait_for_selector("#chart li:nth-child(2)")
            page.click("#undo")
            page.click("#new")
            page.wait_for_selector("#chart:not(:has(li:nth-child(2)))")
    yield _row("one's own move is painted", times, 0.1)


@contextmanager
def _visit(browser: Browser, address: str, name: str) -> Iterator[Page]:
    """Open an address with an empty cache, and wait until an element is there."""
    context = browser.new_context(reduced_motion="reduce")
    page = context.new_page()
    session: Any = context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", SLOW)
    page.add_init_script(f"({NOTE})({name!r})")
    page.goto(address)
    page.wait_for_selector(name, state="attached")
    yield page
    context.close()


def _row(what: str, times: list[float], target: float) -> Row:
    found = statistics.median(times) / 1000
    return f"{what}, at 400 ms and 1.6 Mbit/s", f"{found:.2f} s", f"target: below {target} s"


if __name__ == "__main__":
    for row in visited():
        print(f"| {' | '.join(row)} |", flush=True)
