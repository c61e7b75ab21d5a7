"""Vectorized parsing of the texts of many positions of Connect 4; needs numpy.

Takes boards of X and O as rows without separators, on which X moved first; returns keys. Any other
text gets -1, also the columns in order of play; `Game.parse` then reads it or reports what is
wrong. Whether a game leads to a board is not checked; a table has only such boards.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.games.connect4 import Connect4

MARKS = {"X": [*b"Xx"], "O": [*b"Oo"], ".": [*b".-_ "]}


def read_many(game: Connect4, texts: Sequence[str]) -> np.ndarray:
    """Return the keys of positions as int64, -1 for texts that `game.parse` has to read."""
    keys, cells = np.full(len(texts), -1, np.int64), game.columns * game.rows
    plain = [text.isascii() and len(text) == cells for text in texts]
    rows = [text for text, fits in zip(texts, plain, strict=True) if fits]
    keys[plain] = _read_rows(game, np.array(rows, f"S{cells}").view(np.uint8).reshape(-1, cells))
    return keys


def _read_rows(game: Connect4, marks: np.ndarray) -> np.ndarray:
    """Return the keys of boards given as rows from the top, with as many X as O or one more."""
    x, o, empty = (np.isin(marks, variants) for variants in MARKS.values())
    surplus = x.sum(axis=1) - o.sum(axis=1)
    sound = (x | o | empty).all(axis=1) & (surplus >= 0) & (surplus <= 1)
    grid = (len(marks), game.rows, game.columns)
    x, occupied = x.reshape(grid)[:, ::-1], (x | o).reshape(grid)[:, ::-1]  # bottom row first
    sound &= (occupied[:, :-1] | ~occupied[:, 1:]).all(axis=(1, 2))  # no stone above an empty cell
    heights = occupied.sum(axis=1)
    bits = np.int64(1) << np.arange(game.columns) * game.height
    stones = sum((x[:, row] << row) @ bits for row in range(game.rows))
    return np.where(sound, stones + ((np.int64(1) << heights) * bits).sum(axis=1), -1)
