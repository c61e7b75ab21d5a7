"""Searches: exact values of single positions of games that are too large for a table."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context

from solver.errors import SearchLimitError
from solver.startup import TYPE_CHECKING, Any
from solver.value import Outcome

if TYPE_CHECKING:
    from concurrent.futures import Future

_watch: ContextVar[Callable[[int], None] | None] = ContextVar("watch", default=None)


class Search(ABC):
    """Finds values of positions in which the game is not over.

    It calls `pause` at least every second. An exception there ends the search; what was learned is
    kept for the next one.
    """

    @abstractmethod
    def score(self, p: Any) -> int:
        """Return the score of a position; see `solver.value`."""

    @abstractmethod
    def exceeds(self, p: Any, outcome: Outcome) -> bool:
        """Return whether the side to move has a better outcome than this, a loss or a draw."""


def pause(nodes: int) -> None:
    """Tell whoever watches that a search has taken so many nodes more."""
    watch = _watch.get()
    if watch is not None:
        watch(nodes)


@contextmanager
def watching(watch: Callable[[int], None]) -> Iterator[None]:
    """Call a function when a search in the block pauses; see `pause`."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


@contextmanager
def node_limit(nodes: int, watch: Callable[[int], None] | None = None) -> Iterator[None]:
    """Let all searches in the block take together at most so many nodes; `watch` watches them.

    Beyond that they raise SearchLimitError. What they have found is kept, so that asking again goes
    on from there. What is spent within a limit in another one is spent of both.
    """
    left, outer = nodes, watch or _watch.get()

    def spend(more: int) -> None:
        nonlocal left
        if outer is not None:
            outer(more)
        left -= more
        if left < 0:
            raise SearchLimitError("the answer takes longer than one request may: ask again")

    with watching(spend):
        yield


@contextmanager
def searching() -> Iterator[Callable[..., Future[Any]]]:
    """Yield a function that starts a search, given a function that searches and its arguments.

    The searches run on all processors, in the order in which they are started: they share what they
    learn, and release the lock of Python. An error in the block ends them all.
    """
    from concurrent.futures import ThreadPoolExecutor

    is_over, outer = False, _watch.get()

    def watch(nodes: int) -> None:
        if is_over:
            raise SearchLimitError("another search has failed")
        if outer is not None:
            outer(nodes)

    def start(search: Callable[..., Any], *arguments: Any) -> Future[Any]:
        return pool.submit(copy_context().run, search, *arguments)

    with watching(watch), ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            yield start
        except BaseException:
            is_over = True
            pool.shutdown(wait=False, cancel_futures=True)
            raise
