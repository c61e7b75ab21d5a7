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
    """Return the moves to where the other side threatens to win, or that are such threats."""
    danger = threats(game, p)
    cells = {game.cell(p, m) for m in danger} - {None}
    return [m for m in game.moves(p) if m in danger or game.cell(p, m) in cells] if danger else []
