"""Players that look a few moves ahead and score what they see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.players.player import uniform
from solver.value import Outcome

if TYPE_CHECKING:
    from solver.games.mnk import Mnk
    from solver.rules.game import Game

WON, TWO, DANGER = 1000, 1, -100  # the source's points for a line of three, two own, two others
LEAF = 100  # the source's score of a game won


def lookahead1(game: Mnk, p: int, printed: bool = False) -> dict[int, float]:
    """Score the lines of the board after each move, and take any of the best moves.

    A line of three counts 1000, a line with two own marks and an empty cell 1, one with two of the
    other side's marks and an empty cell -100. `printed` counts as the printed program does: the
    falling diagonal twice and the rising one never.

    Source: Bot plays Tic-Tac-Toe using One-step lookahead, Rishabh Goel.
    """
    lines = list(game.lines)
    if printed:
        falling, rising = 0b100010001, 0b001010100
        lines[lines.index(rising)] = falling
    scores = {m: _line_score(game, lines, game.play(p, m)) for m in game.moves(p)}
    best = max(scores.values())
    return uniform([m for m in scores if scores[m] == best])


def _line_score(game: Mnk, lines: list[int], p: int) -> int:
    """Return the points of the side that has just moved."""
    theirs, mine = game.split(p)
    points = 0
    for line in lines:
        own, other = (mine & line).bit_count(), (theirs & line).bit_count()
        points += (
            WON * (own == 3) + TWO * ((own, other) == (2, 0)) + DANGER * ((own, other) == (0, 2))
        )
    return points


class NStep:
    """Minimax of a fixed depth; takes any of the moves with the best score.

    `depth` counts plies, the player's own move included; a game won scores 100, one lost -100, and
    a full board and every game still open 0. (The printed program never sees that a board is full;
    here it does.)

    Source: Data Science Foundations, Project Part 4: N-Step Look Ahead, Wesley Beckner.
    """

    def __init__(self, game: Game[Any, Any], depth: int) -> None:
        self.game, self.depth = game, depth
        self._known: dict[tuple[Any, int], int] = {}

    def __call__(self, p: Any, _: str) -> dict[Any, float]:
        """Return the player's distribution."""
        scores = self.scores(p)
        best = max(scores.values())
        return uniform([m for m in scores if scores[m] == best])

    def scores(self, p: Any) -> dict[Any, int]:
        """Return the score of every move, for the side to move."""
        game = self.game
        return {m: -self._minimax(game.play(p, m), self.depth - 1) for m in game.moves(p)}

    def _minimax(self, p: Any, depth: int) -> int:
        """Return the score for the side to move with `depth` plies to look."""
        key = p, depth
        if key not in self._known:
            over = self.game.primitive(p)
            if over is not None or depth == 0:
                self._known[key] = LEAF * (over or Outcome.DRAW)
            else:
                below = (self.game.play(p, m) for m in self.game.moves(p))
                self._known[key] = max(-self._minimax(child, depth - 1) for child in below)
        return self._known[key]
