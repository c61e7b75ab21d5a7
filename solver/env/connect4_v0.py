"""Connect 4 for PettingZoo: `env()` with the usual wrappers, `raw_env()` without them.

Columns count from 0, rows from the top; see `solver.env.turns`.
"""

from __future__ import annotations

from typing import Any

from solver.env.turns import TurnsEnv, wrapped


def raw_env(size: str = "7x6", render_mode: str | None = None) -> TurnsEnv:
    """Return the environment for a size such as 5x4; an illegal action raises ValueError."""
    return TurnsEnv(f"connect4:{size}", "connect4_v0", render_mode)


def env(size: str = "7x6", render_mode: str | None = None) -> Any:
    """Return the environment for a size such as 5x4; an illegal action loses."""
    return wrapped(raw_env(size, render_mode))
