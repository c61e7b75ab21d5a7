"""Counting the positions of a game exactly, up to a budget, for `solver.solving.estimate`.

Takes a game; returns the numbers of positions by ply, or by tier where positions can repeat, and
the time per position.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from solver.errors import MemoryLimitError
from solver.rules.game import Game, start_key
from solver.rules.kernel import LayeredKernel, TieredKernel
from solver.rules.positions import explore, successors

EXAMPLES = 40  # positions of each ply to keep as examples
TIMED = 10_000  # a ply with more positions than this is timed


class PlyCount(NamedTuple):
    """The numbers of positions in a ply or tier: one exact number, or an estimate per sample."""

    positions: list[float]
    canonical: list[float]
    examples: list[Any]
    """Some of the positions."""


class Count(NamedTuple):
    """The plies that were counted, and how to sample from the last of them."""

    plies: list[PlyCount]
    complete: bool
    steps: set[int]
    """The numbers of tiers by which moves raise the tier."""
    contains: Callable[[Any], bool] | None = None
    """Whether a position is in the last ply; None if that is unknown."""
    draw: Callable[[random.Random], Any] | None = None
    """Returns a random position of the last ply, all equally likely."""
    seconds: float = 0.0
    """The time per stored position to find it, or with layers per move to solve it.

    It is 0 if not measured.
    """


def count_layers(game: Game[Any, Any], kernel: LayeredKernel, budget: int) -> Count:
    """Count the plies, which are tiers, and measure the time of solving them."""
    import numpy as np

    plies: list[PlyCount] = []
    total = 0
    timed = spent = 0.0
    later = kernel.mix(kernel.start(start_key(game)))
    while len(later):
        mixed = later
        keys = kernel.unmix(mixed)
        sizes = kernel.orbits(keys).astype(np.int64)
        examples = keys[:: max(1, len(keys) // EXAMPLES)].tolist()
        plies.append(PlyCount([int(sizes.sum())], [len(keys)], [*map(game.position, examples)]))
        total += int(sizes.sum())
        if total >= budget:
            break
        started = time.thread_time()
        later = _follow(kernel, mixed)
        if len(keys) > TIMED:
            spent += time.thread_time() - started
            timed += len(keys) * branching(game, plies[-1])
    bounds = np.cumsum(sizes)

    def contains(p: Any) -> bool:
        key: np.ndarray = np.array([game.key(game.canonical(p))], kernel.dtype)
        mixed_key = kernel.mix(key)[0]  # a key of another type would make searchsorted copy `mixed`
        place = int(np.searchsorted(mixed, mixed_key))
        return place < len(mixed) and bool(mixed[place] == mixed_key)

    def draw(generator: random.Random) -> Any:
        place = np.searchsorted(bounds, generator.randrange(int(bounds[-1])), "right")
        image = generator.choice(game.symmetries).position
        return image(game.position(int(keys[place])))

    seconds = spent / timed if timed else 0.0
    return Count(plies, not len(later), {1}, contains, draw, seconds)


def _follow(kernel: LayeredKernel, mixed: Any) -> Any:
    """Return the next tier, and do with this one what a solve does."""
    import numpy as np

    later = kernel.advance(mixed)
    values = np.zeros(len(later), np.int8)
    kernel.resolve(mixed, [lambda: (later, values)])
    return later


def branching(game: Game[Any, Any], ply: PlyCount) -> float:
    """Return the average number of distinct moves from the positions of a ply."""
    return sum(len(successors(game, p)) for p in ply.examples) / max(1, len(ply.examples))


def count_tiers(game: Game[Any, Any], kernel: TieredKernel, budget: int) -> Count:
    """Count the tiers, and measure the time of finding their positions."""
    from solver.solving.memory import PLENTY
    from solver.solving.steps_tiered import TieredSteps

    solver = TieredSteps(game, kernel)
    solver.check = partial(_check_budget, budget)
    first, seeds = solver.start()
    waiting: dict[int, Any] = {first: seeds}
    tiers: list[PlyCount] = []
    steps = {0}
    total = stored = 0
    started = time.thread_time()
    while waiting and total < budget:
        tier = min(waiting)
        tiers += [PlyCount([0], [0], [])] * (tier - first - len(tiers))  # tiers without positions
        try:
            keys, later, _ = solver.grow(waiting.pop(tier), True, PLENTY)
        except MemoryLimitError:
            waiting[tier] = None
            stored += budget
            break
        for other, found in later.items():
            steps.add(other - tier)
            known = waiting.get(other)
            waiting[other] = found if known is None else solver.unite([known, found])
        keys, sizes = solver.keys(keys), solver.sizes(keys)
        examples = keys[:: max(1, len(keys) // EXAMPLES)].tolist()
        tiers.append(PlyCount([int(sizes.sum())], [len(keys)], [*map(game.position, examples)]))
        stored += len(keys)
        total += int(sizes.sum())
    seconds = (time.thread_time() - started) / stored
    return Count(tiers, not waiting, steps, seconds=seconds)


def _check_budget(budget: int, count: int) -> None:
    """Raise MemoryLimitError if a tier has more positions than may be counted."""
    if count > budget:
        raise MemoryLimitError(f"more than {budget:,} positions")


def count_plain(game: Game[Any, Any], budget: int) -> Count:
    """Count the positions by plies from the start, in plain Python."""
    canonical: set[Any] = set()
    plies: list[PlyCount] = []
    steps: set[int] = set()
    total, complete = 0, True

    def following(p: Any) -> list[Any]:
        after, tier = successors(game, p), game.tier(p)
        steps.update(game.tier(q) - tier for q in after)
        return after

    for ply in explore([game.initial()], following):
        new = set(map(game.canonical, ply)) - canonical
        canonical |= new
        plies.append(PlyCount([len(ply)], [len(new)], ply[:: max(1, len(ply) // EXAMPLES)]))
        total += len(ply)
        if total >= budget:
            complete = False
            break
    return Count(plies, complete, steps, set(ply).__contains__, lambda r: r.choice(ply))
