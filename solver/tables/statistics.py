"""Statistics of a whole table: outcomes by ply, distances, branching, and single good moves.

The numbers follow from the table's values and the rules. Every position counts, each symmetric
image separately, by ply: the fewest moves in which a game can reach it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from math import log10
from typing import Any, NamedTuple

from solver.rules.positions import children, explore, orbits
from solver.tables.json_table import Table
from solver.tables.mapped_table import MappedTable
from solver.value import distance, outcome

MOST = 1_000_000  # positions up to symmetry
TITLES = ("positions", "wins", "draws", "losses", "over", "moves", "one good move")


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

    def as_data(self) -> dict[str, Any]:
        """Return the row with its averages, for JSON."""
        shares = {"branching": self.branching, "single_share": self.share}
        counts = self._asdict()
        del counts["number"]
        return counts | {name: None if x is None else round(x, 6) for name, x in shares.items()}


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

    def as_data(self) -> dict[str, Any]:
        """Return the statistics for JSON."""
        return {
            "total": self.total.as_data(),
            "by_ply": [{"ply": row.number} | row.as_data() for row in self.rows],
            "distances": self.distances,
            "longest": {name: max(plies, default=None) for name, plies in self.distances.items()},
            "games": _for_json(self.games),
            "tree": _for_json(self.tree),
        }


def compute_statistics(
    table: Table | MappedTable, progress: Callable[[int, int], None] | None = None
) -> Statistics:
    """Return the statistics of a table; raises ValueError if it is too large.

    `progress` is called with the number of positions examined and their total.
    """
    total = table.counts["canonical"]
    if total > MOST:
        raise ValueError(
            f"the table has {total:,} positions up to symmetry; statistics are of {MOST:,} at most"
        )
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
        *_count_games(following),
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


def _count_games(after: dict[Any, list[Any]]) -> tuple[int, int] | tuple[None, None]:
    """Return the number of games and of nodes of the game tree, if no position can repeat.

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


def _for_json(count: int | None) -> int | str | None:
    """Return a count, as text if it is too large for the integers of JSON."""
    return count if count is None or count < 1 << 53 else _written(count).replace(",", "")


def _written(count: int) -> str:
    """Return a number in digits, or its order of magnitude if it has thousands of them."""
    return f"{count:,}" if count < 10**4000 else f"about 10^{int(count.bit_length() * log10(2))}"


def format_statistics(counts: Statistics) -> str:
    """Return statistics as text: a sentence, a table by ply, and a table of distances."""
    rows = [("ply", *TITLES), *(_cells(str(row.number), row) for row in counts.rows)]
    rows.append(_cells("all", counts.total))
    wins, losses = counts.distances["win"], counts.distances["loss"]
    plies = [("plies", "wins", "losses")] + [
        (str(n), f"{wins.get(n, 0):,}", f"{losses.get(n, 0):,}") for n in sorted(wins | losses)
    ]
    scope = "Every position counts; plies are the fewest from the start."
    size = "Positions can repeat, so games can be endless."
    if counts.games is not None and counts.tree is not None:
        size = f"{_written(counts.games)} games; the game tree has {_written(counts.tree)} nodes."
    lines = [scope, size, "", *_columns(rows), "", "plies to the end", *_columns(plies)]
    return "\n".join(lines) + "\n"


def _cells(name: str, row: StatisticsRow) -> tuple[str, ...]:
    counts = (row.positions, row.win, row.draw, row.loss, row.over)
    mean = "-" if row.branching is None else f"{row.branching:.2f}"
    single = "-" if row.share is None else f"{row.share:.1%} of {row.choices:,}"
    return (name, *(f"{count:,}" for count in counts), mean, single)


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows as lines with their columns flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)) for row in rows]
