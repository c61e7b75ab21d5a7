"""How large a game is and what solving it takes, without solving it.

Takes a game; returns its numbers of distinct positions by ply, and the time, memory and disk that a
solve takes. Plies are counted exactly up to a budget of positions, and the rest is estimated by
sampling. The parts are in `estimate_count`, `estimate_sample` and `estimate_cost`.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from solver.compiling.find import find_kernel
from solver.errors import BrokenTierError
from solver.rules.default_keys import with_keys
from solver.rules.game import Game, defines
from solver.rules.kernel import LayeredKernel, TieredKernel
from solver.solving.estimate_cost import Ply, layers_cost, plain_cost, tiers_cost
from solver.solving.estimate_count import (
    EXAMPLES,
    Count,
    PlyCount,
    count_layers,
    count_plain,
    count_tiers,
)
from solver.solving.estimate_sample import DRAWN, MOST_WORK, Sampler, Weighted
from solver.tables.format import SMALL
from solver.units import format_duration

BUDGET = 3_000_000  # positions to count with a kernel; the ply that reaches it is the last
BUDGET_TIERED = 100_000_000  # the same where positions repeat, since sampling is impossible there
BUDGET_PLAIN = 50_000  # the same without a kernel
SAMPLES = 8  # independent samples; their spread gives the error
FEWEST_SAMPLES = 3  # if more would take too long
STUDENT = {3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365}  # 95 %, by samples
WIDER = 1.25  # factor on the range of positions, since a few samples miss rare large values
WIDER_TIME = 1.3  # factor on the range of the time, since the model of the cost is rough

Finding = Callable[[Game[Any, Any]], tuple[LayeredKernel | TieredKernel | None, str]]
"""A function that returns a game's kernel or None, and a remark, as `find_kernel` does."""


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
    volume: int
    """The bytes that workers read from and write to the work folder."""
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
    rough: bool = False,
    find: Finding = find_kernel,
) -> Estimate:
    """Return how large a game is and what solving it with this many workers takes.

    Counting stops after the ply in which the number of positions reaches `budget`. `memory` limits
    the bytes of each worker. A `rough` estimate is quick, above all if it is `known` how many
    positions there are. `find` returns the kernel; without one, the cost is that of solving in
    plain Python. Results for the same seed are equal, except for the time. Raises GameLawError or
    KernelError if the rules are wrong.
    """

    def estimated() -> Estimate:
        try:
            return _estimate(game, budget, seed, workers, memory, known, rough, find)
        except BrokenTierError:  # the kernel has layers, but the game has none
            plain = partial(find_kernel, layers=False)
            return _estimate(game, budget, seed, workers, memory, known, rough, plain)

    return with_keys(game, estimated)


def _estimate(
    game: Game[Any, Any],
    budget: int | None,
    seed: int,
    workers: int,
    memory: int | None,
    known: int | None,
    rough: bool,
    find: Finding,
) -> Estimate:
    kernel, remark = find(game)
    most, started = budget, time.perf_counter()
    if rough and budget is None:
        most = BUDGET_PLAIN if kernel is None else BUDGET
        most = most if known is None else most // 10
    count = _count(game, kernel, most)
    by_tier = isinstance(kernel, TieredKernel)
    tiers = count.plies if by_tier else []
    if not count.complete and by_tier and not defines(game, "kernel"):
        few = min(budget or BUDGET_PLAIN, BUDGET_PLAIN)  # the rest is sampled
        count = count_plain(game, few)._replace(seconds=count.seconds)
    counts, why, seconds = count.plies, "", time.perf_counter() - started
    if known is not None and not count.complete:
        counts = [*counts, _rest(counts, known)]
    elif not count.complete:
        counts, why = _sample(game, count, seed, FEWEST_SAMPLES if rough else SAMPLES)
        counts = tiers if why and tiers else counts
    plies = [
        Ply(i, *_range(ply.positions), _range(ply.canonical)[0]) for i, ply in enumerate(counts)
    ]
    samples = max(len(ply.positions) for ply in counts)
    totals = [sum(ply.positions[i % len(ply.positions)] for ply in counts) for i in range(samples)]
    positions, low, high = _range(totals)
    canonical = sum(ply.canonical for ply in plies)
    large = canonical > SMALL
    if large and isinstance(kernel, LayeredKernel):
        cost = layers_cost(game, kernel, count, counts, plies, workers, memory)
    elif large and isinstance(kernel, TieredKernel):
        cost = tiers_cost(game, count, counts, plies)
    else:
        cost = plain_cost(game, counts, plies)
    stopped = (
        f"counting stopped after {format_duration(seconds)}, and the rest cannot be estimated,"
        f" because {why}; a solve may still work"
    )
    sampled_by_tier = counts is not count.plies and count.steps != {1}
    spread = sorted(x / max(1, positions) for x in (low, high))
    return Estimate(
        game=game.spec,
        positions=positions,
        low=low,
        high=high,
        canonical=canonical,
        exact=count.complete,
        complete=not why,
        plies=plies,
        unit="tier" if counts is tiers or sampled_by_tier else "ply",
        workers=workers,
        seconds_low=cost.seconds * spread[0] / WIDER_TIME,
        seconds_high=cost.seconds * spread[1] * WIDER_TIME,
        remarks=[stopped] * bool(why) + [remark] * (bool(remark) and large),
        **cost._asdict(),
    )


