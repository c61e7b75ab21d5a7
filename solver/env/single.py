"""One side of a game against a player, as a Gymnasium environment.

Takes actions (see `solver.env.board`); returns observations, rewards and what the table knows, all
from the learner's view. Every draw of chance comes from the environment's own generator, so that
the same seed and the same actions give the same game.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

try:
    import gymnasium
    import numpy as np
except ImportError as error:
    raise ImportError(
        "this environment needs gymnasium: install it, or perfectplay with the extra 'rl'"
    ) from error

from solver.agent.agent import TableAgent
from solver.env.board import RENDER_MODES, Board
from solver.errors import TableFormatError
from solver.games import load_game
from solver.players import Player, PlayerFault, fits, load_player, pick, player_from_function
from solver.players.external import ExternalPlayer
from solver.tables.open import open_table
from solver.tables.store import find_table
from solver.value import Outcome, distance, outcome

if TYPE_CHECKING:
    import os

    from solver.rules.game import Game

REWARDS = ("outcome", "regret")
KEPT = 10_000  # answers of a player that are remembered: all of them in tic-tac-toe


class LateTable:
    """The table of a game, looked for when it is first asked: who never asks needs none.

    Raises FileNotFoundError then, which names the command that makes one.
    """

    def __init__(self, game: Game[Any, Any], name: str) -> None:
        self.game, self.name = game, name

    @cached_property
    def _table(self) -> Any:
        path = find_table(self.game.spec, self.name)
        try:
            return open_table(path, self.game)
        except TableFormatError as error:
            raise TableFormatError(f"{path}: {error}") from error

    def probe(self, p: Any) -> Any:
        """Return the score of a position."""
        return self._table.probe(p)

    def moves(self, p: Any) -> Any:
        """Return the moves of a position with their scores and traps."""
        return self._table.moves(p)

    def move_scores(self, p: Any) -> Any:
        """Return the moves of a position with their scores."""
        return self._table.move_scores(p)

    def best(self, p: Any) -> Any:
        """Return the best move of a position."""
        return self._table.best(p)


class BoardEnv(gymnasium.Env[np.ndarray, Any]):
    """Play one side of a game on a board against a player.

    - `game`: a name, as `perfectplay games` lists them, or one's own as FILE.py:CLASS.
    - `opponent`: a name, as `perfectplay players` lists them, or one's own as FILE.py:FUNCTION; or
      a Player; or a function. `convention` tells how a player of one's own sees the board.
    - `first`: whether the learner begins; None draws it anew for each game.
    - `reward`: "outcome" is 1 for a win, -1 for a loss and 0 for a draw, when the game ends, and 0
      before. "regret" is minus the regret of the learner's move, at every move; what the game ends
      in is not added. So a return of 0 means that the learner gave nothing away.
    - `oracle`: whether `info` tells what the table knows.
    - `table`: a table's file; else it is looked for where tables lie, once it is needed: for the
      oracle, for regret, and for an opponent that knows it.

    The regret of a move is the drop in outcome, by the table: 1 for a win turned into a draw or a
    draw into a loss, 2 for a win turned into a loss, else 0. An illegal action loses the game at
    once, and `info["illegal_action"]` says so; its regret is that of a move that loses.

    `info` has `action_mask`, the legal actions. With the oracle it also has `optimal_mask`, the
    actions that keep outcome and distance; `value`, the outcome under perfect play, 1, 0 or -1;
    `distance`, the plies to the end under perfect play, -1 for a draw; and after a step `regret`.
    When the game is over the masks are 0, the value is the result and the distance 0.

    Raises ValueError for what does not fit together, and FileNotFoundError if a table is needed and
    there is none. An opponent that gives no legal answer raises RuntimeError.
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
        self._board = Board(rules, render_mode)
        self.render_mode = render_mode
        self.observation_space = self._board.observation_space()
        self.action_space = self._board.action_space()
        self._first, self._reward, self._oracle = first, reward, oracle
        late: Any = LateTable(rules, game)
        self._agent = TableAgent(late) if table is None else TableAgent.open(table, rules)
        self._asks = oracle or reward == "regret"
        if self._asks:
            self._agent.table.probe(rules.initial())  # raises here if there is no table
        self._opponent, self._convention = opponent, convention
        self._playing = False
        self._seat_opponent(0)
        self._check_opponent()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a new game; where the opponent begins, it has moved."""
        super().reset(seed=seed)
        if seed is not None and self._draws_outside:
            self._player.close()
            self._seat_opponent(seed)  # its own chance begins anew, too
        self._chance = random.Random(int(self.np_random.integers(2**63)))
        first = bool(self.np_random.integers(2)) if self._first is None else self._first
        self._board.reset()
        self._seat = self._board.game.seats[0 if first else 1]
        self._playing = True
        if not first and not self._board.over:
            self._reply()
        return self._board.planes(self._seat), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Make the learner's move, and the opponent's unless the game is over."""
        board = self._board
        if not self._playing or board.over:
            raise gymnasium.error.ResetNeeded("no game is being played: call reset() first")
        if not self.action_space.contains(action):
            raise ValueError(f"the action is {action!r}; it must be from 0 to {board.actions - 1}")
        move = board.moves.get(int(action))
        regret = self._regret(move) if self._asks else 0
        if move is None:
            board.forfeit()
        else:
            board.play(move)
            if not board.over:
                self._reply()
        info = self._info()
        if move is None:
            info["illegal_action"] = True
        if self._oracle:
            info["regret"] = regret
        result = board.result(self._seat) if board.over else 0
        reward = float(result if self._reward == "outcome" else -regret)
        return board.planes(self._seat), reward, board.over, False, info

    def action_masks(self) -> np.ndarray:
        """Return whether each action is legal, as MaskablePPO of sb3-contrib asks for it."""
        return self._board.mask(self._board.moves.values()).astype(bool)

    def render(self) -> str | None:
        """Return the board as the terminal shows it."""
        return self._board.render()

    def close(self) -> None:
        """Let go of an opponent that was loaded by its name."""
        if isinstance(self._opponent, str):
            self._player.close()

    def _seat_opponent(self, seed: int) -> None:
        """Load the opponent; `seed` is for one that runs in a process of its own."""
        named, game = self._opponent, self._board.game
        if isinstance(named, str):
            self._player = load_player(named, self._agent, self._convention, seed=seed)
        elif isinstance(named, Player):
            self._player = named
        else:
            self._player = player_from_function(named, game, self._convention)
        self._answer = lru_cache(KEPT)(self._ask) if self._player.deterministic else self._ask

    def _check_opponent(self) -> None:
        """Ask a player of the list once, so that one that lacks its table raises at once."""
        game = self._board.game
        if isinstance(self._opponent, str) and fits(self._opponent, self._agent):
            try:
                self._answer(game.initial(), game.seats[0])
            except BaseException:
                self.close()
                raise

    @property
    def _draws_outside(self) -> bool:
        """Whether the opponent draws by a chance of its own, in its own process."""
        return isinstance(self._player, ExternalPlayer) and not self._player.deterministic

    def _ask(self, p: Any, seat: str) -> Any:
        """Return the opponent's move or distribution."""
        game = self._board.game
        try:
            return self._player.answer(game, p, seat)
        except PlayerFault as fault:
            raise RuntimeError(
                f"the opponent {self._player.name} gave no legal answer at {game.text(p, seat)}:"
                f" {fault}"
            ) from fault

    def _reply(self) -> None:
        """Make the opponent's move."""
        board = self._board
        board.play(pick(self._answer(board.p, board.seat), self._chance))

    def _regret(self, move: Any) -> int:
        """Return the drop in outcome by a move of the learner; None for an illegal one."""
        worths = dict(self._agent.table.move_scores(self._board.p))
        after = Outcome.LOSS if move is None else outcome(worths[move])
        return int(outcome(max(worths.values())) - after)

    def _info(self) -> dict[str, Any]:
        """Return the legal actions and, with the oracle, what the table knows."""
        board = self._board
        info: dict[str, Any] = {"action_mask": board.mask(board.moves.values())}
        if not self._oracle:
            return info
        worths = [] if board.over else self._agent.table.move_scores(board.p)
        best = max((score for _, score in worths), default=0)
        info["optimal_mask"] = board.mask(m for m, score in worths if score == best)
        if board.over:
            return info | {"value": board.result(self._seat), "distance": 0}
        plies = distance(best)
        return info | {"value": int(outcome(best)), "distance": -1 if plies is None else plies}


class Connect4Env(BoardEnv):
    """Connect 4 on a board of `size`, such as 5x4, or 5x4,3 for three in a row; see `BoardEnv`.

    On 7x6, of which no table can be made here, all works that needs none.
    """

    def __init__(self, size: str = "7x6", **settings: Any) -> None:
        super().__init__(game=f"connect4:{size}", **settings)
