"""Weak solving: its answers are those of tables, and nothing wrong or unfinished is written."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

import pytest

from solver import Outcome, load_game, solve
from solver.errors import SearchLimitError
from solver.strategy import weak
from solver.strategy.candidates import write
from solver.strategy.file import Strategy, read_strategy
from solver.strategy.rules_check import check_rules
from solver.value import outcome
from tests.conftest import ROOT, Command

ROOM = 1 << 24
CARDS = str(ROOT / "examples" / "check-strategy" / "never-lose.txt")


@pytest.mark.parametrize(
    ("spec", "side", "room", "claim"),
    [
        ("tictactoe", "first", ROOM, "second holds"),
        ("tictactoe", "second", 5000, "first holds"),
        ("hexapawn:3x3", "first", ROOM, "second wins"),
        pytest.param("hexapawn:3x3", "second", ROOM, "second wins", marks=pytest.mark.large),
        ("domineering:4x4", "first", 1000, "first wins"),
        pytest.param("connect4:4x4", "first", ROOM, "second holds", marks=pytest.mark.large),
        # What is lost is searched again:
        pytest.param("connect4:4x4", "first", 40_000, "second holds", marks=pytest.mark.slow),
    ],
)
def test_the_answer_is_that_of_the_table(spec: str, side: str, room: int, claim: str) -> None:
    game: Any = load_game(spec)
    claimant, found = weak.solve_weakly(game, side, room)
    data = write(game, claimant, found, [0] * len(found.weights), "positions")
    strategy = Strategy(data)
    check_rules(strategy, game)
    assert f"{strategy.side} {strategy.aim}" == claim
    value = outcome(solve(game).probe(game.initial()))
    own = value if claimant == "first" else -value
    assert own >= (Outcome.WIN if strategy.aim == "wins" else Outcome.DRAW)
    assert (own is Outcome.WIN) == (strategy.aim == "wins")  # in these games
    _, found = weak.solve_weakly(game, side, 4 * ROOM)
    again = write(game, claimant, found, [0] * len(found.weights), "positions")
    assert room != ROOM or data == again


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("dodgem:3x3", "one did in random games"),
        ("mutorere", "one did in random games"),
        ("achi", r"a move at '[XO.]+' does not raise the tier"),
    ],
)
def test_a_game_whose_positions_may_repeat_is_refused(
    spec: str, why: str, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the search; or in it, on the first way on which a position repeats."""
    line = rf"positions of {spec} may repeat: %s; --weak needs .* perfectplay solve {spec} answers"
    assert re.search(line % why, command.refuses("solve", spec, "--weak", "-o", "s.txt"))
    monkeypatch.setattr(weak, "can_repeat", lambda game: False)
    if spec != "achi":  # where a search finds a win first
        found = command.refuses("solve", spec, "--weak", "-o", "s.txt")
        assert re.search(line % "one did in a search of [0-9,]+ positions", found)
    assert not Path("s.txt").exists()


def test_a_full_table_stops_the_search(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weak, "SLICE", 64)
    words = "solve", "connect4:4x4", "--weak", "-o", "s.txt"
    assert command(*words, "--memory", "250.001MB") == 2
    assert "whether the first player wins is not known after " in command.err
    assert "positions: proof number " in command.err
    assert command(*words, "--memory", "200MB") == 2
    assert "a search takes 250 MB before its first position" in command.err
    monkeypatch.setattr(weak, "PATIENCE", 0)
    with pytest.raises(SearchLimitError, match="more --memory may help"):
        weak.solve_weakly(load_game("connect4:4x4"), "second", ROOM)
    assert not Path("s.txt").exists()


def test_ctrl_c_says_what_is_known(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weak, "SLICE", 16)
    search, calls = weak.ProofSearch._search, list[object]()

    def interrupted(self: weak.ProofSearch) -> int:
        calls.append(self)
        if len(calls) > 2:
            raise KeyboardInterrupt
        return search(self)

    monkeypatch.setattr(weak.ProofSearch, "_search", interrupted)
    assert command("solve", "tictactoe", "--weak", "-o", "s.txt") == 130
    assert "stopped: whether the first player wins is not known after 32 positions" in command.err
    assert not Path("s.txt").exists()


