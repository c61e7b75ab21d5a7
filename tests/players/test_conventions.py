"""How custom players are asked and understood, in the process of the test."""

from __future__ import annotations

import builtins
import math
import operator
import random
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from solver import TableAgent, load_game
from solver.players import external_host
from solver.players.asking import Asker, describe
from solver.players.conventions import CONVENTIONS, Shape, Struct
from solver.players.external import player_from_function
from solver.players.player import PlayerFault
from tests.support import bots

SHAPE = Shape(3, 3, 3, "cell")


def ask(player: Any, convention: str, shape: Shape, text: str, side: str) -> Any:
    """Ask about a board on which every empty cell is a legal move."""
    empty = [cell for cell, mark in enumerate(text) if mark == "."]
    return Asker(player, convention, shape, "player").ask(text, side, empty)


CELLS: dict[str, list[tuple[Any, int]]] = {  # answers, and which cells they name, if any
    "rows": [((1, 2), 5), ([2, 0], 6), (4, 4), ((0, 3), -1), ((-1, 0), -1)],
    "flat": [(4, 4), (9, -1), (-1, -1)],
    "cells": [(1, 0), (9, 8), (0, -1)],
    "numpad": [(7, 0), (3, 8), (0, -1), (10, -1)],
    "kaggle": [(8, 8)],
}


def answers(answer: Any, convention: str = "rows", board: str = ".........") -> Any:
    return ask(lambda *_: answer, convention, SHAPE, board, "X")


@pytest.mark.parametrize("convention", CELLS)
def test_which_cell_an_answer_names(convention: str) -> None:
    for answer, cell in CELLS[convention]:
        for given in (answer, *([] if isinstance(answer, list) else [{answer: 1}])):
            if cell < 0:
                with pytest.raises(PlayerFault, match="illegal move: .* is not an empty cell"):
                    answers(given, convention)
            else:
                expected = {cell: 1.0} if isinstance(given, dict) else cell
                assert answers(given, convention) == expected


@pytest.mark.parametrize("convention", ["rows", "flat", "cells", "numpad", "kaggle"])
def test_answers_of_a_wrong_type(convention: str) -> None:
    wrong: list[Any] = [None, "5", "\ud800", True, 1.5, math.nan, (1,), (1, 2, 3), ("a", "b")]
    wrong += [{"5": 1}, {4: "x"}]
    for answer in wrong:
        with pytest.raises(PlayerFault, match="^wrong type: "):
            answers(answer, convention)
    dicts: list[Any] = [{"row": 0, "col": 1}, {"move": 4}]
    for answer in ("3", 3.0, ("0", "1"), [0.0, 1.0], *dicts):
        with pytest.raises(PlayerFault) as caught:
            answers(answer)
        assert caught.value.kind == "wrong type"
        right = "the move alone" if answer in dicts else "whole numbers"
        assert f"must return {right}" in caught.value.hint


def test_probabilities(agent: TableAgent) -> None:
    """A pair and an index may name one cell, and whole numbers are no board."""
    shares = {(0, 0): 0.5, 0: 0.25, 4: 0.25, 1: 0.0}
    assert answers(shares, board=".X.......") == {0: 0.75, 4: 0.25}
    assert answers({cell: int(cell == 4) for cell in range(9)}) == {4: 1.0}
    network = {(r, c): np.float32(1 / 9) for r in range(3) for c in range(3)}
    game, p = agent.game, agent.game.initial()
    found = player_from_function(lambda board, side: network, game).distribution(game, p, "X")
    assert sum(found.values()) == pytest.approx(1, abs=1e-15)
    for wrong in ({4: 2.0, 8: -1.0}, {8: math.inf}, {4: 0.5}, {4: math.nan}, {4: "1.0"}, {4: b"1"}):
        player = player_from_function(lambda *_, wrong=wrong: wrong, game)
        with pytest.raises(PlayerFault, match="^wrong type: .*(probability|add up to 0.5)"):
            player.answer(game, p, "X")


def test_numpy_numbers_are_accepted() -> None:
    assert [answers(a) for a in (np.int64(4), np.array(4), np.array([1, 1]))] == [4, 4, 4]


class Evil(Exception):
    """An exception that cannot be shown."""

    def __str__(self) -> str:
        raise RuntimeError

    def __repr__(self) -> str:
        raise RuntimeError


