"""Counting the positions of a game exactly, up to a budget, for `solver.estimate`.

Takes a game; returns what was counted by ply, or by tier where positions can repeat, and how long a
position took.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.rules.game import start_key
from solver.rules.positions import explore, successors

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from solver.rules.game import Game
    from solver.rules.kernel import LayeredKernel, TieredKernel

SHOWN = 40  # positions of each ply that are kept as examples
WARM = 10_000  # positions of a ply from which on it is timed


class Layer(NamedTuple):
    """One ply: numbers by group if it was sampled, or one number, and some of the positions."""

    positions: list[float]
    canonical: list[float]
    shown: list[Any]


class Counted(NamedTuple):
    """What was counted, and how to go on from the last ply of it."""

    layers: list[Layer]
    complete: bool
    steps: set[int]
    """By how much moves raise the tier."""
    holds: Callable[[Any], bool] | None = None
    """Whether the last ply has a position; None if it cannot be asked."""
    draw: Callable[[random.Random], Any] | None = None
    """Draws a position of the last ply evenly."""
    seconds: float = 0.0
    """Finding, or in layers solving, a position of those that are held; 0 if it was not timed."""
    images: bool = False
    """Whether a solve holds all images of a position."""


def count_layers(game: Game[Any, Any], kernel: LayeredKernel, budget: int) -> Counted:
    """Count plies, which are tiers, and time it."""
    import numpy as np

    layers: list[Layer] = []
    held = total = 0
    timed = spent = 0.0
    later = kernel.mix(kernel.start(start_key(game)))
    while len(later):
        mixed = later
        keys = kernel.unmix(mixed)
        sizes = kernel.orbits(keys).astype(np.int64)
        own = np.flatnonzero(sizes)
        shown = keys[own[:: max(1, len(own) // SHOWN)]].tolist()
        layers.append(Layer([int(sizes.sum())], [len(own)], [*map(game.position, shown)]))
        held += len(keys)
        total += int(sizes.sum())
        if total >= budget:
            break
        begun = time.perf_counter()
        later = kernel.advance(mixed)
        kernel.resolve(mixed, [(later, np.zeros(len(later), np.int8))])
        if len(keys) > WARM:
            timed += (len(keys) + len(later)) / 2
            spent += time.perf_counter() - begun
    bounds = np.cumsum(sizes[own])

    def holds(p: Any) -> bool:
        key: np.ndarray = np.array([game.key(game.canonical(p))], kernel.dtype)
        mixed_key = kernel.mix(key)[0]  # of another type, it would copy the array
        place = int(np.searchsorted(mixed, mixed_key))
        return place < len(mixed) and bool(mixed[place] == mixed_key)

    def draw(generator: random.Random) -> Any:
        place = np.searchsorted(bounds, generator.randrange(int(bounds[-1])), "right")
        image = generator.choice(game.symmetries).position
        return image(game.position(int(keys[own[place]])))

    seconds = spent / timed if timed else 0.0
    return Counted(layers, not len(later), {1}, holds, draw, seconds, held == total)


def count_tiers(game: Game[Any, Any], kernel: TieredKernel, budget: int) -> Counted:
    """Count tiers, and time it."""
    from solver.solving.steps_tiered import TieredSteps

    solver = TieredSteps(game, kernel)
    tier, seeds = solver.start()
    waiting = {tier: seeds}
    layers: list[Layer] = []
    steps = {0}
    total = held = 0
    begun = time.perf_counter()
    while waiting and total < budget:
        number = min(waiting)
        layers += [Layer([0], [0], [])] * (number - tier - len(layers))  # tiers without positions
        keys, later = solver.grow(waiting.pop(number), True)
        for other, found in later.items():
            steps.add(other - number)
            known = waiting.get(other)
            waiting[other] = found if known is None else solver.unite([known, found])
        keys, sizes = solver.split(keys)
        shown = keys[:: max(1, len(keys) // SHOWN)].tolist()
        layers.append(Layer([int(sizes.sum())], [len(keys)], [*map(game.position, shown)]))
        held += len(keys)
        total += int(sizes.sum())
    seconds = (time.perf_counter() - begun) / held
    return Counted(layers, not waiting, steps, seconds=seconds)


def count_plain(game: Game[Any, Any], budget: int) -> Counted:
    """Count the positions by their distance from the start, in plain Python."""
    canonical: set[Any] = set()
    layers: list[Layer] = []
    steps: set[int] = set()
    total, complete = 0, True

    def following(p: Any) -> list[Any]:
        after, tier = successors(game, p), game.tier(p)
        steps.update(game.tier(q) - tier for q in after)
        return after

    for ply in explore(game.initial(), following):
        fresh = set(map(game.canonical, ply)) - canonical
        canonical |= fresh
        layers.append(Layer([len(ply)], [len(fresh)], ply[:: max(1, len(ply) // SHOWN)]))
        total += len(ply)
        if total >= budget:
            complete = False
            break
    return Counted(layers, complete, steps, set(ply).__contains__, lambda r: r.choice(ply))
