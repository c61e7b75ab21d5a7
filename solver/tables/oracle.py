"""Oracles: what a table answers, found by search where a game is too large for a table.

An oracle has the look-ups of a table. The first plies come from a book, if there is one; other
positions are searched, and the latest results are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cached_property, lru_cache
from typing import Any

from solver.errors import SearchLimitError
from solver.games import by_hand
from solver.rules.game import Game, fingerprint
from solver.rules.search import Search, node_limit, searching
from solver.tables.book import Book, open_book
from solver.tables.scores import Scores, share
from solver.tables.store import find_book
from solver.value import Outcome, back, preferred, score

KEPT = 1 << 16  # results
QUICK = 3_000_000  # nodes, about half a second, that a choice among moves of one outcome may take


class Oracle(Scores):
    """The scores of every position of a game, from its book and its search.

    A position beyond the book raises ImportError, which says what to install, if the search needs
    an extra. Threads may share an oracle.
    """

    is_searched = True

    def __init__(self, game: Game[Any, Any], book: Book | None) -> None:
        self.game: Game[Any, Any] = game
        self.book: Book | None = book
        self.sha256: str = book.sha256 if book else fingerprint(game)
        """Identifies the answers, as the hash of a table does."""
        self.counts: dict[str, int] = {}
        """Empty, since the positions are not counted."""
        self._scores: Any = lru_cache(KEPT)(self._score)
        self._verdicts: Any = lru_cache(KEPT)(self._is_better)

    def __repr__(self) -> str:
        plies = "without a book" if self.book is None else f"with a book of {self.book.depth} plies"
        return f"<Oracle of {self.game.spec}, {plies}>"

    def probe_canonical(self, p: Any) -> int:
        number: int = self._scores(p)
        return number

    def check(self, p: Any) -> None:
        """Search nothing: every position has a score."""

    def moves(self, p: Any) -> list[tuple[Any, int, float]]:
        """Return each legal move with its score and trap, as a table does.

        The outcomes of all moves are asked for first: if a limit of nodes ends the search, the
        SearchLimitError has them, as far as they are known, by the labels of the moves.
        """
        if self._is_booked(p):
            return super().moves(p)
        values = dict[Any, tuple[Any, list[Any]]]()
        with self._outcomes(p) as (start, found):
            for m, child, value in found:
                replies, kept = self._replies(child, value)
                errors = [start(self.exceeds, q, kept) for q in replies]
                values[m] = start(self.probe, child), errors
            return [
                (m, back(score.result()), share(error.result() for error in errors))
                for m, (score, errors) in self._in_order(p, values)
            ]

    def outcomes(self, p: Any) -> dict[str, Outcome]:
        if self._is_booked(p):
            return super().outcomes(p)
        with self._outcomes(p) as (_, found):
            outcomes = {m: -value for m, _, value in found}
        return {self.game.label(p, m): value for m, value in self._in_order(p, outcomes)}

    def soon(self, p: Any) -> Any:
        """Return a move with the best outcome, without a long search for the best of these.

        It is what `best` returns if QUICK nodes tell. Else it wins as soon as is known, or it is a
        draw; of moves that lose, it is one whose end is too far to be known.
        """
        if self._is_booked(p) or self.game.primitive(p) is not None:
            return self.best(p)
        outcomes, label = self.outcomes(p), self.game.label
        outcome = max(outcomes.values())
        kept = [m for m in self.game.moves(p) if outcomes[label(p, m)] == outcome]
        children = [self.game.play(p, m) for m in kept]
        scores: list[int] = []
        if len(kept) > 1:
            with suppress(SearchLimitError), node_limit(QUICK):
                for child in children:
                    scores.append(self.probe(child) if outcome else 0)
                worth = [back(value) for value in scores]
                return kept[preferred(worth, lambda i: self._trap(children[i], scores[i]))]
        if outcome is Outcome.LOSS and len(scores) < len(kept):
            return kept[len(scores)]
        return kept[scores.index(min(scores))] if scores else kept[0]

    def _in_order(self, p: Any, values: dict[Any, Any]) -> list[tuple[Any, Any]]:
        return [(m, values[m]) for m in self.game.moves(p) if m in values]

    def _is_booked(self, p: Any) -> bool:
        """Return whether no reply to a move is searched."""
        return self.book is not None and self.book.ply(p) + 2 <= self.book.depth

    @contextmanager
    def _outcomes(self, p: Any) -> Iterator[tuple[Callable[..., Any], Iterator[Any]]]:
        """Search what each move leads to; yield what starts more searches, as in `searching`.

        With it comes an iterator over the moves, as they become known: each with the position it
        leads to and its outcome.
        """
        from concurrent.futures import as_completed

        game, known = self.game, dict[str, Outcome]()
        moves = game.moves(p) if game.primitive(p) is None else ()

        def search(m: Any) -> tuple[Any, Any, Outcome]:
            child = game.play(p, m)
            holds = self.exceeds(child, Outcome.LOSS)
            value = Outcome(self.exceeds(child, Outcome.DRAW)) if holds else Outcome.LOSS
            known[game.label(p, m)] = -value
            return m, child, value

        try:
            with searching() as start:
                tasks = as_completed([start(search, m) for m in moves])
                yield start, (task.result() for task in tasks)
        except SearchLimitError as error:
            error.known = known
            raise

    def exceeds(self, p: Any, outcome: Outcome) -> bool:
        verdict: bool = self._verdicts(self.game.canonical(p), outcome)
        return verdict

    def _known(self, p: Any) -> int | None:
        """Return the score of a canonical position if it needs no search."""
        over = self.game.primitive(p)
        if over is not None:
            return score(over)
        return None if self.book is None else self.book.score(p)

    def _score(self, p: Any) -> int:
        value = self._known(p)
        return self.search.score(p) if value is None else value

    def _is_better(self, p: Any, outcome: Outcome) -> bool:
        value = self._known(p)
        return self.search.exceeds(p, outcome) if value is None else value > outcome

    @cached_property
    def search(self) -> Search:
        """The game's search; raises ImportError if it needs an extra."""
        return self.game.search()


def find_oracle(game: Game[Any, Any]) -> Oracle | None:
    """Return the oracle of a game, with its book if one is stored; None if it has no search.

    Raises TableFormatError if the book is damaged.
    """
    written = by_hand(game, "search")
    if written is None:
        return None
    game = written
    path = find_book(game.spec)
    if path is not None:
        return Oracle(game, open_book(path, game))
    return Oracle(game, None)
