"""Counting the positions of a game exactly, up to a budget, for `solver.solving.estimate`.

Takes a game; returns the numbers of positions by ply, or by tier where positions can repeat, and
the time per move.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from solver.errors import MemoryLimitError
from solver.games import built_in_name
from solver.rules.game import Game
from solver.rules.positions import check_position, children, explore, successors
from solver.solving.memory import PLENTY
from solver.solving.steps import LAYERS

EXAMPLES = 40  # positions of each ply to keep as examples
AGAIN = 2  # times that a solve in plain Python lists the children of a position again
PIECE = 1 << 14  # positions expanded at once
TIMED = 10_000  # a tier with more positions than this is timed
SLOW = 10.0  # seconds for counting in plain Python, or for random games

Item = TypeVar("Item")


class PlyCount(NamedTuple):
    """The numbers of positions in a ply or tier: one exact number, or an estimate per sample."""

    positions: list[float]
    canonical: list[float]
    examples: list[Any]
    """Some of the positions."""


class Count(NamedTuple):
    """The plies that were counted."""

    plies: list[PlyCount]
    complete: bool
    steps: set[int]
    """The numbers of tiers by which moves raise the tier."""
    unit: str
    """What each of `plies` is: 'ply' or 'tier'."""
    seconds: float
    """The time to follow a move to a canonical position; 0 if not measured."""
    last: Sequence[Any] = ()
    """The positions of the last ply, if they were listed."""
    remark: str = ""
    """What the user should know of plies that were not counted."""


def branching(game: Game[Any, Any], examples: Iterable[Any]) -> float:
    """Return the average number of distinct moves from some positions."""
    counts = [len(successors(game, p)) for p in examples]
    return sum(counts) / max(1, len(counts))


def count_tiers(steps: Any, budget: int) -> Count:
    """Count the tiers as a solve with a kernel finds them, and measure the time per move."""
    game = steps.game
    steps.check = partial(_check_budget, budget)
    first, seeds = steps.start()
    waiting: dict[int, Any] = {first: seeds}
    tiers: list[PlyCount] = []
    raised = {0} if steps.kind != LAYERS else {1}
    total, spent, followed = 0, 0.0, 0.0
    while waiting and total < budget:
        tier = min(waiting)
        tiers += [PlyCount([0], [0], [])] * (tier - first - len(tiers))  # tiers without positions
        seeds, started = waiting[tier], time.thread_time()
        try:
            positions, later, _ = steps.grow(seeds, True, PLENTY)
        except MemoryLimitError:
            spent += time.thread_time() - started
            followed += budget * branching(game, _examples(game, steps.keys(seeds)))
            break
        elapsed = time.thread_time() - started
        del waiting[tier]
        for other, more in later.items():
            raised.add(other - tier)
            before = waiting.get(other)
            waiting[other] = more if before is None else steps.unite([before, more])
        keys, sizes = steps.keys(positions), steps.sizes(positions).astype("i8")
        tiers.append(PlyCount([int(sizes.sum())], [len(keys)], _examples(game, keys)))
        total += int(sizes.sum())
        if len(keys) > TIMED:
            spent += elapsed
            followed += len(keys) * branching(game, tiers[-1].examples)
    unit, seconds = "ply" if steps.kind == LAYERS else "tier", spent / (followed or 1)
    return Count(tiers, not waiting, raised, unit, seconds)


def count_plies(steps: Any, tiers: Count, budget: int) -> Count:
    """Count the plies from the start with a kernel; the time per move is that of the tiers.

    Canonical positions that an earlier ply has, too, count again; none do if the start is
    symmetric.
    """
    from solver.rules.key_arrays import pieces, unique
    from solver.solving.tier_graph import KeyNumbers

    game, kernel = steps.game, steps.kernel
    waiting = kernel.start(game.key(game.initial()))
    numbers, plies = KeyNumbers(waiting), list[PlyCount]()
    while len(waiting):
        images = unique(kernel.canonical(waiting))
        plies.append(PlyCount([len(waiting)], [len(images)], _examples(game, waiting)))
        count = numbers.count
        if count >= budget:
            break
        for piece in pieces(waiting, PIECE):
            children = kernel.successors(piece)[1]
            numbers.number(children[children >= 0])
        waiting = numbers.keys[count:]
    return tiers._replace(plies=plies, complete=not len(waiting), unit="ply")


def _examples(game: Game[Any, Any], keys: Any) -> list[Any]:
    """Return some of the positions with these keys."""
    return [*map(game.position, keys[:: max(1, len(keys) // EXAMPLES)].tolist())]


def _check_budget(budget: int, count: int) -> None:
    """Raise MemoryLimitError if a tier has more positions than may be counted."""
    if count > budget:
        raise MemoryLimitError(f"more than {budget:,} positions")


def count_plain(game: Game[Any, Any], budget: int) -> Count:
    """Count the positions by plies from the start, in plain Python, while a ply takes not long."""
    canonical: set[Any] = set()
    plies: list[PlyCount] = []
    steps: set[int] = set()
    total, complete, started = 0, True, time.thread_time()

    def following(p: Any) -> list[Any]:
        after, tier = successors(game, p), game.tier(p)
        steps.update(game.tier(q) - tier for q in after)
        return after

    for ply in explore([game.initial()], following):
        new = set(map(game.canonical, ply)) - canonical
        canonical |= new
        plies.append(PlyCount([len(ply)], [len(new)], ply[:: max(1, len(ply) // EXAMPLES)]))
        total += len(ply)
        spent, before = time.thread_time() - started, total - len(ply)
        if total >= budget or spent * len(ply) > SLOW * max(1, before):
            complete = False
            break
    return Count(plies, complete, steps, "ply", time_per_move(game, plies), ply)


def in_time(items: Iterable[Item]) -> Iterator[Item]:
    """Yield items until the caller has taken too long for them."""
    started = time.thread_time()
    for item in items:
        yield item
        if time.thread_time() - started > SLOW:
            return


def time_per_move(game: Game[Any, Any], plies: list[PlyCount]) -> float:
    """Return the time to do with a move what a solve in plain Python does."""
    is_checked, followed, started = built_in_name(game) is None, 0, time.thread_time()
    for p in in_time(chain.from_iterable(ply.examples for ply in plies)):
        if is_checked:
            check_position(game, p)
        followed += len(children(game, p))
        for _ in range(AGAIN):
            children(game, p)
    return (time.thread_time() - started) / max(1, followed)
