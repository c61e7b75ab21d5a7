"""Random positions of a table, or of games where a search stands for one."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from solver.rules.game import legal_moves
from solver.tables.json_table import Table


def draw_positions(table: Any, generator: random.Random) -> Iterator[Any]:
    """Yield random positions without end: each position of the table is equally likely.

    Where there is no table, they come from games of random moves, one position of each game.
    """
    game = table.game
    if table.is_searched:
        while True:
            p = game.initial()
            played = [p]
            while game.primitive(p) is None:
                p = game.play(p, generator.choice(legal_moves(game, p)))
                played.append(p)
            yield generator.choice(played[:-1] or played)
    position_at = stored(table)
    while True:
        p = position_at(generator.randrange(table.counts["canonical"]))
        images = [symmetry.position(p) for symmetry in game.symmetries]
        if generator.random() * images.count(p) < 1:  # else it has fewer images than others
            yield generator.choice(images)


def stored(table: Any) -> Callable[[int], Any]:
    """Return a function that gives the canonical position at an index of a table."""
    if isinstance(table, Table):
        return [p for p, _ in table.positions()].__getitem__
    return lambda index: table.entry(index)[0]
