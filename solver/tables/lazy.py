"""A table that is opened when it is first used, so that most players need none."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from solver.rules.game import Game
from solver.tables.open import open_installed


class LazyTable:
    """A game's table, found and opened at the first look-up.

    It has the look-ups of `solver.Table`. The first one raises FileNotFoundError, which names the
    command that makes the table, or TableFormatError.
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
