"""How a player of one's own is loaded, asked and understood, without the process around it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from solver import TableAgent
from solver.players import conventions
from solver.players import external_host as host
from solver.players.conventions import IllegalAnswerError, Shape, Struct, WrongAnswerError
from solver.players.external import player_from_function
from solver.players.player import PlayerFault
from tests.players.test_players import BOTS
from tests.support import bots

SHAPE = Shape(3, 3, 3, "cell")


def ask(player: Any, convention: str, shape: Shape, text: str, side: str) -> Any:
    """Ask about a board on which every empty cell is a legal move."""
    empty = [cell for cell, mark in enumerate(text) if mark == "."]
    return conventions.ask(player, convention, shape, text, side, empty)


@pytest.mark.parametrize(
    ("convention", "answer", "cell"),
    [
        ("rows", (1, 2), 5),
        ("rows", [2, 0], 6),
        ("rows", 4, 4),
        ("rows", (0, 3), -1),
        ("rows", (-1, 0), -1),
        ("cells", 1, 0),
        ("cells", 9, 8),
        ("cells", 0, -1),
        ("numpad", 7, 0),
        ("numpad", 3, 8),
        ("numpad", 0, -1),
        ("numpad", 10, -1),
        ("kaggle", 8, 8),
    ],
)
def test_what_an_answer_means(convention: str, answer: Any, cell: int) -> None:
    answers = [answer] if isinstance(answer, list) else [answer, {answer: 1}]
    for given in answers:
        if cell < 0:
            with pytest.raises(IllegalAnswerError, match="is no empty cell"):
                ask(lambda *_, given=given: given, convention, SHAPE, ".........", "X")
        else:
            said = ask(lambda *_, given=given: given, convention, SHAPE, ".........", "X")
            assert said == ({cell: 1.0} if isinstance(given, dict) else cell)


@pytest.mark.parametrize("convention", ["rows", "cells", "numpad", "kaggle"])
@pytest.mark.parametrize(
    "answer", [None, "5", True, 1.5, (1,), (1, 2, 3), ("a", "b"), {"5": 1}, {4: "x"}]
)
def test_what_is_no_answer(convention: str, answer: Any) -> None:
    with pytest.raises(WrongAnswerError):
        ask(lambda *_: answer, convention, SHAPE, ".........", "X")


def test_a_taken_cell_is_named_as_the_player_named_it() -> None:
    with pytest.raises(IllegalAnswerError, match=r"\(1, 1\) is no empty cell"):
        ask(lambda *_: (1, 1), "rows", SHAPE, "X...O....", "X")
    with pytest.raises(IllegalAnswerError, match="^5 is no empty cell"):
        ask(lambda *_: 5, "numpad", SHAPE, "X...O....", "X")


def test_the_same_cell_twice_counts_twice() -> None:
    """A pair and an index may name one cell."""
    shares = {(0, 0): 0.5, 0: 0.25, 4: 0.25, 1: 0.0}
    assert ask(lambda *_: shares, "rows", SHAPE, ".X.......", "O") == {0: 0.75, 4: 0.25}


def test_numbers_of_numpy_are_numbers() -> None:
    import numpy as np

    for answer in (np.int64(4), np.array(4), np.array([1, 1])):
        assert ask(lambda *_, a=answer: a, "rows", SHAPE, ".........", "X") == 4
    network = {(r, c): np.float32(1 / 9) for r in range(3) for c in range(3)}
    player = player_from_function(lambda board, side: network, TableAgent().game)
    shares = player.distribution(TableAgent().game, 0, "X")
    assert sum(shares.values()) == pytest.approx(1, abs=1e-15)


class Evil(Exception):
    """Cannot be shown."""

    def __str__(self) -> str:
        raise RuntimeError

    def __repr__(self) -> str:
        raise RuntimeError


def test_what_cannot_be_shown_is_named_by_its_class() -> None:
    assert host.describe(Evil()) == "Evil"
    with pytest.raises(WrongAnswerError, match="a Evil is no move"):
        ask(lambda *_: Evil(), "rows", SHAPE, ".........", "X")


def test_who_is_deterministic() -> None:
    class Agent:
        deterministic: Any = True

        def act(self, board: Any, side: str) -> int:
            return 0

    agent = Agent()
    assert host.declared(agent.act)
    assert host.declared(bots.trained)
    assert not host.declared(bots.undeclared)
    agent.deterministic = "no"
    assert not host.declared(agent.act)


def test_what_a_player_says_is_printable() -> None:
    fault = PlayerFault("exception", "ValueError: \x1b[31mred\n\x00\ud800" + "x" * 1000)
    assert fault.detail.isprintable()
    assert len(fault.detail) == 300


def test_what_each_convention_shows() -> None:
    seen: list[Any] = []

    def look(*what: Any) -> int:
        seen.append(what)
        return 3

    for convention in ("rows", "cells", "numpad", "kaggle"):
        ask(look, convention, SHAPE, "X...O....", "X")
    rows, cells, numpad, kaggle = seen
    assert rows == ([["X", None, None], [None, "O", None], [None] * 3], "X")
    assert cells[0] == {1: "X", 2: " ", 3: " ", 4: " ", 5: "O", 6: " ", 7: " ", 8: " ", 9: " "}
    assert sorted(cells[1]) == sorted(
        [[1, 2, 3], [4, 5, 6], [7, 8, 9], [1, 4, 7], [2, 5, 8], [3, 6, 9], [1, 5, 9], [3, 5, 7]]
    )
    assert numpad == ([" ", " ", " ", " ", " ", "O", " ", "X", " ", " "], "X")
    assert kaggle[0] == {"board": [1, 0, 0, 0, 2, 0, 0, 0, 0], "mark": 1, "step": 2}
    assert kaggle[1] == {"columns": 3, "rows": 3, "inarow": 3}
    with pytest.raises(AttributeError):
        Struct().nothing  # noqa: B018


def test_loading_from_a_file_or_a_module() -> None:
    assert host.load(f"{BOTS}:first_free")([[None] * 3] * 3, "X") == (0, 0)
    assert host.load("tests.support.bots:by_index") is bots.by_index
    for spec in (f"{BOTS}:nobody", f"{BOTS}:not_a_function", "tests.nowhere:move", "no.py:move"):
        with pytest.raises((AttributeError, TypeError, ImportError, OSError)):
            host.load(spec)


@pytest.mark.parametrize(
    ("player", "reply"),
    [
        (bots.first_free, {"move": 0}),
        (bots.answers_half, {"shares": [(0, 0.5)]}),
        (bots.answers_words, {"fault": "wrong type", "detail": "'centre' is no move"}),
    ],
)
def test_replies(player: Any, reply: dict[str, Any]) -> None:
    request = {"text": ".........", "side": "X", "moves": list(range(9))}
    assert host.answer(player, "rows", SHAPE, request) == reply


def test_an_exception_is_a_reply() -> None:
    request = {"text": "X........", "side": "O", "moves": list(range(1, 9))}
    assert host.answer(bots.crashes, "rows", SHAPE, request) == {
        "fault": "exception",
        "detail": "RuntimeError: no idea",
    }


def test_seeding_is_for_numpy_too() -> None:
    import numpy as np

    host.seed(5)
    first = random.random(), np.random.random()
    host.seed(5)
    assert (random.random(), np.random.random()) == first


def test_faults_of_a_function_in_this_process(agent: TableAgent) -> None:
    game = agent.game
    taken = game.parse("X........")
    for function, kind in ((bots.crashes, "exception"), (bots.answers_words, "wrong type")):
        player = player_from_function(function, game, deterministic=True)
        with pytest.raises(PlayerFault) as caught:
            player.answer(game, taken, "O")
        assert caught.value.kind == kind
