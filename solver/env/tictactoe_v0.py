"""Tic-tac-toe for PettingZoo: `env()` with the usual wrappers, `raw_env()` without them.

Cells count from 0, row by row; see `solver.env.turns`, which has other games.
"""

from __future__ import annotations

from functools import partial

from solver.env.turns import TurnsEnv, turns

raw_env = partial(TurnsEnv, "tictactoe")
env = partial(turns, "tictactoe")
