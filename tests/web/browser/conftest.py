from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from solver import TableAgent, open_agent
from tests.conftest import program
from tests.support.javascript import tool
from tests.support.live import Live, serving
from tests.support.tables import table_path
from tests.web.browser.visits import CHESS, CONNECT4, MORRIS, NIM, PONG, Visits

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-quic"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
]
SMALL = ("wild", "dodgem:3x3", "hexapawn:4x4", "ponghauki", "domineering:3x3", "connect4:4x3")
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
def searching(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """Serve a game that is answered by search, and small ones."""
    paths = [str(table_path(spec, ".json")) for spec in SMALL]
    named = [word for path in paths for word in ("--table", path)]
    games = ("--game", "tictactoe", "--game", CONNECT4)
    with serving(tmp_path_factory.mktemp("searching"), *games, *named) as running:
        yield running


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
def visit(visits: Visits, request: pytest.FixtureRequest) -> Visits:
    """Return visits to the page of the server that the module names, else of that with tables."""
    server = request.getfixturevalue(getattr(request.module, "SERVER", "live"))
    visits.site = f"http://127.0.0.1:{server.port}/"
    return visits


@pytest.fixture(scope="package")
def axe() -> str:
    """Return the script of axe, which checks accessibility."""
    return Path(tool("axe-core/axe.min.js")).read_text()
