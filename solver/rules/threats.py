"""What wins at once, for either side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.value import Outcome

if TYPE_CHECKING:
    from solver.rules.game import Game


def wins(game: Game[Any, Any], p: Any) -> list[Any]:
    """Return the moves that win at once; none in a finished position."""
    if game.primitive(p) is not None:
        return []
    return [m for m in game.moves(p) if game.primitive(game.play(p, m)) is Outcome.LOSS]


def threats(game: Game[Any, Any], p: Any) -> list[Any]:
    """Return the moves with which the side that is not to move would win if it were."""
    return list(game.threats(p) or ()) if game.primitive(p) is None else []


def blocks(game: Game[Any, Any], p: Any) -> list[Any]:
    """Return the moves that take the move, or the cell, with which the other side would win."""
    danger = threats(game, p)
    cells = {game.cell(p, m) for m in danger} - {None}
    if not danger:
        return []
    taking = [m for m in game.moves(p) if m in danger or game.cell(p, m) in cells]
    return [m for m in taking if game.origin(p, m) is None or not _still_wins(game, p, m)]


def _still_wins(game: Game[Any, Any], p: Any, m: Any) -> bool:
    """Return whether the other side can win on the very cell that a move has taken."""
    child = game.play(p, m)
    return game.cell(p, m) in [game.cell(child, reply) for reply in wins(game, child)]
