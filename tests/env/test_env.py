"""The environments pass their libraries' checks and agree with an independent oracle."""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence

from solver import TableAgent, encode, load_game, load_player
from solver.env import tictactoe_v0
from solver.env.turns import TurnsEnv, turns
from solver.files import save
from solver.tables.store import user_path
from tests.conftest import BOTS, python, solved
from tests.support import oracle

TICTACTOE, CONNECT4, BOARD = (
    "PerfectPlay/TicTacToe-v0",
    "PerfectPlay/Connect4-v0",
    "PerfectPlay/Board-v0",
)
STILL = """
from tests.support.user_games import Row

class Still(Row):
    def play(self, p, m): return p
"""


def make(name: str = TICTACTOE, **settings: Any) -> gymnasium.Env[Any, Any]:
    """Make an environment without the wrapper that checks every step."""
    return gymnasium.make(name, disable_env_checker=True, **settings)


def choose(info: dict[str, Any], generator: random.Random, mask: str = "action_mask") -> int:
    return generator.choice(np.flatnonzero(info[mask]).tolist())


def board_of(observation: Any, seat: str) -> str:
    """Return an observation as a text."""
    other = "O" if seat == "X" else "X"
    return "".join(
        seat if own else other if theirs else "." for own, theirs in observation.reshape(-1, 2)
    )


