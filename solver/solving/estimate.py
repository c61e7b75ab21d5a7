"""How large a game is and what solving it takes, without solving it.

Takes a game; returns its numbers of distinct positions by ply, and the time, memory and disk that a
solve takes. Plies are counted exactly up to a budget of positions, and the rest is estimated by
sampling, or without `parents` from their growth (see `estimate_count` and `estimate_later`). What a
position costs, the steps of the solve know: `Steps.cost`. The time of a move is the one just
measured while counting on this machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from operator import mul
from statistics import fmean, stdev
from typing import Any, NamedTuple

from solver.compiling.find import find_kernel
from solver.errors import BrokenTierError
from solver.games import built_in_name, by_hand
from solver.rules.default_keys import with_keys
from solver.rules.game import Game, legal_moves, primitive_outcome
from solver.rules.kernel import Kernel
from solver.solving.check_entries import MOST as CHECKED
from solver.solving.estimate_count import (
    Count,
    PlyCount,
    branching,
    count_plain,
    count_plies,
    count_tiers,
    time_per_move,
)
from solver.solving.estimate_later import SAMPLES, extrapolate, sample
from solver.solving.steps import COMPILED, ENTRY_BYTES, PYTHON, Steps
from solver.solving.steps_python import PythonSteps, steps_for
from solver.tables.format import MOST_JSON, SMALL
from solver.tables.mapped_file import WIDEST, choose_layout

BUDGET = 3_000_000  # positions to count with a kernel; the ply that reaches it is the last
BUDGET_TIERED = 100_000_000  # the same where positions repeat, since sampling is impossible there
BUDGET_PLAIN = 50_000  # the same without a kernel
STUDENT = {3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365}  # 95 %, by samples
WIDER = 1.25  # factor on the range of positions, since a few samples miss rare large values
WIDER_TIME = 1.5  # factor on the range of the time, since the model of the cost is rough
READING = 2e-9  # seconds to read and search a byte of a later tier, for each part of a tier
ROOM = 48 << 20  # bytes that a process needs at least, besides what it takes when loaded
JSON_MEMORY = 13  # bytes of memory for each byte of a JSON table
HEADER = 1000  # approximate bytes of a table before its entries
MANY_PLIES = 100  # about the longest game on a small board

Finding = Callable[[Game[Any, Any]], tuple[Kernel | None, str]]
"""A function that returns a game's kernel or None, and a remark, as `find_kernel` does."""


class Ply(NamedTuple):
    """The distinct positions a number of moves from the start, or in a tier; see `Estimate.unit`.

    Terminal positions are included.
    """

    ply: int
    positions: int
    low: int
    high: int
    """With `low`, the likely range of `positions`: a 95 % confidence interval if sampled."""
    canonical: int
    """Positions up to symmetry."""


class Estimate(NamedTuple):
    """How large a game is, and what solving it takes on processors like this machine's."""

    game: str
    positions: int
    low: int
    high: int
    canonical: int
    exact: bool
    """Whether all positions were counted."""
    complete: bool
    """Whether the other positions were at least estimated; if not, they are not included."""
    plies: list[Ply]
    unit: str
    """The unit of `plies`: 'ply' or 'tier'."""
    workers: int
    seconds: float
    """The time of all workers together, without waiting."""
    seconds_low: float
    seconds_high: float
    """With `seconds_low`, the likely range of `seconds`."""
    memory: int
    """The most bytes of memory of each worker."""
    disk: int
    """The most bytes on disk while solving, including the table."""
    file: int | None
    """The bytes of the table; None if the game is too large for one."""
    remarks: list[str]


