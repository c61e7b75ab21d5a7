"""A hopeless solve is refused before it writes much, and no solve fills the disk."""

from __future__ import annotations

import mmap
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from solver import load_game, solve
from solver.kernels import find_kernel
from solver.solving import limits
from solver.solving.forecast import cost
from solver.solving.limits import Guard, exceeded
from solver.solving.memory import resident
from solver.solving.options import SolveOptions
from solver.solving.slot_files import SlotFiles
from solver.solving.solve import solve_file
from tests.conftest import Command

GB = 10**9
TIERED = "connect4:3x3,3"  # some hundreds of positions


Machine = Callable[..., None]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return a function that sets free disk and installed memory."""

    def stub(free: int = 1000 * GB, memory: int = 16 * GB) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=free))
        monkeypatch.setattr(limits, "installed", lambda: memory)

    return stub


@pytest.fixture
def large(few: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "LARGE", 100)
    monkeypatch.setattr(limits, "LARGE_PLAIN", 100)


@pytest.mark.parametrize("spec", ["connect4:4x4", "connect4:5x6", "mnk:5,4,4", "connect4:6x4"])
def test_what_fits_is_not_refused(spec: str, tmp_path: Path, machine: Machine) -> None:
    machine()
    log: list[str] = []
    for workers, memory in ((1, None), (2, 4 * GB)):
        options = SolveOptions(workers=workers, memory=memory, report=log.append)
        game = load_game(spec)
        Guard(game, str(tmp_path / "w"), str(tmp_path / "t"), options).start(find_kernel(game)[0])
    assert log == []


@pytest.mark.slow
def test_connect_4_on_7x6_is_refused_before_anything_is_written(
    tmp_path: Path, machine: Machine, command: Command
) -> None:
    machine()
    message = command.refuses("solve", "connect4:7x6")
    assert "2,265,992,609,546 positions up to symmetry. Solving it takes roughly " in message
    assert "TB of disk" in message
    assert f"The disk of {tmp_path / 'tables'} has less free space: 1 TB." in message
    for help_text in ("a smaller board", "--workdir", "--memory", "--force", "--weak"):
        assert help_text in message
    assert not list(tmp_path.rglob("*.work"))


def test_a_solve_needs_a_worker() -> None:
    with pytest.raises(ValueError, match="a solve needs at least 1 worker, not 0"):
        solve(load_game("tictactoe"), workers=0)


def test_the_disk_keeps_its_reserve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process may write a little in any case, then only what leaves the reserve free."""
    monkeypatch.setattr(limits, "SMALL_WORK", 100)
    monkeypatch.setattr(limits, "PIECE", 30)
    free = 0
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=free))
    guard, data = limits.DiskGuard(str(tmp_path)), bytes(range(100))
    with (tmp_path / "file").open("wb") as file:
        guard.write(file, data)
        with pytest.raises(OSError, match="nearly full, and a solve leaves 1 GB free"):
            guard.write(file, b"x")
        free = GB + 30
        guard.write(file, data)
        free = GB + 29
        with pytest.raises(OSError, match="nearly full"):
            guard.write(file, data)
        guard.write(file, data[:29])
    assert (tmp_path / "file").read_bytes() == data + data + data[:29]


def test_what_a_solve_exceeds(tmp_path: Path, machine: Machine) -> None:
    """Each limit is the most that is not too much."""
    none = cost(load_game("tictactoe"), 10**9, None, None)._replace(memory=0, disk=0, table=0)

    def reason(factor: float = 1, on_cluster: bool = False, **changed: Any) -> str:
        options = SolveOptions(workers=3, scheduler="new" if on_cluster else None)
        places = str(tmp_path / "w"), str(tmp_path / "t")
        return " ".join(exceeded(none._replace(**changed), *places, options, factor))

    machine(free=5 * GB, memory=3 * GB)
    assert reason(memory=GB) == ""
    assert reason(memory=GB + 1) == "There is less memory for it: 1 GB."
    assert reason(10, memory=10 * GB) == ""
    assert reason(10, memory=10 * GB + 1)
    assert reason(on_cluster=True, memory=GB + 1) == ""
    assert reason(is_wide=True).startswith("Its keys have more than 64 bits")
    assert reason(disk=5 * GB, table=5 * GB) == ""
    for changed in ({"disk": 5 * GB + 1}, {"table": 5 * GB + 1}):
        assert reason(1, False, **changed).endswith("has less free space: 5 GB.")
    assert reason(10, disk=50 * GB, table=50 * GB) == ""
    assert reason(10, disk=50 * GB + 1)
    machine(free=0)
    assert reason(disk=1 << 26) == ""  # so little may be written in any case
    assert reason(disk=(1 << 26) + 1)


