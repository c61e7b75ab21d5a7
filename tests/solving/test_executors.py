"""Solving in other processes, of this machine or of a Dask cluster: the same bytes, come what may.

Workers are killed, and so are commands; what is left then is what the same command goes on from.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from scripts.measure import spent
from solver import Game, __version__, load_game
from solver.rules.game import fingerprint
from solver.solving.solve import SolveOptions, solve_file
from solver.solving.worker import WorkerSpec, worker_for
from tests.conftest import ROOT, Command

BOARD = "connect4:4x4"  # compiled: its largest tiers are cut into two parts
CHESS = "kingspawns:k.../..p./.P../...K"
PLAIN = str(ROOT / "tests" / "support" / "part_games.py") + ":Race"
PATIENCE = 180  # seconds: the last resort of every wait, for a busy machine
RUN = (
    "import sys; import solver.solving.assemble as a, solver.solving.solve as s\n"
    "import solver.solving.coordinator as t\n"
    "s.FEW = s.SMALL = 0; t.WORTHWHILE = a.WORTHWHILE = 50; t.INTERVAL = 0\n"
    "from solver.cli import main; main()\n"
)


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every game for a large one, whose tiers are worth to be cut."""
    monkeypatch.setattr("solver.solving.solve.FEW", 0)
    monkeypatch.setattr("solver.solving.solve.SMALL", 0)
    monkeypatch.setattr("solver.solving.coordinator.WORTHWHILE", 50)
    monkeypatch.setattr("solver.solving.assemble.WORTHWHILE", 50)


@cache
def right(spec: str) -> bytes:
    """Return the table by this process alone."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "t.safetensors"
        return Path(solve_file(load_game(spec), str(path), SolveOptions())).read_bytes()


def arguments(spec: str, target: Path, *more: str) -> list[str]:
    return [sys.executable, "-c", RUN, "solve", spec, "-o", str(target), *more]


ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "default"}


def begin(spec: str, target: Path, *more: str) -> subprocess.Popen[str]:
    """Start a solve as a command, which has a process group of its own."""
    return subprocess.Popen(
        arguments(spec, target, *more),
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        cwd=target.parent,
    )


def finish(spec: str, target: Path, *more: str) -> bytes:
    """Run the command to its end and return the table."""
    started = begin(spec, target, *more)
    try:
        _, said = started.communicate(timeout=PATIENCE)
    finally:
        end(started)
    assert started.returncode == 0, said
    return target.read_bytes()


def wait(condition: Callable[[], Any]) -> Any:
    """Wait until a condition holds, and return what it gives."""
    end = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)
    return found


def family(group: int) -> dict[int, str]:
    """Return the processes of a session, by number, with their command lines."""
    found = {}
    for name in os.listdir("/proc"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = Path(f"/proc/{int(name)}/stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == group and fields[0] != "Z":
                line = Path(f"/proc/{name}/cmdline").read_bytes().replace(b"\0", b" ").decode()
                found[int(name)] = line
    return found


def parent(process: int) -> int:
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


def workers_of(group: int) -> list[int]:
    """Return the processes that a command, or Dask's nanny, has started to work."""
    found = []
    for pid, line in family(group).items():
        with contextlib.suppress(OSError):
            copied = parent(pid) == group and "resource_tracker" not in line
            if pid != group and (copied or "spawn_main" in line):
                found.append(pid)
    return found


def end(command: subprocess.Popen[Any]) -> None:
    """Kill what is left of a command with all its processes, and close its pipes."""
    with command, contextlib.suppress(ProcessLookupError):
        os.killpg(command.pid, signal.SIGKILL)


def seeds(count: int) -> list[Any]:
    """Return seeds of which all but two take their time."""
    return [0, 1, *(pytest.param(seed, marks=pytest.mark.large) for seed in range(2, count))]


linux = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="reads /proc")


# processes of this machine


@pytest.mark.parametrize("spec", [BOARD, "mnk:4,3,3", CHESS, PLAIN])
def test_two_workers_give_the_same_bytes(tmp_path: Path, spec: str) -> None:
    target = tmp_path / "t.safetensors"
    solve_file(load_game(spec), str(target), SolveOptions(workers=2, name=spec))
    assert target.read_bytes() == right(spec)
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


SLOW = '''
import multiprocessing, os, time
from tests.support.part_games import Race

class Slow(Race):
    """Takes its time in workers while a file says so."""

    spec = "slow"

    def position(self, key):
        if multiprocessing.parent_process() and os.path.exists(os.environ.get("SLOW", "")):
            time.sleep(0.02)
        return super().position(key)
'''


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Path]]:
    """Give a game that takes long as long as a file is there."""
    (tmp_path / "slow.py").write_text(SLOW)
    brake = tmp_path / "brake"
    brake.touch()
    monkeypatch.setitem(ENVIRONMENT, "SLOW", str(brake))
    yield str(tmp_path / "slow.py") + ":Slow", brake
    brake.unlink(missing_ok=True)