def estimate(
    game: Game[Any, Any],
    budget: int | None = None,
    seed: int = 0,
    workers: int = 1,
    memory: int | None = None,
    known: int | None = None,
    samples: int = SAMPLES,
    find: Finding = find_kernel,
) -> Estimate:
    """Return how large a game is and what solving it with this many workers takes.

    Counting stops after the ply in which the number of positions reaches `budget`. `memory` limits
    the bytes of each worker. With fewer `samples` the estimate is rough and quick, above all if it
    is `known` how many positions there are; with none, the growth of plies is taken instead, which
    guesses. `find` returns the kernel; without one, the cost is that of solving in plain Python.
    Results for the same seed are equal, except for the time, unless the rules are so slow that it
    ends the count. Raises GameLawError or KernelError if the rules are wrong.
    """

    def estimated() -> Estimate:
        steps, count, remark = _count(game, budget, known, samples < SAMPLES, find)
        tally, why = count, ""
        if not count.complete and known is not None:
            tally = count._replace(plies=[*count.plies, _rest(count.plies, known)])
        elif not count.complete:
            tally, why = _completed(steps, count, budget, seed, samples)
        if why:
            why = f"the rest cannot be estimated, because {why}; a solve may still work"
        size = _estimate(steps, tally, workers, memory)
        remarks = [why] * bool(why) + [remark] * (bool(remark) and size.canonical > SMALL)
        remarks += [tally.remark] * bool(tally.remark)
        return size._replace(exact=count.complete, complete=not why, remarks=remarks)

    return with_keys(game, estimated)


def _count(
    game: Game[Any, Any], budget: int | None, known: int | None, rough: bool, find: Finding
) -> tuple[Steps, Count, str]:
    """Return the steps of a solve, the plies or tiers counted up to the budget, and a remark.

    A game that is found to be small is solved in memory, and its rules are not compiled.
    """
    if known is None and find is find_kernel and not by_hand(game, "kernel"):
        count = count_plain(game, SMALL if budget is None else min(SMALL, budget))
        if count.complete:
            return steps_for(game, None), count, ""
    kernel, remark = find(game)
    steps = steps_for(game, kernel)
    most = budget or _budget(steps, known, rough)
    if kernel is None:
        return steps, count_plain(game, most), remark
    try:
        tiers = count_tiers(steps, most)
        return steps, tiers if tiers.plies else count_plies(steps, tiers, most), remark
    except BrokenTierError:  # the kernel has layers, but the game has none
        without = partial(find_kernel, layers=False)
        return _count(game, budget, known, rough, without)


def _estimate(steps: Steps, count: Count, workers: int, limit: int | None) -> Estimate:
    """Return the estimate for all plies, as if they were counted."""
    game = steps.game
    plies = [
        Ply(i, *_range(ply.positions), _range(ply.canonical)[0])
        for i, ply in enumerate(count.plies)
    ]
    samples = max(len(ply.positions) for ply in count.plies)
    totals = [sum(n[i % len(n)] for n, *_ in count.plies) for i in range(samples)]
    _, low, high = _range(totals)
    positions, canonical = sum(ply.positions for ply in plies), sum(ply.canonical for ply in plies)
    if canonical <= SMALL:  # it is solved in memory
        steps = PythonSteps(game)
        count = count._replace(seconds=time_per_move(game, count.plies))
    seconds, memory, disk, file = _cost(steps, count, plies, limit)
    return Estimate(
        game=game.spec,
        positions=positions,
        low=low,
        high=high,
        canonical=canonical,
        exact=True,
        complete=True,
        plies=plies,
        unit=count.unit,
        workers=workers,
        seconds=seconds,
        seconds_low=seconds * low / positions / WIDER_TIME,
        seconds_high=seconds * high / positions * WIDER_TIME,
        memory=memory,
        disk=disk,
        file=file,
        remarks=[],
    )


def _budget(steps: Steps, known: int | None, rough: bool) -> int:
    """Return how many positions to count."""
    most = BUDGET_PLAIN if steps.kind == PYTHON else BUDGET
    if steps.kind == COMPILED and by_hand(steps.game, "kernel") and not rough:
        most = BUDGET_TIERED
    return most // 10 if rough and known is not None else most


