"""The commands solve, verify and info, with a table and without one."""

from __future__ import annotations

import json
import re
from pathlib import Path
from queue import Queue
from typing import Any

import pytest

from solver.cli.output import progress, solve_progress
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
    assert command.json("info", "--game", "tictactoe") == command.json("info", str(SHIPPED))
    assert command("export", "--game", "tictactoe", "-o", "t.csv") == 0
    message = command.refuses("verify", "connect4:4x4")
    assert message.endswith(": No such file or directory; did you mean --game connect4:4x4?\n")


def test_games_says_where_each_table_lies(command: Command) -> None:
    assert command("games") == 0
    assert f"\n  tictactoe: {SHIPPED}\n" in command.out
    assert re.search(r"\n  connect4:7x6: .*connect4-7x6\.book\n", command.out)
    assert "wild: " not in command.out
    assert command("solve", "wild") == 0
    assert command("games") == 0
    assert f"to {Path('tables').absolute()}):\n" in command.out
    assert f"\n  wild: {Path('tables/wild.json').absolute()}\n" in command.out


def test_a_long_solve_prints_lines_without_a_terminal(command: Command) -> None:
    """The last progress, again and again, until it ends."""
    command.monkeypatch.setattr("solver.cli.output.SOON", 0.01)
    command.monkeypatch.setattr("solver.cli.output.OFTEN", 0.01)
    printed = Queue[str]()
    command.monkeypatch.setattr("solver.cli.output.report", printed.put)
    with solve_progress("checking the rules of x") as show:
        assert printed.get(timeout=60) == "checking the rules of x, after 0 s"
        show("counting", 1234, None)
        while "checking" in (text := printed.get(timeout=60)):
            pass
        assert text.startswith("counting 1,234 positions, after ")
    with progress("proving positions") as shown:
        shown(3, 5)
        while "3 of 5" not in (text := printed.get(timeout=60)):
            pass
        assert text.startswith("proving positions: 3 of 5, after ")
