"""What wins at once, for either side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .value import Outcome

if TYPE_CHECKING:
    from .game import Game


def wins(game: Game[Any, Any], p: Any) -> list[Any]:
    """Return the moves that win at once; none in a finished position."""
    if game.primitive(p) is not None:
        return []
    return [m for m in game.moves(p) if game.primitive(game.play(p, m)) is Outcome.LOSS]


def threats(game: Game[Any, Any], p: Any) -> list[Any]:
    """Return the moves with which the side that is not to move would win if it were."""
    return list(game.threats(p) or ()) if game.primitive(p) is None else []


def blocks(game: Game[Any, Any], p: Any) -> list[Any]:
    """Return the threats that the side to move can take for itself."""
    return [m for m in threats(game, p) if m in game.moves(p)]
