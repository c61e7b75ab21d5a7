"""The table that answers for a game: a stored one, a search, or one that is solved at once.

A small game needs no solve by the user. Commands keep its table, under a name of its own, so that
it never replaces one that was written by `solve`; in Python it stays in memory.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property, lru_cache

from solver.errors import RulesChangedWarning, SolveTooLargeError, TableFormatError
from solver.games import built_in_name, load_built_in
from solver.startup import Any
from solver.tables.store import UNPROVED, find_table, no_table, rules_of, user_path

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from solver.rules.game import Game
    from solver.tables.json_table import Table
    from solver.tables.mapped_table import MappedTable
    from solver.tables.scores import Scores

SOON = 0.5  # seconds after which it is said what is being done

_report: ContextVar[Callable[[str], None] | None] = ContextVar("report", default=None)


@contextmanager
def keeping_tables(report: Callable[[str], None]) -> Iterator[None]:
    """Keep the tables of small games that are solved in the block, and report by a function."""
    token = _report.set(report)
    try:
        yield
    finally:
        _report.reset(token)


def open_installed(game: Game[Any, Any], name: str | None = None, search: bool = True) -> Scores:
    """Return the table that is stored for a game; without one, its oracle or a table made at once.

    A small game is solved, as `solver.solving.at_once` has it; with `search`, an oracle answers for
    a larger one if the game has a search. Raises FileNotFoundError if there is nothing; `name` is
    what the user calls the game.
    """
    from solver.tables.open import open_oracle, open_table

    rules = rules_of(game)
    try:
        return open_table(find_table(game.spec, name, rules), game)
    except FileNotFoundError:
        pass
    path = user_path(game.spec, UNPROVED, rules)
    try:
        return _kept(path, game) or _solved(path, game, name)
    except SolveTooLargeError as error:
        reason = str(error)
    if search and game.searchable and (oracle := open_oracle(game)) is not None:
        return oracle
    raise no_table(game.spec, name, reason)


def _kept(path: str, game: Game[Any, Any]) -> Table | MappedTable | None:
    """Return the table that was made at once and kept; None if it must be made anew."""
    from warnings import catch_warnings, simplefilter

    from solver.tables.open import open_table

    with catch_warnings():
        simplefilter("ignore", RulesChangedWarning)
        try:
            table = open_table(path, game)
        except (OSError, TableFormatError):
            return None
    return None if table.rules_changed else table


def _solved(path: str, game: Game[Any, Any], name: str | None) -> Table | MappedTable:
    """Return the table of a small game, which is written to `path` where tables are kept."""
    from threading import Timer

    from solver.solving.at_once import solve_at_once

    report = _report.get()
    say = report or _say
    later = Timer(SOON, say, [f"trying to solve {game.spec} at once, since it has no table yet"])
    later.daemon = True
    later.start()
    try:
        known = built_in_name(game)
        table = solve_at_once(game) if known is None else _solved_built_in(known)
        if report is not None:
            _check_repeats(game, name)
    finally:
        later.cancel()
    if report is not None:
        from solver.files import save

        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            save(path, table.encode())
        except OSError as error:
            say(f"the table of {game.spec} is not stored, so it is made again next time: {error}")
    return table


def _check_repeats(game: Game[Any, Any], name: str | None) -> None:
    """Raise GameLawError if a custom game is another one in another process, as `solve` does."""
    from solver.games.custom import is_custom
    from solver.proof.repeat import REPEATED, check_repeats

    if name is not None and is_custom(name):
        check_repeats(game, name, processes=1, plies=REPEATED)


@lru_cache(maxsize=8)
def _solved_built_in(name: str) -> Table | MappedTable:
    """Return the table of a small built-in game, the same for all that ask in this process."""
    from solver.solving.at_once import solve_at_once

    return solve_at_once(load_built_in(name))


def _say(text: str) -> None:
    """Print a line on standard error."""
    print(f"perfectplay: {text}", file=sys.stderr, flush=True)


class LazyTable:
    """A game's table, found and opened at the first look-up.

    It has the look-ups of `solver.Table`. The first one raises what `open_installed` does, or
    TableFormatError.
    """

    def __init__(self, game: Game[Any, Any], name: str) -> None:
        self.game, self.name = game, name

    @cached_property
    def _table(self) -> Any:
        return open_installed(self.game, self.name)

    def probe(self, p: Any) -> Any:
        return self._table.probe(p)

    def __getattr__(self, name: str) -> Any:
        """Return what the table has of this name, such as `moves` and `counts`."""
        if name.startswith("_"):  # as `copy` and `pickle` ask for, on an object that is not ready
            raise AttributeError(name)
        return getattr(self._table, name)
