"""Players by name.

A player is a function of a position and the seat to move. It returns a move, or a distribution:
a dict of moves to probabilities that add up to 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random

    from .agent import TableAgent

Player = Callable[[Any, str], Any]


def perfect(agent: TableAgent) -> Player:
    """Play the table's choice: by outcome, then distance, then the street-smart tie-break."""
    return lambda p, _: agent.best_move(p)


def uniform(agent: TableAgent) -> Player:
    """Play every legal move with the same probability."""

    def choose(p: Any, _: str) -> dict[Any, float]:
        moves = agent.game.moves(p)
        return dict.fromkeys(moves, 1 / len(moves))

    return choose


PLAYERS: dict[str, Callable[[TableAgent], Player]] = {"perfect": perfect, "random": uniform}


def load_player(name: str, agent: TableAgent) -> Player:
    """Return the player of this name; raises ValueError, which lists the names."""
    if name not in PLAYERS:
        raise ValueError(f"there is no player {name!r}; the players are: {', '.join(PLAYERS)}")
    return PLAYERS[name](agent)


def pick(choice: Any, generator: random.Random) -> Any:
    """Return the move that a player chose, drawn at random if it gave a distribution."""
    if not isinstance(choice, dict):
        return choice
    return generator.choices(list(choice), list(choice.values()))[0]
