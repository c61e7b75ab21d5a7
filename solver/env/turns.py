"""Both sides of a game in turn, as a PettingZoo AEC environment.

Takes the actions of `player_1`, who moves first, and `player_2`; each sees its own stones in the
first plane, and its legal actions when it is to move. Actions and planes are those of
`solver.env.observed_game`: cells count row by row, whereas PettingZoo's tic-tac-toe counts column
by column. A win is 1 and a loss -1 when the game ends; all other rewards are 0.
"""

from __future__ import annotations

from typing import Any

from solver.errors import needs_extra

with needs_extra("this environment", "rl"):
    import numpy as np
    from gymnasium import spaces
    from gymnasium.error import ResetNeeded
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

from solver.env.observed_game import RENDER_MODES, ObservedGame
from solver.games import load_game

AGENTS: tuple[str, str] = ("player_1", "player_2")
SET_BY_RESET = ("agent_selection", "rewards", "terminations", "truncations", "infos")


class TurnsEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types
    """Two agents play a game.

    Raises ValueError if the game has no observations, and for an illegal action.
    """

    def __init__(self, game: str, render_mode: str | None = None) -> None:
        super().__init__()
        self.metadata = {
            "render_modes": list(RENDER_MODES),
            "name": f"{game.partition(':')[0]}_v0",
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self.render_mode = render_mode
        self._played = played = ObservedGame(load_game(game), render_mode)
        self._seats = dict(zip(AGENTS, played.game.seats, strict=True))
        self.possible_agents = list(AGENTS)
        self.agents = list(AGENTS)
        self.action_spaces: dict[str, spaces.Space[Any]] = {}
        self.observation_spaces: dict[str, spaces.Space[Any]] = {}
        for agent in AGENTS:
            boards = spaces.Box(0, 1, played.shape, np.int8)
            masks = spaces.Box(0, 1, (played.actions,), np.int8)
            self.observation_spaces[agent] = spaces.Dict(
                {"observation": boards, "action_mask": masks}
            )
            self.action_spaces[agent] = spaces.Discrete(played.actions)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's observation space, the same object each time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's action space, the same object each time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a new game; seed and options are ignored: PettingZoo's API test passes any."""
        self._played.reset()
        self.agents = list(AGENTS)
        self.rewards: dict[str, float] = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[0]
        self._skip_agent_selection = None

    def __getattr__(self, name: str) -> Any:
        """Raise ResetNeeded for what `reset` sets, until it is called."""
        if name in SET_BY_RESET:
            raise ResetNeeded("no game is being played: call reset() first")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return an agent's observation; its mask is 0 unless it is to move."""
        played = self._played
        to_move = agent == self.agent_selection and not self.terminations.get(agent, True)
        mask = played.mask(played.moves.values() if to_move else ())
        return {"observation": played.planes(self._seats[agent]), "action_mask": mask}

    def step(self, action: Any) -> None:
        """Make the selected agent's move, or remove the agent once its game is over."""
        agent, played = self.agent_selection, self._played
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not self.action_spaces[agent].contains(action) or int(action) not in played.moves:
            legal = ", ".join(str(code) for code in played.moves)
            raise ValueError(
                f"the action {action!r} of {agent} is illegal; the legal actions are {legal}"
            )
        played.play(played.moves[int(action)])
        self._cumulative_rewards[agent] = 0
        if played.over:
            self.rewards = {each: played.result(seat) for each, seat in self._seats.items()}
            self.terminations = dict.fromkeys(AGENTS, True)
            self._accumulate_rewards()
        self.agent_selection = next(each for each in AGENTS if each != agent)

    def render(self) -> Any:
        """Return the board as text or as a picture."""
        return self._played.render()

    def close(self) -> None:
        """Do nothing; there is no window. PettingZoo's checks ask for this method."""


def turns(game: str, render_mode: str | None = None) -> Any:
    """Return the environment in PettingZoo's usual wrappers: an illegal action loses, with -1."""
    env = wrappers.TerminateIllegalWrapper(TurnsEnv(game, render_mode), illegal_reward=-1)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)
