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

from .enumeration import children
from .errors import MemoryLimitError
from .game import Game, ended, legal_moves
from .kernel import CHUNK, Kernel, find_kernel
from .mapped import MOST_JSON, SMALL, WIDEST, layout
from .sampling import DRAWN, MOST_WORK, Sampler, following

if TYPE_CHECKING:
    from collections.abc import Callable

EXACT = 3_000_000  # positions after which no further ply is counted, with a kernel
EXACT_PLAIN = 50_000  # and without
EXACT_MEMORY = 500_000  # and without, where the rest cannot be estimated but memory is limited
GROUPS = 8  # independent samples; how far they lie apart gives the error
FEWEST = 3  # groups, if more would take too long
STUDENT = {3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365}  # 95 %, by groups
WIDER = 1.25  # times is the range made wider, for few groups tell little of the worst
SHOWN = 40  # positions of each ply that are kept as examples
START, START_PLAIN = 195 << 20, 32 << 20  # bytes: of Python with numba compiling, and without
JSON_MEMORY = 13  # bytes held for each byte of a table that is JSON
WARM = 10_000  # positions of a ply from which on it is timed


class Ply(NamedTuple):
    """The distinct positions a number of moves from the start; terminal ones are among them.

    Where moves skip tiers and not all was counted, a ply is a tier.
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
    seconds: float
    """Of work, not of waiting."""
    memory: int
    """Bytes that a solve holds at most."""
    disk: int
    """Bytes on disk while solving, the table among them."""
    file: int | None
    """Bytes of the table; None if no table can hold the game."""
    remarks: list[str]


class _Layer(NamedTuple):
    """One ply: numbers by group if it was sampled, or one number, and some of the positions."""

    positions: list[float]
    canonical: list[float]
    shown: list[Any]


class _Counted(NamedTuple):
    """What was counted, and how to go on from the last ply of it."""

    layers: list[_Layer]
    complete: bool
    steps: set[int]
    """By how much moves raise the tier."""
    holds: Callable[[Any], bool]
    """Whether the last ply has a position."""
    draw: Callable[[random.Random], Any]
    """Draws a position of the last ply evenly."""
    seconds: float = 0.0
    """Solving a position of those that are held; 0 if it was not timed."""
    images: bool = False
    """Whether a solve holds all images of a position."""


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
    if not found.complete:
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
    if kernel is None:
        counted = _count_plain(game, budget or EXACT_PLAIN)
    else:
        counted = _count_arrays(game, kernel, budget or EXACT)
    layers, why = counted.layers, ""
    if not counted.complete:
        layers, why = _sample(game, counted, seed)
    plies = [
        Ply(i, *_range(layer.positions), _range(layer.canonical)[0])
        for i, layer in enumerate(layers)
    ]
    groups = max((layer.positions for layer in layers), key=len)
    totals = [sum(x.positions[i % len(x.positions)] for x in layers) for i in range(len(groups))]
    canonical = sum(ply.canonical for ply in plies)
    if kernel is None or canonical <= SMALL:
        cost = _plain_cost(game, layers, plies)
    else:
        cost = _arrays_cost(game, kernel, workers, counted, layers, plies)
    remarks = [why] * bool(why) + [remark] * (bool(remark) and canonical > SMALL)
    return Estimate(
        game.spec,
        *_range(totals),
        canonical,
        counted.complete,
        not why,
        plies,
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


def _count_arrays(game: Game[Any, Any], kernel: Kernel, budget: int) -> _Counted:
    """Count plies with a kernel, whose tiers are plies, and time it."""
    import numpy as np

    layers: list[_Layer] = []
    held = total = 0
    timed = spent = 0.0
    keys = later = kernel.start(game)
    while len(later):
        keys = later
        sizes = kernel.orbits(keys).astype(np.int64)
        own = np.flatnonzero(sizes)
        shown = keys[own[:: max(1, len(own) // SHOWN)]].tolist()
        layers.append(_Layer([int(sizes.sum())], [len(own)], [*map(game.position, shown)]))
        held += len(keys)
        total += int(sizes.sum())
        if total >= budget:
            break
        begun = time.perf_counter()
        later = kernel.advance(keys, map)
        kernel.resolve(keys, later, np.zeros(len(later), np.int8), map)
        if len(keys) > WARM:
            timed += (len(keys) + len(later)) / 2
            spent += time.perf_counter() - begun
    bounds = np.cumsum(sizes[own])

    def holds(p: Any) -> bool:
        key = keys.dtype.type(
            game.key(game.canonical(p))
        )  # of another type, it would copy the array
        place = int(np.searchsorted(keys, key))
        return place < len(keys) and bool(keys[place] == key)

    def draw(generator: random.Random) -> Any:
        place = np.searchsorted(bounds, generator.randrange(int(bounds[-1])), "right")
        image = generator.choice(game.symmetries).position
        return image(game.position(int(keys[own[place]])))

    seconds = spent / timed if timed else 0.0
    return _Counted(layers, not len(later), {1}, holds, draw, seconds, held == total)


def _count_plain(game: Game[Any, Any], budget: int) -> _Counted:
    """Count the positions by their distance from the start, in plain Python."""
    ply = {game.initial(): None}
    seen = set(ply)
    canonical: set[Any] = set()
    layers: list[_Layer] = []
    steps: set[int] = set()
    while ply:
        last = ply
        fresh = set(map(game.canonical, last)) - canonical
        canonical |= fresh
        layers.append(_Layer([len(last)], [len(fresh)], [*last][:: max(1, len(last) // SHOWN)]))
        if len(seen) >= budget:
            break
        ply = {}
        for p in last:
            tier = game.tier(p)
            for q in following(game, p):
                steps.add(game.tier(q) - tier)
                if q not in seen:
                    ply[q] = None
        seen.update(ply)
    positions = list(last)
    return _Counted(layers, not ply, steps, last.__contains__, lambda r: r.choice(positions))


def _sample(game: Game[Any, Any], counted: _Counted, seed: int) -> tuple[list[_Layer], str]:
    """Return the plies, those estimated that were not counted; if they cannot be, why not.

    Where moves skip tiers, all but the start is estimated, tier by tier.
    """
    start, known = game.initial(), counted.layers
    if min(counted.steps) < 1:
        return known, "its moves do not all raise the tier, so sampling cannot tell its size"
    if game.parents(start) is None:
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


def _gather(game: Game[Any, Any], groups: list[list[tuple[Any, float]]]) -> _Layer:
    """Return a ply, given some of its positions, by group, each with how many it stands for."""
    start = game.initial()
    kept = [s.position for s in game.symmetries if s.position(start) == start]
    return _Layer(
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


def _arrays_cost(
    game: Game[Any, Any],
    kernel: Kernel,
    workers: int,
    counted: _Counted,
    layers: list[_Layer],
    plies: list[Ply],
) -> Cost:
    """Return what solving with a kernel takes: see `solver.compiled`, `solver.kernel`."""
    import numpy as np

    size = np.dtype(kernel.dtype).itemsize
    canonical = [ply.canonical * ply.high // max(1, ply.positions) for ply in plies]
    held = [ply.high for ply in plies] if counted.images else canonical
    top = max(game.key(game.canonical(p)) for layer in layers for p in layer.shown)
    cut = layout(sum(ply.canonical for ply in plies), top, len(plies))
    file = 1000 + sum(n * int(kind[1:]) // 8 for kind, n in cut.arrays.values())
    own = type(kernel).advance is not Kernel.advance  # which merges; else each piece is held whole
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


def _plain_cost(game: Game[Any, Any], layers: list[_Layer], plies: list[Ply]) -> Cost:
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
        file = 1000 + sum(n * int(kind[1:]) // 8 for kind, n in cut.arrays.values())
    work = 0 if canonical <= SMALL else canonical * (top.bit_length() // 4 + 4)
    return Cost(0.2 + 3 * spent, START_PLAIN + int(memory), (file or 0) + work, file)


def _written(game: Game[Any, Any], p: Any) -> int:
    """Return how many bytes the entry of a position takes in a table that is JSON, about."""
    moves = [] if ended(game, p) is not None else legal_moves(game, p)
    return 25 + len(game.text(p)) + sum(16 + len(json.dumps(game.code(m))) for m in moves)
