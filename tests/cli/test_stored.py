"""The command tables: what is stored is listed, and deleted only if perfectplay wrote it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from solver import load_game
from solver.files import atomic_write
from solver.solving.checkpoint import Checkpoint
from solver.solving.solve import SolveOptions, solve_file
from tests.conftest import SHIPPED, Command
from tests.support.forged import DATA

SPEC = "connect4:3x3,3"
TABLE, WORK = "connect4-3x3,3.safetensors", "connect4-3x3,3.work"
DRAFT = f".{TABLE}.0123456789abcdef.part"
SHIPS, BOOK = SHIPPED.name, "connect4-7x6.book"


@pytest.fixture
def tables(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the user's tables, with a mapped table, unfinished work, a draft and other files."""
    monkeypatch.setattr("solver.solving.solve.FEW", 1)
    monkeypatch.setattr("solver.solving.solve.SMALL", 1)
    folder = tmp_path / "tables"
    solve_file(load_game(SPEC), str(tmp_path / TABLE), SolveOptions())
    with pytest.raises(KeyboardInterrupt):
        solve_file(load_game(SPEC), None, SolveOptions(progress=stop_when_solving))
    (tmp_path / TABLE).rename(folder / TABLE)
    (folder / DRAFT).write_bytes(b"half")
    (folder / "wild.json").write_bytes(DATA.replace(b'"tictactoe"', b'"wild"', 1)[:900])
    (folder / "notes.json").write_text('{"format":"notes"}')
    (folder / "photos.work").mkdir()
    (folder / "photos.work" / "lock").write_text("a picture of a lock")
    (folder / "empty.work").mkdir()
    return folder


def stop_when_solving(stage: str, done: int, total: int | None) -> None:
    if stage == "solving":
        raise KeyboardInterrupt


def listed(command: Command) -> dict[str, Any]:
    return {stored["name"]: stored for stored in command.json("tables")}


def test_what_is_stored_is_listed(command: Command, tables: Path) -> None:
    """A damaged table, too, but nothing else."""
    found = listed(command)
    assert {name: (stored["kind"], stored["game"]) for name, stored in found.items()} == {
        TABLE: ("table", SPEC),
        WORK: ("unfinished work", SPEC),
        DRAFT: ("unfinished file", None),
        "wild.json": ("table", "wild"),
        SHIPS: ("shipped table", "tictactoe"),
        BOOK: ("shipped book", "connect4:7x6"),
    }
    size = sum(path.stat().st_size for path in (tables / WORK).iterdir())
    assert found[WORK]["bytes"] == size > 1000
    assert found[TABLE]["bytes"] == (tables / TABLE).stat().st_size
    assert all(Path(stored["path"]).exists() for stored in found.values())
    assert command("tables") == 0
    lines = command.out.splitlines()
    assert lines[0].split() == ["name", "size", "path"]
    assert len(lines) == 7
    assert any(line.startswith(WORK) and str(tables / WORK) in line for line in lines)


def test_without_anything_stored(command: Command) -> None:
    assert list(listed(command)) == [BOOK, SHIPS]


def test_names_of_files_and_games_and_paths(command: Command, tables: Path) -> None:
    assert command("tables", "rm", WORK, "--yes") == 0
    assert command.out == f"deleted {tables / WORK}\n"
    assert sorted(listed(command)) == sorted([TABLE, DRAFT, "wild.json", SHIPS, BOOK])
    assert command("tables", "rm", SPEC, "--yes") == 0
    assert set(command.out.splitlines()) == {f"deleted {tables / n}" for n in (TABLE, DRAFT)}
    elsewhere = tables.parent / "elsewhere.json"
    (tables / "wild.json").rename(elsewhere)
    assert command.json("tables", "rm", "elsewhere.json", "--yes")[0]["path"] == str(elsewhere)
    assert not elsewhere.exists()
    assert list(listed(command)) == [BOOK, SHIPS]
    left = sorted(path.name for path in tables.iterdir())
    assert left == ["empty.work", "notes.json", "photos.work"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rm", "notes.json"], "no table or unfinished work is named 'notes.json'"),
        (["rm", "photos.work"], "no table or unfinished work is named"),
        (["rm", "empty.work"], "no table or unfinished work is named"),
        (["rm", "tictactoe"], "ships with perfectplay, so it cannot be deleted"),
        (["rm", str(SHIPPED)], "ships with perfectplay, so it cannot be deleted"),
        (["remove", TABLE], "expected no arguments, or rm and names, got 'remove"),
    ],
)
def test_nothing_else_is_deleted(
    command: Command, tables: Path, arguments: list[str], message: str
) -> None:
    before = sorted(tables.rglob("*"))
    assert message in command.refuses("tables", *arguments, "--yes")
    assert sorted(tables.rglob("*")) == before
    assert SHIPPED.exists()


def test_it_asks_first(command: Command, tables: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: False, raising=False)
    message = command.refuses("tables", "rm", TABLE)
    assert "there is no terminal to ask on: add --yes to delete without asking" in message
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    for answer, status in ((False, 130), (True, 0)):
        assert (tables / TABLE).exists()
        monkeypatch.setattr("typer.confirm", lambda text, answer=answer: answer)
        assert command("tables", "rm", TABLE) == status
        assert str(tables / TABLE) in command.out
    assert not (tables / TABLE).exists()


def test_what_is_in_use_stays(command: Command, tables: Path) -> None:
    work = Checkpoint.find(str(tables / WORK))
    assert work is not None
    with work:
        assert "another solve is using this folder" in command.refuses(
            "tables", "rm", SPEC, "--yes"
        )
    assert {TABLE, WORK, DRAFT} <= set(listed(command))
    with atomic_write(str(tables / "new.json")):
        draft = next(name for name in listed(command) if "new.json" in name)
        message = command.refuses("tables", "rm", draft, "--yes")
        assert f"{draft}: another process is writing this file" in message
    assert (tables / "new.json").exists()


def test_other_files_in_a_work_folder_stay(command: Command, tables: Path) -> None:
    (tables / WORK / "notes.txt").write_text("mine")
    assert command("tables", "rm", WORK, "--yes") == 0
    assert "has other files, which stay there" in command.err
    assert [path.name for path in (tables / WORK).iterdir()] == ["notes.txt"]
