"""Statistics of a whole table: outcomes by ply, distances, branching, and single good moves.

The numbers follow from the table's values and the rules. In a table of up to MOST_EXACT positions
up to symmetry, every position counts, each symmetric image separately, by ply: the fewest moves in
which a game can reach it. Of a larger table SAMPLE positions up to symmetry are drawn uniformly,
and the numbers are estimates.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Any, NamedTuple

from solver.rules.game import Game, walk
from solver.rules.positions import children, explore, orbits
from solver.tables.json_table import Table
from solver.tables.mapped_table import MappedTable
from solver.value import Outcome, distance, outcome, score, widen

MOST_EXACT = 200_000  # positions up to symmetry
SAMPLE = 20_000
WALK = 2_000  # plies of random games that show whether tiers are plies
TITLES = ("positions", "wins", "draws", "losses", "over", "moves", "one good move")


class StatisticsRow(NamedTuple):
    """The positions of one ply or tier; counts from a sample are scaled to the whole table."""

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


class Statistics(NamedTuple):
    """The statistics of a table."""

    game: str
    exact: bool
    looked_at: int
    """How many positions up to symmetry were examined."""
    canonical: int
    """How many there are."""
    by: str
    """What rows stand for: 'ply', or 'tier' if a sample's tiers are not plies."""
    rows: tuple[StatisticsRow, ...]
    distances: dict[str, dict[int, int]]
    """The number of positions won and lost by plies to the end, 0 if the game is over."""
    longest: dict[str, int | None]
    """The longest win and the longest loss in the whole table."""

    @property
    def unit(self) -> str:
        """What is counted."""
        return "positions" if self.exact else "positions up to symmetry"

    @property
    def total(self) -> StatisticsRow:
        """The sum of the rows."""
        sums = StatisticsRow(*map(sum, zip(*self.rows, strict=True)))
        whole = sums._replace(number=len(self.rows), most=max(row.most for row in self.rows))
        if self.exact:
            return whole
        return whole._replace(positions=self.canonical, canonical=self.canonical)  # not rounded

    def as_data(self) -> dict[str, Any]:
        """Return the statistics for JSON."""
        return {
            "exact": self.exact,
            "looked_at": self.looked_at,
            "unit": self.unit,
            "total": self.total.as_data(),
            f"by_{self.by}": [{self.by: row.number} | row.as_data() for row in self.rows],
            "distances": self.distances,
            "longest": self.longest,
        }


class Examined(NamedTuple):
    """What one position adds to the statistics."""

    number: int
    """Its ply or tier."""
    weight: int
    """The number of positions that it represents."""
    score: int
    after: tuple[int, ...]
    """The scores of the positions that its moves lead to."""

    @property
    def good(self) -> int:
        """The number of moves that keep the outcome."""
        return sum(outcome(score) == -outcome(self.score) for score in self.after)


def compute_statistics(
    table: Table | MappedTable, progress: Callable[[int, int], None] | None = None, seed: int = 0
) -> Statistics:
    """Return the statistics of a table.

    `progress` is called with the number of positions examined and their total. `seed` chooses the
    sample from a large table.
    """
    game, canonical = table.game, table.counts["canonical"]
    exact = canonical <= MOST_EXACT
    total = canonical if exact else SAMPLE
    places = () if exact else sorted(random.Random(seed).sample(range(canonical), total))
    groups: dict[int, list[Examined]] = {}
    for done, one in enumerate(_by_ply(table) if exact else _sample(table, places), 1):
        groups.setdefault(one.number, []).append(one)
        if progress is not None and done % 1000 == 0:
            progress(done, total)
    scale = canonical / total
    return Statistics(
        game.spec,
        exact,
        total,
        canonical,
        "ply" if exact or _tiers_are_plies(game) else "tier",
        tuple(_row(number, groups[number], scale) for number in sorted(groups)),
        {
            str(o): _distances(chain.from_iterable(groups.values()), o, scale)
            for o in (Outcome.WIN, Outcome.LOSS)
        },
        _longest(table),
    )


