"""Searches: exact values of single positions of games that are too large for a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from solver.startup import Any
from solver.value import Outcome


class Search(ABC):
    """Finds values of positions in which the game is not over.

    `pause` is called now and then, with the number of nodes searched since the last call. It may
    raise an exception, which ends the search; what was learned is kept for the next one.
    """

    @abstractmethod
    def score(self, p: Any, pause: Callable[[int], None]) -> int:
        """Return the score of a position; see `solver.value`."""

    @abstractmethod
    def exceeds(self, p: Any, outcome: Outcome, pause: Callable[[int], None]) -> bool:
        """Return whether the side to move has a better outcome than this, a loss or a draw."""

    @abstractmethod
    def forget(self) -> None:
        """Forget what was learned."""
