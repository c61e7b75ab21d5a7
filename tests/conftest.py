from __future__ import annotations

import gc
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import pytest
from hypothesis import settings

from solver import Game, Table, TableAgent, load_game, solve
from solver.cli import run
from solver.errors import NotCompiledError

# Profiles of `make quick`, `make test` and `make test-large`; see also tests.support.properties.
settings.register_profile("quick", deadline=None, max_examples=5)
settings.register_profile("light", deadline=None, max_examples=15)
settings.register_profile("thorough", deadline=None, max_examples=50)
settings.load_profile("light")

# A background job ignores SIGINT, and so would the processes that tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).parent.parent
SHIPPED = ROOT / "data" / "tictactoe.json"
MEMORY, ENOUGH = "/dev/shm", 8 << 30  # a file system in memory, and bytes that a run may need
BOTS = ROOT / "tests" / "support" / "bots.py"  # players such as users write
HEAP = (ROOT / "tests" / "support" / "user_games.py").read_text()  # has the game Heap


def pytest_configure(config: pytest.Config) -> None:
    """Let all processes of a run share the tables that they solve; see tests.support.tables.

    Files go into memory where there is room: the tests of long solves write tens of thousands.
    """
    has_room = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free >= ENOUGH
    if "TMPDIR" not in os.environ and has_room:
        os.environ["TMPDIR"] = tempfile.tempdir = MEMORY
    if "PERFECTPLAY_TEST_TABLES" not in os.environ:
        folder = TemporaryDirectory(prefix="perfectplay-tests-")
        os.environ["PERFECTPLAY_TEST_TABLES"] = folder.name
        config.add_cleanup(folder.cleanup)
    os.environ.setdefault("NUMBA_CACHE_DIR", str(compiled_folder()))


def compiled_folder() -> Path:
    """Return the folder of compiled functions, which all processes of this run and later ones use.

    numba compares the file of a function alone with what it has kept. So that changes of what is
    called from there count, too, all such files together name the folder.
    """
    files = [path.read_bytes() for path in sorted((ROOT / "solver").rglob("*.py"))]
    compiled = b"".join(c for c in files if b"njit" in c or b"@compiled" in c)
    folder = ROOT / ".pytest_cache" / "numba" / sha256(compiled).hexdigest()[:16]
    if not folder.exists():
        shutil.rmtree(folder.parent, ignore_errors=True)
        folder.mkdir(parents=True)
    return folder


def lacks_browser_tools() -> bool:
    """Return whether tests in a browser are left out, since `make modules` did not run."""
    return not find_spec("playwright") and not os.environ.get("PERFECTPLAY_ALL_TESTS")


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    return True if collection_path.name == "browser" and lacks_browser_tools() else None


def pytest_report_header() -> str | None:
    return "without tests in a browser: run make modules" if lacks_browser_tools() else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave each target the cases that it has time for.

    `make quick` has the first and the last case of a test, or all if it is marked `every`. Of one
    marked `thinned(a, b)`, `make test` has each a-th case, and `make test-large` each b-th.
    """
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for found in cases.values():
        for number, item in enumerate(found):
            if mark := item.get_closest_marker("thinned"):
                of_test, of_large = (*mark.args, 1)[:2]
                if number % of_test:
                    item.add_marker(pytest.mark.large)
                if number % of_test and number % of_large:
                    item.add_marker(pytest.mark.campaign)
        quick = [
            item
            for item in found
            if not any(map(item.get_closest_marker, ("slow", "large", "every")))
        ]
        for item in quick[1:-1]:
            item.add_marker(pytest.mark.slow)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Return one process more than there are processors, since many tests wait for others.

    With `-n logical`, as in `make quick`, whose tests wait for nothing, as many as processors.
    """
    return (os.cpu_count() or 1) + int(config.option.numprocesses == "auto")


def pytest_collection_finish() -> None:
    """Spare the garbage collector the thousands of tests, which stay to the end.

    Solving in plain Python makes many objects and few circles, so it may run seldom.
    """
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