def _by_ply(table: Table | MappedTable) -> Iterator[Examined]:
    """Yield every position of a table, in the order of plies."""
    game = table.game
    scores = dict(table.positions())
    weights = orbits(game, scores)
    after: dict[Any, list[Any]] = {}
    for number, ply in enumerate(explore([game.canonical(game.initial())], after.__getitem__)):
        for p in ply:
            after[p] = children(game, p)
            yield Examined(number, weights[p], scores[p], tuple(scores[q] for q in after[p]))


def _sample(table: Table | MappedTable, places: Iterable[int]) -> Iterator[Examined]:
    """Yield the positions at some places of a table, each with its tier."""
    game = table.game
    if isinstance(table, Table):
        texts = sorted(table.entries)
        positions = (game.parse(texts[place]) for place in places)
    else:
        positions = (table.entry(place)[0] for place in places)
    for p in positions:
        after = tuple(table.probe(q) for q in children(game, p))
        yield Examined(game.tier(p), 1, table.probe(p), after)


def _tiers_are_plies(game: Game[Any, Any]) -> bool:
    """Return whether tiers start from 0 and rise by one with each move of a long random walk."""
    tiers = [game.tier(p) for p in walk(game, WALK)]
    return tiers[0] == 0 and all(q in (p + 1, 0) for p, q in pairwise(tiers))


def _row(number: int, group: list[Examined], scale: float) -> StatisticsRow:
    """Return the row of one ply or tier."""

    def count(amount: Callable[[Examined], int]) -> int:
        return round(scale * sum(one.weight * amount(one) for one in group))

    return StatisticsRow(
        number,
        positions=count(lambda one: 1),
        canonical=round(scale * len(group)),
        win=count(lambda one: one.score > 0),
        draw=count(lambda one: one.score == 0),
        loss=count(lambda one: one.score < 0),
        over=count(lambda one: not one.after),
        moves=count(lambda one: len(one.after)),
        most=max(len(one.after) for one in group),
        choices=count(lambda one: len(one.after) > 1),
        single=count(lambda one: len(one.after) > 1 and one.good == 1),
    )


def _distances(found: Iterable[Examined], result: Outcome, scale: float) -> dict[int, int]:
    """Return the number of positions with an outcome by distance."""
    counts: Counter[int] = Counter()
    for one in found:
        plies = distance(one.score)
        if plies is not None and outcome(one.score) == result:
            counts[plies] += one.weight
    return {plies: round(scale * counts[plies]) for plies in sorted(counts)}


def _longest(table: Table | MappedTable) -> dict[str, int | None]:
    """Return the longest distance of a win and of a loss in the table."""
    if isinstance(table, Table):
        scores = {score(result, plies or 0) for result, plies, _, _ in table.entries.values()}
    else:
        scores = {widen(value, table.layout.limit) for value in set(table.arrays["values"])}
    return {
        str(o): max((distance(s) or 0 for s in scores if outcome(s) == o), default=None)
        for o in (Outcome.WIN, Outcome.LOSS)
    }


def format_statistics(found: Statistics) -> str:
    """Return statistics as text: a sentence, a table by ply, and a table of distances."""
    rows = [(found.by, *TITLES), *(_cells(str(row.number), row) for row in found.rows)]
    rows.append(_cells("all", found.total))
    wins, losses = found.distances["win"], found.distances["loss"]
    plies = [("plies", "wins", "losses")] + [
        (str(n), f"{wins.get(n, 0):,}", f"{losses.get(n, 0):,}") for n in sorted(wins | losses)
    ]
    lines = [_scope(found), "", *_columns(rows), "", "plies to the end", *_columns(plies)]
    return "\n".join(lines) + "\n"


def _scope(found: Statistics) -> str:
    """Return a sentence about what was examined and what the numbers count."""
    if found.exact:
        return "Every position counts; plies are the fewest from the start."
    drawn = f"{found.looked_at:,} of {found.canonical:,} positions up to symmetry"
    return f"Estimated from {drawn}, drawn uniformly."


def _cells(name: str, row: StatisticsRow) -> tuple[str, ...]:
    counts = (row.positions, row.win, row.draw, row.loss, row.over)
    mean = "-" if row.branching is None else f"{row.branching:.2f}"
    single = "-" if row.share is None else f"{row.share:.1%} of {row.choices:,}"
    return (name, *(f"{count:,}" for count in counts), mean, single)


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows as lines with their columns flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)) for row in rows]
