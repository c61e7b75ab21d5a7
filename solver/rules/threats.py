"""Winning moves, threats and blocks: what wins within one move, for either side."""

from __future__ import annotations

from typing import Any

from solver.rules.game import Game
from solver.value import Outcome


def wins(game: Game[Any, Any], p: Any) -> list[Any]:
    """Return the moves that win at once; none if the game is over."""
    if game.primitive(p) is not None:
        return []
    return [m for m in game.moves(p) if game.primitive(game.play(p, m)) is Outcome.LOSS]


def threats(game: Game[Any, Any], p: Any) -> list[Any]:
    """Return the moves with which the opponent would win at once if it were its turn."""
    return list(game.threats(p) or ()) if game.primitive(p) is None else []


def blocks(game: Game[Any, Any], p: Any) -> list[Any]:
    """Return the moves that make a threatened move, or occupy its cell, and so prevent the win."""
    threatened = threats(game, p)
    if not threatened:
        return []
    cells = {game.cell(p, m) for m in threatened} - {None}
    occupying = [m for m in game.moves(p) if m in threatened or game.cell(p, m) in cells]
    return [m for m in occupying if game.origin(p, m) is None or not _is_recaptured(game, p, m)]


def _is_recaptured(game: Game[Any, Any], p: Any, m: Any) -> bool:
    """Return whether the opponent can still win at once on the cell that `m` occupies."""
    child = game.play(p, m)
    return game.cell(p, m) in [game.cell(child, reply) for reply in wins(game, child)]