def test_a_wrong_result_is_not_written(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def first(self: weak.ProofSearch, place: int, children: Any) -> int:
        return int(children[0])

    monkeypatch.setattr(weak.ProofSearch, "_chosen", first)
    assert command("solve", "tictactoe", "--weak", "-o", "s.txt") == 2
    assert "the strategy found is wrong, and is not written: line " in command.err
    assert not Path("s.txt").exists()


def test_commands_follow_a_strategy(command: Command) -> None:
    file, damaged = "s.txt", "damaged.txt"
    assert command("solve", "connect4:4x4", "--weak", "-o", file) == 0
    assert command.out.endswith("whether it wins, --side second asks; if not, the game is a draw\n")
    own, mirrored = ("............X...", "...............X")
    labels = []
    for board in (own, mirrored):
        labels.append(int(command.json("best", board, "--table", file)["label"]))
    assert sum(labels) == 5
    assert command("best", own, "--table", file) == 0
    assert command.out.endswith(
        f"The second player never loses, the strategy says.\nIts move: {labels[0]}\n"
    )
    reply = command.json("line", "--table", file)["line"][1]
    assert (reply["turn"], reply["label"]) == ("O", "4")
    assert command("line", "--table", file) == 0
    assert "1. X 1, or another\n2. O 4\n" in command.out
    command.type("1", "h", "q")
    assert command("play", "--table", file) == 0
    assert f"O plays {labels[0]}." in command.out
    assert "No hint: a strategy has moves of one side, but no values" in command.out
    Path(damaged).write_bytes(Path(file).read_bytes().replace(b"second", b"first"))
    outside = read_strategy(file)[1].position  # with the wrong side to move
    for words, reason in (
        (["best"], "it is X's turn, and the strategy is for O"),
        (["best", "...........O..XX"], "is not in this strategy"),
        (["line", "...........O..XX"], "is not in this strategy"),
        (["explain", outside], "is a strategy, which has no values to explain"),
        (["best", "--game", "tictactoe"], "the strategy is for connect4:4x4, not for tictactoe"),
        (
            ["arena", "perfect", "random"],
            "a strategy, not a table: best, line, play, info, verify and",
        ),
        (["play", "--x", "perfect"], "the strategy is for O alone: play --o perfect --x human"),
        (["best", "--table", damaged], f"{damaged}: the last line is not the SHA-256"),
        (["line", "--table", damaged], f"{damaged}: the last line is not the SHA-256"),
        (["play", "--table", damaged], f"{damaged}: the last line is not the SHA-256"),
    ):
        assert command(*words, *(() if damaged in words else ("--table", file))) == 2
        assert reason in command.err
        assert command.err.count("\n") == 1


def test_each_line_of_input_has_an_answer(command: Command) -> None:
    command.monkeypatch.setattr("sys.stdin", io.StringIO("5\n1 2\n5 1\n"))
    assert command("best", "-", "--table", CARDS) == 2
    first, second, third = map(json.loads, command.out.splitlines())
    assert first == {"error": "it is O's turn, and the strategy is for X"}
    assert second["error"].endswith("is not in this strategy")
    assert third["move"] == 5
    assert command.err == "perfectplay: 2 lines could not be answered; see the errors above\n"


def test_info_shows_what_a_strategy_says(command: Command) -> None:
    assert command("info", CARDS) == 0
    size = Path(CARDS).stat().st_size
    assert command.out.startswith("the first player of tictactoe never loses: 50 positions, ")
    assert command.out.endswith(f"bytes: {size}\n")
    fields = command.json("info", CARDS)
    assert (fields["claim"], fields["cards"], fields["bytes"]) == ("holds", 3, size)
    assert "not for notakto" in command.refuses("info", CARDS, "--game", "notakto")


def test_a_strategy_that_is_not_there_is_no_position(command: Command) -> None:
    assert "missing.txt" in command.refuses("render", "missing.txt", "-o", "x.svg")
    assert "is not a board" not in command.err


def test_the_rules_of_a_strategy_are_chosen_in_one_way(command: Command) -> None:
    for words in (["verify", CARDS], ["render", CARDS, "-o", "s.svg"], ["best", "--table", CARDS]):
        assert command(*words) == 0
        assert command(*words, "--game", "notakto") in (1, 2)
        assert "the strategy is for tictactoe, not for notakto" in command.err


def test_strategies_are_mentioned_where_tables_do_not_fit(command: Command) -> None:
    assert command("estimate", "clobber:3x3") == 0
    assert "--weak" not in command.out
    for place in ("solver.cli.solve", "solver.solving.limits"):
        command.monkeypatch.setattr(f"{place}.exceeded", lambda *_: ["It does not fit."])
    command.monkeypatch.setattr("solver.solving.limits.LARGE_PLAIN", 0)
    assert command("estimate", "clobber:3x3") == 0
    assert "perfectplay solve clobber:3x3 --weak looks for a strategy" in command.out
    assert command("solve", "clobber:3x3", "--method", "search", "-o", "x.json") == 2
    assert "perfectplay solve clobber:3x3 --weak looks for a strategy" in command.err
    assert command("estimate", "ponghauki") == 0
    assert "--weak" not in command.out  # which does not take it
