"""What `check` passes works in every command, whatever positions and moves are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from solver import load_game
from tests.conftest import ROOT, Command

RULES = ROOT / "tests" / "support" / "user_games.py"
GAMES = {  # the start as a text, and its best move as a label
    "Row": ("....", "0"),
    "Word": ("", "u"),
    "Relative": ("XXOO", "0"),
    "Heap": ("5", "2"),
    "Heaps": ("(1, 2)", "(1, 1)"),
}


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.thinned(5, 2)
@pytest.mark.slow
def test_every_command_takes_the_game(name: str, command: Command) -> None:
    spec, (text, best) = f"{RULES}:{name}", GAMES[name]
    assert command("check", spec) == 0, command.err
    assert command("solve", spec, "-o", "t.json") == 0, command.err
    files_of_the_game(name, command)
    rules = ("--game", spec, "--table", "t.json")
    answer = command.json("best", *rules)
    assert answer["position"] == text
    assert command.json("best", f"position:{text}", *rules) == answer
    assert [m["label"] for m in answer["moves"] if m["move"] == answer["move"]] == [best]
    for words in (("best",), ("line",), ("explain",), ("explain", f"position:{text}")):
        assert command(*words, *rules) == 0, command.err
    steps, game = command.json("line", *rules)["line"], load_game(rules[1])
    for step in steps:  # each position on the way is one that can be asked about
        turn = game.other(step["turn"])
        found = command.json("best", f"position:{step['position']}", "--turn", turn, *rules)
        assert found["position"] == step["position"]
    assert command.json("grade", "random", *rules)["optimal"] is not None
    command.type(*[step["label"] for step in steps], "quit")
    assert command("play", "--x", "human", "--o", "human", *rules) == 0, command.err
    assert "The game is over" in command.out
    assert "is not a legal move" not in command.out
    record = " ".join(step["label"] for step in steps)
    drawn = command("render", "--game-record", record, *rules, "-o", "x.svg")
    assert drawn == (0 if game.board else 2), command.err


def files_of_the_game(name: str, command: Command) -> None:
    """Prove, describe and export its table."""
    rules = ("--game", f"{RULES}:{name}")
    assert command("verify", "t.json", *rules) == 0, command.err
    assert command("info", "t.json", *rules) == 0, command.err
    for suffix in (".json", ".csv"):
        assert command("export", "t.json", *rules, "-o", f"x{suffix}") == 0, command.err
    game = load_game(rules[1])
    for row in json.loads(Path("x.json").read_text()):
        assert game.text(game.parse(row["position"])) == row["position"]
    assert command.refuses("verify", "t.json", status=1).replace("t.json: ", "") == (
        f"perfectplay: the table is of a custom game, 'user_games:{name}': name its rules with"
        f" --game user_games.py:{name}\n"
    )


TURNED = '''
from solver import Game, Outcome

class Turned(Game):
    """Two cells in a row of three columns and two rows win; the board says two and three."""

    spec, board, marks_used = "turned:Turned", (2, 3), "XO."

    def initial(self):
        return "......"

    def moves(self, p):
        return [i for i, c in enumerate(p) if c == "."]

    def play(self, p, m):
        while p == "......" and m == 0 and WAITS and not os.path.exists("named"):
            time.sleep(0.01)
        return p[:m] + "XO"[p.count(".") % 2] + p[m + 1 :]

    def cell(self, p, m):
        return m

    def primitive(self, p):
        if any(p[i] == p[i + 1] != "." for i in (0, 1, 3, 4)):
            return Outcome.LOSS
        return None if "." in p else Outcome.DRAW

class Right(Turned):
    spec, board = "turned:Right", (3, 2)
'''


@pytest.mark.usefixtures("uncompiled")
def test_check_says_that_a_board_may_be_turned(command: Command) -> None:
    """The rules are mirrored on three columns, and not on the two that `board` states."""
    Path("turned.py").write_text("import os, time\nWAITS = False\n" + TURNED)
    assert command("check", "turned.py:Turned") == 0, command.err
    assert "board says 2 columns and 3 rows, but the rules are mirrored on one of 3" in command.out
    assert command("check", "turned.py:Right") == 0
    assert "board says" not in command.out


def test_a_call_of_rules_that_runs_for_long_is_named(command: Command) -> None:
    """It waits until that is said."""
    reported: list[str] = []

    def report(text: str) -> None:
        reported.append(text)
        Path("named").touch()

    command("line")  # which imports the real one
    command.monkeypatch.setattr("solver.cli.output.SLOW", 0.1)
    command.monkeypatch.setattr("solver.cli.output.report", report)
    Path("slow.py").write_text("import os, time\nWAITS = True\n" + TURNED)
    command("line", "--game", "slow.py:Right")
    right = "Right.play('......', 0) has run for 0.1 seconds; press Ctrl-C to stop"
    assert right in reported
