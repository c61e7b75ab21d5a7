"""Many games of a learner against a player, as Gymnasium's VectorEnv, on the arrays of `batch`.

Takes an action for each game; returns what as many environments of `single` would, much faster. A
game that has ended starts again at the next step, whose action is ignored, as in Gymnasium's own
vector environments. An opponent that gives its probabilities is asked once in each position.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import error, vector
from gymnasium.vector.utils import batch_space

from solver.env.batch import BatchEnv
from solver.env.observed_game import check_options, draw
from solver.env.single import BoardEnv


class BoardVectorEnv(vector.VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """n games of one side of a game against a player; the settings are those of `BoardEnv`.

    Raises FileNotFoundError for a game without a table, and ValueError for one that is too large
    for `BatchEnv` or in which positions may repeat.
    """

    metadata: dict[str, Any] = BoardEnv.metadata | {
        "autoreset_mode": vector.AutoresetMode.NEXT_STEP
    }

    def __init__(self, num_envs: int = 1, **settings: Any) -> None:
        self._one = one = BoardEnv(**settings)
        try:
            self._games = BatchEnv(num_envs, one.agent)
        except (FileNotFoundError, ValueError) as refusal:
            hint = "; vectorization_mode='sync' plays one game after the other"
            raise type(refusal)(f"{refusal}{hint}") from refusal
        self._tabled = tabled = self._games.tabled
        size = len(tabled.positions)
        if (tabled.reached <= np.arange(size)[:, None])[tabled.legal].any():
            raise ValueError(
                f"positions of {one.agent.game.spec} may repeat: use vectorization_mode='sync'"
            )
        self.num_envs, self.render_mode = num_envs, one.render_mode
        self.single_observation_space = one.observation_space
        self.single_action_space = one.action_space
        self.observation_space = batch_space(one.observation_space, num_envs)
        self.action_space = batch_space(one.action_space, num_envs)
        self._odds = np.zeros((2, size, tabled.stride), np.float32)  # the opponent's, added up
        self._known = np.zeros((2, size), bool)
        self._started = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start all games; an opponent that moves first has moved."""
        check_options(options)
        super().reset(seed=seed)
        self._one.reset(seed=seed)  # seeds an opponent in another process
        self._games.reset()
        self._second = np.full(self.num_envs, not self._one.first)  # whether the learner does
        self._over = np.ones(self.num_envs, bool)
        self._started = True
        observations, *_, info = self.step(np.zeros(self.num_envs, np.int64))
        return observations, info

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Make the learner's moves and the opponent's replies; start the games that had ended."""
        if not self._started:
            raise error.ResetNeeded("no game is being played: call reset() first")
        fresh, games, tabled, before = self._over, self._games, self._tabled, self._games.codes
        made = games.step(actions)
        legal = (made.reached != before) | fresh
        over = made.done & ~fresh
        results = np.where(fresh, 0, made.rewards)
        regret = np.where(fresh, 0, made.regret)
        games.codes = np.where(fresh, 0, made.reached).astype(np.int64)
        if self._one.first is None:
            drawn = self.np_random.integers(2, size=self.num_envs).astype(bool)
            self._second = np.where(fresh, drawn, self._second)
        self._swapped = over & legal  # the learner has ended the game: the opponent is to move
        replies = np.flatnonzero(~over & (~fresh | self._second))
        entries = games.codes[replies] * tabled.stride + self._replies(replies)
        games.codes[replies] = np.take(tabled.reached, entries)
        over[replies] = np.take(tabled.done, entries)
        results[replies] = -np.take(tabled.reward, entries)
        self._over = over
        info = self._info(results) | ({} if legal.all() else _field("illegal_action", ~legal))
        if self._one.oracle and not fresh.all():
            info |= {"regret": regret.astype(int), "_regret": ~fresh}
        rewards = results if self._one.reward == "outcome" else -regret
        boards = games.planes()
        boards[self._swapped] = boards[self._swapped][..., ::-1]
        return boards, rewards.astype(float), over, np.zeros_like(over), info

    def render(self) -> Any:
        """Return the boards, as texts or pictures."""
        game, positions = self._tabled.game, self._tabled.positions
        games = zip(self._games.codes, (self._second ^ self._swapped).astype(int), strict=True)
        return tuple(draw(game, positions[c], game.seats[s], self.render_mode) for c, s in games)

    def close_extras(self, **_: Any) -> None:
        """Close an opponent that was loaded by name."""
        self._one.close()

    def _replies(self, games: np.ndarray) -> np.ndarray:
        """Return the opponent's moves, as actions, in some of the games."""
        seats, codes = 1 - self._second[games].astype(int), self._games.codes[games]
        odds = self._odds[seats, codes]
        for i in np.flatnonzero(~self._known[seats, codes]):
            odds[i] = self._ask(seats[i], codes[i])
        chances = self.np_random.random(len(games), np.float32)
        found: np.ndarray = (odds > chances[:, None]).argmax(1)
        return found

    def _ask(self, seat: int, code: int) -> np.ndarray:
        """Return the opponent's probabilities in a position, each added to those before it."""
        odds: np.ndarray = self._odds[seat, code]
        if not self._known[seat, code]:
            game, p = self._tabled.game, self._tabled.positions[code]
            answer = self._one.ask(p, game.seats[seat])
            shares = np.zeros(self._tabled.stride)
            for m, share in answer.items() if isinstance(answer, dict) else [(answer, 1.0)]:
                shares[self._tabled.moves.index(game.code(m))] = share
            odds[:] = np.cumsum(shares) / shares.sum()
            self._known[seat, code] = self._one.deterministic or isinstance(answer, dict)
        return odds

    def _info(self, results: np.ndarray) -> dict[str, Any]:
        """Return the legal actions and, with the oracle, facts from the table."""
        going = ~self._over[:, None]
        info = _field("action_mask", (self._games.legal() & going).astype(np.int8))
        if self._one.oracle:
            labels = self._games.labels()
            info |= _field("optimal_mask", (labels.best & going).astype(np.int8))
            info |= _field("value", np.where(self._over, results, labels.value).astype(int))
            info |= _field("distance", np.where(self._over, 0, labels.distance).astype(int))
        return info


def _field(name: str, values: np.ndarray) -> dict[str, np.ndarray]:
    """Return a field of an info as Gymnasium writes it: values, and which games have one."""
    has = values if values.dtype == bool else np.ones(len(values), bool)
    return {name: values, f"_{name}": has}
