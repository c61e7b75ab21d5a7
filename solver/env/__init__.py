"""Environments for reinforcement learning: the games and their tables for Gymnasium and others.

- `BoardEnv`, `Connect4Env`: one side against a player, for Gymnasium, under the ids in `IDS`;
- `tictactoe_v0`, and `turns` for other games: both sides in turn, for PettingZoo;
- `batch`: many games at once on arrays;
- `chapter2`: the environment of "Chapter 2: Rule-Based AI: Tic Tac Toe".

Each name is imported when it is first used, so it needs only its own libraries. If Gymnasium is
installed, importing this package registers the ids, as `gymnasium.make` expects. Read
`observed_game` first.
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

_CLASSES = ("BoardEnv", "Connect4Env")
_MODULES = ("batch", "chapter2", "tictactoe_v0", "turns")

__all__ = ["IDS", *_CLASSES, *_MODULES]  # noqa: PLE0604 -- these are names


def __getattr__(name: str) -> Any:
    """Import a name at its first use."""
    if name in _CLASSES:
        return getattr(import_module(f"{__name__}.single"), name)
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


def _register() -> None:
    """Register the ids; the classes are imported when an environment is made."""
    from gymnasium import register, registry

    for name, (maker, settings) in IDS.items():
        if name not in registry:
            register(name, f"{__name__}.single:{maker}", kwargs=settings)


if find_spec("gymnasium") is not None:
    _register()
