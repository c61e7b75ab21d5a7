"""What solving a game takes: time, memory, disk, and how much goes through the work folder.

Takes how many positions a game has by ply or tier; returns what a solve costs. The time of a
position is that which counting just took on this machine; what else a solve does is in proportion
to it, as measured (`make bench` sets the model beside whole solves).
"""

from __future__ import annotations

import json
import math
import sys
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.errors import MemoryLimitError
from solver.rules.game import Game, legal_moves, primitive_outcome
from solver.rules.positions import children, successors
from solver.tables.format import MOST_JSON, SMALL
from solver.tables.mapped_file import WIDEST, choose_layout

if TYPE_CHECKING:
    from solver.rules.kernel import LayeredKernel
    from solver.solving.estimate_count import Counted, Layer

START, START_PLAIN = 195 << 20, 32 << 20  # bytes: of Python with numba compiling, and without
LEAST = START + (48 << 20)  # bytes that a process has to have, to take anything up
HEADER = 1000  # bytes of a mapped table before its arrays, about
MANY_PLIES = 100  # about as long a game as there is on a small board
JSON_MEMORY = 13  # bytes held for each byte of a table that is JSON
BEGINNING = 1.4  # seconds until the first position: to load and to compare the kernel
SOLVING = 1.6  # times what counting a position takes is what solving it does
LOOKING = 4e-9  # seconds to find that a child is not in a piece of the next tier
MOVING = 0.6e-9  # seconds to read or write a byte, its checksum among it


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


class Cost(NamedTuple):
    """What solving takes; see `Estimate`."""

    seconds: float
    memory: int
    disk: int
    volume: int
    file: int | None


def layers_cost(
    game: Game[Any, Any],
    kernel: LayeredKernel,
    counted: Counted,
    layers: list[Layer],
    plies: list[Ply],
    workers: int,
    limit: int | None,
) -> Cost:
    """Return what solving takes where moves lead one tier on; see `solver.compiled`."""
    import numpy as np

    from solver.solving.steps_layered import LayeredSteps

    steps = LayeredSteps(game, kernel)
    size = np.dtype(kernel.dtype).itemsize
    canonical = [ply.canonical * ply.high // max(1, ply.positions) for ply in plies]
    held = [ply.high for ply in plies] if counted.images else canonical
    usual = [ply.positions if counted.images else ply.canonical for ply in plies]
    top = max(game.key(game.canonical(p)) for layer in layers for p in layer.shown)
    layout = choose_layout(sum(ply.canonical for ply in plies), top, len(plies))
    file = HEADER + sum(layout.sizes.values())
    moves = [_branching(game, layer) for layer in layers]
    memory = START + _whole(steps, held, canonical, moves, file)
    room, spread = math.inf, 0
    if limit is not None and limit < LEAST:
        raise MemoryLimitError(
            f"a process that solves {game.spec} takes about {LEAST / 1e6:,.0f} MB before its first"
            f" position, more than the limit of {limit / 1e6:,.0f} MB"
        )
    if limit is not None and limit < memory:
        memory, room = limit, max(1, limit - START)
        spread = 9 * layout.entries * (steps.slot is None or layout.multiplier != 1)
    elif workers > 1:
        room = steps.weight * 2 * max(held) / workers
    seconds = BEGINNING + SOLVING * counted.seconds * sum(usual)
    volume = 4 * file + 2 * spread
    for i, (count, after) in enumerate(zip(usual, [*usual[1:], 0], strict=True)):
        parts = max(1, math.ceil(count * steps.weight * 2 / room))
        pieces = max(1, math.ceil(after * steps.later_weight * 3 / room))
        parents = moves[i] * count / max(1, after)  # of each position of the next tier
        seeds = after * parts * (1 - (1 - 1 / parts) ** parents)
        read = min(parts, kernel.width) if steps.slot is not None else parts
        volume += int(size * (3 * count + 2 * seeds) + 3 * (size + 1) * count)
        volume += int(read * after * (size + 1))
        if pieces > 1 and steps.slot is None:
            seconds += LOOKING * pieces * moves[i] * count
    seconds += MOVING * volume
    disk = (size + 1) * sum(usual) + 2 * file + spread
    return Cost(seconds, int(memory), int(disk), volume, file)


def _branching(game: Game[Any, Any], layer: Layer) -> float:
    """Return how many moves the positions of a ply have on average."""
    return sum(len(successors(game, p)) for p in layer.shown) / max(1, len(layer.shown))


def _whole(
    steps: Any, held: list[int], canonical: list[int], moves: list[float], file: int
) -> float:
    """Return how many bytes a solve holds at most if no tier is cut."""
    import numpy as np

    size = np.dtype(steps.kernel.dtype).itemsize
    merges = steps.slot is not None  # else the children of each piece are held whole
    pieces = [0 if merges else n * m for n, m in zip(held, moves, strict=True)]
    pairs = [*zip(held, [*held[1:], 0], pieces, strict=True)]
    grow = max(size * ((1 + merges) * a + 2 * max(b, c)) for a, b, c in pairs)
    resolve = max((size + 3) * a + (size + 17) * b for a, b, _ in pairs)
    arrange = file + (size + 3) * max(held) + (2 * size + 30) * max(canonical)
    at_work = min(max(held), 1 << 20) * size * steps.kernel.width
    most: float = at_work + max(grow, resolve, arrange)
    return most


def tiers_cost(game: Game[Any, Any], counted: Counted) -> Cost:
    """Return what solving takes where moves stay in a tier or skip some; see `compiled_tiers`."""
    sizes = [int(layer.canonical[0]) for layer in counted.layers]
    shown = [p for layer in counted.layers for p in layer.shown]
    layout = choose_layout(sum(sizes), max(game.key(game.canonical(p)) for p in shown), MANY_PLIES)
    file = HEADER + sum(layout.sizes.values())
    held = []
    for tier, (size, layer) in enumerate(zip(sizes, counted.layers, strict=True)):
        moves = size * _branching(game, layer)
        reached = sum(sizes[tier + step] for step in counted.steps if tier + step < len(sizes))
        held.append(16 * (1 << reached.bit_length()) + 50 * reached + 12 * moves)
    arrange = file + 8 * layout.buckets + 50 * max(sizes)
    return Cost(
        1 + 2.5 * counted.seconds * sum(sizes),
        int(START + max(*held, arrange)),
        2 * file + 10 * sum(sizes),
        4 * file + 50 * sum(sizes),
        file,
    )


def plain_cost(game: Game[Any, Any], layers: list[Layer], plies: list[Ply]) -> Cost:
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
        layout = choose_layout(canonical, top, len(plies))
        file = HEADER + sum(layout.sizes.values())
    work = 0 if canonical <= SMALL else canonical * (top.bit_length() // 4 + 4)
    disk = 2 * (file or 0) + work
    return Cost(0.2 + 3 * spent, START_PLAIN + int(memory), disk, disk + 4 * work, file)


def _written(game: Game[Any, Any], p: Any) -> int:
    """Return how many bytes the entry of a position takes in a table that is JSON, about."""
    moves = [] if primitive_outcome(game, p) is not None else legal_moves(game, p)
    return 25 + len(game.text(p)) + sum(16 + len(json.dumps(game.code(m))) for m in moves)