def right_of_slow(tmp_path: Path, spec: str, brake: Path) -> bytes:
    brake.unlink(missing_ok=True)
    return finish(spec, tmp_path / "right.safetensors")


def at_work(work: Path) -> Callable[[], bool]:
    """Return whether a solve has found some tiers."""
    return lambda: work.is_dir() and sum(p.suffix == ".keys" for p in work.iterdir()) > 4


@linux
def test_a_worker_that_is_killed_ends_the_command_clearly(
    tmp_path: Path, slow: tuple[str, Path]
) -> None:
    spec, brake = slow
    target = tmp_path / "t.safetensors"
    started = begin(spec, target, "--workers", "2")
    try:
        wait(at_work(tmp_path / "t.safetensors.work"))
        os.kill(wait(lambda: workers_of(started.pid))[0], signal.SIGKILL)
        out, said = started.communicate(timeout=PATIENCE)
    finally:
        end(started)
    assert (started.returncode, out) == (2, "")
    assert said.endswith(
        "perfectplay: a worker process died, perhaps because it ran out of memory; run the same"
        " command to resume\n"
    )
    assert "Traceback" not in said
    assert not family(started.pid)
    data = right_of_slow(tmp_path, spec, brake)
    assert finish(spec, target, "--workers", "2") == data


@linux
def test_a_command_that_is_killed_leaves_no_workers(tmp_path: Path, slow: tuple[str, Path]) -> None:
    spec, brake = slow
    target = tmp_path / "t.safetensors"
    started = begin(spec, target, "--workers", "2")
    try:
        wait(at_work(tmp_path / "t.safetensors.work"))
        assert workers_of(started.pid)
        started.kill()
        started.communicate(timeout=PATIENCE)
        wait(lambda: not family(started.pid))
    finally:
        end(started)
    assert not target.exists()
    data = right_of_slow(tmp_path, spec, brake)
    again = begin(spec, target, "--workers", "2")
    _, said = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0
    assert "perfectplay: resuming from " in said
    assert target.read_bytes() == data


@linux
@pytest.mark.parametrize("more", [(), ("--engine", "dask")])
def test_control_c_ends_at_once(
    tmp_path: Path, slow: tuple[str, Path], more: tuple[str, ...]
) -> None:
    """As a terminal sends it: to every process of the command."""
    spec, _ = slow
    started = begin(spec, tmp_path / "t.safetensors", "--workers", "2", *more)
    try:
        wait(at_work(tmp_path / "t.safetensors.work"))
        os.killpg(started.pid, signal.SIGINT)
        begun = time.monotonic()
        out, said = started.communicate(timeout=PATIENCE)
        wait(lambda: not family(started.pid))
    finally:
        end(started)
    assert (started.returncode, out) == (130, "")
    assert "Traceback" not in said
    assert time.monotonic() - begun < 15


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
def test_rules_that_change_on_the_way_are_refused(tmp_path: Path, slow: tuple[str, Path]) -> None:
    """The command has loaded the old ones; its workers, started later, see the new ones."""
    spec, _ = slow
    file = tmp_path / "slow.py"
    changed = SLOW + "    def initial(self):\n        return 2, 0\n"
    swap = f"import atexit; open({str(file)!r}, 'w').write({changed!r})\n"
    hook = RUN.replace(
        "from solver.cli",
        f"from solver import load_game; load_game({spec!r})\n{swap}from solver.cli",
    )
    ended = subprocess.run(
        [
            sys.executable,
            "-c",
            hook,
            "solve",
            spec,
            "-o",
            str(tmp_path / "t.safetensors"),
            "--workers",
            "2",
            "--engine",
            "dask",
        ],
        env={**ENVIRONMENT, "SLOW": ""},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        cwd=tmp_path,
    )
    assert ended.returncode == 2
    assert "a worker loads other rules for " in ended.stderr
    assert "Traceback" not in ended.stderr


def test_engines_that_do_not_fit(command: Command) -> None:
    said = command.refuses("solve", BOARD, "--engine", "spark")
    assert "unknown engine 'spark'; expected one of local, dask" in said
    said = command.refuses("solve", BOARD, "--scheduler", "tcp://127.0.0.1:1")
    assert "the engine local takes no scheduler; only dask does" in said


