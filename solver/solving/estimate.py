"""How large a game is and what it takes to solve it, before it is solved.

Takes a game; returns its distinct positions by ply, and the time, memory and disk that solving
takes. Plies are counted exactly up to a budget of positions; the rest is estimated by sampling.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from solver.rules.check_kernel import find_kernel
from solver.rules.game import Game
from solver.rules.kernel import LayeredKernel, TieredKernel
from solver.solving.estimate_cost import Ply, layers_cost, plain_cost, tiers_cost
from solver.solving.estimate_count import (
    SHOWN,
    Counted,
    Layer,
    count_layers,
    count_plain,
    count_tiers,
)
from solver.solving.estimate_sample import DRAWN, MOST_WORK, Sampler
from solver.tables.format import SMALL

EXACT = 3_000_000  # positions after which no further ply is counted, with a kernel
EXACT_TIERED = 100_000_000  # and with a kernel where positions repeat: those cannot be sampled
EXACT_PLAIN = 50_000  # and without
GROUPS = 8  # independent samples; how far they lie apart gives the error
FEWEST = 3  # groups, if more would take too long
STUDENT = {3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365}  # 95 %, by groups
SURE = 1.3  # times is the range of the time made wider, for the model of costs is rough
WIDER = 1.25  # times is the range made wider, for few groups tell little of the worst


class Estimate(NamedTuple):
    """How large a game is, and what it takes to solve it on one processor of this machine."""

    game: str
    positions: int
    low: int
    high: int
    canonical: int
    exact: bool
    """All positions were counted."""
    complete: bool
    """If not, these are only the positions that were counted, and there are more."""
    plies: list[Ply]
    unit: str
    """What these are: 'ply' or 'tier'."""
    workers: int
    """Among how many the work is shared."""
    seconds: float
    """Of work, not of waiting, of all workers together."""
    seconds_low: float
    seconds_high: float
    """With `seconds_low`, the range in which `seconds` lies, most times."""
    memory: int
    """Bytes that a worker holds at most."""
    disk: int
    """Bytes on disk while solving, the table among them."""
    volume: int
    """Bytes that workers read from the work folder and write to it, over a network or not."""
    file: int | None
    """Bytes of the table; None if no table can hold the game."""
    remarks: list[str]


def estimate(
    game: Game[Any, Any],
    budget: int | None = None,
    seed: int = 0,
    workers: int = 1,
    memory: int | None = None,
) -> Estimate:
    """Return how large a game is and what it takes to solve it by so many workers.

    After `budget` positions no further ply is counted. `memory` is what each worker may take, in
    bytes. The same seed gives the same numbers, but for the time. Raises GameLawError or
    KernelError where the rules are wrong.
    """
    kernel, remark = find_kernel(game)
    if isinstance(kernel, LayeredKernel):
        counted = count_layers(game, kernel, budget or EXACT)
    elif isinstance(kernel, TieredKernel):
        counted = count_tiers(game, kernel, budget or EXACT_TIERED)
    else:
        counted = count_plain(game, budget or EXACT_PLAIN)
    layers, why = counted.layers, ""
    if not counted.complete:
        layers, why = _sample(game, counted, seed)
    sampled_tiers = layers is not counted.layers and counted.steps != {1}
    by_tier = isinstance(kernel, TieredKernel) or sampled_tiers
    plies = [
        Ply(i, *_range(layer.positions), _range(layer.canonical)[0])
        for i, layer in enumerate(layers)
    ]
    groups = max((layer.positions for layer in layers), key=len)
    totals = [sum(x.positions[i % len(x.positions)] for x in layers) for i in range(len(groups))]
    canonical = sum(ply.canonical for ply in plies)
    positions, low, high = _range(totals)
    large = canonical > SMALL
    if large and isinstance(kernel, LayeredKernel):
        cost = layers_cost(game, kernel, counted, layers, plies, workers, memory)
    elif large and isinstance(kernel, TieredKernel):
        cost = tiers_cost(game, counted)
    else:
        cost = plain_cost(game, layers, plies)
    remarks = [why] * bool(why) + [remark] * (bool(remark) and large)
    spread = sorted(x / max(1, positions) for x in (low, high))
    return Estimate(
        game=game.spec,
        positions=positions,
        low=low,
        high=high,
        canonical=canonical,
        exact=counted.complete,
        complete=not why,
        plies=plies,
        unit="tier" if by_tier else "ply",
        workers=workers,
        seconds_low=cost.seconds * spread[0] / SURE,
        seconds_high=cost.seconds * spread[1] * SURE,
        remarks=remarks,
        **cost._asdict(),
    )


def _range(values: list[float]) -> tuple[int, int, int]:
    """Return the mean of independent estimates, and a range around it; one value is exact."""
    size, mean = len(values), sum(values) / len(values)
    if size == 1:
        return round(mean), round(mean), round(mean)
    deviation = (sum((x - mean) ** 2 for x in values) / (size - 1) / size) ** 0.5
    half = WIDER * STUDENT[size] * deviation
    return round(mean), round(max(0, mean - half)), round(mean + half)


def _sample(game: Game[Any, Any], counted: Counted, seed: int) -> tuple[list[Layer], str]:
    """Return the plies, those estimated that were not counted; if they cannot be, why not.

    Where moves skip tiers, all but the start is estimated, tier by tier.
    """
    start, known = game.initial(), counted.layers
    if min(counted.steps) < 1:
        return known, "its moves do not all raise the tier, so sampling cannot tell its size"
    if game.parents(start) is None or counted.holds is None or counted.draw is None:
        return known, "its rules do not define parents, without which sampling cannot tell its size"
    holds, draw = counted.holds, counted.draw
    if counted.steps != {1}:
        known, holds, draw = known[:1], start.__eq__, lambda _: start
    base = game.tier(start) + len(known) - 1
    sampler = Sampler(game, base, holds)
    groups: list[dict[int, list[tuple[Any, float]]]] = []
    while len(groups) < GROUPS and (len(groups) < FEWEST or sampler.work < MOST_WORK):
        generator = random.Random(seed * GROUPS + len(groups))
        ply = [draw(generator) for _ in range(DRAWN)]
        groups.append(sampler.follow(ply, known[-1].positions[0], generator))
        if sampler.hard:
            return counted.layers, "which positions it reaches is too hard to see to tell its size"
        if sampler.work > 2 * MOST_WORK:
            return counted.layers, "sampling would take too long to tell its size"
    tiers = range(base + 1, max(map(max, groups)) + 1)
    later = [_gather(game, [group.get(tier, []) for group in groups]) for tier in tiers]
    return known + later, ""


def _gather(game: Game[Any, Any], groups: list[list[tuple[Any, float]]]) -> Layer:
    """Return a ply, given some of its positions, by group, each with how many it stands for."""
    start = game.initial()
    kept = [s.position for s in game.symmetries if s.position(start) == start]
    return Layer(
        [sum(n for _, n in group) for group in groups],
        [sum(n / len({image(p) for image in kept}) for p, n in group) for group in groups],
        [p for group in groups for p, _ in group[:: DRAWN * GROUPS // SHOWN]],
    )
