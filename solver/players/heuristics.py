"""Players that follow rules of thumb.

Each is a function of a game and a position that returns a move or a distribution. Where a source
takes whichever of equal moves comes first, these take the first in the order of the rules: the
lowest cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.players.player import uniform
from solver.rules.threats import blocks, threats, wins

if TYPE_CHECKING:
    from solver.rules.game import Game

CORNERS, CENTRE, SIDES = [0, 2, 6, 8], [4], [1, 3, 5, 7]


def random(game: Game[Any, Any], p: Any) -> Any:
    """Any move.

    Source: Programming Projects for Advanced Beginners 3b: Tic-Tac-Toe AI, Robert Heaton.
    """
    return uniform(list(game.moves(p)))


def win(game: Game[Any, Any], p: Any) -> Any:
    """A move that wins at once; else any.

    Source: Programming Projects for Advanced Beginners 3b: Tic-Tac-Toe AI, Robert Heaton.
    """
    return uniform(wins(game, p) or list(game.moves(p)))


def winblock(game: Game[Any, Any], p: Any) -> Any:
    """A move that wins at once; else one that stops the other side from doing so; else any.

    Source: Programming Projects for Advanced Beginners 3b: Tic-Tac-Toe AI, Robert Heaton.
    """
    return uniform(wins(game, p) or blocks(game, p) or list(game.moves(p)))


def think1(game: Game[Any, Any], p: Any) -> Any:
    """The first move that wins at once; else any.

    Source: Chapter 2: Rule-Based AI: Tic Tac Toe.
    """
    return _first(wins(game, p)) or random(game, p)


def think2(game: Game[Any, Any], p: Any) -> Any:
    """The first move that wins at once; else the first that blocks; else any.

    Source: Chapter 2: Rule-Based AI: Tic Tac Toe.
    """
    return _first(wins(game, p)) or _first(blocks(game, p)) or random(game, p)


def think3(game: Game[Any, Any], p: Any) -> Any:
    """As think2, but instead of any move the one that begins most ways to win in three moves.

    A way is an own move, any reply and an own move that wins; the first of equals.

    Source: Chapter 2: Rule-Based AI: Tic Tac Toe.
    """
    urgent = _first(wins(game, p)) or _first(blocks(game, p))
    if urgent:
        return urgent
    moves = list(game.moves(p))
    replies = len(moves) - 2  # any cell but those of the two own moves
    ways = {m: replies * len(threats(game, game.play(p, m))) for m in moves}
    most = max(ways.values())
    return _first([m for m in moves if ways[m] == most]) if most > 0 else random(game, p)


def center_first(game: Game[Any, Any], p: Any) -> Any:
    """Win, block, the centre, any corner, any side: the first of these that there is.

    Source: Data Science Foundations, Project Part 4: N-Step Look Ahead, Wesley Beckner.
    """
    return _in_order(game, p, CENTRE, CORNERS, SIDES)


def corner_first(game: Game[Any, Any], p: Any) -> Any:
    """Win, block, any corner, the centre, any side: the first of these that there is.

    Source: Tic-Tac-Toe AI Game Project, mrizwanse.
    """
    return _in_order(game, p, CORNERS, CENTRE, SIDES)


def _first(moves: list[Any]) -> dict[Any, float] | None:
    """Return the first move with certainty, or None if there is none."""
    return {moves[0]: 1.0} if moves else None


def _in_order(game: Game[Any, Any], p: Any, *groups: list[int]) -> Any:
    urgent = _first(wins(game, p)) or _first(blocks(game, p))
    free = game.moves(p)
    choices = ([cell for cell in group if cell in free] for group in groups)
    return urgent or uniform(next(cells for cells in choices if cells))
