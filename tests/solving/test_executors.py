"""Solving in other processes, of this machine or of a Dask cluster, gives the same bytes.

Workers are killed, and so are whole commands; the same command then resumes from what is left.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from solver import Game, load_game
from solver.errors import LostFileError
from solver.solving.executors import start_workers
from solver.solving.pool import WorkerPool
from solver.solving.solve import SolveOptions, solve_file
from tests.conftest import ROOT
from tests.support.tables import solved_bytes

BOARD = "connect4:4x4"  # compiled: its largest tiers are split into two parts
CHESS = "kingspawns:k.../..p./.P../...K"
PLAIN = str(ROOT / "tests" / "support" / "part_games.py") + ":Race"
PATIENCE = 300  # seconds: the last resort of every wait, for a busy machine
RUN = (
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # may be ignored
    "import sys; import solver.solving.assemble as a, solver.solving.in_memory as s\n"
    "import solver.solving.coordinator as t\n"
    "s.FEW = s.SMALL = 0; t.WORTHWHILE = a.WORTHWHILE = 50; t.INTERVAL = 0\n"
    "from solver.cli import main; main()\n"
)
LOCAL, DASK = ("--workers", "2"), ("--workers", "2", "--scheduler", "new")

linux = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="reads /proc")


@pytest.fixture(autouse=True)
def worthwhile(few: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every game for a large one, whose tiers are worth splitting."""
    monkeypatch.setattr("solver.solving.coordinator.WORTHWHILE", 50)
    monkeypatch.setattr("solver.solving.assemble.WORTHWHILE", 50)


@cache
def right(spec: str) -> bytes:
    """Return the table as this process alone solves it."""
    return solved_bytes(load_game(spec))


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "default"}


@contextlib.contextmanager
def started(
    spec: str, target: Path, *more: str, code: str = RUN
) -> Iterator[subprocess.Popen[str]]:
    """Start a solve as a command in a session of its own; kill what is left of it in the end."""
    command = subprocess.Popen(
        [sys.executable, "-c", code, "solve", spec, "-o", str(target), *more],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=target.parent,
    )
    with killed_in_the_end(command):
        yield command


@contextlib.contextmanager
def killed_in_the_end(command: subprocess.Popen[Any]) -> Iterator[None]:
    with command:
        try:
            yield
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(command.pid, signal.SIGKILL)


def finish(spec: str, target: Path, *more: str) -> tuple[bytes, str]:
    """Run a command to its end; return the table, and what it printed on standard error."""
    with started(spec, target, *more) as command:
        _, errors = command.communicate(timeout=PATIENCE)
    assert command.returncode == 0, errors
    return target.read_bytes(), errors


def wait(condition: Callable[[], Any]) -> Any:
    """Wait until a condition is true, and return its value."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, "the condition never became true"
        time.sleep(0.01)
    return found


def family(session: int) -> dict[int, str]:
    """Return the processes of a session, by number, with their command lines."""
    found = {}
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{int(name)}/stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] != "Z":
                line = Path(f"/proc/{name}/cmdline").read_bytes().replace(b"\0", b" ").decode()
                found[int(name)] = line
    return found


def parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def workers_of(session: int) -> list[int]:
    """Return the worker processes that a command, or Dask's nanny, has started."""
    found = []
    for pid, line in family(session).items():
        with contextlib.suppress(OSError):
            is_fork = parent(pid) == session and "resource_tracker" not in line
            if pid != session and (is_fork or "spawn_main" in line):
                found.append(pid)
    return found


STOPPING = '''
import multiprocessing, os, time
from tests.support.part_games import Race

class Stopping(Race):
    """Its workers stop after reading some positions, as long as a file exists, and say so."""

    spec = "stopping"
    left = int(os.environ.get("POSITIONS", 0))

    def position(self, key):
        brake = os.environ.get("BRAKE", "")
        if multiprocessing.parent_process():
            Stopping.left -= 1
        while Stopping.left < 0 and os.path.exists(brake):
            open(brake + ".reached", "w").close()
            time.sleep(0.01)
        return super().position(key)
'''


class Brake:
    """The file that stops workers, and the game that heeds it."""

    def __init__(self, folder: Path) -> None:
        (folder / "stopping.py").write_text(STOPPING)
        self.spec = f"{folder / 'stopping.py'}:Stopping"
        self.file = folder / "brake"
        self.file.touch()

    def reached(self) -> bool:
        """Return whether a worker has stopped."""
        return self.file.with_name("brake.reached").exists()

    def release(self) -> None:
        self.file.unlink(missing_ok=True)


