"""How large a game is and what it takes to solve it, before it is solved.

Takes a game; returns its distinct positions by ply, and the time, memory and disk that solving
takes. Plies are counted exactly up to a budget of positions; the rest is estimated by sampling.
"""

from __future__ import annotations

import json
import random
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from .counting import SHOWN, Counted, Layer, count_layers, count_plain, count_tiers
from .enumeration import children
from .errors import MemoryLimitError
from .game import Game, ended, legal_moves
from .kernel import CHUNK, LayeredKernel, TieredKernel, find_kernel
from .mapped import MOST_JSON, SMALL, WIDEST, layout
from .sampling import DRAWN, MOST_WORK, Sampler, following

if TYPE_CHECKING:
    from .kernel import Kernel

EXACT = 3_000_000  # positions after which no further ply is counted, with a kernel
EXACT_TIERED = 100_000_000  # and with a kernel where positions repeat: those cannot be sampled
EXACT_PLAIN = 50_000  # and without
EXACT_MEMORY = 500_000  # and without, where the rest cannot be estimated but memory is limited
GROUPS = 8  # independent samples; how far they lie apart gives the error
FEWEST = 3  # groups, if more would take too long
STUDENT = {3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365}  # 95 %, by groups
WIDER = 1.25  # times is the range made wider, for few groups tell little of the worst
START, START_PLAIN = 195 << 20, 32 << 20  # bytes: of Python with numba compiling, and without
HEADER = 1000  # bytes of a mapped table before its arrays, about
MANY_PLIES = 100  # about as long a game as there is on a small board
JSON_MEMORY = 13  # bytes held for each byte of a table that is JSON


class Ply(NamedTuple):
    """The distinct positions a number of moves from the start, or of a tier; see `Estimate.unit`.

    Terminal ones are among them.
    """

    ply: int
    positions: int
    low: int
    high: int
    """With `low`, the range in which `positions` lies, about 19 times of 20."""
    canonical: int
    """Positions up to symmetry."""


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
    seconds: float
    """Of work, not of waiting."""
    memory: int
    """Bytes that a solve holds at most."""
    disk: int
    """Bytes on disk while solving, the table among them."""
    file: int | None
    """Bytes of the table; None if no table can hold the game."""
    remarks: list[str]


def estimate(game: Game[Any, Any], budget: int | None = None, seed: int = 0) -> Estimate:
    """Return how large a game is and what it takes to solve it.

    After `budget` positions no further ply is counted. The same seed gives the same numbers, but
    for the time. Raises GameLawError or KernelError where the rules are wrong.
    """
    kernel, remark = find_kernel(game)
    return _estimate(game, kernel, remark, 1, budget, seed)


def memory_needed(game: Game[Any, Any], kernel: Kernel | None, workers: int) -> int:
    """Return how many bytes a solve by so many workers holds at most, about.

    Raises MemoryLimitError if that cannot be told.
    """
    found = _estimate(game, kernel, "", workers)
    if not found.complete and kernel is None:
        found = _estimate(game, kernel, "", workers, EXACT_MEMORY)
    if not found.complete:
        raise MemoryLimitError(
            f"how much memory {game.spec} takes cannot be told before it is solved:"
            f" {found.remarks[0]}"
        )
    return found.memory


