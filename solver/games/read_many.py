"""Vectorized parsing of the texts of many positions; needs numpy.

Takes texts; returns keys. It reads boards of X and O without separators on which X moved first,
and, for Connect 4, columns in order of play. Any other text gets -1; `Game.parse` then reads it or
reports what is wrong. Whether a game leads to a board is not checked; a table has only such boards.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from solver.games.connect4 import Connect4
from solver.games.mnk import Mnk
from solver.rules.game import Game

MARKS = {"X": [*b"Xx"], "O": [*b"Oo"], ".": [*b".-_ "]}
WIDEST = 62  # bits of a key


def read_many(game: Game[Any, Any], texts: Sequence[str]) -> np.ndarray:
    """Return the keys of positions as int64, -1 for texts that `game.parse` has to read."""
    keys = np.full(len(texts), -1, np.int64)
    if type(game) is Connect4 and game.columns * game.height <= WIDEST:
        cells = game.columns * game.rows
        plain = [text.isascii() and len(text) <= cells and "\0" not in text for text in texts]
        read: Any = _read_connect4
    elif type(game) is Mnk and 2 * game.cells <= WIDEST:
        plain = [text.isascii() and len(text) == game.cells for text in texts]
        cells, read = game.cells, _read_mnk
    else:
        return keys
    marks = np.array([text for text, fits in zip(texts, plain, strict=True) if fits], f"S{cells}")
    if len(marks):
        keys[plain] = read(game, marks.view(np.uint8).reshape(-1, cells))
    return keys


def _stones(marks: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return masks of the X, of the O, and of the valid boards.

    A valid board has only X, O and empty cells, and as many X as O or one more.
    """
    x, o, empty = (np.isin(marks, variants) for variants in MARKS.values())
    surplus = x.sum(axis=1) - o.sum(axis=1)
    sound = (x | o | empty).all(axis=1) & (surplus >= 0) & (surplus <= 1)
    return x, o, sound


def _read_mnk(game: Mnk, marks: np.ndarray) -> np.ndarray:
    x, o, sound = _stones(marks)
    bits = np.int64(1) << np.arange(game.cells)
    first, second = x @ bits, o @ bits
    x_moves = x.sum(axis=1) == o.sum(axis=1)
    mine, theirs = np.where(x_moves, first, second), np.where(x_moves, second, first)
    return np.where(sound, mine << game.cells | theirs, -1)


def _read_connect4(game: Connect4, marks: np.ndarray) -> np.ndarray:
    digits = (marks[:, 0] == 0) | (marks[:, 0] >= ord("0")) & (marks[:, 0] <= ord("9"))
    keys = np.empty(len(marks), np.int64)
    keys[digits] = _read_columns(game, marks[digits])
    keys[~digits] = _read_rows(game, marks[~digits])
    return keys


def _read_columns(game: Connect4, marks: np.ndarray) -> np.ndarray:
    """Return the keys of games given as columns in order of play."""
    rows = np.arange(len(marks))
    columns = marks.astype(np.int64) - ord("1")
    over = np.cumsum(marks == 0, axis=1) > 0
    sound = (over | (columns >= 0) & (columns < game.columns)).all(axis=1)
    sound &= (over == (marks == 0)).all(axis=1)  # null bytes only at the end
    columns = np.clip(columns, 0, game.columns - 1)
    tops = np.tile(np.int64(1) << np.arange(game.columns) * game.height, (len(marks), 1))
    stones = np.zeros((2, len(marks)), np.int64)
    last = np.zeros(len(marks), np.int64)
    for ply in range(marks.shape[1]):
        played = ~over[:, ply]
        if not played.any():
            break
        stone = np.where(played, tops[rows, columns[:, ply]], 0)
        stones[ply % 2] |= stone
        last = np.where(played, stone, last)
        tops[rows, columns[:, ply]] += stone
    filled = stones[0] | stones[1]
    sound &= (filled & sum(1 << c * game.height + game.rows for c in range(game.columns))) == 0
    for side in stones:
        sound &= ~_has_line(game, side & ~last)
    return np.where(sound, stones[0] + tops.sum(axis=1), -1)


def _read_rows(game: Connect4, marks: np.ndarray) -> np.ndarray:
    """Return the keys of boards given as rows from the top."""
    x, o, sound = _stones(marks)
    grid = (len(marks), game.rows, game.columns)
    x, occupied = x.reshape(grid)[:, ::-1], (x | o).reshape(grid)[:, ::-1]  # bottom row first
    sound &= (occupied[:, :-1] | ~occupied[:, 1:]).all(axis=(1, 2))  # no stone above an empty cell
    heights = occupied.sum(axis=1)
    bits = np.int64(1) << np.arange(game.columns) * game.height
    stones = sum((x[:, row] << row) @ bits for row in range(game.rows))
    return np.where(sound, stones + ((np.int64(1) << heights) * bits).sum(axis=1), -1)


def _has_line(game: Connect4, stones: np.ndarray) -> np.ndarray:
    found = np.zeros(len(stones), bool)
    for folds in game.folds:
        run = stones
        for fold in folds:
            run = run & (run >> min(fold, 63))
        found |= run != 0
    return found