def test_objects_without_a_working_repr_are_named_by_their_type() -> None:
    assert describe(Evil()) == "Evil"
    assert describe(ValueError()) == "ValueError"
    for answer, named in ((Evil(), "an object of type Evil"), (None, "None")):
        with pytest.raises(PlayerFault, match=f"{named} is not a move"):
            answers(answer)


def test_who_is_deterministic() -> None:
    assert external_host.is_deterministic(bots.trained)
    assert external_host.is_deterministic(bots.trained.__call__)
    assert not external_host.is_deterministic(bots.undeclared)
    assert not external_host.is_deterministic(SimpleNamespace(deterministic="no"))


def test_the_details_of_a_fault_are_printable() -> None:
    fault = PlayerFault("exception", "ValueError: \x1b[31mred\n\x00\ud800" + "x" * 1000)
    assert fault.detail.isprintable()
    assert len(fault.detail) == 300


def test_what_each_convention_shows() -> None:
    seen: list[Any] = []

    def look(*arguments: Any) -> int:
        seen.append(arguments)
        return 3

    for convention in ("rows", "flat", "cells", "numpad", "kaggle"):
        ask(look, convention, SHAPE, "X...O....", "X")
    rows, flat, cells, numpad, kaggle = seen
    assert flat == (["X", " ", " ", " ", "O", " ", " ", " ", " "], "X")
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


def test_parameters_that_may_be_left_out() -> None:
    agent = lambda observation: observation.board.index(0)  # noqa: E731
    assert ask(agent, "kaggle", SHAPE, "X...O....", "X") == 1
    assert ask(lambda rows, depth=1: depth, "rows", SHAPE, "X...O....", "X") == 1
    assert ask(lambda rows, player=1: player, "rows", SHAPE, "X...O....", "X") == 1


def test_a_file_with_constants_of_its_own_sees_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, mark in (("X", "x"), ("O", "o"), ("EMPTY", "_")):
        monkeypatch.setitem(globals(), name, mark)
    assert ask(lambda rows, side: rows[0].index("_"), "rows", SHAPE, "XO.......", "X") == 2


def first_free(rows: Any, side: str) -> Any:
    return next((r, c) for r in range(3) for c in range(3) if rows[r][c] is None)


def free_cell(rows: Any) -> int:
    return [mark for row in rows for mark in row].index(None)


def counts_in_reading_order(board: list[str], side: str) -> int:
    return 1 + next(i for i, key in enumerate((7, 8, 9, 4, 5, 6, 1, 2, 3)) if board[key] == " ")


async def awaited(rows: Any, side: str) -> Any:
    return 0


@pytest.mark.every
@pytest.mark.parametrize(
    ("player", "convention", "message"),
    [
        (bots.Trained, "rows", "bot is a class: name a function, or create an instance"),
        (bots.Trained.__call__, "rows", "bot is a method of a class: name a function, or create"),
        (5, "rows", "bot is not a function"),
        (lambda: 0, "rows", "bot is called with (rows, side), which it does not take"),
        (first_free, "cells", "bot is called with (board, win_patterns, side), which it does not"),
        (lambda rows, side, *, depth: 0, "rows", "missing a required argument: 'depth'"),
        (lambda rows, depth: 0, "rows", "bot takes depth, and is called with (rows, side)"),
        (lambda *_: (yield), "rows", "bot is a coroutine or a generator"),
        (awaited, "rows", "bot is a coroutine or a generator"),
        (lambda: 0, "kaggle", "bot is called with (observation, configuration), which it does not"),
    ],
)
def test_what_cannot_be_called_is_refused_before_the_first_question(
    player: Any, convention: str, message: str
) -> None:
    with pytest.raises(TypeError, match=re.escape(message)) as caught:
        Asker(player, convention, SHAPE, "bot")
    assert "see perfectplay players" in str(caught.value)


@pytest.mark.every
@pytest.mark.parametrize("convention", CONVENTIONS)
def test_the_example_of_each_convention_plays(agent: TableAgent, convention: str) -> None:
    names: dict[str, Any] = {}
    exec(CONVENTIONS[convention].example, names)
    player = names.get("move") or names["agent"]
    game = load_game("connect4:4x4") if convention == "kaggle" else agent.game
    p = game.initial()
    chosen = player_from_function(player, game, convention)
    while game.primitive(p) is None:
        p = game.play(p, chosen.answer(game, p, game.turn(p)))


