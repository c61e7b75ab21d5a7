"""Games written for alpha-zero-general: an adapter of their class `Game`.

A position is the board in canonical form, as the player to move sees it. So the class must decide
by that board alone, and the other player must move next, as its search assumes. Write, in a file
of your own,

    othello = Adapted(OthelloGame(4))

and `perfectplay solve FILE.py:othello` solves it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from solver import Game, Outcome

Board = tuple[int, ...]


class Adapted(Game[Board, int]):
    """A game of alpha-zero-general whose boards are arrays of whole numbers."""

    def __init__(self, game: Any) -> None:
        self._game, self._shape = game, np.shape(game.getInitBoard())

    def initial(self) -> Board:
        return self._seen(self._game.getInitBoard(), 1)

    def moves(self, p: Board) -> list[int]:
        return np.flatnonzero(self._game.getValidMoves(self._array(p), 1)).tolist()

    def play(self, p: Board, m: int) -> Board:
        board, player = self._game.getNextState(self._array(p), 1, m)
        if player != -1:
            raise ValueError(f"after the move {m} the same player moves again")
        return self._seen(board, player)

    def primitive(self, p: Board) -> Outcome | None:
        result = self._game.getGameEnded(self._array(p), 1)  # 0 goes on, and a draw is nearly 0
        return Outcome(round(float(result))) if result else None

    def _array(self, p: Board) -> Any:
        return np.array(p).reshape(self._shape)

    def _seen(self, board: Any, player: int) -> Board:
        return tuple(np.ravel(self._game.getCanonicalForm(board, player)).tolist())
