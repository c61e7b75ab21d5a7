"""How custom players are asked and understood, in the process of the test."""

from __future__ import annotations

import builtins
import math
import operator
import random
import re
from typing import Any

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
    "cells": [(1, 0), (9, 8), (0, -1)],
    "numpad": [(7, 0), (3, 8), (0, -1), (10, -1)],
    "kaggle": [(8, 8)],
}


@pytest.mark.parametrize("convention", CELLS)
def test_which_cell_an_answer_names(convention: str) -> None:
    for answer, cell in CELLS[convention]:
        for given in (answer, *([] if isinstance(answer, list) else [{answer: 1}])):
            if cell < 0:
                with pytest.raises(PlayerFault, match="illegal move: .* is not an empty cell"):
                    ask(lambda *_, given=given: given, convention, SHAPE, ".........", "X")
            else:
                found = ask(lambda *_, given=given: given, convention, SHAPE, ".........", "X")
                assert found == ({cell: 1.0} if isinstance(given, dict) else cell)


@pytest.mark.parametrize("convention", ["rows", "cells", "numpad", "kaggle"])
def test_answers_of_a_wrong_type(convention: str) -> None:
    answers: list[Any] = [None, "5", "\ud800", True, 1.5, math.nan, (1,), (1, 2, 3), ("a", "b")]
    answers += [{"5": 1}, {4: "x"}]
    for answer in answers:
        with pytest.raises(PlayerFault, match="^wrong type: "):
            ask(lambda *_, answer=answer: answer, convention, SHAPE, ".........", "X")


def test_probabilities_that_are_none(agent: TableAgent) -> None:
    for answer in ({4: 2.0, 8: -1.0}, {8: math.inf}, {4: 0.5}, {4: math.nan}):
        player = player_from_function(lambda *_, answer=answer: answer, agent.game)
        with pytest.raises(PlayerFault, match="^wrong type: .*(probability|add up to 0.5)"):
            player.answer(agent.game, agent.game.initial(), "X")
    with pytest.raises(PlayerFault, match="None is not a move .does it return"):
        ask(lambda *_: None, "rows", SHAPE, ".........", "X")


def test_probabilities_of_the_same_cell_add_up() -> None:
    """A pair and an index may name one cell."""
    shares = {(0, 0): 0.5, 0: 0.25, 4: 0.25, 1: 0.0}
    assert ask(lambda *_: shares, "rows", SHAPE, ".X.......", "O") == {0: 0.75, 4: 0.25}


def test_numpy_numbers_are_accepted() -> None:
    import numpy as np

    for answer in (np.int64(4), np.array(4), np.array([1, 1])):
        assert ask(lambda *_, a=answer: a, "rows", SHAPE, ".........", "X") == 4
    network = {(r, c): np.float32(1 / 9) for r in range(3) for c in range(3)}
    player = player_from_function(lambda board, side: network, TableAgent().game)
    shares = player.distribution(TableAgent().game, 0, "X")
    assert sum(shares.values()) == pytest.approx(1, abs=1e-15)


class Evil(Exception):
    """An exception that cannot be shown."""

    def __str__(self) -> str:
        raise RuntimeError

    def __repr__(self) -> str:
        raise RuntimeError


def test_objects_without_a_working_repr_are_named_by_their_type() -> None:
    assert describe(Evil()) == "Evil"
    assert describe(ValueError()) == "ValueError"
    with pytest.raises(PlayerFault, match="an object of type Evil is not a move"):
        ask(lambda *_: Evil(), "rows", SHAPE, ".........", "X")


def test_who_is_deterministic() -> None:
    class Agent:
        deterministic: Any = True

        def act(self, board: Any, side: str) -> int:
            return 0

    agent = Agent()
    assert external_host.is_deterministic(agent.act)
    assert external_host.is_deterministic(bots.trained)
    assert not external_host.is_deterministic(bots.undeclared)
    agent.deterministic = "no"
    assert not external_host.is_deterministic(agent.act)


def test_the_details_of_a_fault_are_printable() -> None:
    fault = PlayerFault("exception", "ValueError: \x1b[31mred\n\x00\ud800" + "x" * 1000)
    assert fault.detail.isprintable()
    assert len(fault.detail) == 300


def test_what_each_convention_shows() -> None:
    seen: list[Any] = []

    def look(*arguments: Any) -> int:
        seen.append(arguments)
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


def test_a_kaggle_agent_may_take_the_observation_only() -> None:
    assert ask(lambda obs: obs.board.index(0), "kaggle", SHAPE, "X...O....", "X") == 1


def test_a_parameter_of_a_search_is_not_the_side() -> None:
    """It got the side as `depth`, and was graded as another player than it is."""

    def minimax(rows: Any, depth: int = 0) -> Any:
        assert depth == 0
        return first_free(rows, "X")

    assert ask(minimax, "rows", SHAPE, "X...O....", "X") == 1


def test_a_parameter_that_is_a_number_by_default_is_not_the_side() -> None:
    assert ask(lambda rows, player=1: player, "rows", SHAPE, "X...O....", "X") == 1


def first_free(rows: Any, side: str) -> Any:
    return next((r, c) for r in range(3) for c in range(3) if rows[r][c] is None)


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
        ("cells", {1: "X", 2: " ", 3: " ", 4: " ", 5: "O", 6: " ", 7: " ", 8: " ", 9: "X"}),
        ("numpad", [" ", " ", " ", "X", " ", "O", " ", "X", " ", " "]),
        ("kaggle", [1, 0, 0, 0, 2, 0, 0, 0, 1]),
        ("text", "X...O...X"),
    ],
)
def test_a_whole_board_is_recognized(convention: str, board: Any) -> None:
    with pytest.raises(PlayerFault, match="is a whole board; see perfectplay players") as caught:
        ask(lambda *_: board, convention, SHAPE, "X...O....", "X")
    assert caught.value.kind == "not a move"


def test_probabilities_in_whole_numbers_are_no_board() -> None:
    weights = {cell: int(cell == 4) for cell in range(9)}
    assert ask(lambda *_: weights, "rows", SHAPE, ".........", "X") == {4: 1.0}


@pytest.mark.every
@pytest.mark.parametrize(
    ("player", "convention", "hint"),
    [
        (lambda rows, side: tuple(x + 1 for x in first_free(rows, side)), "rows", "counts from 1"),
        (lambda rows, side: first_free(rows, side)[::-1], "rows", "returns (column, row)"),
        (lambda board, lines, side: bots.sees_cells(board, lines, side) - 1, "cells", "from 0"),
        (counts_in_reading_order, "numpad", "1 is its top left"),
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
    import numpy as np

    external_host.seed(5)
    first = random.random(), np.random.random()
    external_host.seed(5)
    assert (random.random(), np.random.random()) == first