def test_without_dask_the_extra_is_named(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = command.refuses("solve", BOARD, "--engine", "dask")
    assert "install perfectplay's extra 'cluster'" in said


# Dask


@pytest.mark.parametrize("spec", [BOARD, CHESS, PLAIN])
def test_a_dask_cluster_of_this_machine_gives_the_same_bytes(tmp_path: Path, spec: str) -> None:
    data = finish(spec, tmp_path / "t.safetensors", "--engine", "dask", "--workers", "2")
    assert data == right(spec)


@linux
@pytest.mark.parametrize("seed", seeds(10))
def test_dask_does_without_a_worker_that_is_killed(
    tmp_path: Path, slow: tuple[str, Path], seed: int
) -> None:
    spec, brake = slow
    target = tmp_path / "t.safetensors"
    data = right_of_slow(tmp_path, spec, brake)
    brake.touch()
    generator = random.Random(seed)
    started = begin(spec, target, "--workers", "2", "--engine", "dask")
    try:
        wait(at_work(tmp_path / "t.safetensors.work"))
        time.sleep(generator.random())
        os.kill(generator.choice(wait(lambda: workers_of(started.pid))), signal.SIGKILL)
        brake.unlink()
        _, said = started.communicate(timeout=PATIENCE)
    finally:
        end(started)
    assert started.returncode == 0, said
    assert target.read_bytes() == data


@linux
@pytest.mark.parametrize("seed", seeds(3))
def test_a_whole_cluster_that_is_killed(tmp_path: Path, slow: tuple[str, Path], seed: int) -> None:
    spec, brake = slow
    target = tmp_path / "t.safetensors"
    started = begin(spec, target, "--workers", "2", "--engine", "dask")
    try:
        wait(at_work(tmp_path / "t.safetensors.work"))
        time.sleep(random.Random(seed).random())
    finally:
        end(started)
    assert not target.exists()
    data = right_of_slow(tmp_path, spec, brake)
    assert finish(spec, target, "--workers", "2", "--engine", "dask") == data


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Give the address of a scheduler, with two workers, each started by Dask's own command."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    dask = [sys.executable, "-W", "default", "-m"]
    commands = [
        [
            *dask,
            "distributed.cli.dask_scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            str(port),
            "--no-dashboard",
        ]
    ]
    worker = ["--nthreads", "1", "--no-dashboard", "--local-directory", str(tmp_path / "dask")]
    commands += [[*dask, "distributed.cli.dask_worker", address, *worker]] * 2
    with open(tmp_path / "dask.log", "wb") as log:
        started = [
            subprocess.Popen(c, env=ENVIRONMENT, stdout=log, stderr=log, start_new_session=True)
            for c in commands
        ]
        try:
            yield address, started
        finally:
            for process in reversed(started):
                end(process)


def test_a_cluster_of_separate_commands(
    tmp_path: Path, cluster: tuple[str, list[subprocess.Popen[bytes]]]
) -> None:
    """As on several hosts: `dask scheduler`, `dask worker` twice, and the command."""
    address, _ = cluster
    target = tmp_path / "t.safetensors"
    more = ("--engine", "dask", "--scheduler", address)
    for spec in (BOARD, PLAIN):
        assert finish(spec, target, *more) == right(spec)
        target.unlink()


@pytest.mark.parametrize("with_scheduler", [False, True])
def test_a_cluster_that_does_not_answer(
    command: Command, monkeypatch: pytest.MonkeyPatch, with_scheduler: bool
) -> None:
    """Neither where nobody listens, nor where a scheduler has no workers."""
    monkeypatch.setattr("solver.solving.executors.PATIENCE", 2)
    with contextlib.ExitStack() as stack:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        if with_scheduler:
            line = [sys.executable, "-W", "default", "-m", "distributed.cli.dask_scheduler"]
            line += ["--host", "127.0.0.1", "--port", str(port), "--no-dashboard"]
            scheduler = subprocess.Popen(
                line, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            stack.callback(scheduler.wait, PATIENCE)
            stack.callback(scheduler.kill)

            def listens() -> bool:
                with socket.socket() as s:
                    return s.connect_ex(("127.0.0.1", port)) == 0

            wait(listens)
        address = f"tcp://127.0.0.1:{port}"
        said = command.refuses("solve", BOARD, "--engine", "dask", "--scheduler", address)
    assert f"no Dask cluster with a worker answers at '{address}'" in said


def test_a_worker_that_does_not_see_the_folder(tmp_path: Path) -> None:
    game = load_game("tictactoe")
    spec = WorkerSpec("tictactoe", False, str(tmp_path / "a"), fingerprint(game), __version__)
    with pytest.raises(OSError, match="a worker does not see this folder; it must be on a file"):
        worker_for(spec, 1)


def test_a_worker_of_another_version(tmp_path: Path) -> None:
    spec = WorkerSpec("tictactoe", False, str(tmp_path), "", "0.0")
    with pytest.raises(ValueError, match=r"a worker has perfectplay .*, but the command has 0\.0:"):
        worker_for(spec, 1)


@pytest.mark.large
@pytest.mark.parametrize("engine", ["local", "dask"])
def test_two_workers_with_little_memory(tmp_path: Path, engine: str) -> None:
    """Connect 4 on 6x4 takes 560 MB at once; here no process takes more than 400 MB."""
    path, whole = str(tmp_path / "cut.safetensors"), str(tmp_path / "whole.safetensors")
    options = ("--engine", engine, "--workers", "2", "--memory", "400MB")
    taken = spent("solve", "connect4:6x4", "-o", path, *options)
    assert taken.megabytes < 400
    spent("solve", "connect4:6x4", "-o", whole)
    assert Path(path).read_bytes() == Path(whole).read_bytes()