def _count(
    game: Game[Any, Any], kernel: LayeredKernel | TieredKernel | None, budget: int | None
) -> Count:
    """Return the plies or tiers counted up to the budget."""
    if isinstance(kernel, LayeredKernel):
        return count_layers(game, kernel, budget or BUDGET)
    if isinstance(kernel, TieredKernel):
        is_compiled = not defines(game, "kernel")
        return count_tiers(game, kernel, budget or (BUDGET if is_compiled else BUDGET_TIERED))
    return count_plain(game, budget or BUDGET_PLAIN)


def _rest(counts: list[PlyCount], known: int) -> PlyCount:
    """Return all positions that were not counted as one ply."""
    last = counts[-1]
    rest = known - sum(ply.positions[0] for ply in counts)
    return PlyCount([rest], [rest * last.canonical[0] / last.positions[0]], last.examples)


def _range(values: list[float]) -> tuple[int, int, int]:
    """Return the mean of independent estimates and a range around it; one value is exact."""
    size, mean = len(values), sum(values) / len(values)
    if size == 1:
        return round(mean), round(mean), round(mean)
    deviation = (sum((x - mean) ** 2 for x in values) / (size - 1) / size) ** 0.5
    half = WIDER * STUDENT[size] * deviation
    return round(mean), round(max(0, mean - half)), round(mean + half)


def _sample(game: Game[Any, Any], count: Count, seed: int, most: int) -> tuple[list[PlyCount], str]:
    """Return all plies, estimating those not counted; or the counted ones and why only these.

    If moves skip tiers, everything but the start is estimated, tier by tier.
    """
    start, known = game.initial(), count.plies
    if min(count.steps) < 1:
        return known, "some moves do not raise the tier"
    if game.parents(start) is None or count.contains is None or count.draw is None:
        return known, "its rules do not define parents"
    contains, draw = count.contains, count.draw
    if count.steps != {1}:
        known, contains, draw = known[:1], start.__eq__, lambda _: start
    base = game.tier(start) + len(known) - 1
    sampler = Sampler(game, base, contains)
    samples: list[dict[int, list[Weighted]]] = []
    while len(samples) < most and (len(samples) < FEWEST_SAMPLES or sampler.work < MOST_WORK):
        generator = random.Random(seed * SAMPLES + len(samples))
        drawn = [draw(generator) for _ in range(DRAWN)]
        samples.append(sampler.follow(drawn, known[-1].positions[0], generator))
        if sampler.too_hard:
            return count.plies, "it is unclear which positions it reaches"
        if sampler.work > 2 * MOST_WORK:
            return count.plies, "sampling takes too long"
    tiers = range(base + 1, max(map(max, samples)) + 1)
    later = [_gather(game, [sample.get(tier, []) for sample in samples]) for tier in tiers]
    return known + later, ""


def _gather(game: Game[Any, Any], samples: list[list[Weighted]]) -> PlyCount:
    """Return the estimates for a ply from several samples of it."""
    start = game.initial()
    images = [s.position for s in game.symmetries if s.position(start) == start]
    return PlyCount(
        [sum(n for _, n in sample) for sample in samples],
        [sum(n / len({image(p) for image in images}) for p, n in sample) for sample in samples],
        [p for sample in samples for p, _ in sample[:: DRAWN * SAMPLES // EXAMPLES]],
    )