@pytest.fixture
def brake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Brake]:
    made = Brake(tmp_path)
    monkeypatch.setitem(ENVIRONMENT, "BRAKE", str(made.file))
    monkeypatch.setitem(ENVIRONMENT, "POSITIONS", "100")  # which some tiers have together
    yield made
    made.release()


@cache
def right_of_stopping() -> bytes:
    with TemporaryDirectory() as folder:
        return entries_of(right(Brake(Path(folder)).spec))


def entries_of(data: bytes) -> bytes:
    """Return what follows a table's header, which names the rules' files from their folder."""
    return data[8 + int.from_bytes(data[:8], "little") :]


@pytest.mark.slow
@pytest.mark.parametrize("spec", [PLAIN, BOARD, "mnk:4,3,3", CHESS])
@pytest.mark.thinned(4, 3)
def test_two_workers_give_the_same_bytes(tmp_path: Path, spec: str) -> None:
    target = tmp_path / "t.safetensors"
    solve_file(load_game(spec), str(target), SolveOptions(workers=2, name=spec))
    assert target.read_bytes() == right(spec)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


@linux
@pytest.mark.slow
@pytest.mark.parametrize(
    "victim", ["worker", "command", pytest.param("cluster", marks=pytest.mark.campaign)]
)
def test_a_killed_command_or_worker_ends_all_and_the_same_command_resumes(
    tmp_path: Path, brake: Brake, victim: str
) -> None:
    target, engine = tmp_path / "t.safetensors", DASK if victim == "cluster" else LOCAL
    with started(brake.spec, target, *engine) as command:
        wait(brake.reached)
        if victim == "cluster":
            os.killpg(command.pid, signal.SIGKILL)
        else:
            worker = workers_of(command.pid)[0]
            os.kill(worker if victim == "worker" else command.pid, signal.SIGKILL)
        out, errors = command.communicate(timeout=PATIENCE)
        wait(lambda: not family(command.pid))
    assert not target.exists()
    if victim == "worker":
        error = "a worker process died, perhaps because it ran out of memory; run the same command"
        assert (command.returncode, out) == (2, "")
        assert errors.endswith(f"perfectplay: {error} again\n")
        assert "Traceback" not in errors
    brake.release()
    data, errors = finish(brake.spec, target, *engine)
    assert "perfectplay: resuming from " in errors
    assert entries_of(data) == right_of_stopping()


@linux
@pytest.mark.slow
@pytest.mark.parametrize("more", [LOCAL, DASK], ids=["local", "dask"])
@pytest.mark.thinned(2)
def test_control_c_ends_a_command_in_the_middle_of_a_task(
    tmp_path: Path, brake: Brake, more: tuple[str, ...]
) -> None:
    """Every process of the command gets the signal, as from a terminal. No task ever finishes."""
    with started(brake.spec, tmp_path / "t.safetensors", *more) as command:
        wait(brake.reached)
        os.killpg(command.pid, signal.SIGINT)
        out, errors = command.communicate(timeout=PATIENCE)
        wait(lambda: not family(command.pid))
    assert (command.returncode, out) == (130, "")
    assert "Traceback" not in errors


@pytest.mark.slow
def test_a_game_that_other_processes_cannot_load_is_refused(tmp_path: Path) -> None:
    class Local(type(load_game(PLAIN))):  # type: ignore[misc]
        spec = "local"

    game: Game[Any, Any] = Local()
    target = str(tmp_path / "t.safetensors")
    with pytest.raises(ValueError, match=r"other processes cannot load local: write its"):
        solve_file(game, target, SolveOptions(workers=2))
    assert os.listdir(tmp_path) == []
    assert Path(solve_file(game, target, SolveOptions())).exists()


