from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from solver import TableAgent, load_game, open_agent
from solver.solving.solve import SolveOptions, solve_file
from tests.conftest import program
from tests.support.live import Live, serving
from tests.support.npm import tool
from tests.web.browser.visits import CHESS, CONNECT4, MORRIS, NIM, PONG, Visits

FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-quic"),
    *("--disable-component-update", "--disable-sync", "--no-first-run"),
]
PATIENCE = 60_000  # milliseconds: the last resort of every wait, for a busy machine


@pytest.fixture(scope="package")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Solve the served games; return their tables by game."""
    folder = tmp_path_factory.mktemp("tables")
    paths = {}
    for number, spec in enumerate((CONNECT4, CHESS, MORRIS, NIM, PONG)):
        small = spec in (NIM, PONG)
        paths[spec] = folder / f"{number}.{'json' if small else 'safetensors'}"
        solve_file(load_game(spec), str(paths[spec]), SolveOptions())
    return paths


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
