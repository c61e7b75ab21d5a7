"""Perfect play for small games, precomputed and proved.

>>> from solver import TableAgent
>>> TableAgent().best_move("X...O....")
1
"""

from __future__ import annotations

TYPE_CHECKING = False  # see solver.record
if TYPE_CHECKING:
    from typing import Any

    from .agent import MoveScore, TableAgent
    from .errors import (
        CyclicGameError,
        GameLawError,
        IllegalMoveError,
        IllegalPositionError,
        TableFormatError,
        TableProofError,
        UnknownGameError,
        UnknownPositionError,
    )
    from .game import Game, Symmetry
    from .games import load_game
    from .laws import check_game
    from .proof import Proof, verify
    from .solving import solve
    from .table import Table
    from .value import Outcome

__version__ = "0.1.0"

__all__ = [
    "CyclicGameError",
    "Game",
    "GameLawError",
    "IllegalMoveError",
    "IllegalPositionError",
    "MoveScore",
    "Outcome",
    "Proof",
    "Symmetry",
    "Table",
    "TableAgent",
    "TableFormatError",
    "TableProofError",
    "UnknownGameError",
    "UnknownPositionError",
    "check_game",
    "load_game",
    "solve",
    "verify",
]

_HOME = {
    "CyclicGameError": "errors",
    "Game": "game",
    "GameLawError": "errors",
    "IllegalMoveError": "errors",
    "IllegalPositionError": "errors",
    "MoveScore": "agent",
    "Outcome": "value",
    "Proof": "proof",
    "Symmetry": "game",
    "Table": "table",
    "TableAgent": "agent",
    "TableFormatError": "errors",
    "TableProofError": "errors",
    "UnknownGameError": "errors",
    "UnknownPositionError": "errors",
    "check_game": "laws",
    "load_game": "games",
    "solve": "solving",
    "verify": "proof",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first asked for, so that an agent starts fast."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
