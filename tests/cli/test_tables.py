"""The commands solve, verify and info, with a table and without one."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from solver import load_game
from solver.cli.output import solve_progress
from solver.solving.solve import SolveOptions, solve_file
from tests.conftest import SHIPPED, Command
from tests.support.forged import DATA, edited


def test_solve_writes_to_the_users_tables_by_default(command: Command) -> None:
    answer = command.json("solve")
    path = Path("tables/tictactoe.json").absolute()
    assert answer["path"] == str(path)
    assert path.read_bytes() == DATA
    path.write_bytes(edited(win=1)[:-5])
    assert str(path) in command.refuses("best")


def test_solve_json(command: Command, known: dict[str, Any]) -> None:
    answer = command.json("solve", "-o", "t.json")
    counts = known["tictactoe"]
    assert answer.pop("seconds") >= 0
    assert answer == {
        "game": "tictactoe",
        "positions": 5478,
        "canonical": 765,
        "terminal": 958,
        **counts["side_to_move"],
        "outcome": "draw",
        "distance": None,
        "sha256": json.loads(DATA)["sha256"],
        "bytes": len(DATA),
        "path": "t.json",
    }


@pytest.mark.slow
def test_verify_proves_and_refuses(command: Command) -> None:
    answer = command.json("verify", str(SHIPPED), "--game", "tictactoe")
    assert (answer["proved"], answer["positions"], answer["outcome"]) == (True, 5478, "draw")
    Path("cut.json").write_bytes(DATA[:-9])
    assert "not a complete JSON file" in command.refuses("verify", "cut.json", status=1)
    Path("wrong.json").write_bytes(edited(win=2835, loss=1575))
    assert command("verify", "wrong.json", "--json") == 1
    assert json.loads(command.out)["proved"] is False
    assert "the count 'win' is 2835; it should be 2836" in command.err + command.out


@pytest.mark.slow
def test_a_table_is_found_by_its_game(command: Command) -> None:
    """FILE was required, although every other command finds the table by the game."""
    assert command.json("info", "--game", "tictactoe") == command.json("info", str(SHIPPED))
    assert command("export", "--game", "tictactoe", "-o", "t.csv") == 0
    message = command.refuses("verify", "connect4:4x4")
    assert message.endswith(": No such file or directory; did you mean --game connect4:4x4?\n")


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
    """Return what is stored, which info without a table lists."""
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
