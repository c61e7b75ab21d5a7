"""Both sides of a game in turn, as a PettingZoo AEC environment.

Takes the actions of `player_1`, who begins, and `player_2`; each sees its own stones in the first
plane, and its legal actions where it is to move. Actions and planes are those of
`solver.env.board`: cells count row by row, where PettingZoo's own tic-tac-toe counts column by
column. A win is 1 and a loss -1 when the game ends; all other rewards are 0.
"""

from __future__ import annotations

from typing import Any

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as error:
    raise ImportError(
        "this environment needs pettingzoo: install it, or perfectplay with the extra 'rl'"
    ) from error

from solver.env.board import RENDER_MODES, Board
from solver.games import load_game

AGENTS = ("player_1", "player_2")


class TurnsEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Two agents play a game; `name` is what PettingZoo calls the environment.

    Raises ValueError if the game cannot be shown, or for an illegal action: `wrapped` makes such an
    action lose instead.
    """

    def __init__(self, game: str, name: str, render_mode: str | None = None) -> None:
        super().__init__()
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "name": name,
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self._board = Board(load_game(game), render_mode)
        self._seats = dict(zip(AGENTS, self._board.game.seats, strict=True))
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: self._board.action_space() for agent in AGENTS
        }
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": self._board.observation_space(),
                    "action_mask": self._board.mask_space(),
                }
            )
            for agent in AGENTS
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's space of observations, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's space of actions, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; nothing in it is left to chance."""
        self._board.reset()
        self.agents = list(AGENTS)
        self.rewards: dict[str, float] = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[0]
        self._skip_agent_selection = None

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return what an agent sees; its mask is 0 unless it is to move."""
        board = self._board
        to_move = agent == self.agent_selection and not self.terminations.get(agent, True)
        mask = board.mask(board.moves.values() if to_move else ())
        return {"observation": board.planes(self._seats[agent]), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Make the move of the agent selected, or take the agent out once its game is over."""
        agent, board = self.agent_selection, self._board
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        known = self.action_spaces[agent].contains(action)
        if not known or int(action) not in board.moves:
            legal = ", ".join(str(code) for code in board.moves)
            raise ValueError(f"the action {action!r} of {agent} is illegal; legal are {legal}")
        board.play(board.moves[int(action)])
        self._cumulative_rewards[agent] = 0
        if board.over:
            self.rewards = {one: board.result(seat) for one, seat in self._seats.items()}
            self.terminations = dict.fromkeys(AGENTS, True)
            self._accumulate_rewards()
        self.agent_selection = next(one for one in AGENTS if one != agent)

    def render(self) -> str | None:
        """Return the board as the terminal shows it."""
        return self._board.render()

    def close(self) -> None:
        """Do nothing: there is no window."""


def wrapped(env: TurnsEnv) -> Any:
    """Return the environment with PettingZoo's usual wrappers: an illegal action loses, with -1."""
    env = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)