@linux
@pytest.mark.large
def test_rules_that_change_during_a_solve_are_refused(tmp_path: Path, brake: Brake) -> None:
    """The command has loaded the old rules; its workers start later and load the new ones."""
    brake.release()
    file = tmp_path / "stopping.py"
    changed = STOPPING + "    def initial(self):\n        return 2, 0\n"
    code = RUN.replace(
        "from solver.cli",
        f"from solver import load_game; load_game({brake.spec!r})\n"
        f"open({str(file)!r}, 'w').write({changed!r})\n"
        "import solver.cli.solve as c; c.check_repeats = lambda *_, **__: None\nfrom solver.cli",
    )
    with started(brake.spec, tmp_path / "t.safetensors", *DASK, code=code) as command:
        _, errors = command.communicate(timeout=PATIENCE)
    assert command.returncode == 2
    assert "a worker has different rules for " in errors
    assert "Traceback" not in errors


def test_an_error_that_is_recovered_from_is_raised_after_all_calls() -> None:
    """The first of them, if there are several; any other error is raised at once."""
    lost = LostFileError("folder", "file")

    def task(number: int) -> int:
        if number in (2, 4):
            raise lost
        return number * number

    with ThreadPoolExecutor(1) as threads:
        pool = WorkerPool(threads, 1)
        found: dict[int, int] = {}
        results = pool.run(task, [(n,) for n in range(6)])
        with pytest.raises(LostFileError) as caught:
            found.update(pair for pair in results)
        assert caught.value is lost
        assert found == {0: 0, 1: 1, 3: 9, 5: 25}
        assert dict(pool.run(task, [(3,), (1,)])) == {0: 9, 1: 1}
        with pytest.raises(TypeError):
            list(pool.run(task, [()]))


def interrupted() -> None:
    """Stop in the middle of a task of another process."""
    with start_workers(2) as pool:
        assert pool.executor is not None
        process = pool.executor.submit(os.getpid).result()
        assert process in {child.pid for child in multiprocessing.active_children()}
        pool.executor.submit(time.sleep, PATIENCE)
        raise KeyboardInterrupt


def echo(connection: Connection) -> None:
    while True:
        connection.send(connection.recv())


@linux
@pytest.mark.slow
def test_a_solve_that_fails_ends_its_own_processes_alone() -> None:
    """Others that this program has started go on."""
    near, far = multiprocessing.Pipe()
    context = multiprocessing.get_context("fork")
    other = context.Process(target=echo, args=(far,), daemon=True)
    other.start()
    far.close()
    try:
        with pytest.raises(KeyboardInterrupt):
            interrupted()
        assert {child.pid for child in multiprocessing.active_children()} == {other.pid}
        near.send("still there")
        assert near.recv() == "still there"
    finally:
        other.kill()
        other.join()


SEEDS = [pytest.param(seed, marks=pytest.mark.campaign if seed else ()) for seed in range(6)]


@linux
@pytest.mark.large
@pytest.mark.parametrize("seed", SEEDS)
def test_dask_does_without_a_worker_that_is_killed(
    tmp_path: Path, brake: Brake, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed at different points of the solve, in the middle of a task."""
    generator = random.Random(seed)
    monkeypatch.setitem(ENVIRONMENT, "POSITIONS", str(generator.randrange(20, 300)))
    target = tmp_path / "t.safetensors"
    with started(brake.spec, target, *DASK) as command:
        wait(brake.reached)
        os.kill(generator.choice(workers_of(command.pid)), signal.SIGKILL)
        brake.release()
        _, errors = command.communicate(timeout=PATIENCE)
    assert command.returncode == 0, errors
    assert entries_of(target.read_bytes()) == right_of_stopping()


@pytest.mark.large
def test_a_cluster_of_separate_commands(tmp_path: Path) -> None:
    """As on several hosts: `dask scheduler`, `dask worker` twice, and the command."""
    target = tmp_path / "t.safetensors"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    address = f"tcp://127.0.0.1:{port}"
    worker = ["dask_worker", address, "--nthreads", "1", "--local-directory", str(tmp_path)]
    scheduler = ["dask_scheduler", "--host", "127.0.0.1", "--port", port]
    with contextlib.ExitStack() as stack:
        log = stack.enter_context(open(tmp_path / "dask.log", "wb"))
        for module, *arguments in (scheduler, worker, worker):
            line = [sys.executable, "-W", "default", "-m", f"distributed.cli.{module}", *arguments]
            process = subprocess.Popen(
                [*line, "--no-dashboard"],
                env=ENVIRONMENT,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            stack.enter_context(killed_in_the_end(process))
        for spec in (BOARD, PLAIN):
            data, _ = finish(spec, target, "--scheduler", address)
            assert data == right(spec)
            target.unlink()
