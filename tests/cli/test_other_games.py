"""What is special about single games: names, chess moves, repetition, pages and puzzles."""

from __future__ import annotations

import pytest

from solver import Outcome
from tests.cli.conftest import CYCLIC, GAMES
from tests.conftest import Command
from tests.support.solved import PAWNS


@pytest.mark.slow
def test_moves_are_typed_as_labels_or_by_their_squares(table_command: Command) -> None:
    """In chess as b2b3 too; where moves are numbers, 52 does not mean the slide 5-2."""
    for first in ("cxb3+", "c2b3", "C2B3"):
        table_command.type(first, "q")
        assert table_command("play", "--game", PAWNS) == 0
        assert "Black plays Kxb3." in table_command.out
    table_command.type("52", "q")
    assert table_command("play", "--game", "morris") == 0
    message = "'52' is not a legal move; the legal moves are 1, 2, 3, 4, 5, 6, 7, 8, 9"
    assert message in table_command.out


def test_games_that_cycle_for_too_long_are_left_out_or_sampled(
    table_command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.arena.markov.MOST_STEPS", 1000)
    options = ("--game", "ponghauki")
    message = table_command.refuses("arena", "random", "random", *options)
    assert "its games cycle for too long; sample it with --games 1000" in message
    assert table_command("arena", "random", "minimax", "perfect", *options, "--games", "10") == 0
    assert "Sampled, 10 games each, not exact: random against minimax" in table_command.out
    assert table_command("grade", "random", *options) == 0
    words = " ".join(table_command.out.split())
    assert "Exact results against random and perfect would take too long" in words
    assert table_command.json("grade", "random", *options)["left_out"][0] == "random"


@pytest.mark.slow
@pytest.mark.parametrize("spec", [PAWNS, *(game for game in GAMES if game not in CYCLIC)])
@pytest.mark.thinned(5)
def test_a_puzzle_has_one_good_move_and_names_its_side(table_command: Command, spec: str) -> None:
    """In chess a puzzle of White turned around is one of Black."""
    puzzles = table_command.json("puzzles", "--game", spec, "--count", "20")
    assert spec != PAWNS or {puzzle["turn"] for puzzle in puzzles} == {"White", "Black"}
    for puzzle in puzzles[:9]:
        turn = () if spec == PAWNS else ("--turn", puzzle["turn"])
        answer = table_command.json("best", puzzle["position"], *turn, "--game", spec)
        best, second = answer["moves"][:2]
        assert (puzzle["turn"], puzzle["task"]) == (answer["turn"], answer["outcome"])
        assert best["move"] == puzzle["move"]
        assert Outcome[best["outcome"].upper()] > Outcome[second["outcome"].upper()]
