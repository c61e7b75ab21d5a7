"""The commands best, line, explain and puzzles."""

from __future__ import annotations

import pytest

from tests.conftest import Command
from tests.support import oracle


@pytest.mark.parametrize("step", [211, pytest.param(53, marks=pytest.mark.large)])
def test_best_json_on_every_kind_of_position(command: Command, step: int) -> None:
    for board in oracle.reachable()[::step]:
        answer = command.json("best", board)
        outcome, plies = oracle.solve(board)
        words = {1: "win", 0: "draw", -1: "loss"}
        assert list(answer) == [
            *("game", "position", "turn", "outcome", "distance", "move", "best", "moves")
        ]
        assert answer["position"] == board
        assert answer["turn"] == oracle.turn(board)
        assert (answer["outcome"], answer["distance"]) == (words[outcome], plies)
        ties = [c for c in oracle.moves(board) if oracle.move_value(board, c) == (outcome, plies)]
        assert answer["best"] == ties
        assert answer["move"] == (answer["moves"][0]["move"] if ties else None)
        for move in answer["moves"]:
            value, distance = oracle.move_value(board, move["move"])
            assert (move["outcome"], move["distance"]) == (words[value], distance)
            assert move["trap"] == oracle.trap(board, move["move"])
            assert move["label"] == str(move["move"] + 1)


def test_of_tied_moves_the_lowest_on_the_board_is_chosen(command: Command) -> None:
    """Not the lowest on the canonical board: of four corners that tie, the lowest on each board."""
    assert command.json("best")["move"] == 0
    assert command.json("best", "....X....")["move"] == 0
    assert command.json("best", "........X")["move"] == 4


@pytest.mark.parametrize("board", ["---------", "-X--O----", "-X-/-O-/---"])
def test_a_board_may_begin_with_a_dash(command: Command, board: str) -> None:
    dotted = board.replace("-", ".")
    assert command.json("best", board) == command.json("best", dotted)


@pytest.mark.parametrize("game", ["connect4:4x4", "row.py:Row"])
def test_a_game_in_place_of_a_position_gets_a_hint(command: Command, game: str) -> None:
    hint = f"; did you mean --game {game}?\n"
    assert command.refuses("best", game).endswith(hint)
    assert command.refuses("best", "X........", game).endswith(hint)
    assert "did you mean" not in command.refuses("best", game, "--game", "tictactoe")
    assert "did you mean" not in command.refuses("best", "XX")


def test_turn(command: Command) -> None:
    answer = command.json("best", "O........", "--turn", "x")
    assert (answer["turn"], answer["move"], answer["position"]) == ("X", 4, "O........")
    line = command.json("line", "O........", "--turn", "X")["line"]
    assert line[0] == {"turn": "X", "move": 4, "label": "5", "position": "O...X...."}
    assert "too many O" in command.refuses("best", "O........")


def test_a_line_leads_to_the_end_of_the_game(command: Command) -> None:
    for board in oracle.reachable()[::211]:
        answer = command.json("line", board)
        if answer["distance"] is not None:
            assert len(answer["line"]) == answer["distance"]
        last = answer["line"][-1]["position"] if answer["line"] else board
        assert oracle.over(last)


def test_puzzles(command: Command) -> None:
    found = command.json("puzzles", "--count", "7", "--seed", "3")
    assert len(found) == 7
    assert found == command.json("puzzles", "--count", "7", "--seed", "3")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(["--difficulty", "fiendish"], "easy, medium, hard"), (["--count", "0"], "--count")],
)
def test_puzzles_refuses(command: Command, arguments: list[str], message: str) -> None:
    assert message in command.refuses("puzzles", *arguments)
