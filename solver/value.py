"""Scores: the outcome and the distance of a position in one integer.

Scores are from the point of view of the side to move. The distance counts plies to the end of the
game under perfect play. A larger score is always better for the side to move, so the maximum over
the moves prefers the shortest win, then a draw, then the longest defence:

    loss now < loss in 1 < ... < draw < ... < win in 1 < win now
    -LIMIT     -LIMIT + 1        0            LIMIT - 1    LIMIT
"""

from __future__ import annotations

from enum import IntEnum

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

LIMIT = 1 << 14  # above every distance; every score and bound fits a signed 16-bit integer
NARROW = 127  # replaces LIMIT where a score takes one byte
INFINITY = LIMIT + 1  # above every score
OPEN = 2  # in place of an outcome: the game is not over


class Outcome(IntEnum):
    """The result of a game for the side to move: 1, 0 or -1. Prints as a word."""

    LOSS = -1
    DRAW = 0
    WIN = 1

    def __neg__(self) -> Outcome:
        return Outcome(-int(self))

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, spec: str) -> str:
        return format(int(self) if spec[-1:] in tuple("bdoxX") else str(self), spec)


def score(outcome: Outcome, distance: int = 0) -> int:
    """Return the score of `outcome` reached in `distance` plies; a draw has no distance."""
    return outcome * (LIMIT - distance)


def outcome(score: int) -> Outcome:
    """Return the outcome part of a score."""
    return Outcome.WIN if score > 0 else Outcome.LOSS if score < 0 else Outcome.DRAW


def distance(score: int) -> int | None:
    """Return the distance part of a score in plies, or None for a draw."""
    return LIMIT - abs(score) if score else None


def regret(best: Any, made: Any) -> Any:
    """Return the drop in outcome, from 0 to 2, by a move of score `made` where the best is `best`.

    A good move has a regret of 0, and a perfect one the best score. An illegal move loses the game:
    its score is -INFINITY. Arrays of scores have arrays of regrets.
    """
    return 1 * (best > 0) - (best < 0) - (made > 0) + (made < 0)


def narrow(score: int, limit: int) -> int:
    """Return a score as stored in a table that uses `limit` in place of LIMIT."""
    excess = LIMIT - limit
    return score - excess if score > 0 else score + excess if score < 0 else 0


def widen(value: int, limit: int) -> int:
    """Return the score stored as `value` in such a table; the inverse of `narrow`."""
    excess = LIMIT - limit
    return value + excess if value > 0 else value - excess if value < 0 else 0


def back(score: int) -> int:
    """Return the score of a move, given the score of the position that it leads to.

    This negates the score and brings it one ply closer to 0: back(loss in n) == win in n + 1.
    """
    return (score > 0) - (score < 0) - score


def ahead(score: int) -> int:
    """Return the score that `back` turns into `score`: back(ahead(s)) == s."""
    return (score < 0) - (score > 0) - score


def trap(replies: list[int], score: int) -> float:
    """Return the share of the opponent's replies that worsen the opponent's outcome.

    `replies` are the scores of the opponent's moves, and `score` is that of the position where they
    are made, all from the opponent's point of view. Returns 0.0 if there are no replies. The trap
    breaks ties between moves of equal score; it is a separate number, so it cannot outrank a score.
    """
    if not replies:
        return 0.0
    sign = (score > 0) - (score < 0)
    return sum((reply > 0) - (reply < 0) < sign for reply in replies) / len(replies)


def preferred(scores: Sequence[Any], trap: Callable[[int], float]) -> int:
    """Return which move to play, as its number: the street-smart tie-break.

    It has the best score; among those the largest trap, and among those it is the first. `trap` is
    asked only about moves that tie, by their numbers.
    """
    best = max(scores)
    tied = [number for number, score in enumerate(scores) if score == best]
    return tied[0] if len(tied) == 1 else max(tied, key=trap)
