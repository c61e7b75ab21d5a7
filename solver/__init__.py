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
        GameLawError,
        IllegalMoveError,
        IllegalPositionError,
        InexactPlayerError,
        KernelError,
        MatchTooLargeError,
        MemoryLimitError,
        NoBoardError,
        SearchDepthError,
        TableFormatError,
        TableProofError,
        UnknownGameError,
        UnknownPlayerError,
        UnknownPositionError,
    )
    from .game import Game, Symmetry
    from .games import load_game
    from .grader import grade
    from .grades import Grade
    from .laws import check_game
    from .mapped import MappedTable
    from .matches import Match, Result, play_exact, play_sampled
    from .players import Player, PlayerFault, load_player, player_from_function
    from .proof import Proof, verify
    from .solving import solve
    from .table import Table, encode
    from .tournaments import play_tournament
    from .value import Outcome

__version__ = "0.1.0"

__all__ = [
    "Game",
    "GameLawError",
    "Grade",
    "IllegalMoveError",
    "IllegalPositionError",
    "InexactPlayerError",
    "KernelError",
    "MappedTable",
    "Match",
    "MatchTooLargeError",
    "MemoryLimitError",
    "MoveScore",
    "NoBoardError",
    "Outcome",
    "Player",
    "PlayerFault",
    "Proof",
    "Result",
    "SearchDepthError",
    "Symmetry",
    "Table",
    "TableAgent",
    "TableFormatError",
    "TableProofError",
    "UnknownGameError",
    "UnknownPlayerError",
    "UnknownPositionError",
    "check_game",
    "encode",
    "grade",
    "load_game",
    "load_player",
    "play_exact",
    "play_sampled",
    "play_tournament",
    "player_from_function",
    "solve",
    "verify",
]

_HOME = {
    "Game": "game",
    "GameLawError": "errors",
    "Grade": "grades",
    "IllegalMoveError": "errors",
    "IllegalPositionError": "errors",
    "InexactPlayerError": "errors",
    "KernelError": "errors",
    "MappedTable": "mapped",
    "Match": "matches",
    "MatchTooLargeError": "errors",
    "MemoryLimitError": "errors",
    "MoveScore": "agent",
    "NoBoardError": "errors",
    "Outcome": "value",
    "Player": "players",
    "PlayerFault": "players",
    "Proof": "proof",
    "Result": "matches",
    "SearchDepthError": "errors",
    "Symmetry": "game",
    "Table": "table",
    "TableAgent": "agent",
    "TableFormatError": "errors",
    "TableProofError": "errors",
    "UnknownGameError": "errors",
    "UnknownPlayerError": "errors",
    "UnknownPositionError": "errors",
    "check_game": "laws",
    "encode": "table",
    "grade": "grader",
    "load_game": "games",
    "load_player": "players",
    "player_from_function": "players",
    "play_exact": "matches",
    "play_sampled": "matches",
    "play_tournament": "tournaments",
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
