"""Best moves for many boards at once: arrays of 1, -1 and 0, or sequences of texts and positions.

They are looked up one by one, except arrays of boards of a small m,n,k game. There, a board is a
number in base 3, its first cell the lowest digit: 0 for O, 1 for empty, 2 for X. An
array of one byte per number contains the best moves, so each answer is one look-up:

    X . .       digits 2 1 1  1 0 1  1 1 1
    . O .       9841 + 3**0 - 3**4 = 9761, where 9841 is the empty board
    . . .
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache, cached_property
from typing import Any

from solver.errors import IllegalPositionError, needs_extra

with needs_extra("looking up arrays of boards", "fast"):
    import numpy as np

from solver import boards
from solver.games.mnk import Mnk
from solver.rules.game import Game
from solver.tables.json_table import Table
from solver.tables.mapped_table import MappedTable
from solver.value import INFINITY

OVER = -1  # in place of a move: the game is over
ILLEGAL = -2  # in place of a move: the board cannot arise
MOST_CELLS = 9  # 3**9 boards, of a byte each


def best_moves(agent: Any, positions: Any) -> np.ndarray:
    """Return what `TableAgent.best_moves` does."""
    game, table = agent.game, agent.table
    if (array := small_boards(game, positions)) is not None:
        answers: np.ndarray = agent.batch.best_moves(array)
        return answers
    is_flat = isinstance(positions, np.ndarray) and positions.ndim == 1
    if is_flat and game.board and positions.dtype.kind in "iuf":
        check_boards(positions, math.prod(game.board))  # no flat board is n positions
    look_up = cache(lambda p: None if (m := table.best(p)) is None else game.code(m))
    codes = [*map(look_up, read_boards(agent, positions))]
    has_texts = any(isinstance(code, str) for code in codes)
    over = "" if has_texts else OVER
    moves = [over if code is None else code for code in codes]
    return np.array(moves, None if has_texts else np.int64)


def small_boards(game: Game[Any, Any], positions: Any) -> np.ndarray | None:
    """Return an array of boards of a small m,n,k game, with a row each; None if it is no such."""
    is_array = isinstance(positions, np.ndarray) and positions.ndim > 1
    is_small = isinstance(game, Mnk) and game.cells <= MOST_CELLS
    return _flat(game, positions) if is_array and is_small else None


def _flat(game: Game[Any, Any], array: np.ndarray) -> np.ndarray:
    """Return boards with a row each; raises IllegalPositionError for planes and turned boards."""
    columns, rows = game.board or (0, 0)
    if array.ndim > 3 or array.shape == (rows, columns, 2) != (2, 2, 2):
        boards.check_planes(array.shape[1:] if array.ndim > 3 else array.shape)
    if boards.turned(columns, rows, *array.shape[1:]):
        raise IllegalPositionError(
            f"these boards have {columns} rows of {rows} and are turned: write"
            " boards.transpose(0, 2, 1)"
        )
    return array.reshape(len(array), math.prod(array.shape[1:])) if array.ndim > 1 else array


def _texts(game: Game[Any, Any], array: np.ndarray) -> list[str]:
    """Return boards as texts; raises ValueError for a game without a board."""
    start = game.text(game.initial())
    if game.board is None or not {*start} <= {*"XO./"}:
        raise ValueError(
            f"{game.spec} has no board of X and O: pass its positions as texts, such as"
            f" {start!r:.200}"
        )
    marks = np.array([boards.SIGNS[sign] for sign in (0, 1, -1)])  # -1 is the last
    return ["".join(row) for row in marks[check_boards(array, math.prod(game.board))]]


def read_boards(agent: Any, positions: Any) -> Iterator[Any]:
    """Yield the positions of boards; raises IllegalPositionError, which names the row."""
    if isinstance(positions, np.ndarray) and positions.ndim > 1:
        positions = _texts(agent.game, _flat(agent.game, positions))
    if isinstance(positions, np.ndarray):
        positions = positions.astype(str) if positions.dtype.kind == "S" else positions
        positions = positions.tolist()
    for row, board in enumerate(positions):
        try:
            yield agent.position(board)
        except IllegalPositionError as error:
            raise IllegalPositionError(f"row {row} (counted from 0): {error}") from error


def check_boards(array: Any, cells: int) -> np.ndarray:
    """Return boards as int8 of shape (n, cells); raises IllegalPositionError for other arrays."""
    if isinstance(array, np.ma.MaskedArray):
        raise IllegalPositionError("boards must be a plain array, not a masked one")
    array = np.asarray(array)
    if array.ndim != 2 or array.shape[1] != cells or array.dtype.kind not in "iu":
        raise IllegalPositionError(
            f"boards must be an integer array of shape (n, {cells}),"
            f" not {array.dtype} of shape {array.shape}"
        )
    if array.size and (array.min() < -1 or array.max() > 1):
        row, cell = np.argwhere((array < -1) | (array > 1))[0]
        raise IllegalPositionError(
            f"row {row}, column {cell} (counted from 0) is {array[row, cell]};"
            " it must be 1, -1 or 0"
        )
    return np.asarray(array, np.int8)


class Batch:
    """The best moves of every board of a small m,n,k game, and the scores of all moves."""

    def __init__(self, game: Game[Any, Any], table: Table | MappedTable) -> None:
        if not isinstance(game, Mnk) or game.cells > MOST_CELLS:
            raise ValueError(
                f"arrays are for m,n,k boards of up to {MOST_CELLS} cells, not for {game.spec}"
            )
        self.game = game
        self.weights = (3 ** np.arange(game.cells)).astype(np.int16)
        self.empty = int(self.weights.sum())
        self.moves = np.full(3**game.cells, ILLEGAL, np.int8)
        self.table = table
        for p, code, _ in self._boards():
            best = table.best(p)
            self.moves[code] = OVER if best is None else best

    @cached_property
    def scores(self) -> np.ndarray:
        """A row for each board: the score of each cell, and last the score of the position.

        A cell that is no legal move has -INFINITY.
        """
        scores = np.full((len(self.moves), self.game.cells + 1), -INFINITY, np.int16)
        for p, code, score in self._boards():
            scores[code, -1] = score
            for m, after in self.table.move_scores(p):
                scores[code, m] = after
        return scores

    def _boards(self) -> Iterator[tuple[Any, int, int]]:
        """Yield every position, the number of its board, and its score."""
        for canonical, score in self.table.positions():
            for p in {symmetry.position(canonical) for symmetry in self.game.symmetries}:
                signs = [(mark == "X") - (mark == "O") for mark in self.game.text(p)]
                yield p, self.empty + int(np.dot(signs, self.weights)), score

    def encode(self, array: np.ndarray) -> np.ndarray:
        """Return the numbers of n boards, as int64.

        `array` has shape (n, cells) and an integer type: 1 for X, -1 for O, 0 for empty.
        """
        codes: np.ndarray = (check_boards(array, self.game.cells) @ self.weights).astype(np.int64)
        codes += self.empty
        return codes

    def look_up(self, codes: np.ndarray) -> np.ndarray:
        """Return the best moves on boards with these numbers, as int8; -1 if the game is over."""
        moves: np.ndarray = np.take(self.moves, codes)
        if moves.size and moves.min() == ILLEGAL:
            row = int(np.argmin(moves))
            raise IllegalPositionError(
                f"row {row} (counted from 0): {self._why_illegal(int(codes[row]))}"
            )
        return moves

    def best_moves(self, array: np.ndarray) -> np.ndarray:
        """Return the best move on each board of an array, as int8; -1 where the game is over."""
        return self.look_up(self.encode(array))

    def _why_illegal(self, code: int) -> str:
        """Return what is wrong with the board that has a number."""
        signs = [code // 3**cell % 3 - 1 for cell in range(self.game.cells)]
        text = "".join(boards.SIGNS[sign] for sign in signs)
        try:
            self.game.parse(text)
        except IllegalPositionError as error:
            return f"{text}: {error}"
        return f"{text}: this board is not in the table"
