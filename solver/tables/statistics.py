"""What a whole table says about a game: outcomes by ply, distances, branching, lone good moves.

Takes a table; returns numbers worked out from its values and the rules. A table of up to MOST_EXACT
positions up to symmetry is gone through whole, by ply: the fewest moves in which the game reaches a
position; every position counts, each symmetric image for itself. Of a larger table SAMPLE positions
are drawn evenly, which count up to symmetry, and the numbers are estimates.
"""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.rules.game import walk
from solver.rules.positions import children, explore, orbits
from solver.tables.json_table import Table
from solver.value import Outcome, distance, outcome, score, widen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from solver.rules.game import Game
    from solver.tables.mapped_table import MappedTable

MOST_EXACT = 200_000  # positions up to symmetry
SAMPLE = 20_000
TITLES = ("positions", "wins", "draws", "losses", "over", "moves", "one good move")
WALK = 2_000  # plies of random games that show whether tiers are plies


class StatisticsRow(NamedTuple):
    """The positions of one ply, or of one tier; counts of a sample are scaled to the table."""

    number: int
    positions: int
    canonical: int
    """How many there are up to symmetry."""
    win: int
    draw: int
    loss: int
    """Outcomes for the side to move."""
    over: int
    """How many have the game over."""
    moves: int
    """How many moves there are from all of them."""
    most: int
    """How many moves there are from one, at most."""
    choices: int
    """How many have two or more moves."""
    single: int
    """In how many of these exactly one move keeps the outcome."""

    @property
    def branching(self) -> float | None:
        """Moves from a position at which the game is not over, on average."""
        return self.moves / (self.positions - self.over) if self.positions > self.over else None

    @property
    def share(self) -> float | None:
        """The share of the positions with a choice in which a single move is good."""
        return self.single / self.choices if self.choices else None


class Statistics(NamedTuple):
    """What a table says about its game."""

    game: str
    exact: bool
    looked_at: int
    """How many positions up to symmetry were looked at."""
    canonical: int
    """How many there are."""
    by: str
    """'ply' or, where a sample does not tell plies, 'tier': what rows are about."""
    rows: tuple[StatisticsRow, ...]
    distances: dict[str, dict[int, int]]
    """How many positions are won and lost in how many plies, 0 for a game that is over."""
    longest: dict[str, int | None]
    """The longest win and the longest loss, by all of the table."""

    @property
    def unit(self) -> str:
        """What is counted."""
        return "positions" if self.exact else "positions up to symmetry"

    @property
    def total(self) -> StatisticsRow:
        """All rows as one."""
        sums = [sum(column) for column in zip(*self.rows, strict=True)]
        whole = StatisticsRow(*sums)._replace(
            number=len(self.rows), most=max(row.most for row in self.rows)
        )
        if self.exact:
            return whole
        return whole._replace(positions=self.canonical, canonical=self.canonical)  # not rounded

    def as_data(self) -> dict[str, Any]:
        """Return the survey as JSON has it."""
        rows = [{self.by: row.number} | _row_data(row) for row in self.rows]
        return {
            "exact": self.exact,
            "looked_at": self.looked_at,
            "unit": self.unit,
            "total": _row_data(self.total),
            f"by_{self.by}": rows,
            "distances": self.distances,
            "longest": self.longest,
        }


class Looked(NamedTuple):
    """One position that was looked at."""

    number: int
    """Its ply or tier."""
    weight: int
    score: int
    below: tuple[int, ...]
    """The scores of the positions that its moves lead to."""
    over: bool


def compute_statistics(
    table: Table | MappedTable, progress: Callable[[int, int], None] | None = None, seed: int = 0
) -> Statistics:
    """Return the survey of a table; `progress` is called with positions done and in all."""
    canonical = table.counts["canonical"]
    exact = canonical <= MOST_EXACT
    every = canonical if exact else SAMPLE
    by = "ply"
    looked = []
    places = None if exact else random.Random(seed).sample(range(canonical), every)
    for one in _by_ply(table) if places is None else _drawn(table, places):
        looked.append(one)
        if progress is not None and len(looked) % 1000 == 0:
            progress(len(looked), every)
    if not exact and not _steps(table.game):
        by = "tier"
    rows: dict[int, list[Looked]] = {}
    for one in looked:
        rows.setdefault(one.number, []).append(one)
    scale = canonical / every
    return Statistics(
        table.game.spec,
        exact,
        every,
        canonical,
        by,
        tuple(_row(number, rows[number], scale) for number in sorted(rows)),
        {str(o): _distances(looked, o, scale) for o in (Outcome.WIN, Outcome.LOSS)},
        _longest(table),
    )


def _by_ply(table: Table | MappedTable) -> Iterator[Looked]:
    """Yield every position of a table, those first that the game reaches in the fewest moves."""
    game = table.game
    scores = dict(table.positions())
    weights = orbits(game, scores)
    start = game.canonical(game.initial())
    below = {p: children(game, p) for p in scores}
    for number, ply in enumerate(explore([start], below.__getitem__)):
        for p in ply:
            worth = tuple(scores[q] for q in below[p])
            yield Looked(number, weights[p], scores[p], worth, not below[p])


