"""Values of positions: outcome and distance in one integer, the score.

All values are seen from the side to move. Distance counts plies to the end of the game.
A bigger score is always better for the side to move, so the maximum over moves prefers the
shortest win, then a draw, then the longest defence:

    loss now < loss in 1 < ... < draw < ... < win in 1 < win now
    -LIMIT     -LIMIT + 1        0            LIMIT - 1    LIMIT
"""

from __future__ import annotations

from enum import IntEnum

LIMIT = 1 << 14  # every score and bound fits a signed 16-bit integer; distances stay below it
NARROW = 127  # stands for LIMIT where a value has one byte; distances stay below it
INFINITY = LIMIT + 1  # beyond every score


class Outcome(IntEnum):
    """The result of a game for the side to move: 1, 0 or -1; prints as a word."""

    LOSS = -1
    DRAW = 0
    WIN = 1

    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, spec: str) -> str:
        return format(int(self) if spec[-1:] in tuple("bdoxX") else str(self), spec)


def score(outcome: Outcome, distance: int = 0) -> int:
    """Return the score of `outcome` reached in `distance` plies; a draw has no distance."""
    return outcome * (LIMIT - distance)


def outcome(score: int) -> Outcome:
    """Return the outcome that a score stands for."""
    return Outcome((score > 0) - (score < 0))


def distance(score: int) -> int | None:
    """Return the plies to the end under perfect play, or None for a draw."""
    return LIMIT - abs(score) if score else None


def narrow(score: int, limit: int) -> int:
    """Return how a table whose values begin at `limit`, in place of LIMIT, writes a score."""
    lead = LIMIT - limit
    return score - lead if score > 0 else score + lead if score < 0 else 0


def widen(value: int, limit: int) -> int:
    """Return the score that such a table writes as `value`; undoes `narrow`."""
    lead = LIMIT - limit
    return value + lead if value > 0 else value - lead if value < 0 else 0


def back(score: int) -> int:
    """Return what a child's score is worth to the side that moves there.

    Negates, and steps one ply towards 0: back(loss in n) == win in n + 1.
    """
    return (score > 0) - (score < 0) - score


def ahead(score: int) -> int:
    """Return the child's score that `back` turns into `score`: back(ahead(s)) == s."""
    return (score < 0) - (score > 0) - score


def trap(replies: list[int], held: int) -> float:
    """Return the share of `replies` that worsen the opponent's outcome, 0.0 if there are none.

    `replies` are the scores of the opponent's moves and `held` the score of the position in
    which they are made, both seen from the opponent. The street-smart tie-break: it is kept
    apart from the score, so that it can never outrank it.
    """
    if not replies:
        return 0.0
    return sum(outcome(reply) < outcome(held) for reply in replies) / len(replies)