def record(env: gymnasium.Env[Any, Any], seed: int, games: int = 10) -> list[Any]:
    """Play some games, the first of them seeded; return all that the environment returns."""
    generator = random.Random(seed)
    found: list[Any] = [env.reset(seed=seed)]
    for _ in range(games):
        over = False
        while not over:
            found.append(env.step(choose(found[-1][-1], generator)))
            over = found[-1][2]
        found.append(env.reset())
    return found


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Search for tables in an empty directory."""
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        (TICTACTOE, {}),
        (TICTACTOE, {"opponent": "perfect", "first": False, "reward": "regret", "oracle": True}),
        pytest.param(
            TICTACTOE, {"opponent": f"{BOTS}:by_chance", "first": None}, marks=pytest.mark.slow
        ),
        (CONNECT4, {"size": "5x4", "opponent": "winblock"}),
        (BOARD, {"game": "mnk:4,3,3", "opponent": "think3"}),
    ],
)
@pytest.mark.thinned(3)
def test_gymnasium_s_checks_pass(name: str, settings: dict[str, Any], tables: Path) -> None:
    env = gymnasium.make(name, **settings)
    check_env(env.unwrapped)
    env.close()


@pytest.mark.parametrize(
    "opponent",
    ["random", "level:0.5", "think1", pytest.param(f"{BOTS}:by_chance", marks=pytest.mark.slow)],
)
@pytest.mark.thinned(2)
def test_the_seed_decides_the_games(opponent: str) -> None:
    env, twin = (make(opponent=opponent, first=None, oracle=True) for _ in range(2))
    record(twin, 7, 1)  # earlier games make no difference
    first = record(env, 3)
    assert data_equivalence(first, record(twin, 3), exact=True)
    assert data_equivalence(first, record(env, 3), exact=True)
    assert not data_equivalence(first, record(env, 4), exact=True)
    env.close()
    twin.close()


@pytest.mark.parametrize("reward", ["outcome", "regret"])
@pytest.mark.parametrize(("first", "seat"), [(True, "X"), (False, "O")])
@pytest.mark.thinned(3)
def test_games_agree_with_the_oracle(
    reward: str, first: bool, seat: str, agent: TableAgent
) -> None:
    """Masks, rewards, values and distances of a random learner; one action in 20 may be illegal."""
    env = make(opponent="level:0.3", first=first, reward=reward, oracle=True)
    generator = random.Random(2)
    seen = set()
    for game in range(60):
        observation, info = env.reset(seed=game)
        board = board_of(observation, seat)
        assert "regret" not in info
        over = False
        while not over:
            assert np.flatnonzero(info["action_mask"]).tolist() == oracle.moves(board)
            masks = env.get_wrapper_attr("action_masks")()
            assert masks.tolist() == [cell in oracle.moves(board) for cell in range(9)]
            outcome, distance = oracle.solve(board)
            assert info["value"] == outcome == agent.scores(board)[0].outcome
            assert info["distance"] == (-1 if distance is None else distance)
            best = [
                c for c in oracle.moves(board) if oracle.move_value(board, c) == (outcome, distance)
            ]
            assert np.flatnonzero(info["optimal_mask"]).tolist() == best
            stray = generator.randrange(20) == 0
            action = generator.randrange(9) if stray else choose(info, generator)
            legal = action in oracle.moves(board)
            drop = outcome - (oracle.move_value(board, action)[0] if legal else -1)
            before = board
            observation, value, over, truncated, info = env.step(action)
            board = board_of(observation, seat)
            assert info["regret"] == drop
            assert ("illegal_action" in info) == (not legal)
            assert truncated is False
            assert observation.dtype == np.int8
            assert over == (not legal or oracle.over(board))
            winner = oracle.winner(board)
            result = -1 if not legal else 0 if winner is None else 1 if winner == seat else -1
            grown = sum(a != b for a, b in zip(before, board, strict=True))
            assert grown == 2 * legal or (over and grown == legal)
            assert value == (-drop if reward == "regret" else result if over else 0)
            seen.add((reward, value, over, legal))
        assert not info["action_mask"].any()
        assert not info["optimal_mask"].any()
        assert (info["value"], info["distance"]) == (result, 0)
    assert len(seen) >= (5 if reward == "regret" else 4)


@pytest.mark.usefixtures("tables")
def test_connect_4_with_a_table() -> None:
    small = TableAgent(solved(load_game("connect4:3x3,3")))
    save(user_path("connect4:3x3,3", ".json"), encode(small.table))
    env = make(CONNECT4, size="3x3,3", opponent="level:0.5", oracle=True, reward="regret")
    generator, (observation, info) = random.Random(1), env.reset(seed=1)
    for _ in range(80):
        scores = small.scores(board_of(observation, "X"))
        ties = [s.move for s in scores if s[2:4] == scores[0][2:4]]
        assert np.flatnonzero(info["optimal_mask"]).tolist() == sorted(ties)
        column = choose(info, generator)
        after = next(s.outcome for s in scores if s.move == column)
        observation, reward, over, _, info = env.step(column)
        assert reward == after - scores[0].outcome
        assert over == (small.best_move(board_of(observation, "X")) is None)
        if over:
            observation, info = env.reset()


def test_a_missing_table(tables: Path) -> None:
    for settings in ({"opponent": "perfect"}, {"oracle": True}, {"reward": "regret"}):
        with pytest.raises(FileNotFoundError, match="run perfectplay solve connect4:9x4"):
            make(CONNECT4, size="9x4", **settings)


def test_a_player_or_a_function_as_opponent(agent: TableAgent) -> None:
    for opponent in (load_player("corner-first", agent), lambda rows, side: (0, 0)):
        env = make(opponent=opponent, first=False)
        assert board_of(env.reset(seed=0)[0], "O").count("X") == 1
    env = make(opponent=lambda rows, side: 0, first=False)
    env.reset()
    with pytest.raises(RuntimeError, match="no legal answer at XO.*illegal move"):
        env.step(1)


def test_a_threefold_repetition_is_a_draw(tmp_path: Path) -> None:
    (tmp_path / "still.py").write_text(STILL)
    env = make(BOARD, game=f"{tmp_path / 'still.py'}:Still")
    env.reset()
    assert [env.step(0)[1:3] for _ in range(2)] == [(0, False), (0, True)]


def test_render_returns_text_or_pictures() -> None:
    """Pictures are of an even size, as video codecs need, and different after a move."""
    env = gymnasium.make(TICTACTOE, render_mode="ansi")
    env.reset()
    game = load_game("tictactoe")
    assert env.render() == game.render(game.initial())
    with pytest.warns(UserWarning, match="render_mode='ansi'"):
        make().unwrapped.render()
    env = make(render_mode="rgb_array")
    env.reset(seed=0)
    before: Any = env.render()
    env.step(4)
    after: Any = env.render()
    assert (before.dtype, before.shape) == (np.uint8, after.shape)
    assert [n % 2 for n in before.shape] == [0, 0, 1]
    assert (before != after).any()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"game": "nim:3,4"}, "nim:3,4 has no environment"),
        ({"game": "notakto"}, "notakto has no planes"),
        ({"game": "hexapawn:3x3"}, "no environment: every move must be a cell"),
        ({"opponent": "deep-blue"}, "there is no player 'deep-blue'"),
        ({"opponent": "human"}, "human plays at the terminal only"),
        ({"opponent": "center-first", "game": "mnk:4,3,3"}, "center-first fits tictactoe"),
        ({"reward": "points"}, "one of outcome, regret"),
        ({"first": "X"}, "True, False or None"),
        ({"render_mode": "film"}, "'ansi', 'rgb_array' or None"),
        ({"convention": "braille"}, "convention"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*render_mode='film'")  # Gymnasium warns too
def test_unsuitable_settings_are_refused(settings: dict[str, Any], message: str) -> None:
    if "convention" in settings:
        settings = settings | {"opponent": f"{BOTS}:first_free"}
    with pytest.raises(ValueError, match=message):
        make(BOARD, **settings)


@pytest.mark.parametrize("action", [-1, 9, 1.5, "1", None])
def test_actions_off_the_board_are_refused(action: Any) -> None:
    env, raw = make(), tictactoe_v0.raw_env()
    env.reset()
    with pytest.raises(ValueError, match="from 0 to 8"):
        env.step(action)
    raw.reset()
    with pytest.raises(ValueError, match="of player_1 is illegal; the legal actions are 0, 1, 2"):
        raw.step(action)


def test_a_step_needs_a_game_in_progress() -> None:
    env = make().unwrapped
    for act in (
        lambda: env.step(0),
        lambda: tictactoe_v0.raw_env().step(0),
        lambda: tictactoe_v0.raw_env().observe("player_1"),
    ):
        with pytest.raises(gymnasium.error.ResetNeeded, match="no game is being played: call rese"):
            act()
    env.reset()
    env.step(0)
    _, reward, over, _, info = env.step(np.array(0))
    assert (reward, over, info["illegal_action"]) == (-1, True, True)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(1)


PETTINGZOO = [
    # of every environment that is not its own
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    # an empty board, and the mask of an agent whose game is over
    "Observation numpy array is all zeros",
    "Action mask numpy array is all zeros",
]
MAKERS = [
    tictactoe_v0.env,
    tictactoe_v0.raw_env,
    partial(TurnsEnv, "connect4:7x6"),
    partial(turns, "connect4:7x6"),
]


@pytest.mark.thinned(3)
@pytest.mark.parametrize("maker", MAKERS, ids=["env", "raw_env", "connect4 raw", "connect4"])
def test_pettingzoo_s_checks_pass(maker: Callable[[], Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it imports its environments in a deprecated way
        from pettingzoo import test
    with warnings.catch_warnings():
        for text in PETTINGZOO:
            warnings.filterwarnings("ignore", text)
        test.api_test(maker(), num_cycles=1000)
        test.seed_test(maker, num_cycles=1000)


def test_games_of_two_agents_agree_with_the_oracle() -> None:
    """One action in 15 may be illegal: it ends the game, and costs its player 1."""
    env, generator, ends = tictactoe_v0.env(), random.Random(6), set()
    for _ in range(100):
        env.reset()
        board = oracle.START
        for agent in env.agent_iter():
            seen, _, over, _, _ = env.last()
            assert board_of(seen["observation"], "XO"[agent == "player_2"]) == board
            if over:
                env.step(None)
                continue
            legal = oracle.moves(board)
            assert np.flatnonzero(seen["action_mask"]).tolist() == legal
            action = generator.randrange(9) if generator.randrange(15) == 0 else None
            action = generator.choice(legal) if action is None else action
            env.step(action)
            (other,) = {"player_1", "player_2"} - {agent}
            gain, loss = (0, 0) if action in legal else (-1, 0)
            if action in legal:
                board = oracle.play(board, action)
                gain, loss = (1, -1) if oracle.winner(board) else (0, 0)
            assert env.rewards == {agent: gain, other: loss}
            assert env.terminations[agent] == (action not in legal or oracle.over(board))
            ends.add((gain, loss))
    assert ends == {(0, 0), (1, -1), (-1, 0)}


def test_pettingzoo_connect_4() -> None:
    env = turns("connect4:4x4", render_mode="ansi")
    env.reset()
    for column in (0, 1, 0, 1, 0, 1, 0):
        env.step(column)
    assert env.rewards == {"player_1": 1, "player_2": -1}
    game = load_game("connect4:4x4")
    assert env.render() == game.render(game.parse("1212121"))
    assert env.observe("player_1")["observation"][..., 0].tolist() == [[1, 0, 0, 0]] * 4
    assert str(env) == env.metadata["name"] == "connect4_v0"


@pytest.mark.slow
def test_importing_only_registers_the_ids() -> None:
    """Gymnasium imports the package that an id names."""
    code = (
        "import sys, gymnasium\n"
        "print(gymnasium.make('solver.env:PerfectPlay/Connect4-v0').spec.id)\n"
        "print([name in gymnasium.registry for name in sys.modules['solver.env'].IDS])\n"
        "print([name for name in sys.modules if name.startswith('pettingzoo')])\n"
    )
    assert python("-W", "error", "-c", code).stdout == f"{CONNECT4}\n[True, True, True]\n[]\n"
