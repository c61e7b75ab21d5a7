"""info without a table: what perfectplay has stored is listed."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from solver import load_game
from solver.cli.output import solve_progress
from solver.solving.solve import SolveOptions, solve_file
from tests.conftest import SHIPPED, Command
from tests.support.forged import DATA

SPEC = "connect4:3x3,3"
TABLE, WORK = "connect4-3x3,3.safetensors", "connect4-3x3,3.work"
DRAFT = f".{TABLE}.0123456789abcdef.part"
SHIPS, BOOK = SHIPPED.name, "connect4-7x6.book"


@pytest.fixture
def tables(command: Command, tmp_path: Path, few: None) -> Path:
    """Return the user's tables, with a mapped table, unfinished work, a draft and other files."""
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
    return {stored["name"]: stored for stored in command.json("info")}


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
    assert command("info") == 0
    lines = command.out.splitlines()
    assert lines[0].split() == ["name", "size", "path"]
    assert len(lines) == 7
    assert any(line.startswith(WORK) and str(tables / WORK) in line for line in lines)


def test_without_anything_stored(command: Command) -> None:
    assert list(listed(command)) == [BOOK, SHIPS]


def test_a_long_solve_prints_lines_without_a_terminal(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last progress, again and again, until it ends."""
    monkeypatch.setattr("solver.cli.output.MINUTE", 0.01)
    printed = threading.Event()
    monkeypatch.setattr("solver.cli.output.report", lambda text: printed.set())
    with solve_progress() as show:
        show("counting", 1234, None)
        assert printed.wait(60)