def _drawn(table: Table | MappedTable, places: list[int]) -> Iterator[Looked]:
    """Yield the positions at some places of a table, each with its tier."""
    game = table.game
    texts = sorted(table.entries) if isinstance(table, Table) else None
    for place in sorted(places):
        if isinstance(table, Table):
            assert texts is not None
            p = game.parse(texts[place])
            held = table.probe(p)
        else:
            p, held = table.entry(place)
        below = children(game, p)
        worth = tuple(table.probe(q) for q in below)
        yield Looked(game.tier(p), 1, held, worth, not below)


def _steps(game: Game[Any, Any]) -> bool:
    """Return whether tiers are plies: each move of a long walk goes up by one, from 0."""
    tiers = [game.tier(p) for p in walk(game, WALK)]
    return tiers[0] == 0 and all(q in (p + 1, 0) for p, q in pairwise(tiers))


def _row(number: int, looked: list[Looked], scale: float) -> StatisticsRow:
    """Return what there is to say of the positions of one ply or tier."""

    def count(holds: Callable[[Looked], int]) -> int:
        return round(scale * sum(one.weight * holds(one) for one in looked))

    return StatisticsRow(
        number,
        positions=count(lambda one: 1),
        canonical=round(scale * len(looked)),
        win=count(lambda one: one.score > 0),
        draw=count(lambda one: one.score == 0),
        loss=count(lambda one: one.score < 0),
        over=count(lambda one: one.over),
        moves=count(lambda one: len(one.below)),
        most=max(len(one.below) for one in looked),
        choices=count(lambda one: len(one.below) > 1),
        single=count(lambda one: len(one.below) > 1 and good_moves(one) == 1),
    )


def good_moves(one: Looked) -> int:
    """Return how many moves keep a position's outcome."""
    return sum(outcome(score) == -outcome(one.score) for score in one.below)


def _distances(looked: list[Looked], held: Outcome, scale: float) -> dict[int, int]:
    """Return how many positions with an outcome there are for each distance."""
    found: dict[int, int] = {}
    for one in looked:
        plies = distance(one.score)
        if plies is not None and outcome(one.score) == held:
            found[plies] = found.get(plies, 0) + one.weight
    return {plies: round(scale * found[plies]) for plies in sorted(found)}


def _longest(table: Table | MappedTable) -> dict[str, int | None]:
    """Return the most plies in which a position of the table is won, and lost."""
    if isinstance(table, Table):
        scores = {score(held, plies or 0) for held, plies, _, _ in table.entries.values()}
    else:
        scores = {widen(value, table.layout.limit) for value in set(table.values)}
    return {
        str(o): max((distance(s) or 0 for s in scores if outcome(s) == o), default=None)
        for o in (Outcome.WIN, Outcome.LOSS)
    }


def _row_data(row: StatisticsRow) -> dict[str, Any]:
    """Return a row as JSON has it, with its averages."""
    shares = {"branching": row.branching, "single_share": row.share}
    counts = row._asdict()
    del counts["number"]
    return counts | {name: None if x is None else round(x, 6) for name, x in shares.items()}


def format_statistics(found: Statistics) -> str:
    """Return a survey as text: a sentence, a table by ply, a table of distances."""
    lines = [scope(found), ""]
    rows: list[tuple[str, ...]] = [
        (found.by, *TITLES),
        *(_cells(str(row.number), row) for row in found.rows),
    ]
    rows.append(_cells("all", found.total))
    lines += _columns(rows)
    lines += ["", "plies to the end", *_columns(_distance_rows(found))]
    return "\n".join(lines) + "\n"


def scope(found: Statistics) -> str:
    """Return one sentence about what was looked at and what it counts."""
    if found.exact:
        return "Every position counts; plies are the fewest from the start."
    drawn = f"{found.looked_at:,} of {found.canonical:,} positions up to symmetry"
    return f"Estimated from {drawn}, drawn evenly."


def _cells(name: str, row: StatisticsRow) -> tuple[str, ...]:
    counts = (row.positions, row.win, row.draw, row.loss, row.over)
    mean = "-" if row.branching is None else f"{row.branching:.2f}"
    single = "-" if row.share is None else f"{row.share:.1%} of {row.choices:,}"
    return (name, *(f"{count:,}" for count in counts), mean, single)


def _distance_rows(found: Statistics) -> list[tuple[str, ...]]:
    wins, losses = (found.distances[str(o)] for o in (Outcome.WIN, Outcome.LOSS))
    rows: list[tuple[str, ...]] = [("plies", "wins", "losses")]
    for plies in sorted(wins | losses):
        rows.append((str(plies), f"{wins.get(plies, 0):,}", f"{losses.get(plies, 0):,}"))
    return rows


def _columns(rows: list[tuple[str, ...]]) -> list[str]:
    """Return rows as lines, their columns flush right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(c.rjust(w) for c, w in zip(row, widths, strict=True)) for row in rows]
