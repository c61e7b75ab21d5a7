"""Drafts: what a killed process has left is deleted, what a process is writing never."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from solver import load_game
from solver.files import atomic_write, remove_draft, remove_drafts, save
from solver.solving.checkpoint import Checkpoint
from solver.solving.solve import SolveOptions, solve_file
from tests.conftest import python

KILLED = (
    "import os, signal, sys; from solver.files import atomic_write\n"
    "with atomic_write(sys.argv[1], len(sys.argv) < 3) as file:\n"
    "    file.write(b'half'); file.flush(); os.kill(os.getpid(), signal.SIGKILL)\n"
)


def leave_draft(path: Path, *temporary: str) -> Path:
    """Kill a process that is writing to a path, and return its draft."""
    before = set(path.parent.iterdir())
    assert python("-c", KILLED, str(path), *temporary).returncode == -signal.SIGKILL
    (draft,) = set(path.parent.iterdir()) - before
    return draft


@pytest.mark.slow
def test_the_next_write_deletes_the_draft_of_a_killed_process(tmp_path: Path) -> None:
    path, other = tmp_path / "t.json", tmp_path / "t.json.json"
    draft, kept = leave_draft(path), leave_draft(other)
    save(str(path), b"new")
    assert not draft.exists()
    assert kept.exists()
    assert path.read_bytes() == b"new"


@pytest.mark.slow
def test_the_next_solve_deletes_the_draft_first(tmp_path: Path) -> None:
    path = tmp_path / "t.safetensors"
    draft = leave_draft(path)
    seen: list[bool] = []
    options = SolveOptions(report=lambda _: seen.append(draft.exists()))
    solve_file(load_game("connect4:4x4"), str(path), options)
    assert seen
    assert not any(seen)
    assert os.listdir(tmp_path) == [path.name]


@pytest.mark.slow
def test_a_resumed_solve_deletes_drafts_of_its_work(tmp_path: Path) -> None:
    work = tmp_path / "w"
    with Checkpoint(str(work), {"game": "g"}) as checkpoint:
        checkpoint.note()
    draft = leave_draft(work / "1.0.keys", "temporary")
    mine = work / ".mine.0123456789abcdef.part"
    mine.write_text("mine")
    with Checkpoint(str(work), {"game": "g"}):
        assert not draft.exists()
        assert mine.exists()


def test_a_draft_that_is_being_written_stays(tmp_path: Path) -> None:
    path = tmp_path / "t.json"
    with atomic_write(str(path), durable=False) as file:
        file.write(b"first")
        remove_drafts(str(path))
        (draft,) = tmp_path.iterdir()
        assert not remove_draft(str(draft))
        file.close()
        assert not remove_draft(str(draft)), "it is closed, but not yet renamed"
        draft.with_name("second").write_bytes(b"")
    assert path.read_bytes() == b"first"
    assert sorted(os.listdir(tmp_path)) == ["second", "t.json"]


def test_a_draft_that_is_deleted_before_it_is_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost: list[Path] = []

    def delete(handle: int, how: int) -> None:
        if not lost:
            lost.extend(tmp_path.iterdir())
            lost[0].unlink()

    monkeypatch.setattr("fcntl.flock", delete)
    save(str(tmp_path / "t.json"), b"new", durable=False)
    assert len(lost) == 1
    assert (tmp_path / "t.json").read_bytes() == b"new"
