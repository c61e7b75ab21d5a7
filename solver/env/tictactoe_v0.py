"""Tic-tac-toe for PettingZoo: `env()` with the usual wrappers, `raw_env()` without them.

Cells count from 0, row by row; see `solver.env.turns`.
"""

from __future__ import annotations

from typing import Any

from solver.env.turns import TurnsEnv, wrapped


def raw_env(render_mode: str | None = None) -> TurnsEnv:
    """Return the environment; an illegal action raises ValueError."""
    return TurnsEnv("tictactoe", "tictactoe_v0", render_mode)


def env(render_mode: str | None = None) -> Any:
    """Return the environment; an illegal action loses."""
    return wrapped(raw_env(render_mode))
