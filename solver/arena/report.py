"""What a whole table says of its game: outcomes by ply, distances, branching, single good moves.

Takes a table; returns its Statistics. The numbers follow from the table's values and the rules.
Every position counts, each symmetric image separately, by ply: the fewest moves in which a game can
reach it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from solver.rules.positions import children, explore, orbits
from solver.tables.count import check_size, games_from
from solver.tables.json_table import Table
from solver.tables.mapped_table import MappedTable
from solver.value import distance, outcome


class StatisticsRow(NamedTuple):
    """The positions of one ply."""

    number: int
    positions: int
    canonical: int
    """The positions up to symmetry."""
    win: int
    draw: int
    loss: int
    """Outcomes are for the side to move."""
    over: int
    """The positions where the game is over."""
    moves: int
    """The legal moves of all positions."""
    most: int
    """The largest number of legal moves in one position."""
    choices: int
    """The positions with two or more moves."""
    single: int
    """Those of them in which exactly one move keeps the outcome."""

    @property
    def branching(self) -> float | None:
        """The average number of moves in a position where the game is not over."""
        return self.moves / (self.positions - self.over) if self.positions > self.over else None

    @property
    def share(self) -> float | None:
        """The share of positions with only one good move among those with a choice."""
        return self.single / self.choices if self.choices else None


COUNTED = StatisticsRow._fields[1:]


class Statistics(NamedTuple):
    """The statistics of a table."""

    rows: tuple[StatisticsRow, ...]
    distances: dict[str, dict[int, int]]
    """The number of positions won and lost by plies to the end, 0 if the game is over."""
    games: int | None
    """The number of different games; None if positions can repeat."""
    tree: int | None
    """The number of nodes of the game tree: of all beginnings of games, the empty one included."""

    @property
    def total(self) -> StatisticsRow:
        """The sum of the rows."""
        sums = StatisticsRow(*map(sum, zip(*self.rows, strict=True)))
        return sums._replace(number=len(self.rows), most=max(row.most for row in self.rows))


def compute_statistics(
    table: Table | MappedTable, progress: Callable[[int, int], None] | None = None
) -> Statistics:
    """Return the statistics of a table; raises ValueError if it is too large.

    `progress` is called with the number of positions examined and their total.
    """
    check_size(table)
    total = table.counts["canonical"]
    rows: dict[int, Counter[str]] = {}
    following: dict[Any, list[Any]] = {}
    distances: dict[str, Counter[int]] = {"win": Counter(), "loss": Counter()}
    for done, (number, weight, score, after) in enumerate(_by_ply(table, following), 1):
        row, name, moves = rows.setdefault(number, Counter()), str(outcome(score)), len(after)
        good = sum(outcome(child) == -outcome(score) for child in after)
        row.update({name: weight, "positions": weight, "canonical": 1, "moves": weight * moves})
        row["over"] += weight * (moves == 0)
        row["choices"] += weight * (moves > 1)
        row["single"] += weight * (moves > 1 and good == 1)
        row["most"] = max(row["most"], moves)
        plies = distance(score)
        if plies is not None:
            distances[name][plies] += weight
        if progress is not None and done % 1000 == 0:
            progress(done, total)
    return Statistics(
        tuple(
            StatisticsRow(number, *map(row.__getitem__, COUNTED)) for number, row in rows.items()
        ),
        {name: dict(sorted(counts.items())) for name, counts in distances.items()},
        *games_from(following),
    )


def _by_ply(
    table: Table | MappedTable, after: dict[Any, list[Any]]
) -> Iterator[tuple[int, int, int, list[int]]]:
    """Yield the ply of each canonical position, how many it represents, its score and its moves'.

    A move's score is that of the position it leads to. Plies ascend. What the moves of each lead to
    is put into `after`.
    """
    game = table.game
    scores = dict(table.positions())
    weights = orbits(game, scores)
    for number, ply in enumerate(explore([game.canonical(game.initial())], after.__getitem__)):
        for p in ply:
            after[p] = children(game, p)
            yield number, weights[p], scores[p], [scores[q] for q in after[p]]
