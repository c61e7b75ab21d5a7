from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from solver import TableAgent, open_agent
from tests.conftest import program
from tests.support.live import Live, serving
from tests.support.npm import tool
from tests.support.tables import table_path
from tests.web.browser.visits import CHESS, CONNECT4, MORRIS, NIM, PONG, Visits

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-quic"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
]
PATIENCE = 60_000  # milliseconds: the last resort of every wait, for a busy machine


@pytest.fixture(scope="package")
def tables() -> dict[str, Path]:
    """Return the tables of the served games."""
    large = {spec: table_path(spec) for spec in (CONNECT4, CHESS, MORRIS)}
    return large | {spec: table_path(spec, ".json") for spec in (NIM, PONG)}


@pytest.fixture(scope="package")
def agents(tables: dict[str, Path]) -> dict[str, TableAgent]:
    """Return agents with the same tables, by game."""
    opened = {spec: open_agent(table=path) for spec, path in tables.items()}
    return {"tictactoe": TableAgent(), **opened}


@pytest.fixture(scope="package")
def live(tables: dict[str, Path]) -> Iterator[Live]:
    named = [word for path in tables.values() for word in ("--table", str(path))]
    with serving(tables[CONNECT4].parent, *named) as running:
        yield running
        assert running.stop() == (0, "")


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    path = program("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def visits(browser: Browser) -> Iterator[Visits]:
    """Return visits to the page from disk, or from a server that the test names."""
    made = Visits(browser, PATIENCE)
    yield made
    made.end()


@pytest.fixture
def visit(visits: Visits, live: Live) -> Visits:
    """Return visits to the page of the server with all tables."""
    visits.site = f"http://127.0.0.1:{live.port}/"
    return visits


@pytest.fixture(scope="package")
def axe() -> str:
    """Return the script of axe, which checks accessibility."""
    return Path(tool("axe-core/axe.min.js")).read_text()
