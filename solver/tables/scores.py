"""The values of moves, computed from the rules and the scores of the positions they lead to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator

from solver.rules.game import Game
from solver.startup import Any
from solver.value import Outcome, back, outcome, preferred


class Scores(ABC):
    """The score of every position of a game, and what follows from it for moves."""

    game: Game[Any, Any]
    is_searched: bool = False
    """Whether a search finds the scores, as of an oracle, so that no positions are counted."""
    rule_files: dict[str, Any] | None = None
    """The files of a custom game's rules and their hash, if the table states them."""
    rules_changed: bool = False
    """Whether these files have changed since the table was made."""

    def probe(self, p: Any) -> int:
        """Return the score of a position; raises UnknownPositionError if it has none."""
        return self.probe_canonical(self.game.canonical(p))

    @abstractmethod
    def probe_canonical(self, p: Any) -> int:
        """Return the score of a canonical position."""

    def check(self, p: Any) -> None:
        """Raise UnknownPositionError if a position has no score."""
        self.probe(p)

    def exceeds(self, p: Any, outcome: Outcome) -> bool:
        """Return whether a position's outcome is better than this, for the side to move."""
        return self.probe(p) > outcome

    def moves(self, p: Any) -> list[tuple[Any, int, float]]:
        """Return each legal move with its score, for the side that makes it, and its trap."""
        self.check(p)
        return [(m, back(score), self._trap(q, score)) for m, q, score in self._children(p)]

    def move_scores(self, p: Any) -> list[tuple[Any, int]]:
        """Return each legal move with its score, for the side that makes it."""
        self.check(p)
        return [(m, back(score)) for m, _, score in self._children(p)]

    def outcomes(self, p: Any) -> dict[str, Outcome]:
        """Return the outcome of each legal move, for the side that makes it, by its label."""
        return {self.game.label(p, m): outcome(score) for m, score in self.move_scores(p)}

    def best(self, p: Any) -> Any:
        """Return the best move by score and trap, the first of equals; None if the game is over."""
        self.check(p)
        moves = [*self._children(p)]
        if not moves:
            return None
        chosen = preferred([-score for _, _, score in moves], lambda i: self._trap(*moves[i][1:]))
        return moves[chosen][0]

    def _children(self, p: Any) -> Iterator[tuple[Any, Any, int]]:
        """Yield each legal move, the position it leads to, and that position's score."""
        game = self.game
        for m in game.moves(p) if game.primitive(p) is None else ():
            child = game.play(p, m)
            yield m, child, self.probe(child)

    def _trap(self, child: Any, score: int) -> float:
        """Return the trap of a move that leads to a position with this score."""
        replies, kept = self._replies(child, score)
        return share(self.exceeds(q, kept) for q in replies)

    def _replies(self, child: Any, score: int) -> tuple[list[Any], Outcome]:
        """Return what the replies in a position lead to, and what a good one leaves to us at most.

        No replies if none is worse than another: nothing is worse than a loss.
        """
        game = self.game
        is_decided = score < 0 or game.primitive(child) is not None
        moves = () if is_decided else game.moves(child)
        return [game.play(child, m) for m in moves], Outcome.LOSS if score else Outcome.DRAW


def share(flags: Iterable[bool]) -> float:
    """Return the share of flags that are set; 0 if there are none."""
    each = [*flags]
    return sum(each) / max(1, len(each))
