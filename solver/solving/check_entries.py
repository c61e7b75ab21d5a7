"""Entries of a table, computed again by the rules in Python.

This finds compiled rules that differ from the rules, and values of unfinished work that no longer
follow from them; a proof, which visits every position, is the business of `solver.proof`. A small
table is compared whole, of a large one as much as the time allows, in an order that is always the
same:

1. The rules are asked whether the game is over at each entry, in an order that is spread over the
   file. This is cheap, and compares all ends; a rule that goes wrong at few positions often is one
   that ends the game.
2. Entries are compared with those that their moves lead to: the positions of random games, those
   that are won or lost in one ply, some of each tier, and then all others.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from itertools import chain
from math import gcd
from typing import Any

from solver.errors import KernelError, UnknownPositionError
from solver.rules.game import Game, walk
from solver.rules.positions import check_types, children
from solver.tables.json_table import Table
from solver.tables.mapped_table import MappedTable
from solver.value import back, distance, score

MOST = 50_000  # entries that are compared in any case
ASKED = 500_000  # entries at which the rules are asked in any case whether the game is over: this
# takes about as long as comparing the others
SHARE = 10  # of the processor time of a solve, one part is for this
WALKED = 2_000  # plies of random games
EACH = 50  # entries of each tier
GOLDEN = 0.6180339887498949  # multiples of it are spread evenly


def cpu_time() -> float:
    """Return the seconds of processor time that this process and its ended children have taken."""
    return sum(os.times()[:4])


def check_entries(table: Table | MappedTable, seconds: float = 0) -> int:
    """Compare entries with what follows from the rules in Python; return how many.

    Goes on for at least so many seconds of processor time, if there are entries left. Raises
    KernelError, which names the first that differs, and GameLawError for other types.
    """
    count = table.counts["canonical"]
    if count <= MOST or isinstance(table, Table):  # JSON is written of games solved in Python
        for p, stated in table.positions():
            _check(table, p, stated)
        return count
    sample = _Sample(table)
    until = time.process_time() + seconds
    ends = sample.check_ends(until - seconds / 2)
    checked, most = 0, max(MOST - ends, MOST // 2)
    for p, stated in sample.others():
        if checked >= most and time.process_time() >= until:
            break
        _check(table, p, stated)
        checked += 1
    return ends + checked


class _Sample:
    """The entries of a mapped table in the order in which they are compared."""

    def __init__(self, table: MappedTable) -> None:
        self.table, self.game = table, table.game
        self._asked = 0
        self._near: list[int] = []
        self._tiers: dict[int, list[int]] = {}

    def check_ends(self, until: float) -> int:
        """Compare the ends among the entries, up to a time of this process; return how many."""
        game, ends = self.game, 0
        for index in _spread(self.table.counts["canonical"]):
            if self._asked >= ASKED and time.process_time() >= until:
                break
            self._asked += 1
            p, stated = self.table.entry(index)
            over, plies = game.primitive(p), distance(stated)
            if over is not None:
                ends += 1
                _require(game, p, stated == score(over))
                continue
            _require(game, p, plies != 0)
            if plies == 1 and len(self._near) < MOST // 4:
                self._near.append(index)
            elif len(tier := self._tiers.setdefault(game.tier(p), [])) < EACH:
                tier.append(index)
        return ends

    def others(self) -> Iterator[tuple[Any, int]]:
        """Yield other entries with their scores, each once."""
        table, game = self.table, self.game
        seen = {p: _stated(table, p) for p in map(game.canonical, walk(game, WALKED))}
        seen = {p: stated for p, stated in seen.items() if game.primitive(p) is None}
        yield from seen.items()
        for index in chain(self._near, *self._tiers.values()):
            p, stated = table.entry(index)
            if p not in seen:
                seen[p] = stated
                yield p, stated
        for number, index in enumerate(_spread(table.counts["canonical"])):
            p, stated = table.entry(index)
            if p not in seen and (number >= self._asked or game.primitive(p) is None):
                yield p, stated


def _spread(count: int) -> Iterator[int]:
    """Yield all numbers below one, spread from the first ones on."""
    step = round(count * GOLDEN)
    while gcd(step, count) > 1:
        step += 1
    return (number * step % count for number in range(count))


def _check(table: Table | MappedTable, p: Any, stated: int) -> None:
    """Compare an entry with what follows from the rules, and from those that its moves lead to."""
    game = table.game
    over = game.primitive(p)
    positions = children(game, p)
    for child in positions:
        check_types(game, child)
    after = [back(_stated(table, child)) for child in positions]
    _require(game, p, stated == (max(after) if over is None else score(over)))


def _stated(table: Table | MappedTable, p: Any) -> int:
    """Return the score of a canonical position; raises KernelError if it is missing."""
    try:
        return table.probe(p)
    except UnknownPositionError:
        raise _contradiction(table.game, p) from None


def _require(game: Game[Any, Any], p: Any, holds: bool) -> None:
    if not holds:
        raise _contradiction(game, p)


def _contradiction(game: Game[Any, Any], p: Any) -> KernelError:
    return KernelError(
        f"the rules of {game.spec} in Python do not confirm the value of {game.text(p)!r:.200}"
    )
