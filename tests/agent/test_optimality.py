"""Verdicts on arrays of moves: what they keep and give away, against brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver import TableAgent, optimality
from solver.value import distance, outcome
from tests.support import oracle
from tests.support.solved import solved_agent


def signs(texts: list[str]) -> np.ndarray:
    return np.array([*map(oracle.signs, texts)], np.int8)


def every_choice() -> tuple[list[str], list[int]]:
    """Return every third unfinished board with each cell, and with one off the board."""
    texts = [board for board in oracle.unfinished()[::3] for _ in range(10)]
    return texts, list(range(10)) * (len(texts) // 10)


@pytest.mark.no_cover
def test_verdicts_agree_with_brute_force(agent: TableAgent) -> None:
    """For every cell; an occupied cell keeps nothing and counts as a losing move."""
    texts, cells = every_choice()
    found = optimality(agent, signs(texts), np.array(cells))
    assert [column.dtype for column in found] == [bool, bool, np.int8, bool]
    for i, (board, cell) in enumerate(zip(texts, cells, strict=True)):
        before = oracle.solve(board)
        legal = cell in oracle.moves(board)
        after = oracle.move_value(board, cell) if legal else (-1, None)
        expected = (
            legal and after[0] == before[0],
            legal and after == before,
            before[0] - after[0],
            before[0] == -1,
        )
        assert tuple(column[i] for column in found) == expected, (board, cell)


@pytest.mark.no_cover
def test_every_form_of_the_same_positions_gives_the_same_verdicts(agent: TableAgent) -> None:
    texts, cells = every_choice()
    texts, cells = texts[::17], cells[::17]
    expected = optimality(agent, signs(texts), np.array(cells))
    positions = np.array([agent.game.parse(text) for text in texts])
    for form in (texts, positions, signs(texts).reshape(-1, 3, 3)):
        found = optimality("tictactoe", form, cells)
        assert all((a == b).all() for a, b in zip(found, expected, strict=True))


def test_the_end_of_a_game_is_no_blunder(agent: TableAgent) -> None:
    """It counted as one, with the regret of a loss."""
    texts = ["X........", "XXXOO...."]
    for positions in (texts, signs(texts)):
        with pytest.raises(ValueError, match=r"^row 1 \(counted from 0\): the game is over"):
            optimality(agent, positions, [4, 5])


@pytest.mark.parametrize("name", ["hexapawn:3x3", pytest.param("morris", marks=pytest.mark.large)])
def test_other_games_are_judged_by_their_tables(name: str) -> None:
    agent = solved_agent(name)
    game, positions, moves = agent.game, [], []
    for p, _ in agent.table.positions():
        for m in game.moves(p) if game.primitive(p) is None else ():
            positions.append(p)
            moves.append(game.code(m))
    found = optimality(agent, positions, moves)
    for i, (p, move) in enumerate(zip(positions, moves, strict=True)):
        before = agent.table.probe(p)
        after = {game.code(m): score for m, score in agent.table.move_scores(p)}[move]
        assert found.value_kept[i] == (outcome(after) == outcome(before))
        assert found.distance_kept[i] == (after == before)
        assert found.regret[i] == outcome(before) - outcome(after)
        assert found.lost[i] == (outcome(before) == -1)
    assert found.value_kept.any()
    assert not found.distance_kept.all()


def test_rates_count_every_position_or_leave_out_the_lost_ones(agent: TableAgent) -> None:
    """A win kept but delayed, a win thrown away, and two moves in lost positions."""
    texts = ["X.O.X..O.", "XX.OO....", "XX.XO...O", "XX.XO...O"]
    assert [distance(agent.table.probe(agent.position(t))) for t in texts] == [1, 1, 2, 2]
    found = optimality(agent, texts, [3, 6, 2, 5])
    assert found.value_kept.tolist() == [True, False, True, True]
    assert found.distance_kept.tolist() == [False, False, True, True]
    assert found.regret.tolist() == [0, 2, 0, 0]
    assert found.lost.tolist() == [False, False, True, True]
    assert (found.good_move_rate, found.perfect_move_rate) == (0.75, 0.5)
    left = found.without_lost()
    assert (left.good_move_rate, left.perfect_move_rate) == (0.5, 0.0)
    assert len(left.lost) == 2


@pytest.mark.parametrize(
    ("positions", "moves", "message"),
    [
        (["X...O...."], [1, 2], r"1 positions have moves of shape \(2,\)"),
        (["X...O....", "XXX......"], [1, 1], r"row 1 \(counted from 0\): too many X"),
        (signs(["XXXOO....", "XXX......"]), np.array([8, 8]), "row 1 .*too many X"),
        (signs(["X...O...."]), np.array([0.5]), "cells as integers, not float64"),
        *(
            (["X...O...."], [move], f"a move must be a code, .* such as 0, not {move!r}")
            for move in ("1", True, 1.0, None)
        ),
        (signs(["X...O...."]), np.array([[1]]), r"moves of shape \(1, 1\)"),
        (np.zeros((1, 8), np.int8), np.array([1]), r"shape \(n, 9\)"),
    ],
)
def test_bad_input_is_refused(agent: TableAgent, positions: Any, moves: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        optimality(agent, positions, moves)
