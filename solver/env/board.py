"""A game as it is being played, and what a learner sees of it.

Takes a game on a board whose moves are cells or columns, and actions; returns observations, masks
and results. An action is the number of a cell from 0, row by row, or of a column from 0. An
observation has the board's rows and columns and two planes, 1 for a stone and 0 for none:

    X . .     for X:  plane 0  1 0 0   plane 1  0 0 0       for O, the planes change places
    . O .                      0 0 0            0 1 0
    . . .                      0 0 0            0 0 0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

try:
    import numpy as np
    from gymnasium import logger, spaces
except ImportError as error:
    raise ImportError(
        "this environment needs gymnasium: install it, or perfectplay with the extra 'rl'"
    ) from error

from solver.rules.planes import check_planes, count_actions, planes
from solver.rules.playing import Playing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from solver.rules.game import Game

RENDER_MODES = ("ansi",)


class Board:
    """One game at a time, from `reset` on; whoever holds it sees to it that moves alternate.

    Raises ValueError if the game cannot be shown. A position that comes for the third time makes
    a draw, as in every game that is played here.
    """

    def __init__(self, game: Game[Any, Any], render_mode: str | None) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(f"the render_mode is {render_mode!r}; it must be 'ansi' or None")
        actions = count_actions(game)
        if actions is None:
            raise ValueError(
                f"{game.spec} has no environment: that takes a board on which every move is a cell"
                " or a column, as in tictactoe, mnk:4,3,3 or connect4:5x4"
            )
        self.game, self.actions, self.render_mode = game, actions, render_mode
        self.shape = (*check_planes(game), 2)
        self.reset()

    def reset(self) -> None:
        """Begin a new game."""
        self._playing = Playing(self.game)
        self._results: dict[str, int] = {}
        self._arrive()

    @property
    def p(self) -> Any:
        """The position."""
        return self._playing.p

    @property
    def seat(self) -> str:
        """The seat to move."""
        return self._playing.seat

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._results)

    def play(self, move: Any) -> None:
        """Make a legal move of the side to move."""
        self._playing.play(move)
        self._arrive()

    def forfeit(self) -> None:
        """End the game: the side to move loses."""
        self._end(-1)

    def result(self, seat: str) -> int:
        """Return what the game that has ended brought a seat: 1, 0 or -1."""
        return self._results[seat]

    def planes(self, seat: str) -> np.ndarray:
        """Return the observation of a seat, its own stones in the first plane."""
        shown = np.array(planes(self.game, self.p), np.int8).reshape(self.shape)
        own = seat == self.seat  # whose stones come first there
        return shown if own else np.ascontiguousarray(shown[..., ::-1])

    def mask(self, moves: Iterable[Any]) -> np.ndarray:
        """Return an array that has 1 for the actions of the given moves, 0 for the others."""
        mask = np.zeros(self.actions, np.int8)
        for m in moves:
            mask[int(self.game.code(m))] = 1
        return mask

    def observation_space(self) -> spaces.Box:
        """Return the space of observations."""
        return spaces.Box(0, 1, self.shape, np.int8)

    def mask_space(self) -> spaces.Box:
        """Return the space of masks."""
        return spaces.Box(0, 1, (self.actions,), np.int8)

    def action_space(self) -> Any:
        """Return the space of actions."""
        return spaces.Discrete(self.actions)

    def render(self) -> str | None:
        """Return the board as the terminal shows it, with cells counted from 1."""
        if self.render_mode is None:
            logger.warn("to see the board, make the environment with render_mode='ansi'")
            return None
        return self.game.render(self.p, self.seat)

    def _arrive(self) -> None:
        """Look whether the game has ended; name the legal moves by their actions."""
        over = self._playing.outcome()
        self.moves: dict[int | str, Any] = {}
        if over is not None:
            self._end(int(over))
        else:
            self.moves = {self.game.code(m): m for m in self.game.moves(self.p)}

    def _end(self, result: int) -> None:
        """Note the result, of which `result` is that of the side to move."""
        self.moves = {}
        self._results = {self.seat: result, self.game.other(self.seat): -result}
