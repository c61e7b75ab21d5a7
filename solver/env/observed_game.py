"""A game in progress and what a learner observes of it.

Takes a game on a board whose moves are cells or columns, and moves; returns observations, masks and
results. An action is the index of a cell, row by row, or of a column, from 0. An observation has
the board's rows and columns and two planes, 1 for a stone and 0 for none:

    X . .     for X:  plane 0  1 0 0   plane 1  0 0 0       for O the planes are swapped
    . O .                      0 0 0            0 1 0
    . . .                      0 0 0            0 0 0
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from solver.errors import needs_extra

with needs_extra("this environment", "rl"):
    import numpy as np
    from gymnasium import logger

from solver.rules.game import Game
from solver.rules.planes import check_planes, count_actions, planes
from solver.rules.playing import Playing

RENDER_MODES = ("ansi", "rgb_array")
WIDTH = 360  # pixels of a picture


class ObservedGame(Playing[Any, Any]):
    """One game at a time, which `reset` starts again.

    Raises ValueError if the game has no observations.
    """

    moves: dict[int | str, Any]
    """The legal moves by their actions; none once the game is over."""
    _result: int | None

    def __init__(self, game: Game[Any, Any], render_mode: str | None) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise ValueError(
                f"the render_mode is {render_mode!r}; it must be 'ansi', 'rgb_array' or None"
            )
        actions = count_actions(game)
        if actions is None:
            raise ValueError(
                f"{game.spec} has no environment: every move must be a cell or a column of its"
                " board, as in tictactoe, mnk:4,3,3 or connect4:5x4"
            )
        self.actions, self.render_mode = actions, render_mode
        self.shape = (*check_planes(game), 2)
        self.game = game
        self.reset()

    def reset(self) -> None:
        """Start a new game."""
        super().__init__(self.game)
        self._update()

    def play(self, m: Any) -> None:
        super().play(m)
        self._update()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._result is not None

    def forfeit(self) -> None:
        """End the game with a loss for the side to move."""
        self._result, self.moves = -1, {}

    def result(self, seat: str) -> int:
        """Return the result of a seat, 1, 0 or -1; 0 while the game goes on."""
        result = self._result or 0
        return result if seat == self.turn else -result

    def planes(self, seat: str) -> np.ndarray:
        """Return the observation of a seat, with its own stones in the first plane."""
        array = np.array(planes(self.game, self.position), np.int8).reshape(self.shape)
        return array if seat == self.turn else np.ascontiguousarray(array[..., ::-1])

    def mask(self, moves: Iterable[Any]) -> np.ndarray:
        """Return an array with 1 for the actions of the given moves and 0 for the others."""
        mask = np.zeros(self.actions, np.int8)
        for m in moves:
            mask[int(self.game.code(m))] = 1
        return mask

    def render(self) -> Any:
        """Return the board as a text, or as an array (height, width, 3) of uint8."""
        if self.render_mode is None:
            logger.warn("to see the board, make the environment with render_mode='ansi'")
            return None
        if self.render_mode == "ansi":
            return self.game.render(self.position, self.turn)
        from solver.pictures.position import draw_position
        from solver.pictures.svg import pixels

        picture = pixels(draw_position(self.game, self.position, self.turn), WIDTH)
        height, width, _ = picture.shape
        return picture[: height // 2 * 2, : width // 2 * 2]  # video codecs need even sizes

    def _update(self) -> None:
        """Set the result for the side to move, if the game has ended, and the legal moves."""
        outcome = self.outcome()
        self._result = None if outcome is None else int(outcome)
        legal = self.game.moves(self.position) if outcome is None else ()
        self.moves = {self.game.code(m): m for m in legal}
