"""The cost of solving a game: time, memory, disk, and bytes read and written in the work folder.

Takes the numbers of positions by ply or tier; returns the cost of a solve. The time per position is
the one just measured while counting on this machine. The other factors were measured once, relative
to it; `make bench` compares the model with complete solves.
"""

from __future__ import annotations

import json
import math
import sys
import time
from itertools import pairwise
from typing import Any, NamedTuple

from solver.errors import MemoryLimitError
from solver.rules.game import Game, legal_moves, primitive_outcome
from solver.rules.kernel import LayeredKernel
from solver.rules.positions import children
from solver.solving.estimate_count import Count, PlyCount, branching
from solver.tables.buckets import LOW_BITS, group_width
from solver.tables.format import MOST_JSON, SMALL
from solver.tables.mapped_file import WIDEST, choose_layout

START, START_PLAIN = 195 << 20, 32 << 20  # bytes of Python with numba compiling, and without
LEAST = START + (48 << 20)  # bytes that a process needs at least
HEADER = 1000  # approximate bytes of a mapped table before its arrays
MANY_PLIES = 100  # about the longest game on a small board
JSON_MEMORY = 13  # bytes of memory for each byte of a JSON table
START_SECONDS = 1.05  # to load the kernel and compare it with the rules
SOLVING = 1.5  # the time to follow a move in a solve, relative to counting
LOOKING_UP = 4e-9  # seconds to find that a child is not in a piece of the next tier
MOVING = 0.6e-9  # seconds to read or write a byte, its checksum included
MOVING_APART = 2e-9  # the same where memory is limited, so that less of what was written is kept


class Ply(NamedTuple):
    """The distinct positions a number of moves from the start, or in a tier; see `Estimate.unit`.

    Terminal positions are included.
    """

    ply: int
    positions: int
    low: int
    high: int
    """With `low`, the 95 % confidence interval of `positions`."""
    canonical: int
    """Positions up to symmetry."""


class Cost(NamedTuple):
    """The cost of a solve; see `Estimate`."""

    seconds: float
    memory: int
    disk: int
    volume: int
    file: int | None


