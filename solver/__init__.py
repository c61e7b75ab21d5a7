"""Perfect play for small games, precomputed and proved.

>>> from solver import TableAgent
>>> TableAgent().best_move("X...O....")
1
"""

from __future__ import annotations

TYPE_CHECKING = False  # see solver.record
if TYPE_CHECKING:
    from typing import Any

    from solver.agent.agent import MoveScore, TableAgent
    from solver.arena.audit import grade
    from solver.arena.grade import Grade
    from solver.arena.match import Match, Result, play_exact, play_sampled
    from solver.arena.tournament import play_tournament
    from solver.errors import (
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
    from solver.games import load_game
    from solver.players import Player, PlayerFault, load_player, player_from_function
    from solver.proof.verify import Proof, verify
    from solver.rules.game import Game, Symmetry
    from solver.rules.laws import check_game
    from solver.solving.solve import solve
    from solver.tables.json_table import Table, encode
    from solver.tables.mapped_table import MappedTable
    from solver.value import Outcome

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
    "Game": "rules.game",
    "GameLawError": "errors",
    "Grade": "arena.grade",
    "IllegalMoveError": "errors",
    "IllegalPositionError": "errors",
    "InexactPlayerError": "errors",
    "KernelError": "errors",
    "MappedTable": "tables.mapped_table",
    "Match": "arena.match",
    "MatchTooLargeError": "errors",
    "MemoryLimitError": "errors",
    "MoveScore": "agent.agent",
    "NoBoardError": "errors",
    "Outcome": "value",
    "Player": "players",
    "PlayerFault": "players",
    "Proof": "proof.verify",
    "Result": "arena.match",
    "SearchDepthError": "errors",
    "Symmetry": "rules.game",
    "Table": "tables.json_table",
    "TableAgent": "agent.agent",
    "TableFormatError": "errors",
    "TableProofError": "errors",
    "UnknownGameError": "errors",
    "UnknownPlayerError": "errors",
    "UnknownPositionError": "errors",
    "check_game": "rules.laws",
    "encode": "tables.json_table",
    "grade": "arena.audit",
    "load_game": "games",
    "load_player": "players",
    "player_from_function": "players",
    "play_exact": "arena.match",
    "play_sampled": "arena.match",
    "play_tournament": "arena.tournament",
    "solve": "solving.solve",
    "verify": "proof.verify",
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