@pytest.mark.every
@pytest.mark.parametrize(
    ("convention", "board"),
    [
        ("rows", [["X", None, None], [None, "O", None], [None, None, "X"]]),
        ("rows", ("X", None, None, None, "O", None, None, None, "X")),
        ("flat", ["X", " ", " ", " ", "O", " ", " ", " ", "X"]),
        ("cells", {1: "X", 2: " ", 3: " ", 4: " ", 5: "O", 6: " ", 7: " ", 8: " ", 9: "X"}),
        ("numpad", [" ", " ", " ", "X", " ", "O", " ", "X", " ", " "]),
        ("kaggle", [1, 0, 0, 0, 2, 0, 0, 0, 1]),
        ("text", "X...O...X"),
    ],
)
def test_a_whole_board_is_recognized(convention: str, board: Any) -> None:
    with pytest.raises(PlayerFault, match="is a whole board; see perfectplay players") as caught:
        answers(board, convention, "X...O....")
    assert caught.value.kind == "not a move"


@pytest.mark.every
@pytest.mark.parametrize(
    ("player", "convention", "hint"),
    [
        (lambda rows, side: tuple(x + 1 for x in first_free(rows, side)), "rows", "counts from 1"),
        (lambda rows, side: first_free(rows, side)[::-1], "rows", "returns (column, row)"),
        (lambda board, lines, side: bots.sees_cells(board, lines, side) - 1, "cells", "from 0"),
        (counts_in_reading_order, "numpad", "1 is its top left"),
        (
            lambda rows, side: (-1, free_cell(rows)),
            "rows",
            "returns (score, move), it must return the",
        ),
        (lambda rows, side: (0.5, first_free(rows, side)), "rows", "returns (score, move)"),
        (lambda rows, side: (free_cell(rows), -1), "rows", "returns (move, score)"),
        (lambda board, side: (1, board.index(" ")), "flat", "returns (score, move)"),
        (lambda board, side: board.index(" ") + 1, "flat", "counts from 1"),
        (lambda rows, side: (1, 1), "rows", ""),
    ],
)
def test_hints_at_the_convention_that_a_player_has_in_mind(
    player: Any, convention: str, hint: str
) -> None:
    """A hint must fit all answers so far: taking the centre always is no misunderstanding."""
    asker = Asker(player, convention, SHAPE, "bot")
    found = []
    for text in (".........", "X........", "XO.......", "X...O....", "XOX.OO...", "XOXXOOOX."):
        empty = [cell for cell, mark in enumerate(text) if mark == "."]
        try:
            asker.ask(text, "X", empty)
        except PlayerFault as fault:
            found.append(fault.hint)
    assert found
    assert hint in found[-1]
    assert bool(hint) == bool(found[-1])


def test_numbers_that_lie_about_equality_are_taken_as_they_are() -> None:
    class Liar(int):
        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 0

    with pytest.raises(PlayerFault, match="illegal move: 99"):
        answers(Liar(99))


def test_a_player_cannot_add_to_the_legal_moves() -> None:
    def cheat(position: str, moves: list[int], side: str) -> int:
        moves.append(99)
        return 99

    with pytest.raises(PlayerFault, match="illegal move: 99"):
        ask(cheat, "text", SHAPE, ".........", "X")


def test_a_function_cannot_change_what_this_process_builds_upon() -> None:
    """It cheats: it fills the board and replaces what the grader computes with."""
    before = builtins.max, builtins.all, math.fsum, operator.index

    def cheat(rows: Any, side: str) -> Any:
        chosen = first_free(rows, side)
        for row in rows:
            row[:] = [side] * 3
        names: Any = builtins
        names.max = names.min = lambda *_, **__: 0
        names.all = lambda _: True
        math.fsum = lambda _: 1.0
        operator.index = lambda _: 4
        return chosen

    assert ask(cheat, "rows", SHAPE, "X...O....", "X") == 1
    assert (builtins.max, builtins.all, math.fsum, operator.index) == before


def test_seeding_covers_numpy() -> None:
    external_host.seed(5)
    first = random.random(), np.random.random()
    external_host.seed(5)
    assert (random.random(), np.random.random()) == first