def _estimate(
    game: Game[Any, Any],
    kernel: Kernel | None,
    remark: str,
    workers: int,
    budget: int | None = None,
    seed: int = 0,
) -> Estimate:
    """Count, sample what was not counted, and work out what the solve takes."""
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
    if canonical > SMALL and isinstance(kernel, LayeredKernel):
        cost = _layers_cost(game, kernel, workers, counted, layers, plies)
    elif canonical > SMALL and isinstance(kernel, TieredKernel):
        cost = _tiers_cost(game, counted)
    else:
        cost = _plain_cost(game, layers, plies)
    remarks = [why] * bool(why) + [remark] * (bool(remark) and canonical > SMALL)
    return Estimate(
        game.spec,
        *_range(totals),
        canonical,
        counted.complete,
        not why,
        plies,
        "tier" if by_tier else "ply",
        **cost._asdict(),
        remarks=remarks,
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


class Cost(NamedTuple):
    """What solving takes; see `Estimate`."""

    seconds: float
    memory: int
    disk: int
    file: int | None


def _layers_cost(
    game: Game[Any, Any],
    kernel: LayeredKernel,
    workers: int,
    counted: Counted,
    layers: list[Layer],
    plies: list[Ply],
) -> Cost:
    """Return what solving takes where moves lead one tier on; see `solver.compiled`."""
    import numpy as np

    size = np.dtype(kernel.dtype).itemsize
    canonical = [ply.canonical * ply.high // max(1, ply.positions) for ply in plies]
    held = [ply.high for ply in plies] if counted.images else canonical
    top = max(game.key(game.canonical(p)) for layer in layers for p in layer.shown)
    cut = layout(sum(ply.canonical for ply in plies), top, len(plies))
    file = HEADER + sum(cut.sizes.values())
    own = (
        type(kernel).advance is not LayeredKernel.advance
    )  # which merges; else each piece is held whole
    pieces = [
        0 if own else n * sum(len(following(game, p)) for p in x.shown) / max(1, len(x.shown))
        for n, x in zip(held, layers, strict=True)
    ]
    pairs = [*zip(held, [*held[1:], 0], pieces, strict=True)]
    grow = max(size * ((1 + own) * a + 2 * max(b, c)) for a, b, c in pairs)
    resolve = max((size + 3) * a + (size + 17) * b for a, b, _ in pairs)
    arrange = file + 4 * cut.buckets + (size + 3) * max(held) + (2 * size + 30) * max(canonical)
    piece = min(max(held), 16 * CHUNK) * size if own else CHUNK * 12
    at_work = workers * piece * kernel.width
    return Cost(
        1 + 1.6 * counted.seconds * sum(held),  # the rest is arranging and writing
        int(START + at_work + max(grow, resolve, arrange)),
        file + (size + 1) * sum(held),
        file,
    )


def _tiers_cost(game: Game[Any, Any], counted: Counted) -> Cost:
    """Return what solving takes where moves stay in a tier or skip some; see `compiled_tiers`."""
    sizes = [int(layer.canonical[0]) for layer in counted.layers]
    shown = [p for layer in counted.layers for p in layer.shown]
    cut = layout(sum(sizes), max(game.key(game.canonical(p)) for p in shown), MANY_PLIES)
    file = HEADER + sum(cut.sizes.values())
    held = []
    for tier, (size, layer) in enumerate(zip(sizes, counted.layers, strict=True)):
        moves = size * sum(len(following(game, p)) for p in layer.shown) / max(1, len(layer.shown))
        reached = sum(sizes[tier + step] for step in counted.steps if tier + step < len(sizes))
        held.append(16 * (1 << reached.bit_length()) + 50 * reached + 12 * moves)
    arrange = file + 8 * cut.buckets + 50 * max(sizes)
    return Cost(
        1 + 2.5 * counted.seconds * sum(sizes),
        int(START + max(*held, arrange)),
        file + 10 * sum(sizes),
        file,
    )


def _plain_cost(game: Game[Any, Any], layers: list[Layer], plies: list[Ply]) -> Cost:
    """Return what solving in plain Python takes: see `solver.plain`."""
    spent = memory = written = 0.0
    top = 0
    for layer, ply in zip(layers, plies, strict=True):
        begun = time.perf_counter()
        for p in layer.shown:
            children(game, p)
        spent += ply.canonical * (time.perf_counter() - begun) / max(1, len(layer.shown))
        top = max([top, *(game.key(game.canonical(p)) for p in layer.shown)])
        for p in layer.shown:
            memory += ply.canonical / len(layer.shown) * (sys.getsizeof(p) + 400)
            written += ply.canonical / len(layer.shown) * _written(game, p)
    canonical = sum(ply.canonical for ply in plies)
    file: int | None
    if canonical <= SMALL or top.bit_length() > WIDEST:
        file = int(1000 + written) if canonical <= MOST_JSON else None
        memory += written * JSON_MEMORY
    else:
        cut = layout(canonical, top, len(plies))
        file = HEADER + sum(cut.sizes.values())
    work = 0 if canonical <= SMALL else canonical * (top.bit_length() // 4 + 4)
    return Cost(0.2 + 3 * spent, START_PLAIN + int(memory), (file or 0) + work, file)


def _written(game: Game[Any, Any], p: Any) -> int:
    """Return how many bytes the entry of a position takes in a table that is JSON, about."""
    moves = [] if ended(game, p) is not None else legal_moves(game, p)
    return 25 + len(game.text(p)) + sum(16 + len(json.dumps(game.code(m))) for m in moves)
