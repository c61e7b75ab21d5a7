"""How many different games there are. Takes a table; returns the number of games and of beginnings.

The numbers follow from the rules; the table says which positions there are.
"""

from __future__ import annotations

from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from math import log10
from typing import Any

from solver.rules.positions import children, explore
from solver.tables.json_table import Table
from solver.tables.mapped_table import MappedTable

MOST = 1_000_000  # positions up to symmetry

Games = tuple[int, int] | tuple[None, None]


def count_games(
    table: Table | MappedTable, progress: Callable[[int, int], None] | None = None
) -> Games:
    """Return the number of games and of nodes of the game tree, or None if positions can repeat.

    The nodes are all beginnings of games, the empty one included. `progress` is called with the
    number of positions examined and their total. Raises ValueError if the table is too large.
    """
    check_size(table)
    game, total = table.game, table.counts["canonical"]
    after: dict[Any, list[Any]] = {}
    levels = explore([game.canonical(game.initial())], after.__getitem__)
    for done, p in enumerate(chain.from_iterable(levels), 1):
        after[p] = children(game, p)
        if progress is not None and done % 1000 == 0:
            progress(done, total)
    return games_from(after)


def check_size(table: Table | MappedTable) -> None:
    """Raise ValueError if a table is too large to visit all its positions."""
    total = table.counts["canonical"]
    if total > MOST:
        raise ValueError(
            f"the table has {total:,} positions up to symmetry; games are counted of {MOST:,} at"
            " most"
        )


def games_from(after: dict[Any, list[Any]]) -> Games:
    """Return the number of games and of nodes of the game tree, as `count_games`.

    `after` has what the moves of each position lead to, the start first.
    """
    counts: dict[Any, tuple[int, int]] = {}
    try:
        for p in TopologicalSorter(after).static_order():  # children come before their parents
            below = [counts[q] for q in after[p]]
            counts[p] = sum(n for n, _ in below) or 1, 1 + sum(n for _, n in below)
    except CycleError:
        return None, None
    return counts[next(iter(after))]


def for_json(count: int | None) -> int | str | None:
    """Return a count, as text if it is too large for the integers of JSON."""
    return count if count is None or count < 1 << 53 else in_digits(count).replace(",", "")


def in_digits(count: int) -> str:
    """Return a number in digits, or its order of magnitude if it has thousands of them."""
    return f"{count:,}" if count < 10**4000 else f"about 10^{int(count.bit_length() * log10(2))}"