def layers_cost(
    game: Game[Any, Any],
    kernel: LayeredKernel,
    count: Count,
    counts: list[PlyCount],
    plies: list[Ply],
    workers: int,
    limit: int | None,
) -> Cost:
    """Return the cost if every move leads to the next tier; see `solver.solving.steps_layered`."""
    from solver.solving.steps_layered import LayeredSteps

    steps = LayeredSteps(game, kernel)
    most = [ply.canonical * ply.high // max(1, ply.positions) for ply in plies]
    stored = [ply.canonical for ply in plies]
    layout = choose_layout(sum(ply.canonical for ply in plies), _top(game, counts), len(plies))
    file = HEADER + sum(layout.sizes.values())
    moves = [branching(game, ply) for ply in counts]
    memory = START + _peak(steps, most, moves, file)
    # bytes for the parts of a tier, and for sorting entries on disk
    room, sorting, moving = steps.position_bytes * 2 * max(most) / workers, 0, MOVING
    if limit is not None and limit < LEAST:
        raise MemoryLimitError(
            f"solving {game.spec} needs about {LEAST / 1e6:,.0f} MB per process before its first"
            f" position, more than the limit of {limit / 1e6:,.0f} MB"
        )
    if limit is not None and limit < memory:
        memory, room, moving = limit, limit - START, MOVING_APART
        if steps.slot_width is None or layout.multiplier != 1:
            sorting = (5 if group_width(layout) <= LOW_BITS else 9) * layout.entries
    moved, searched = _transfers(steps, stored, moves, room)
    volume = 4 * file + 2 * sorting + moved
    followed = sum(n * each for n, each in zip(stored, moves, strict=True))
    seconds = START_SECONDS + SOLVING * count.seconds * followed
    seconds += LOOKING_UP * searched + moving * volume
    disk = (steps.key_bytes + 1) * sum(stored) + 2 * file + sorting
    return Cost(seconds, int(memory), int(disk), volume, file)


def _top(game: Game[Any, Any], counts: list[PlyCount]) -> int:
    """Return the largest key among the examples."""
    return max(game.key(game.canonical(p)) for count in counts for p in count.examples)


def _peak(steps: Any, stored: list[int], moves: list[float], file: int) -> float:
    """Return the most bytes of memory that a solve takes if no tier is split."""
    import numpy as np

    size = np.dtype(steps.kernel.dtype).itemsize
    if steps.slot_width is None:  # the children of a piece are in memory at once, and mixed keys
        grow = max(size * n * (1 + 2 * m) for n, m in zip(stored, moves, strict=True))
        resolve = max((size + 3) * a + (size + 17) * b for a, b in pairwise(stored))
        assemble = file + 9 * sum(stored) + 24 * max(stored)
    else:
        grow = max(2 * steps.position_bytes * n for n in stored)
        resolve = max(steps.position_bytes * a + (size + 5) * b for a, b in pairwise(stored))
        assemble = file + (size + 1) * sum(stored)
    children = min(max(stored), 1 << 20) * size * steps.kernel.width
    peak: float = children + max(grow, resolve, assemble)
    return peak


def _transfers(steps: Any, stored: list[int], moves: list[float], room: float) -> tuple[int, float]:
    """Return the bytes read and written for the tiers, and the look-ups that find nothing."""
    size, volume, searched = steps.key_bytes, 0.0, 0.0
    for i, (count, after) in enumerate(pairwise([*stored, 0])):
        parts = max(1, math.ceil(count * steps.position_bytes * 2 / room))
        pieces = max(1, math.ceil(after * steps.later_bytes * 2 / room))
        parents = moves[i] * count / max(1, after)  # of each position of the next tier
        seeds = after * parts * (1 - (1 - 1 / parts) ** parents)
        volume += 2 * size * (count + seeds) + (size + 2) * count  # with the table's entries
        volume += parts * after * (size + 1)
        if pieces > 1:
            searched += pieces * moves[i] * count
    return int(volume), searched


def tiers_cost(
    game: Game[Any, Any], count: Count, counts: list[PlyCount], plies: list[Ply]
) -> Cost:
    """Return the cost if moves stay in a tier or skip some; see `solver.solving.steps_tiered`."""
    sizes = [ply.canonical for ply in plies]
    layout = choose_layout(sum(sizes), _top(game, counts), MANY_PLIES)
    file = HEADER + sum(layout.sizes.values())
    memory, stored = [], 10.0 * sum(sizes)
    for number, (size, tier) in enumerate(zip(sizes, counts, strict=True)):
        moves = size * branching(game, tier)
        reached = sum(sizes[number + step] for step in count.steps if number + step < len(sizes))
        memory.append(16 * (1 << reached.bit_length()) + 50 * reached + 12 * moves)
        stored += 13 * size + 4 * moves  # with moves
    assemble = file + 8 * layout.buckets + 50 * max(sizes)
    return Cost(
        1 + 2 * count.seconds * sum(sizes),
        int(START + max(*memory, assemble)),
        int(2 * file + stored),
        int(4 * file + 40 * sum(sizes) + 2 * stored),
        file,
    )


def plain_cost(game: Game[Any, Any], counts: list[PlyCount], plies: list[Ply]) -> Cost:
    """Return the cost in plain Python; see `solver.solving.steps_python`."""
    spent = memory = written = 0.0
    top = _top(game, counts)
    for count, ply in zip(counts, plies, strict=True):
        started = time.thread_time()
        for p in count.examples:
            children(game, p)
        elapsed = time.thread_time() - started
        share = ply.canonical / max(1, len(count.examples))  # positions for each example
        spent += share * elapsed
        memory += share * sum(sys.getsizeof(p) + 400 for p in count.examples)
        written += share * sum(_json_size(game, p) for p in count.examples)
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


def _json_size(game: Game[Any, Any], p: Any) -> int:
    """Return the approximate bytes of a position's entry in a JSON table."""
    moves = [] if primitive_outcome(game, p) is not None else legal_moves(game, p)
    return 25 + len(game.text(p)) + sum(16 + len(json.dumps(game.code(m))) for m in moves)
