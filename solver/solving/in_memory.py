"""Solve a small game in memory: by search, or by retrograde analysis of all its positions."""

from __future__ import annotations

from typing import Any

from solver.games import built_in_name, by_hand
from solver.rules.default_keys import with_keys
from solver.rules.game import checked_key
from solver.rules.positions import check_position, children, reachable
from solver.solving.coordinator import COUNTING
from solver.solving.from_scores import json_table, mapped_table
from solver.solving.job import Job, Solution, Way
from solver.solving.limits import LARGE
from solver.solving.retrograde import retrograde
from solver.solving.search import search
from solver.solving.steps import check_length
from solver.tables.format import MOST_JSON, SMALL
from solver.tables.json_table import Table
from solver.tables.mapped_file import WIDEST, MappedFile
from solver.tables.store import SUFFIXES

FEW = 2_000  # canonical positions up to which loading a kernel takes longer than it saves
# (up to SMALL, if it must be compiled, up to
OWN = 3  # times SMALL with rules of one's own, and fewer with more than
USUAL = 4  # symmetries)
JSON, MAPPED = SUFFIXES


def small_tiers(job: Job) -> dict[int, list[Any]]:
    """Return the canonical positions of a game by tier; none if it is not solved in memory.

    Beyond SMALL positions it goes on only while the game grows so slowly that its next ply is
    expected to fit, too. If rules are slow, a hopeless game is refused on the way.
    """
    game = job.game
    if job.suffix == JSON:
        most = SMALL
    elif by_hand(game, "kernel"):
        most = FEW if job.suffix == MAPPED else SMALL
    else:
        most = SMALL if built_in_name(game) else OWN * SMALL
        most = most * USUAL // max(USUAL, len(game.symmetries))
    counts = [0, 1]

    def go_on(count: int) -> bool:
        before, last = counts[-2:]
        counts.append(count)
        growth = (count - last) ** 2 // max(1, last - before)
        if is_small := count <= SMALL or count + growth <= most:
            job.options.progress(COUNTING, count, None)
        return is_small

    def following(p: Any) -> list[Any]:
        job.guard.check(0)
        return children(game, p)

    return reachable(game, go_on, most, following)


def wide_tiers(job: Job) -> dict[int, list[Any]]:
    """Return the canonical positions of a game whose keys do not fit a mapped table, by tier."""

    def go_on(count: int) -> bool:
        job.options.progress(COUNTING, count, None)
        return True

    job.guard.check(LARGE)
    wide = f"keys of {job.game.spec} have more than {WIDEST} bits, which need a JSON table"
    if job.suffix == MAPPED:
        raise ValueError(
            f"{wide}: name a file that ends in {JSON}, for up to {MOST_JSON:,} positions"
        )
    if tiers := reachable(job.game, go_on, MOST_JSON):
        return tiers
    raise ValueError(
        f"{wide}, and it has more than {MOST_JSON:,} positions: define key and position with at"
        f" most {WIDEST} bits"
    )


def solve_in_memory(job: Job, way: Way) -> Solution:
    """Return the table of a game whose positions are known, or are found by search.

    It has the form that the job says; else it is mapped if it is large and its keys fit.
    """
    game, files = job.game, job.files
    if way.positions is None:
        job.guard.start(None)
        scores = search(game, job.guard.check)
    else:
        scores = retrograde(game, way.positions)
    if built_in_name(game) is None:
        for p in scores:
            check_position(game, p)
    check_length(game.spec, scores.values())
    files.update()
    table: Table | MappedFile
    if _is_json(job, way, scores):
        table = json_table(game, scores, files.stated)
    else:
        table = mapped_table(game, scores, files.stated)
    return Solution(table, is_trusted=True)


def _is_json(job: Job, way: Way, scores: dict[Any, int]) -> bool:
    """Return whether the table of a game is JSON."""
    if job.suffix == JSON or way.is_wide or (job.suffix is None and len(scores) <= SMALL):
        return True
    top = with_keys(job.game, lambda: max(checked_key(job.game, p) for p in scores))
    return job.suffix != MAPPED and top.bit_length() > WIDEST