@pytest.fixture
def hopeless(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every forecast exceed the disk by far."""
    large = cost(load_game("tictactoe"), 10**12, None, None)
    large = large._replace(memory=0, disk=11 * 10**12)
    monkeypatch.setattr(limits, "forecast", lambda *_: large)
    machine()


@pytest.mark.usefixtures("large", "hopeless")
def test_a_game_of_unknown_size_is_refused_on_the_way(tmp_path: Path, command: Command) -> None:
    """What it has written is deleted, but not the work of an earlier solve."""
    assert command("solve", TIERED) == 2
    log = command.err.splitlines()
    work = tmp_path / "tables" / f"{TIERED.replace(':', '-')}.work"
    assert log[0].endswith(f"storing unfinished work in {work} until the table is written")
    assert log[1] == f"perfectplay: forecasting what it takes to solve {TIERED}"
    assert "17 TB of disk" in log[2]
    assert len(log) == 3
    assert not work.exists()

    stopping = SolveOptions(force=True, progress=stop_when_solving)
    with pytest.raises(KeyboardInterrupt):
        solve_file(load_game(TIERED), None, stopping)
    assert command("solve", TIERED) == 2
    assert work.exists()
    assert "delete the folder of unfinished work" in command.err
    assert command("solve", TIERED, "--force") == 0
    assert not work.exists()


@pytest.mark.usefixtures("large", "hopeless")
def test_what_is_beyond_a_limit_by_less_than_ten_times_starts_with_a_word(
    tmp_path: Path, machine: Machine
) -> None:
    machine(free=2000 * GB)
    log: list[str] = []
    options = SolveOptions(report=log.append)
    solve_file(load_game(TIERED), str(tmp_path / "t.safetensors"), options)
    assert any(text.startswith("this may not finish: tictactoe: ") for text in log)


def stop_when_solving(stage: str, done: int, total: int | None) -> None:
    if stage == "solving":
        raise KeyboardInterrupt


put = SlotFiles.put


def unguarded_put(folder: SlotFiles, name: str, *slots: Any) -> None:
    folder.disk.written = -GB
    put(folder, name, *slots)


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("stage", ["the work", "the table"])
def test_a_solve_stops_before_the_disk_is_full(
    stage: str, tmp_path: Path, machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if forced, and it resumes when there is space."""
    machine()
    path = tmp_path / "t.safetensors"
    game = load_game(TIERED)
    right = Path(solve_file(game, str(tmp_path / "right.safetensors"), SolveOptions())).read_bytes()
    monkeypatch.setattr(limits, "SMALL_WORK", 2000 if stage == "the work" else 0)
    if stage == "the table":
        monkeypatch.setattr(SlotFiles, "put", unguarded_put)
    machine(free=GB)
    log: list[str] = []
    with pytest.raises(
        OSError, match=r"nearly full, and a solve leaves 1 GB free: free some space"
    ):
        solve_file(game, str(path), SolveOptions(force=True, report=log.append))
    assert "run the same command to resume" in log[-1]
    assert sorted(os.listdir(tmp_path)) == ["right.safetensors", "t.safetensors.work"]
    machine()
    assert Path(solve_file(game, str(path), SolveOptions(report=log.append))).read_bytes() == right
    assert any(text.startswith("resuming") for text in log)
    assert sorted(os.listdir(tmp_path)) == ["right.safetensors", "t.safetensors"]


WIDE = """
from tests.support.user_games import Row

class Wide(Row):
    board = None

    def initial(self):
        return "." * 70
"""


@pytest.mark.large
@pytest.mark.parametrize("spec", ["connect4:8x8", "wide.py:Wide"])
def test_what_no_table_can_hold_is_refused(
    spec: str, tmp_path: Path, machine: Machine, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wide.py").write_text(WIDE)
    monkeypatch.chdir(tmp_path)
    machine(free=1 << 50)
    assert command("solve", spec) == 2
    assert "Its keys have more than 64 bits" in command.err
    assert not list(tmp_path.rglob("*.work"))


def test_the_memory_that_a_process_takes_grows_by_what_it_fills() -> None:
    size, before = 64 << 20, resident()
    with mmap.mmap(-1, size) as block:  # malloc may return memory that the process has already
        for first in range(0, size, mmap.PAGESIZE):
            block[first] = 1
        assert 0.9 * size < resident() - before < 1.1 * size
