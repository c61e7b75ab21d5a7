"""The environment of Chapter 2: its interface, every position, and the loop of the text."""

from __future__ import annotations

import pickle
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from solver.boards import from_numpad
from solver.env.chapter2 import ttt
from tests.support import oracle


@pytest.fixture
def env() -> ttt:
    return ttt()


def test_action_and_observation_spaces(env: ttt) -> None:
    assert env.action_space.n == 9
    assert env.observation_space.shape == (9,)
    np.random.seed(3)
    sampled = [env.action_space.sample() for _ in range(500)]
    assert {*sampled} == {*range(1, 10)}
    np.random.seed(3)
    assert sampled == [env.action_space.sample() for _ in range(500)]


def test_a_game_from_start_to_end(env: ttt) -> None:
    """The number pad has 7-8-9 on top, so 7, 5, 3 is a diagonal."""
    state = env.reset()
    assert state.tolist() == [0] * 9
    assert state.shape == env.observation_space.shape
    assert (env.turn, env.rounds, env.validinputs) == ("X", 1, [1, 2, 3, 4, 5, 6, 7, 8, 9])
    assert (env.done, env.reward, env.info) == (False, 0, "")
    assert env.occupied == {"X": [], "O": []}
    turns = ["O", "X", "O", "X", "O"]
    for number, (action, turn) in enumerate(zip((7, 1, 5, 2, 3), turns, strict=True), 2):
        state, reward, done, info = env.step(action)
        assert (reward, done, info) == ((1, True, "") if action == 3 else (0, False, ""))
        assert (env.rounds, env.turn) == (number, turn)
        assert (env.reward, env.done) == (reward, done)
    assert state.tolist() == [-1, -1, 1, 0, 1, 0, 1, 0, 0]
    assert env.occupied == {"X": [7, 5, 3], "O": [1, 2]}
    assert env.validinputs == []


@pytest.mark.slow
def test_every_position_agrees_with_brute_force(env: ttt) -> None:
    """All 5,478 positions, each reached by one game."""
    seen = set()

    def visit(current: ttt) -> None:
        board = from_numpad([" ", *(" XO"[sign] for sign in current.state)])
        if board in seen:
            return
        seen.add(board)
        assert current.turn == oracle.turn(board)
        assert current.done == oracle.over(board)
        assert current.reward == {"X": 1, "O": -1, None: 0}[oracle.winner(board)]
        free = {"789456123".index(str(key)) for key in current.validinputs}
        assert free == {*oracle.moves(board)}
        assert current.validinputs == sorted(current.validinputs)
        for key in current.validinputs:
            twin = deepcopy(current)
            twin.step(key)
            visit(twin)

    visit(env)
    assert len(seen) == 5478


def test_render_prints_the_board(env: ttt, capsys: pytest.CaptureFixture[str]) -> None:
    env.render()
    env.step(7)
    env.step(5)
    env.render()
    assert env.close() is None  # type: ignore[func-returns-value]
    assert capsys.readouterr().out == (
        " 7 | 8 | 9\n---+---+---\n 4 | 5 | 6\n---+---+---\n 1 | 2 | 3\n\n"
        " X | 8 | 9\n---+---+---\n 4 | O | 6\n---+---+---\n 1 | 2 | 3\n\n"
    )


def test_a_deep_copy_is_independent(env: ttt) -> None:
    env.step(5)
    twin = deepcopy(env)
    twin.step(1)
    assert env.state.tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert (env.turn, env.rounds, env.occupied) == ("O", 2, {"X": [5], "O": []})
    assert 1 in env.validinputs
    assert (twin.turn, twin.rounds, twin.occupied) == ("X", 3, {"X": [5], "O": [1]})
    assert pickle.loads(pickle.dumps(twin)).occupied == twin.occupied


def test_illegal_actions_are_refused_without_effect(env: ttt) -> None:
    env.step(np.int64(5))
    wrong: list[Any] = [0, 10, -1, 1 << 70, 5.0, "5", None, [5], 5]
    for action in wrong:
        message = "1 to 9" if action is not wrong[-1] else "cell 5 is occupied; the free cells are"
        with pytest.raises(ValueError, match=message):
            env.step(action)
    assert (env.turn, env.rounds, env.occupied) == ("O", 2, {"X": [5], "O": []})
    assert env.state.tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    for action in (1, 4, 2, 6):
        env.step(action)
    with pytest.raises(ValueError, match=r"the game is over: call reset\(\) to start"):
        env.step(9)
    env.reset()
    assert (env.done, env.reward, env.rounds, env.turn) == (False, 0, 1, "X")
