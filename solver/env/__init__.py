"""Environments for programs that learn: the rules and the tables in the shapes that they expect.

- `BoardEnv`, `Connect4Env`: one side against a player, for Gymnasium, as the ids in `IDS`;
- `tictactoe_v0`, `connect4_v0`: both sides in turn, for PettingZoo;
- `batch`: many games at once on arrays;
- `chapter2`: the environment of "Chapter 2: Rule-Based AI: Tic Tac Toe".

What is asked for is imported then, so that each needs only its own libraries. But where Gymnasium
is installed, importing this package makes the ids known to `gymnasium.make`, as is its custom: it
looks for packages no other way.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

IDS: dict[str, tuple[str, dict[str, Any]]] = {
    "PerfectPlay/TicTacToe-v0": ("BoardEnv", {"game": "tictactoe"}),
    "PerfectPlay/Connect4-v0": ("Connect4Env", {}),
    "PerfectPlay/Board-v0": ("BoardEnv", {}),
}
"""The classes behind the ids, and what is set for them; `Board` takes any `game`."""

_CLASSES = {"BoardEnv": "single", "Connect4Env": "single"}
_MODULES = ("batch", "chapter2", "connect4_v0", "tictactoe_v0")

__all__ = ["IDS", *_CLASSES, *_MODULES]  # noqa: PLE0604 -- they are names


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is first asked for."""
    from importlib import import_module

    if name in _CLASSES:
        value = getattr(import_module(f"{__name__}.{_CLASSES[name]}"), name)
        globals()[name] = value
        return value
    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


def _register() -> None:
    """Make the ids known to Gymnasium; the classes are imported when an environment is made."""
    from gymnasium import register, registry

    for name, (made_by, settings) in IDS.items():
        if name not in registry:
            register(name, f"{__name__}.single:{made_by}", kwargs=settings)


if find_spec("gymnasium") is not None:
    _register()
