"""The environment of Chapter 2: the text's loops run on it with the results of exact matches.

The players are the text's look-aheads, rewritten; they use only the environment's interface.
"""

from __future__ import annotations

import math
import pickle
import random
from collections.abc import Callable
from copy import copy, deepcopy
from typing import Any

import numpy as np
import pytest

from solver import TableAgent, load_player, play_exact
from solver.boards import from_signs
from solver.env.chapter2 import ttt
from tests.support import oracle

Think = Callable[[], int | None]


@pytest.fixture
def env() -> ttt:
    return ttt()


# Interface


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


@pytest.mark.parametrize(
    ("actions", "result"),
    [((5, 1, 7, 3, 9, 2), -1), ((1, 5, 9, 8, 2, 3, 7, 4, 6), 0), ((1, 4, 2, 5, 3), 1)],
)
def test_rewards_at_the_end(env: ttt, actions: tuple[int, ...], result: int) -> None:
    for action in actions:
        assert env.done is False
        _, reward, done, _ = env.step(action)
    assert (reward, done) == (result, True)
    env.reset()
    assert (env.done, env.reward, env.rounds, env.turn) == (False, 0, 1, "X")
    assert (env.state == 0).all()


@pytest.mark.slow
def test_every_position_agrees_with_brute_force(env: ttt) -> None:
    """All 5,478 positions, each reached by one game."""
    seen = set()

    def visit(current: ttt) -> None:
        board = from_signs(current.state, layout="numpad")
        if board in seen:
            return
        seen.add(board)
        assert current.turn == oracle.turn(board)
        assert current.done == oracle.over(board)
        assert current.reward == {"X": 1, "O": -1, None: 0}[oracle.winner(board)]
        assert [boards_cell(key) for key in current.validinputs] == sorted(
            oracle.moves(board), key=lambda cell: "789456123"[cell]
        )
        for key in current.validinputs:
            twin = deepcopy(current)
            twin.step(key)
            visit(twin)

    visit(env)
    assert len(seen) == 5478


def boards_cell(key: int) -> int:
    return "789456123".index(str(key))


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
    twin.extra = [1]  # type: ignore[attr-defined]
    assert env.state.tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    assert (env.turn, env.rounds, env.occupied) == ("O", 2, {"X": [5], "O": []})
    assert 1 in env.validinputs
    assert (twin.turn, twin.rounds, twin.occupied) == ("X", 3, {"X": [5], "O": [1]})
    again = deepcopy(twin)
    again.extra.append(2)  # type: ignore[attr-defined]
    assert twin.extra == [1]  # type: ignore[attr-defined]
    assert [pair[0] is pair[1] for pair in deepcopy([(env, env)])] == [True]
    assert pickle.loads(pickle.dumps(twin)).occupied == twin.occupied
    assert copy(twin).state is twin.state


# Errors


@pytest.mark.parametrize("action", [0, 10, -1, 1 << 70, 5.0, "5", None, [5]])
def test_actions_off_the_board_are_refused(env: ttt, action: Any) -> None:
    with pytest.raises(ValueError, match=r"1 to 9"):
        env.step(action)
    assert (env.rounds, env.occupied) == (1, {"X": [], "O": []})


def test_an_occupied_cell_is_refused_without_effect(env: ttt) -> None:
    env.step(np.int64(5))
    with pytest.raises(
        ValueError, match="cell 5 is occupied; the free cells are 1, 2, 3, 4, 6, 7, 8, 9"
    ):
        env.step(5)
    assert (env.turn, env.rounds, env.occupied) == ("O", 2, {"X": [5], "O": []})
    assert env.state.tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0]
    env.step(6)


def test_a_finished_game_refuses_moves(env: ttt) -> None:
    for action in (1, 4, 2, 5, 3):
        env.step(action)
    with pytest.raises(ValueError, match=r"the game is over: call reset\(\) to start"):
        env.step(9)
    assert env.occupied == {"X": [1, 2, 3], "O": [4, 5]}
    env.reset()
    env.step(9)


