"""BoardVectorEnv plays as many single environments do, and refuses what it cannot play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import solver.env
from solver import load_game
from solver.files import save
from solver.tables.store import user_path
from tests.conftest import solved
from tests.env.test_env import BOARD, STILL, TICTACTOE
from tests.support import oracle


def vector(mode: str = "vector_entry_point", n: int = 4, **settings: Any) -> Any:
    name = BOARD if "game" in settings else TICTACTOE
    return gymnasium.make_vec(name, num_envs=n, vectorization_mode=mode, **settings)


def record(env: Any, steps: int, stray: float = 0.0) -> list[Any]:
    """Play random moves, some of them illegal; return what the environment returns."""
    generator = np.random.default_rng(1)
    found = [env.reset(seed=3)]
    for _ in range(steps):
        mask = found[-1][-1]["action_mask"] | (generator.random((env.num_envs, 1)) < stray)
        found.append(env.step((generator.random(mask.shape) * mask).argmax(1)))
    env.close()
    return found


def first_free(rows: list[list[str | None]], side: str) -> int:
    return next(i for i in range(9) if rows[i // 3][i % 3] is None)


@pytest.mark.parametrize(
    "settings",
    [
        {"opponent": "perfect", "oracle": True},
        {"opponent": "perfect", "first": False, "reward": "regret", "oracle": True},
        {"opponent": first_free, "first": False},
    ],
)
@pytest.mark.thinned(2)
def test_it_returns_what_single_environments_do(settings: dict[str, Any]) -> None:
    """Observations, rewards, ends and infos, of the same types, against a player without chance."""
    many = record(vector(**settings), 60, 0.02)
    single = record(vector("sync", **settings), 60, 0.02)
    assert sum(step[2].sum() for step in many[1:]) > 20
    for ours, theirs in zip(many, single, strict=True):
        assert ours[-1].keys() == theirs[-1].keys()
        pairs = [*zip(ours[:-1], theirs[:-1], strict=True)]
        for one, other in [*pairs, *((ours[-1][key], theirs[-1][key]) for key in ours[-1])]:
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)


@pytest.mark.slow
def test_random_opponents_and_seats_follow_the_rules() -> None:
    """Every board is one that play can reach, about half of the games start with a reply."""
    env = vector(n=200, opponent="level:0.5", first=None)
    boards, seconds, ended = {*oracle.reachable()}, 0, 0
    for step in record(env, 20):
        ended += int(step[2].sum()) if len(step) == 5 else 0
        for planes in step[0].reshape(200, 9, 2):
            seconds += planes.sum(0).tolist() == [0, 1]
            texts = ("".join(marks[x + 2 * y] for x, y in planes) for marks in (".XO", ".OX"))
            assert any(text in boards for text in texts)
    assert 0.4 < seconds / ended < 0.7


@pytest.mark.slow
def test_the_seed_decides_the_games() -> None:
    first, again = (record(vector(opponent="random", first=None), 20) for _ in range(2))
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one[0], other[0])


def test_an_opponent_keeps_its_distribution() -> None:
    """level:0.75 opens with the table's choice, cell 1, a little over three times in four."""
    openings = vector(n=2000, opponent="level:0.75", first=False).reset(seed=1)[0][..., 1]
    cells = openings.reshape(2000, 9).argmax(1)
    assert (cells == 0).mean() == pytest.approx(0.75 + 0.25 / 9, abs=0.04)
    assert {*cells} == {*range(9)}


def test_other_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    game = "connect4:3x3,3"
    with pytest.raises(
        FileNotFoundError, match="run perfectplay solve .*; vectorization_mode='sync'"
    ):
        vector(game=game)
    table = solved(load_game(game))
    save(user_path(game, ".json"), table.encode())
    step = record(vector(game=game, first=None), 10)[-1]
    assert step[0].shape == (4, 3, 3, 2)
    (tmp_path / "quiet.py").write_text(STILL)
    still = load_game(f"{tmp_path / 'quiet.py'}:Still")
    save(user_path(still.spec, ".json"), solved(still).encode())
    with pytest.raises(ValueError, match="may repeat: use vectorization_mode='sync'"):
        vector(game=f"{tmp_path / 'quiet.py'}:Still")


def test_it_renders_every_game() -> None:
    env = vector(n=2, render_mode="ansi", opponent=first_free)
    env.reset(seed=0)
    env.step(np.array([4, 8]))
    game = load_game("tictactoe")
    assert env.render() == tuple(game.render(game.parse(b)) for b in ("O...X....", "O.......X"))
    pictures = vector(n=2, render_mode="rgb_array")
    pictures.reset(seed=0)
    assert [picture.shape[2] for picture in pictures.render()] == [3, 3]


def test_actions_are_checked() -> None:
    env = vector(n=2)
    env.reset()
    with pytest.raises(ValueError, match="game 1 .* has action 9; the actions are 0 to 8"):
        env.step(np.array([0, 9]))
    assert solver.env.BoardVectorEnv is type(env)
