"""A game in progress, with the draw by repetition that applies wherever a game is played out."""

from __future__ import annotations

from collections import Counter

from solver.rules.game import Game
from solver.startup import M, P, Typed
from solver.value import Outcome

MOST_TIMES = 3  # the game is a draw when a position occurs this often, as in chess


class Playing(Typed[P, M]):
    """One game from its start on: the position `p`, the `seat` to move and the `history`.

    `history` lists every position so far with its seat to move. Moves are not checked.
    """

    def __init__(self, game: Game[P, M], first: str | None = None, p: P | None = None) -> None:
        """Start a game, at `p` if given; `first` is the seat to move, the first seat if None."""
        self.game = game
        self.history: list[tuple[P, str]] = []
        self._times: Counter[tuple[P, str]] = Counter()
        self._enter(game.initial() if p is None else p, first or game.seats[0])

    def play(self, m: M) -> None:
        """Make a legal move of the side to move."""
        self._enter(self.game.play(self.p, m), self.game.other(self.seat))

    def take_back(self, plies: int) -> None:
        """Undo the last `plies` moves."""
        for _ in range(plies):
            self._times[self.history.pop()] -= 1
        self.p, self.seat = self.history[-1]

    @property
    def repeated(self) -> bool:
        """Whether the position has occurred for the third time with the same seat to move."""
        return self._times[self.p, self.seat] >= MOST_TIMES

    def outcome(self) -> Outcome | None:
        """Return the outcome for the side to move, or None if the game goes on."""
        over = self.game.primitive(self.p)
        return Outcome.DRAW if over is None and self.repeated else over

    def _enter(self, p: P, seat: str) -> None:
        self.p, self.seat = p, seat
        self.history.append((p, seat))
        self._times[p, seat] += 1
