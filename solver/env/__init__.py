"""Environments for reinforcement learning: the games and their tables for Gymnasium and others.

- `BoardEnv`, `Connect4Env`: one side against a player, for Gymnasium, under the ids in `IDS`;
- `tictactoe_v0`, and `turns` for other games: both sides in turn, for PettingZoo;
- `batch`: many games at once on arrays;
- `chapter2`: the environment of "Chapter 2: Rule-Based AI: Tic Tac Toe".

The classes are imported when they are first used. If Gymnasium is installed, importing this package
registers the ids, as `gymnasium.make` expects. Read `observed_game` first.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

IDS: dict[str, tuple[str, dict[str, Any]]] = {
    "PerfectPlay/TicTacToe-v0": ("BoardEnv", {"game": "tictactoe"}),
    "PerfectPlay/Connect4-v0": ("Connect4Env", {}),
    "PerfectPlay/Board-v0": ("BoardEnv", {}),
}
"""The classes behind the ids and their settings; `Board` takes any `game`."""

__all__ = ["IDS", "BoardEnv", "Connect4Env"]


def __getattr__(name: str) -> Any:
    """Import a class at its first use."""
    if name in __all__:
        return getattr(import_module(f"{__name__}.single"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _register() -> None:
    """Register the ids; the classes are imported when an environment is made."""
    from gymnasium import register, registry

    for name, (maker, settings) in IDS.items():
        if name not in registry:
            register(name, f"{__name__}.single:{maker}", kwargs=settings)


if find_spec("gymnasium") is not None:
    _register()