@pytest.fixture(scope="session")
def tictactoe() -> Game[Any, Any]:
    return load_game("tictactoe")


def solved(game: Game[Any, Any], method: str = "retrograde") -> Table:
    """Solve a game that is small."""
    table = solve(game, method)
    assert isinstance(table, Table)
    return table


@pytest.fixture(scope="session")
def table(tictactoe: Game[Any, Any]) -> Table:
    return solved(tictactoe, "search")


@pytest.fixture(scope="session")
def agent() -> TableAgent:
    return TableAgent()


@pytest.fixture(scope="session")
def known() -> dict[str, Any]:
    """Known counts by game, without their sources."""
    data = json.loads((ROOT / "tests" / "support" / "known_counts.json").read_text())
    return {game: {name: row["value"] for name, row in rows.items()} for game, rows in data.items()}


@pytest.fixture(autouse=True)
def untried(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile in this process, but in tests of the trial in others, which takes seconds."""
    if "tried" not in request.keywords and find_spec("solver.compiling"):
        monkeypatch.setattr("solver.compiling.module.try_out", lambda *_: None)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Say nothing of work that takes long, as it may on a busy machine."""
    monkeypatch.setattr("solver.agent.installed.SOON", 3600)
    monkeypatch.setattr("solver.cli.output.SOON", 3600)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every game for a large one."""
    monkeypatch.setattr("solver.solving.in_memory.FEW", 0)
    monkeypatch.setattr("solver.solving.in_memory.SMALL", 0)


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the rules of users in Python, where it is not tested that they are compiled."""

    def refuse(*_: object) -> None:
        raise NotCompiledError("this test asks Python")

    monkeypatch.setattr("solver.compiling.kernel.CompiledKernel", refuse)


def program(*names: str) -> str:
    """Return the path of the first program that is there; else skip, or fail where all must run."""
    path = next(filter(None, map(shutil.which, names)), None)
    return path or lacks(f"needs {names[0]}, which is not on PATH")


def lacks(what: str) -> NoReturn:
    """Skip a test, or fail where all must run."""
    if os.environ.get("PERFECTPLAY_ALL_TESTS"):
        pytest.fail(what)
    pytest.skip(what)


def python(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python in the folder of the project, with these variables in its environment."""
    line, env = [sys.executable, *arguments], {**os.environ, **variables}
    return subprocess.run(line, check=False, capture_output=True, text=True, cwd=ROOT, env=env)


@pytest.fixture(scope="session")
def node() -> str:
    """Return the path of Node."""
    return program("node")


class Command:
    """Runs the command line inside the process; keeps what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys, self.monkeypatch = capsys, monkeypatch
        self.out = self.err = ""

    def __call__(self, *arguments: str) -> int:
        status = run(list(arguments))
        self.out, self.err = self.capsys.readouterr()
        return status

    def json(self, *arguments: str) -> Any:
        assert self(*arguments, "--json") == 0, self.err
        return json.loads(self.out)

    def refuses(self, *arguments: str, status: int = 2) -> str:
        """Run a command that must fail with one line on stderr and nothing on stdout."""
        assert self(*arguments) == status
        assert self.out == ""
        assert self.err.startswith("perfectplay: ")
        assert self.err.count("\n") == 1
        assert "Traceback" not in self.err
        return self.err

    def type(self, *lines: str) -> None:
        """Make `input` answer with these lines, then end; ^C interrupts it."""
        answers = iter(lines)

        def answer(prompt: str = "") -> str:
            print(prompt, end="")
            line = next(answers, None)
            if line is None:
                raise EOFError
            if line == "^C":
                raise KeyboardInterrupt
            print(line)
            return line

        self.monkeypatch.setattr("builtins.input", answer)


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Command:
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path / "tables"))
    monkeypatch.chdir(tmp_path)
    return Command(capsys, monkeypatch)
