"""The commands best, line and explain, for one position and for many."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tests.conftest import HEAP, Command


def test_of_tied_moves_the_lowest_on_the_board_is_chosen(command: Command) -> None:
    """Not the lowest on the canonical board: of four corners that tie, the lowest on each board."""
    assert command.json("best")["move"] == 0
    assert command.json("best", "....X....")["move"] == 0
    assert command.json("best", "........X")["move"] == 4


def test_a_board_may_begin_with_a_dash(command: Command) -> None:
    for board in ("---------", "-X-/-O-/---"):
        assert command.json("best", board) == command.json("best", board.replace("-", "."))


def test_a_game_in_place_of_a_position_gets_a_hint(command: Command) -> None:
    for game in ("connect4:4x4", "row.py:Row"):
        hint = f"; did you mean --game {game}?\n"
        assert command.refuses("best", "X........", game).endswith(hint)
        assert "did you mean" not in command.refuses("best", game, "--game", "tictactoe")
    assert "did you mean" not in command.refuses("best", "XX")


def test_turn(command: Command) -> None:
    line = command.json("line", "O........", "--turn", "x")["line"]
    assert line[0] == {"turn": "X", "move": 4, "label": "5", "position": "O...X...."}


def test_a_player_shows_its_hand(command: Command) -> None:
    """The table that Beckner prints: X on 1 and 2, O on 5, X to move, two plies ahead."""
    chances = command.json("best", "XX..O....", "--turn", "X", "--by", "nstep:2")
    assert "no game leads to this board, but X is taken to move" in command.err
    scores = {each["label"]: each["score"] for each in chances["scores"]}
    assert scores == dict.fromkeys("46789", 0) | {"3": 100}
    assert chances["moves"] == [{"move": 2, "label": "3", "probability": 1}]


def test_players_without_scores_show_probabilities(command: Command) -> None:
    assert command("best", "XX.OO....", "--by", "think1") == 0
    assert "3     -      100.0%" in command.out
    assert command("best", "XXXOO....", "--by", "nstep:3") == 0
    assert "The game is over." in command.out
    assert command("best", "XX..O....", "--turn", "X", "--by", "perfect") == 2
    assert "no game of tictactoe leads to this position" in command.err


BOARDS = ["X...O....", ".........", "XOX.O...."]


@pytest.mark.parametrize("name", ["best", "line", "explain"])
def test_several_positions(command: Command, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """As arguments or on standard input, with the answers that each would get alone."""
    alone = [command.json(name, board) for board in BOARDS]
    assert command(name, *BOARDS) == 0
    assert [json.loads(line) for line in command.out.splitlines()] == alone
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{board}\r\n" for board in BOARDS)))
    assert command(name, "-") == 0
    assert [json.loads(line) for line in command.out.splitlines()] == alone


def test_a_wrong_position_is_named(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "position 2: 'XO' is not a board" in command.refuses("best", "X........", "XO")
    monkeypatch.setattr("sys.stdin", io.StringIO("X........\nXO\n\n.........\n"))
    assert command("best", "-") == 2
    first, second, third, last = map(json.loads, command.out.splitlines())
    assert (first["position"], last["position"]) == ("X........", ".........")
    assert second["error"].startswith("'XO' is not a board")
    assert third["error"].startswith("'' is not a board")
    assert "2 lines could not be answered; see the errors above" in command.err
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert (command("best", "-"), command.out) == (0, "")


@pytest.mark.parametrize("record", ["5 1 9", "519", "1. 5 1 2. 9", "[4, 0, 8]"])
def test_the_record_of_a_game_is_a_position(command: Command, record: str) -> None:
    assert command.json("best", record) == command.json("best", "O...X...X")
    assert "move 2 of the record: '5' is not a legal move" in command.refuses("best", "5 5")
    assert "not a board" in command.refuses("best", "5 1 9", "--turn", "X")
    assert "can be a game or 3 positions" in command.refuses("best", *"519")
    assert "can be a game or 2 positions" in command.refuses("best", "5", "5")


def test_what_can_be_a_position_or_a_game_is_refused_and_both_can_be_written(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    (tmp_path / "heap.py").write_text(HEAP)
    game = "--game", f"{tmp_path}/heap.py:Heap"  # of 5
    assert command("solve", game[1]) == 0
    assert "write position:2 or moves:2\n" in command.refuses("best", "2", *game)
    both = "'2 1' can be a game or 2 positions: write 'moves:2 1' or position:2 position:1\n"
    assert both in command.refuses("best", "2", "1", *game)
    for typed, position, turn in [
        ("position:2", "2", "X"),
        ("moves:2", "3", "O"),
        ("moves:2 1", "2", "X"),
        ("5", "5", "X"),
        ("12", "2", "X"),  # no game leads to 12
    ]:
        answer = command.json("best", typed, *game)
        assert (answer["position"], answer["turn"]) == (position, turn)
    assert command.json("best", "2", *game, "--turn", "X")["position"] == "2"
    assert "X's turn after" not in command.refuses("best", "moves:2", "--turn", "X", *game)
    assert "move 2 of the record: '9' is not" in command.refuses("line", "moves:2 9", *game)
    assert command("best", "position:2", "moves:2", *game) == 0
    assert command.refuses("best", "5", "1").endswith("'moves:5 1' or moves:5 moves:1\n")
