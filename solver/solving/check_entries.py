"""Entries of a table, computed again by the rules in Python.

This finds compiled rules that differ from the rules, and values of unfinished work that no longer
follow from them; a proof, which visits every position, is the business of `solver.proof`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from solver.errors import KernelError, UnknownPositionError
from solver.rules.positions import check_types, children
from solver.tables.json_table import Table
from solver.tables.mapped_table import MappedTable
from solver.value import back, score

MOST = 50_000  # entries; of a larger table, so many at random


def check_entries(table: Table | MappedTable) -> int:
    """Compare entries with what follows from the rules in Python; return how many.

    Raises KernelError, which names the first that differs, and GameLawError for other types.
    """
    checked = 0
    for p, stated in _some(table):
        over = table.game.primitive(p)
        try:
            positions = children(table.game, p)
            for child in positions:
                check_types(table.game, child)
            after = [back(table.probe(child)) for child in positions]
            right = max(after) if over is None else score(over)
        except UnknownPositionError:
            right = None
        if stated != right:
            raise KernelError(
                f"the rules of {table.game.spec} in Python do not confirm the value of"
                f" {table.game.text(p)!r:.200}"
            )
        checked += 1
    return checked


def _some(table: Table | MappedTable) -> Iterator[tuple[Any, int]]:
    """Yield canonical positions with their scores: all, or random ones of a larger table."""
    count = table.counts["canonical"]
    if count <= MOST:
        return table.positions()
    assert isinstance(table, MappedTable)  # a JSON table is solved by the rules in Python
    return map(table.entry, sorted(random.Random(0).sample(range(count), MOST)))