# The loops of the text


class Loops:
    """The text's players, which share one environment and copy it to look ahead."""

    def __init__(self, seed: int) -> None:
        self.env = ttt()
        self.generator = random.Random(seed)

    def after(self, *actions: int) -> bool:
        """Return whether the last of these actions wins the game for the side that plays it."""
        ahead = deepcopy(self.env)
        for action in actions:
            _, reward, done, _ = ahead.step(action)
        return done and reward != 0

    def random_move(self) -> int:
        return self.generator.choice(self.env.validinputs)

    def think1(self) -> int | None:
        return next((m for m in self.env.validinputs if self.after(m)), None)

    def think2(self) -> int | None:
        free = self.env.validinputs
        win = self.think1()
        if win is not None:
            return win
        return next((b for a in free for b in free if a != b and self.after(a, b)), None)

    def think3(self) -> int | None:
        free = self.env.validinputs
        near = self.think2()
        if near is not None:
            return near
        starts = [
            a
            for a in free
            for b in free
            for c in free
            if len({a, b, c}) == 3 and self.after(a, b, c)
        ]
        return max(set(starts), key=starts.count) if starts else None

    def play(self, first: Think, second: Think) -> int:
        """Return the last reward of a game; a player without advice moves at random."""
        self.env.reset()
        while True:
            for think in (first, second):
                advice = think()
                action = self.random_move() if advice is None else advice
                _, reward, done, _ = self.env.step(action)
                if done:
                    return reward

    def contest(self, games: int, a: Think, b: Think) -> dict[str, int]:
        """Return how often a wins, draws and loses when it moves first in every other game."""
        results = [-self.play(b, a) if number % 2 else self.play(a, b) for number in range(games)]
        return {word: results.count(n) for word, n in (("win", 1), ("draw", 0), ("loss", -1))}


@pytest.mark.parametrize(
    ("a", "b", "games"),
    [
        ("random", "random", 3000),
        pytest.param("think1", "random", 1000, marks=pytest.mark.slow),
        pytest.param("think2", "think1", 400, marks=pytest.mark.slow),
        pytest.param("think3", "think2", 100, marks=pytest.mark.slow),
    ],
)
@pytest.mark.thinned(4)
def test_the_players_of_the_text_do_as_exact_matches_predict(
    agent: TableAgent, a: str, b: str, games: int
) -> None:
    """Within 4.5 standard deviations, which a correct environment misses once in 100,000 runs."""
    loops = Loops(seed=2)
    think: dict[str, Think] = {
        "random": loops.random_move,
        "think1": loops.think1,
        "think2": loops.think2,
        "think3": loops.think3,
    }
    found = loops.contest(games, think[a], think[b])
    exact = play_exact(agent.game, load_player(a, agent), load_player(b, agent)).both
    for word, count in found.items():
        share = getattr(exact, word)
        spread = math.sqrt(games * share * (1 - share))
        assert abs(count - games * share) < 4.5 * spread + 1, (word, count, games * share)


def test_think1_wins_two_thirds_of_its_games_against_random(agent: TableAgent) -> None:
    exact = play_exact(agent.game, load_player("think1", agent), load_player("random", agent))
    assert abs(exact.both.win - 2 / 3) < 0.001


def test_the_first_loop_of_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    """It prints states as three rows of three, with the players in turn."""
    env, generator = ttt(), random.Random(0)
    state = env.reset()
    players = ["X", "O"]
    while True:
        print(state.reshape(3, 3))
        player = players[env.rounds % 2 - 1]
        assert env.turn == player
        state, reward, done, _ = env.step(generator.choice(env.validinputs))
        env.render()
        if done:
            break
    assert reward == {"X": 1, "O": -1, None: 0}[oracle.winner(from_signs(state, layout="numpad"))]
    assert capsys.readouterr().out.count("---+---+---") == 2 * (env.rounds - 1)
