"""Questions about many positions at once: a line of JSON for each."""

from __future__ import annotations

import io
import json

import pytest

from tests.conftest import Command

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
    assert "lines that are no positions: 2" in command.err


def test_no_question_is_no_answer(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert command("best", "-") == 0
    assert command.out == ""


@pytest.mark.parametrize("record", ["5 1 9", "519", "1. 5 1 2. 9", "[4, 0, 8]"])
def test_the_record_of_a_game_is_a_position(command: Command, record: str) -> None:
    assert command.json("best", record) == command.json("best", "O...X...X")
    assert "move 2 of the record: '5' is not a legal move" in command.refuses("best", "5 5")
    assert "not a board" in command.refuses("best", "5 1 9", "--turn", "X")
