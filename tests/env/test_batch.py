"""Batches of games: every step follows the rules, every label the table."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from solver import MemoryLimitError, TableAgent, load_game, load_player, play_exact
from solver.env import batch
from solver.env.batch import BatchEnv
from solver.value import Outcome, distance, outcome
from tests.conftest import solved
from tests.support import oracle
from tests.support.graphs import Graph
from tests.support.solved import solved_agent

NAMES = [
    *("tictactoe", "mnk:3,3,3,misere", "nim:1,2", "hexapawn:3x3", "connect4:3x3,3"),
    pytest.param("morris", marks=pytest.mark.slow),
]


def env_of(name: str, n: int, seed: int = 0) -> BatchEnv:
    return BatchEnv(solved_agent(name), n, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.thinned(3)
def test_every_step_follows_the_rules(name: str) -> None:
    """One action in twenty is random, legal or not."""
    env, generator = env_of(name, 100, seed=3), np.random.default_rng(4)
    game, positions = env.game, env.tabled.positions
    ps = [game.initial()] * env.n
    plies = [0] * env.n
    ended = 0
    for _ in range(60):
        actions = env.sample()
        stray = generator.random(env.n) < 0.05
        actions = np.where(stray, generator.integers(0, len(env.moves), env.n), actions)
        step = env.step(actions)
        for i, action in enumerate(actions):
            p, moves = ps[i], {game.code(m): m for m in game.moves(ps[i])}
            legal = env.moves[action] in moves
            q = game.play(p, moves[env.moves[action]]) if legal else p
            over = game.primitive(q) if legal else None
            reward = -1 if not legal else 0 if over is None else -over
            done = not legal or over is not None
            assert (positions[step.reached[i]], step.rewards[i], step.done[i]) == (q, reward, done)
            ps[i], plies[i] = (game.initial(), 0) if done else (q, plies[i] + 1)
            assert positions[step.codes[i]] == ps[i]
            ended += done
        assert step.codes is env.codes
        assert env.plies.tolist() == plies
    assert ended > 100


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.thinned(2)
@pytest.mark.no_cover
def test_every_label_follows_the_table(name: str) -> None:
    env, agent = env_of(name, 1), solved_agent(name)
    codes = np.arange(len(env.tabled.positions))
    labels, legal = env.labels(codes), env.legal(codes)
    assert len(codes) == agent.table.counts["positions"]
    assert labels.best.shape == legal.shape == (len(codes), len(env.moves))
    assert [str(column.dtype) for column in labels] == ["bool", "int8", "int16"]
    for code, p in enumerate(env.tabled.positions):
        score = agent.table.probe(p)
        assert labels.value[code] == outcome(score)
        plies = distance(score)
        assert labels.distance[code] == (-1 if plies is None else plies)
        scores = {env.game.code(m): s for m, s, _ in agent.table.moves(p)}
        assert {env.moves[i] for i in np.flatnonzero(legal[code])} == scores.keys()
        best = {move for move, s in scores.items() if s == score}
        assert {env.moves[i] for i in np.flatnonzero(labels.best[code])} == best


def test_regret_is_the_drop_in_outcome() -> None:
    """By brute force, for every position and every action."""
    env = env_of("tictactoe", 9)
    for code, p in enumerate(env.tabled.positions):
        board = env.game.text(p)
        if oracle.over(board):
            continue
        env.codes = np.full(9, code)
        step, before = env.step(np.arange(9)), oracle.solve(board)[0]
        for cell in range(9):
            after = oracle.move_value(board, cell)[0] if cell in oracle.moves(board) else -1
            assert step.regret[cell] == before - after


def test_random_games_end_as_the_exact_match_predicts() -> None:
    """58.49 %, 12.70 % and 28.81 %, within 4.5 standard deviations."""
    agent = solved_agent("tictactoe")
    player = load_player("random", agent)
    exact = play_exact(agent.game, player, player).a_first
    assert round(exact.win, 4) == 0.5849
    env = BatchEnv(agent, 8_000, seed=7)
    won = np.zeros(env.n, int)  # each first game's result for the side that started
    playing = np.ones(env.n, bool)
    while playing.any():
        sign = 1 - env.plies % 2 * 2
        step = env.step(env.sample())
        won = np.where(playing & step.done, sign * step.rewards, won)
        playing &= ~step.done
    for result, share in ((1, exact.win), (0, exact.draw), (-1, exact.loss)):
        spread = math.sqrt(env.n * share * (1 - share))
        assert abs((won == result).sum() - env.n * share) < 4.5 * spread


@pytest.mark.slow
def test_the_seed_decides_the_games() -> None:
    def games(env: BatchEnv) -> list[list[int]]:
        return [env.step(env.sample()).reached.tolist() for _ in range(20)]

    env, twin = env_of("tictactoe", 50, seed=1), env_of("tictactoe", 50, seed=1)
    first = games(env)
    assert games(twin) == first
    env.reset(1)
    assert games(env) == first
    env.reset()
    assert not env.codes.any()
    assert not env.plies.any()
    assert games(env) != first


@pytest.mark.parametrize(("name", "shape"), [("tictactoe", (3, 3)), ("connect4:4x2,3", (2, 4))])
def test_planes_have_the_stones_of_the_side_to_move_first(
    name: str, shape: tuple[int, int]
) -> None:
    env = env_of(name, 1)
    all_planes = env.planes(np.arange(len(env.tabled.positions)))
    assert all_planes.dtype == np.int8
    assert all_planes.shape[1:] == (*shape, 2)
    for p, both in zip(env.tabled.positions, all_planes, strict=True):
        text, own = env.game.text(p), env.game.turn(p)
        marks = np.array(list(text)).reshape(shape)
        assert (both[..., 0] == (marks == own)).all()
        assert (both[..., 1] == (marks == env.game.other(own))).all()
    assert env.planes().shape == (1, *shape, 2)


def test_wrong_actions_are_refused() -> None:
    env = env_of("tictactoe", 3)
    for actions, message in (
        ([0, 1], "3 integers, not int64 of shape (2,)"),
        ([True, False, True], "3 integers, not bool"),
        ([0, 9, 2], "game 1 (counted from 0) has action 9; the actions are 0 to 8"),
        ([0, 1, -1], "game 2 (counted from 0) has action -1; the actions are 0 to 8"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            env.step(np.array(actions))
    assert env.plies.tolist() == [0, 0, 0]
    assert env.labels(np.array([[0, 1]])).best.shape == (1, 2, 9)  # codes of any shape
    assert env.labels(np.array([])).best.shape == (0, 9)


def test_a_batch_takes_a_game_or_its_name_as_all_else_does() -> None:
    games = BatchEnv("tictactoe", 5), BatchEnv(game=load_game("tictactoe"), n=5)
    assert [(one.n, one.game.spec) for one in games] == [(5, "tictactoe")] * 2
    with pytest.raises(TypeError, match=r'the game comes first, as in BatchEnv\("tictactoe", 9\)'):
        BatchEnv(9)  # type: ignore[arg-type]


def test_unsuitable_games_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="nim:1,2 has no planes"):
        env_of("nim:1,2", 1).planes()
    monkeypatch.setattr(batch, "installed", lambda: 4_000_000)
    message = "5,478 positions and 9 or more moves, takes about 2.83 MB of memory, .* 2 MB$"
    with pytest.raises(MemoryLimitError, match=message):
        env_of("tictactoe", 1)
    monkeypatch.undo()
    with pytest.raises(ValueError, match="connect4:7x6 has no table: take a smaller size, such as"):
        BatchEnv("connect4:7x6")
    monkeypatch.setattr(batch, "MOST_ACTIONS", 8)
    with pytest.raises(ValueError, match="up to 8 moves; tictactoe has more"):
        env_of("tictactoe", 1)
    with pytest.raises(ValueError, match="is over before the first move"):
        BatchEnv(TableAgent(solved(Graph("a", {}, {"a": Outcome.DRAW}))))
