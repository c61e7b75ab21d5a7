"""Small games need no table: they are solved at once, wherever answers are asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from solver import TableAgent, load_game, open_agent, optimality, solve
from solver.agent import installed
from solver.errors import GameLawError, SolveTooLargeError
from solver.solving import at_once
from solver.tables.format import SMALL
from solver.tables.store import UNPROVED
from tests.conftest import HEAP, Command
from tests.support.small_games import Scattered

KEPT = Path("tables") / f"nim-1,2{UNPROVED}"


@pytest.mark.parametrize("small", [SMALL, 1])
@pytest.mark.parametrize("name", ["hexapawn:3x3", "ponghauki", "nim:1,2", "custom"])
def test_the_table_is_that_of_a_solve(
    name: str, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(at_once, "SMALL", small)
    monkeypatch.setattr("solver.solving.in_memory.SMALL", small)
    game: Any = Scattered() if name == "custom" else load_game(name)
    assert at_once.solve_at_once(game).encode() == solve(game).encode()


def test_commands_answer_for_a_small_game(command: Command) -> None:
    Path("games.txt").write_text("5 1")
    for words in (
        *("line", "explain", "puzzles", "render -o b.svg --values", "grade random --sample 9"),
        *("arena random perfect", "review games.txt", "strategy"),
    ):
        command.monkeypatch.setenv("PERFECTPLAY_TABLES", words)
        game = ["notakto"] if words == "strategy" else ["--game", "notakto"]
        assert command(*words.split(), *game) == 0, command.err
        assert (Path(words) / f"notakto{UNPROVED}").is_file()
    command.type("h", "q")
    assert command("play", "--o", "random", "--game", "morris") == 0
    assert "No hint" not in command.out


def test_a_table_is_kept_and_called_unproved(command: Command) -> None:
    assert command("best", "--game", "nim:1,2") == 0
    assert command.err == ""
    assert [*Path("tables").iterdir()] == [KEPT]
    command.monkeypatch.setattr(at_once, "solve_at_once", None)
    assert command("best", "--game", "nim:1,2") == 0
    assert command("info", "--game", "nim:1,2") == 0
    assert "solved, not proved: perfectplay verify " in command.out
    assert command.json("info", str(KEPT))["proved"] is False
    assert command("verify", "--game", "nim:1,2") == 0
    assert command("solve", "nim:1,2") == 0
    assert command("info", "--game", "nim:1,2") == 0
    assert "proved" not in command.out


def test_only_answers_solve_a_game(command: Command) -> None:
    for words in ("verify", "info", "export -o x.csv"):
        message = command.refuses(*words.split(), "--game", "nim:1,2")
        assert "there is no table for nim:1,2 yet: run perfectplay solve nim:1,2" in message
    assert "none.json" in command.refuses("best", "--game", "nim:1,2", "--table", "none.json")
    for words in ("check", "estimate"):
        assert command(*words.split(), "nim:1,2") == 0
    assert not Path("tables").exists()


def test_in_python_a_table_stays_in_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from solver.env.single import BoardEnv

    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    game = load_game("nim:1,2")
    moves = [game.code(m) for m in game.moves(game.initial())]
    positions = [game.initial()] * len(moves)
    expected = optimality(TableAgent(solve(game)), positions, moves)
    for named in ("nim:1,2", game):
        assert optimality(named, positions, moves).value_kept.tolist() == (
            expected.value_kept.tolist()
        )
    env = BoardEnv("mnk:3,3,3,misere", opponent="perfect", oracle=True)
    assert env.reset()[1]["value"] == 0
    assert open_agent(Scattered()).scores(Scattered().initial())
    assert [*tmp_path.iterdir()] == []


def test_counting_stops_at_either_limit(command: Command) -> None:
    refused = "there is no table for mnk:4,3,3 yet, and it has more than 25,000 positions up to"
    command.monkeypatch.setattr(at_once, "reachable", None)  # their number is known
    assert refused in command.refuses("best", "--game", "mnk:4,3,3")
    command.monkeypatch.undo()
    with pytest.raises(SolveTooLargeError, match="more than 25,000 positions"):
        at_once.solve_at_once(load_game("breakthrough:3x4"))
    command.monkeypatch.setattr(at_once, "SECONDS", 0)
    with pytest.raises(FileNotFoundError, match=r"takes more than 0 s.* solve nim:3,4$"):
        open_agent("nim:3,4")


def test_laws_are_checked(command: Command) -> None:
    Path("wrong.py").write_text(f"{HEAP}\n    def turn(self, p):\n        return 'X'")
    assert "breaks a law" in command.refuses("best", "--game", "wrong.py:Sided")
    Path("order.py").write_text(HEAP)
    assert command("best", "--game", "order.py:Heap") == 0
    command.monkeypatch.setattr("solver.proof.repeat.check_repeats", differ)
    Path("tables").rename("before")
    assert "in every process" in command.refuses("best", "--game", "order.py:Heap")


def differ(*_: Any, **__: Any) -> None:
    raise GameLawError("it is not the same in every process")


def test_changed_rules_are_solved_anew_but_for_a_table_of_solve(command: Command) -> None:
    Path("heap.py").write_text(HEAP)
    assert command("best", "--game", "heap.py:Heap") == 0
    [kept] = Path("tables").iterdir()
    before, first = kept.read_bytes(), command.out
    sys.modules.pop("heap")
    Path("heap.py").write_text(HEAP.replace("LOSS", "WIN"))
    assert command("best", "--game", "heap.py:Heap") == 0
    assert command.err == ""
    assert command.out != first
    assert kept.read_bytes() != before
    assert command("solve", "heap.py:Heap") == 0
    table = next(path for path in Path("tables").iterdir() if path != kept)
    solved = table.read_bytes()
    sys.modules.pop("heap")
    Path("heap.py").write_text(HEAP.replace("LOSS", "WIN") + "\nEXTRA = 1\n")
    assert command("best", "--game", "heap.py:Heap") == 0
    assert "the rules of heap:Heap have changed" in command.err
    assert table.read_bytes() == solved
    sys.modules.pop("heap")


def test_a_damaged_table_is_made_anew(command: Command) -> None:
    assert command("best", "--game", "nim:1,2") == 0
    right = KEPT.read_bytes()
    KEPT.write_bytes(right[:-9])
    assert command("best", "--game", "nim:1,2") == 0
    assert KEPT.read_bytes() == right


def test_an_answer_needs_no_folder(command: Command) -> None:
    Path("file").touch()
    command.monkeypatch.setenv("PERFECTPLAY_TABLES", "file/tables")
    assert command("best", "--game", "nim:1,2") == 0
    assert "Best move" in command.out
    assert "perfectplay: the table of nim:1,2 is not stored" in command.err


def test_an_interrupt_leaves_nothing(command: Command) -> None:
    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    installed._solved_built_in.cache_clear()
    with command.monkeypatch.context() as patch:
        patch.setattr(at_once, "retrograde", interrupt)
        assert command("best", "--game", "nim:1,2") == 130
    assert not Path("tables").exists()
    assert command("best", "--game", "nim:1,2") == 0


def test_it_is_said_what_is_done(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    monkeypatch.setattr(installed, "SOON", 0)
    said, texts = Event(), list[str]()

    def report(text: str) -> None:
        texts.append(text)
        said.set()

    def wait(game: Any) -> Any:
        assert said.wait(60)
        return solve(game)

    monkeypatch.setattr(at_once, "solve_at_once", wait)
    with installed.keeping_tables(report):
        open_agent(Scattered())
    assert texts == [f"trying to solve {Scattered().spec} at once, since it has no table yet"]


@pytest.mark.slow
def test_two_processes_may_solve_at_once(command: Command, tmp_path: Path) -> None:
    line = [sys.executable, "-m", "solver", "best", "--game", "hexapawn:4x4"]
    both = [subprocess.Popen(line, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = {one.communicate()[0] for one in both}
    assert [one.returncode for one in both] == [0, 0]
    assert len(answers) == 1
    assert [path.name for path in (tmp_path / "tables").iterdir()] == [f"hexapawn-4x4{UNPROVED}"]
