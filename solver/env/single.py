"""One side of a game against a player, as a Gymnasium environment.

Takes actions (see `solver.env.observed_game`); returns observations, rewards and facts from the
table, all from the learner's point of view. All randomness comes from the environment's own
generator, so the same seed and the same actions give the same game.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from solver.errors import needs_extra

with needs_extra("this environment", "rl"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces

from solver.agent.agent import TableAgent, open_agent
from solver.agent.installed import LazyTable
from solver.env.observed_game import RENDER_MODES, ObservedGame
from solver.games import load_game
from solver.players import Player, PlayerFault, load_player, pick
from solver.players.external import ExternalPlayer, player_from_function
from solver.value import INFINITY, distance, outcome, regret

REWARDS = ("outcome", "regret")
CACHED_ANSWERS = 10_000  # of a deterministic player: enough for all of tic-tac-toe


class BoardEnv(gymnasium.Env[np.ndarray, Any]):
    """Play one side of a game on a board against a player.

    - `game`: a name, as listed by `perfectplay games`, or a custom game as FILE.py:CLASS.
    - `opponent`: a name, as listed by `perfectplay players`, or a custom player as
      FILE.py:FUNCTION; or a Player; or a function. `convention` says how a custom player sees the
      board.
    - `first`: whether the learner moves first; None draws it at random for each game.
    - `reward`: "outcome" is 1 for a win, -1 for a loss and 0 for a draw when the game ends, and 0
      before. "regret" is minus the regret of the learner's move, at every move, without the
      outcome: a return of 0 means that the learner gave nothing away.
    - `oracle`: whether `info` has facts from the table.
    - `table`: a table's file; by default the game's table, opened only if it is needed: for the
      oracle, for regret, and for an opponent that uses it.

    The regret of a move is the drop in outcome by the table: 1 for a win turned into a draw or a
    draw into a loss, 2 for a win turned into a loss, else 0. An illegal action loses the game at
    once and sets `info["illegal_action"]`; its regret is that of a losing move.

    `info` has `action_mask`, the legal actions. With the oracle it also has `optimal_mask`, the
    actions that keep outcome and distance; `value`, the outcome under perfect play, 1, 0 or -1;
    `distance`, the plies to the end under perfect play, -1 for a draw; and after a step `regret`.
    When the game is over the masks are 0, the value is the result and the distance 0.

    Raises ValueError for settings that do not fit together and FileNotFoundError if a table is
    needed and missing. An opponent that gives no legal answer raises RuntimeError.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str = "tictactoe",
        opponent: str | Player | Callable[..., Any] = "random",
        first: bool | None = True,
        reward: str = "outcome",
        oracle: bool = False,
        table: str | os.PathLike[str] | None = None,
        convention: str = "rows",
        render_mode: str | None = None,
    ) -> None:
        if reward not in REWARDS:
            raise ValueError(f"the reward is {reward!r}; it must be one of {', '.join(REWARDS)}")
        if first not in (True, False, None):
            raise ValueError(f"first is {first!r}; it must be True, False or None")
        rules = load_game(game)
        self._played = ObservedGame(rules, render_mode)
        self.render_mode = render_mode
        self.observation_space: spaces.Space[Any] = spaces.Box(0, 1, self._played.shape, np.int8)
        self.action_space: Any = spaces.Discrete(self._played.actions)
        self.first: bool | None = first
        self.reward: str = reward
        self.oracle: bool = oracle
        lazy: Any = LazyTable(rules, game)
        self.agent: TableAgent[Any, Any] = (
            TableAgent(lazy) if table is None else open_agent(rules, table)
        )
        self._uses_table = oracle or reward == "regret"
        if self._uses_table:
            self.agent.table.probe(rules.initial())  # raises here if there is no table
        self._opponent, self._convention = opponent, convention
        self._ready = False
        self._load_opponent(0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start a new game; an opponent that moves first has moved. There are no options."""
        if options:
            raise ValueError(f"reset takes no options, but got {', '.join(map(repr, options))}")
        super().reset(seed=seed)
        player = self._player
        if seed is not None and isinstance(player, ExternalPlayer) and not player.deterministic:
            player.close()
            self._load_opponent(seed)  # seeds the generator in its process
        self._generator = random.Random(int(self.np_random.integers(2**63)))
        first = bool(self.np_random.integers(2)) if self.first is None else self.first
        self._played.reset()
        self._seat = self._played.game.seats[0 if first else 1]
        self._ready = True
        if not first and not self._played.over:
            self._reply()
        return self._played.planes(self._seat), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Make the learner's move, and the opponent's unless the game is over."""
        played = self._played
        if not self._ready or played.over:
            raise gymnasium.error.ResetNeeded("no game is being played: call reset() first")
        if not self.action_space.contains(action):
            raise ValueError(f"the action is {action!r}; it must be from 0 to {played.actions - 1}")
        move = played.moves.get(int(action))
        lost = self._regret(move) if self._uses_table else 0
        if move is None:
            played.forfeit()
        else:
            played.play(move)
            if not played.over:
                self._reply()
        info = self._info()
        if move is None:
            info["illegal_action"] = True
        if self.oracle:
            info["regret"] = lost
        reward = float(played.result(self._seat) if self.reward == "outcome" else -lost)
        return played.planes(self._seat), reward, played.over, False, info

    def action_masks(self) -> np.ndarray:
        """Return whether each action is legal, as MaskablePPO of sb3-contrib expects it."""
        return self._played.mask(self._played.moves.values()).astype(bool)

    def render(self) -> Any:
        """Return the board as text or as a picture."""
        return self._played.render()

    def close(self) -> None:
        """Close an opponent that was loaded by name."""
        if isinstance(self._opponent, str):
            self._player.close()

    def _load_opponent(self, seed: int) -> None:
        """Load the opponent; `seed` is for one that runs in its own process."""
        opponent, game = self._opponent, self._played.game
        if isinstance(opponent, str):
            self._player = load_player(opponent, self.agent, self._convention, seed=seed)
        elif isinstance(opponent, Player):
            self._player = opponent
        else:
            self._player = player_from_function(opponent, game, self._convention)
        ask = self._player.answer
        self._answer = lru_cache(CACHED_ANSWERS)(ask) if self._player.deterministic else ask

    def _reply(self) -> None:
        """Make the opponent's move."""
        played = self._played
        try:
            choice = self._answer(played.game, played.position, played.turn)
        except PlayerFault as fault:
            raise RuntimeError(
                f"the opponent {self._player.name} gave no legal answer at {played.text}: {fault}"
            ) from fault
        played.play(pick(choice, self._generator))

    def _regret(self, move: Any) -> int:
        """Return the regret of the learner's move; None is an illegal one."""
        scores = dict(self.agent.table.move_scores(self._played.position))
        return int(regret(max(scores.values()), scores.get(move, -INFINITY)))

    def _info(self) -> dict[str, Any]:
        """Return the legal actions and, with the oracle, facts from the table."""
        played = self._played
        info: dict[str, Any] = {"action_mask": played.mask(played.moves.values())}
        if not self.oracle:
            return info
        scores = [] if played.over else self.agent.table.move_scores(played.position)
        best = max((score for _, score in scores), default=0)
        info["optimal_mask"] = played.mask(m for m, score in scores if score == best)
        if played.over:
            return info | {"value": played.result(self._seat), "distance": 0}
        plies = distance(best)
        return info | {"value": int(outcome(best)), "distance": -1 if plies is None else plies}


class Connect4Env(BoardEnv):
    """Connect 4 on a board of `size`, such as 5x4, or 5x4,3 for three in a row; see `BoardEnv`.

    There is no table for 7x6; what does not need one works there, too.
    """

    def __init__(self, size: str = "7x6", **settings: Any) -> None:
        super().__init__(game=f"connect4:{size}", **settings)
