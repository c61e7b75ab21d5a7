"""Solve a small game at once, in memory, where answers are asked of it before it has a table."""

from __future__ import annotations

from functools import cache
from typing import Any

from solver.clock import thread_time
from solver.errors import SolveTooLargeError
from solver.games import built_in_name, copy_game
from solver.games.catalogue import GAMES
from solver.rules.default_keys import with_keys
from solver.rules.game import Game, checked_key
from solver.rules.laws import check_game
from solver.rules.positions import check_position, children, reachable
from solver.rules.rule_files import RuleFiles
from solver.solving.from_scores import json_table, mapped_table
from solver.solving.retrograde import retrograde
from solver.solving.steps import check_length
from solver.tables.format import SMALL
from solver.tables.json_table import Table
from solver.tables.mapped_file import WIDEST
from solver.tables.mapped_table import MappedTable

MOST = 25_000  # canonical positions
SECONDS = 3.0  # of CPU time
REST = 3e-5  # of these, for each position that has been counted


def solve_at_once(game: Game[Any, Any]) -> Table | MappedTable:
    """Return the table of a game with few positions whose rules are fast enough.

    The laws are checked as in a solve, but nothing is compiled or proved. Raises GameLawError, and
    SolveTooLargeError if there are more than MOST positions up to symmetry, or SECONDS do not
    suffice; counting stops at either limit.
    """
    known = {one.spec: one.canonical or one.positions for one in GAMES}.get(game.spec, 0)
    files, game = RuleFiles(game), copy_game(game)
    is_own, until = built_in_name(game) is None, thread_time() + SECONDS
    counted = 0

    @cache
    def following(p: Any) -> list[Any]:
        nonlocal counted
        counted += 1
        if thread_time() + REST * counted > until:
            raise SolveTooLargeError(
                f"solving it takes more than {SECONDS:g} s, too long to do at once"
            )
        if is_own:
            check_position(game, p)
        return children(game, p)

    tiers = reachable(game, most=MOST, following=following) if known <= MOST else {}
    if not tiers:
        raise SolveTooLargeError(
            f"it has more than {MOST:,} positions up to symmetry, too many to solve at once"
        )
    check_game(game, walks=3)
    scores = retrograde(game, tiers, following)
    check_length(game.spec, scores.values())
    files.update()
    top = with_keys(game, lambda: max(checked_key(game, p) for p in scores))
    if len(scores) <= SMALL or top.bit_length() > WIDEST:
        return json_table(game, scores, files.stated, following)
    return MappedTable(b"".join(mapped_table(game, scores, files.stated)), game)
