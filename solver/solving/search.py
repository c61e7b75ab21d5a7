"""Solving depth first: negamax with alpha-beta and a memo of canonical positions.

Takes a game in which positions cannot repeat; returns the exact score of every reachable canonical
position. The memo, the symmetries and alpha-beta can be switched off one by one to measure how many
positions each saves; the scores stay the same.
"""

from __future__ import annotations

from collections.abc import Callable

from solver.errors import SearchDepthError
from solver.rules.game import Game, legal_moves, primitive_outcome
from solver.rules.positions import reachable
from solver.startup import M, P, Typed
from solver.value import INFINITY, ahead, back, score

EXACT, AT_LEAST, AT_MOST = range(3)


class AlphaBeta(Typed[P, M]):
    """A depth-first search of one game.

    `memo` stores results, `symmetry` replaces positions by their canonical images, and `alpha_beta`
    skips moves that cannot change the score. `check` is called with the size of the memo as it
    grows, and may raise. `visited` counts positions, repeated visits included.
    """

    def __init__(
        self,
        game: Game[P, M],
        memo: bool = True,
        symmetry: bool = True,
        alpha_beta: bool = True,
        check: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.game = game
        self.memo: dict[P, tuple[int, int]] | None = {} if memo else None
        self.symmetry = symmetry
        self.alpha_beta, self.check = alpha_beta, check
        self.visited = 0
        self._path: set[P] = set()

    def score(self, p: P) -> int:
        """Return the exact score of `p`; raises SearchDepthError if games are too long or cycle."""
        try:
            return self._negamax(self._represent(p), -INFINITY, INFINITY)
        except RecursionError as error:
            raise SearchDepthError(
                f"games of {self.game.spec} are too long to search depth first; solve it with the"
                " method retrograde"
            ) from error

    def _represent(self, p: P) -> P:
        return self.game.canonical(p) if self.symmetry else p

    def _children(self, p: P) -> list[P]:
        """Return the distinct positions one move on, in preference order."""
        game = self.game
        return list(dict.fromkeys(self._represent(game.play(p, m)) for m in legal_moves(game, p)))

    def _negamax(self, p: P, alpha: int, beta: int) -> int:
        """Return the score of `p` if it is between the bounds, else a bound on the same side."""
        self.visited += 1
        if self.memo is not None and p in self.memo:
            value, bound = self.memo[p]
            if bound == EXACT:
                return value
            if (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha):
                return value
        over = primitive_outcome(self.game, p)
        if over is not None:
            return self._store(p, score(over), EXACT)
        if p in self._path:
            raise SearchDepthError(
                f"{self.game.text(p)} can repeat within a game; solve {self.game.spec} with the"
                " method retrograde"
            )
        self._path.add(p)
        best, floor = -INFINITY, alpha
        for child in self._children(p):
            best = max(best, back(self._negamax(child, ahead(beta), ahead(floor))))
            if self.alpha_beta:
                floor = max(floor, best)
                if floor >= beta:
                    break
        self._path.remove(p)
        return self._store(
            p, best, AT_MOST if best <= alpha else AT_LEAST if best >= beta else EXACT
        )

    def _store(self, p: P, best: int, bound: int) -> int:
        if self.memo is not None:
            self.memo[p] = best, bound
            self.check(len(self.memo))
        return best


def search(game: Game[P, M], check: Callable[[int], None] = lambda _: None) -> dict[P, int]:
    """Return the exact score of every canonical position that a game can reach; see `AlphaBeta`."""
    searcher = AlphaBeta(game, check=check)
    searcher.score(game.initial())
    return {p: searcher.score(p) for tier in reachable(game).values() for p in tier}
