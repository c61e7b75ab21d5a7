"""Perfect play for small games, precomputed and proved.

>>> from solver import TableAgent
>>> TableAgent().best_move("X...O....")
1
"""

from __future__ import annotations

from solver.version import __version__ as __version__

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from typing import Any

    from solver.agent.agent import MoveScore as MoveScore
    from solver.agent.agent import TableAgent as TableAgent
    from solver.arena.audit import grade as grade
    from solver.arena.grade import Grade as Grade
    from solver.arena.match import Match as Match
    from solver.arena.match import Result as Result
    from solver.arena.match import play_exact as play_exact
    from solver.arena.match import play_sampled as play_sampled
    from solver.arena.tournament import play_tournament as play_tournament
    from solver.errors import GameLawError as GameLawError
    from solver.errors import IllegalMoveError as IllegalMoveError
    from solver.errors import IllegalPositionError as IllegalPositionError
    from solver.errors import InexactPlayerError as InexactPlayerError
    from solver.errors import KernelError as KernelError
    from solver.errors import MatchTooLargeError as MatchTooLargeError
    from solver.errors import MemoryLimitError as MemoryLimitError
    from solver.errors import NoBoardError as NoBoardError
    from solver.errors import SearchDepthError as SearchDepthError
    from solver.errors import TableFormatError as TableFormatError
    from solver.errors import TableProofError as TableProofError
    from solver.errors import UnknownGameError as UnknownGameError
    from solver.errors import UnknownPlayerError as UnknownPlayerError
    from solver.errors import UnknownPositionError as UnknownPositionError
    from solver.games import load_game as load_game
    from solver.players import Player as Player
    from solver.players import PlayerFault as PlayerFault
    from solver.players import load_player as load_player
    from solver.players import player_from_function as player_from_function
    from solver.proof.verify import Proof as Proof
    from solver.proof.verify import verify as verify
    from solver.rules.game import Game as Game
    from solver.rules.game import Symmetry as Symmetry
    from solver.rules.laws import check_game as check_game
    from solver.solving.solve import solve as solve
    from solver.tables.json_table import Table as Table
    from solver.tables.json_table import encode as encode
    from solver.tables.mapped_table import MappedTable as MappedTable
    from solver.value import Outcome as Outcome

_NAMES = {  # the public names by the module that defines them, as imported above
    "agent.agent": "MoveScore TableAgent",
    "arena.audit": "grade",
    "arena.grade": "Grade",
    "arena.match": "Match Result play_exact play_sampled",
    "arena.tournament": "play_tournament",
    "errors": "GameLawError IllegalMoveError IllegalPositionError InexactPlayerError KernelError"
    " MatchTooLargeError MemoryLimitError NoBoardError SearchDepthError TableFormatError"
    " TableProofError UnknownGameError UnknownPlayerError UnknownPositionError",
    "games": "load_game",
    "players": "Player PlayerFault load_player player_from_function",
    "proof.verify": "Proof verify",
    "rules.game": "Game Symmetry",
    "rules.laws": "check_game",
    "solving.solve": "solve",
    "tables.json_table": "Table encode",
    "tables.mapped_table": "MappedTable",
    "value": "Outcome",
}
_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_MODULES)  # noqa: PLE0605 -- it is a list


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that an agent starts fast."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