def _completed(
    steps: Steps, count: Count, budget: int | None, seed: int, most: int
) -> tuple[Count, str]:
    """Return all plies, those not counted sampled or extrapolated; or those counted, and why.

    At `most` so many samples are drawn; none if it is 0.
    """
    game, first = steps.game, count
    if most and game.parents(game.initial()) is not None:
        if not count.last:  # fewer plies, from the last of which positions can be drawn
            few = min(budget or BUDGET_PLAIN, BUDGET_PLAIN)
            first = count_plain(game, few)._replace(seconds=count.seconds)
        tally, why = sample(game, first, seed, most)
        return (count if why else tally), why
    if count.unit == "tier":
        first = count_plies(steps, count, budget or BUDGET)
    return extrapolate(game, first, seed)


def _rest(counts: list[PlyCount], known: int) -> PlyCount:
    """Return all positions that were not counted as one ply."""
    last = counts[-1]
    rest = known - sum(ply.positions[0] for ply in counts)
    return PlyCount([rest], [rest * last.canonical[0] / last.positions[0]], last.examples)


def _range(values: list[float]) -> tuple[int, int, int]:
    """Return the mean of independent estimates and a range around it.

    One value is exact. Two are the ends of the range, around their geometric mean.
    """
    size, mean = len(values), fmean(values)
    if size == 1:
        return round(mean), round(mean), round(mean)
    if size == 2:
        return round(values[0] ** 0.5 * values[1] ** 0.5), round(values[0]), round(values[1])
    half = WIDER * STUDENT[size] * stdev(values) / size**0.5
    return round(mean), round(max(0, mean - half)), round(mean + half)


def _cost(
    steps: Steps, count: Count, plies: list[Ply], limit: int | None
) -> tuple[float, int, int, int | None]:
    """Return seconds, and bytes of memory, of disk and of the table."""
    game, sizes = steps.game, [float(ply.canonical) for ply in plies]
    moves = [branching(game, ply.examples) for ply in count.plies]
    top = max(game.key(game.canonical(p)) for ply in count.plies for p in ply.examples)
    taken, work = steps.cost(sizes, moves)
    loaded, seconds = steps.loaded
    followed = sum(map(mul, sizes, moves))
    seconds += steps.solving * count.seconds * followed
    if steps.compiled and built_in_name(game) is None:  # entries are computed again by the rules
        seconds += min(1, CHECKED / sum(sizes)) * followed * time_per_move(game, count.plies)
    memory, file = loaded + taken, None
    is_wide = top.bit_length() > WIDEST
    if sum(sizes) <= (MOST_JSON if is_wide else SMALL):
        file = HEADER + int(sum(map(partial(_json_bytes, game), plies, count.plies)))
        memory += JSON_MEMORY * file
    elif not is_wide:
        longest = len(plies) if count.unit == "ply" else MANY_PLIES
        layout = choose_layout(int(sum(sizes)), top, longest)
        file = HEADER + sum(layout.sizes.values())
        if limit is not None and limit < memory and steps.can_split:
            memory = max(limit, loaded + ROOM)
            parts = [2 * steps.position_bytes * n / (memory - loaded) for n in sizes]
            seconds += READING * steps.later_bytes * sum(map(mul, parts, sizes[1:]))
            if steps.slot_width is None or layout.multiplier != 1:  # each range reads all parts
                ranges = ENTRY_BYTES * layout.entries / (memory - loaded)
                seconds += READING * 9 * layout.entries * ranges
    return seconds, int(memory), int(work) + 2 * (file or 0), file


def _json_bytes(game: Game[Any, Any], ply: Ply, count: PlyCount) -> float:
    """Return the approximate bytes of the entries of a ply in a JSON table."""
    size = 0
    for p in count.examples:
        moves = [] if primitive_outcome(game, p) is not None else legal_moves(game, p)
        size += 25 + len(game.text(p)) + sum(16 + len(json.dumps(game.code(m))) for m in moves)
    return ply.canonical * size / max(1, len(count.examples))
