"""A game in progress, with the draw by repetition that applies wherever a game is played out."""

from __future__ import annotations

from collections import Counter
from typing import Any, Self

from solver.rules.game import Game, legal_moves
from solver.startup import M, P, Typed
from solver.value import Outcome

MOST_TIMES = 3  # the game is a draw when a position occurs this often, as in chess


class Playing(Typed[P, M]):
    """One game from its start on: every position so far, and the moves that led there.

    `history` lists the positions with their seats to move, `move_stack` the moves. Copies share the
    rules. Moves are not checked.
    """

    def __init__(self, game: Game[P, M], first: str | None = None, p: P | None = None) -> None:
        """Start a game, at `p` if given; `first` is the seat to move, the first seat if None."""
        self.game: Game[P, M] = game
        self.history: list[tuple[P, str]] = []
        self.move_stack: list[M] = []
        self._times: Counter[tuple[P, str]] = Counter()
        self._enter(game.initial() if p is None else p, first or game.seats[0])

    @property
    def position(self) -> P:
        """The position as the game's rules write it, immutable and hashable."""
        return self.history[-1][0]

    @property
    def turn(self) -> str:
        """The seat to move, such as 'X'."""
        return self.history[-1][1]

    @property
    def text(self) -> str:
        """The position as one line of text."""
        return self.game.text(self.position, self.turn)

    @property
    def legal_moves(self) -> list[M]:
        """The legal moves in the order of the rules; none if the game is over."""
        return [] if self.is_over else [*legal_moves(self.game, self.position)]

    @property
    def repeated(self) -> bool:
        """Whether the position has occurred for the third time with the same seat to move."""
        return self._times[self.history[-1]] >= MOST_TIMES

    def outcome(self) -> Outcome | None:
        """Return the outcome for the side to move, or None if the game goes on."""
        over = self.game.primitive(self.position)
        return Outcome.DRAW if over is None and self.repeated else over

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.outcome() is not None

    @property
    def winner(self) -> str | None:
        """The seat that has won; None for a draw, and while the game is open."""
        outcome = self.outcome()
        if not outcome:
            return None
        return self.turn if outcome is Outcome.WIN else self.game.other(self.turn)

    def play(self, m: M) -> None:
        """Make a legal move of the side to move."""
        self._enter(self.game.play(self.position, m), self.game.other(self.turn))
        self.move_stack.append(m)

    def take_back(self, plies: int) -> None:
        """Undo the last `plies` moves."""
        for _ in range(plies):
            self.move_stack.pop()
            self._times[self.history.pop()] -= 1

    def copy(self) -> Self:
        """Return a game that can go on without changing this one."""
        twin = object.__new__(type(self))
        vars(twin).update(vars(self))
        twin.history, twin.move_stack = [*self.history], [*self.move_stack]
        twin._times = self._times.copy()
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self.copy()

    def _enter(self, p: P, seat: str) -> None:
        self.history.append((p, seat))
        self._times[p, seat] += 1
