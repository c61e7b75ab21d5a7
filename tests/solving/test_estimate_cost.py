"""The cost of a solve, recomputed from its model for imagined sizes, and measured."""

from __future__ import annotations

import itertools
import json
import math
import random
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from solver import Game, MemoryLimitError, load_game
from solver.compiling.find import find_kernel
from solver.rules.kernel import LayeredKernel
from solver.solving import estimate_cost
from solver.solving.checkpoint import SlotFiles
from solver.solving.estimate import estimate
from solver.solving.estimate_cost import (
    HEADER,
    JSON_MEMORY,
    LEAST,
    LOOKING_UP,
    MOVING,
    MOVING_APART,
    SOLVING,
    START,
    START_PLAIN,
    START_SECONDS,
    Cost,
    Ply,
    layers_cost,
    plain_cost,
    tiers_cost,
)
from solver.solving.estimate_count import Count, PlyCount
from solver.solving.solve import SolveOptions, solve_file
from solver.tables.format import MOST_JSON, SMALL
from tests.support.small_games import Scattered

MB = 10**6
SLOTS, WIDE_SLOTS = "connect4:4x4", "connect4:7x6"  # slots follow keys, which have 4 or 8 bytes
MIXED, WIDE_MIXED = "mnk:4,3,3", "mnk:5,4,4"  # keys are mixed, and canonical ones alone are stored
TIERED = "kingspawns:k.../..p./.P../...K"
SECONDS = 3e-6  # to find a position, as if measured

# imagined numbers of canonical positions by ply, whose upper end is a quarter higher
RISING = [1, 300, 20_000, 3_000_000]
FALLING = [1, 2_000_000, 60_000, 700]
LEVEL = [1, *[400_000] * 30]
HUGE = [1, 50_000_000, 700_000_000, 90_000_000]
LATE = [1, 10, 200, 500_000_000]


class Tier(NamedTuple):
    """What the model knows of a tier."""

    positions: int
    high: int
    canonical: int
    moves: float


@cache
def game_of(spec: str) -> Game[Any, Any]:
    return load_game(spec)


@cache
def after(spec: str, plies: int) -> list[Any]:
    """Return a few positions so many moves from the start, or where the game ended before."""
    game, generator, found = game_of(spec), random.Random(plies), []
    for _ in range(1 + 2 * (plies > 0)):
        p = game.initial()
        for _ in range(plies):
            if game.primitive(p) is None:
                p = game.play(p, generator.choice(list(game.moves(p))))
        found.append(p)
    return found


def branching(game: Game[Any, Any], positions: list[Any]) -> float:
    """Return how many different positions follow from each of these on average."""
    following = [
        {game.play(p, m) for m in game.moves(p)} if game.primitive(p) is None else set()
        for p in positions
    ]
    return sum(map(len, following)) / len(following)


def imagined(
    spec: str, sizes: list[int], images: int = 2
) -> tuple[list[Tier], list[PlyCount], list[Ply]]:
    """Return plies of these sizes, with real positions as examples.

    Each position but the first has as many images.
    """
    tiers, counts, plies = [], [], []
    for number, canonical in enumerate(sizes):
        examples = after(spec, number)
        positions = canonical if number == 0 else images * canonical
        high = positions * 5 // 4
        tiers.append(Tier(positions, high, canonical, branching(game_of(spec), examples)))
        counts.append(PlyCount([positions], [canonical], examples))
        plies.append(Ply(number, positions, positions, high, canonical))
    return tiers, counts, plies


class Layout(NamedTuple):
    """The arrays of a mapped table, as the description of the format has them."""

    bytes: int
    buckets: int
    mixed: bool


def layout(entries: int, top: int) -> Layout:
    """A bucket has at most 8 entries on average, and a remainder 1, 2, 4 or 8 bytes.

    One byte and twice as many buckets take no more than two bytes of which one bit is needed.
    """
    bits = max(1, top.bit_length())
    width, buckets = bits, 1
    while buckets * 8 < entries:
        width, buckets = width - 1, 2 * buckets
    if width <= 9:
        width, buckets = 8, max(1, 2 ** (bits - 8))
    remainder = next(size for size in (1, 2, 4, 8) if width <= 8 * size)
    return Layout(4 * (buckets + 1) + (remainder + 1) * entries, buckets, width > 8)


def largest_key(spec: str, counts: list[PlyCount]) -> int:
    game = game_of(spec)
    return max(
        game.key(s.position(p))
        for c in counts
        for p in map(game.canonical, c.examples)
        for s in game.symmetries
        if s.position(p) == p
    )


# layers


class Layers:
    """The model of a solve of layers: what it writes, reads and holds in memory."""

    def __init__(self, spec: str, sizes: list[int], images: int) -> None:
        """Count so many positions for each canonical one, which is stored."""
        self.spec = spec
        self.tiers, self.counts, self.plies = imagined(spec, sizes, images)
        kernel, _ = find_kernel(game_of(spec))
        assert isinstance(kernel, LayeredKernel)
        self.kernel = kernel
        self.in_slots = kernel.multiplier == 1
        self.key = 4 if kernel.bits <= 32 else 8
        # a key of more bits takes 4 bytes in a file, if its slot has the others
        self.in_files = 4 if kernel.bits - (14 if self.in_slots else 12) <= 32 else 8
        # a position in memory: three keys, or where keys are mixed six and three for each child,
        # and eight bytes for each child
        mixed = (3 * kernel.width + 6) * self.key + 8 * kernel.width
        self.each = 3 * self.key if self.in_slots else mixed
        self.stored = [tier.canonical for tier in self.tiers]
        self.most = [tier.canonical * tier.high // tier.positions for tier in self.tiers]
        self.entries = sum(sizes)
        self.table = layout(self.entries, largest_key(spec, self.counts))
        self.file = HEADER + self.table.bytes

    def cost(self, workers: int = 1, limit: int | None = None) -> Cost:
        """Return what is to be tested."""
        count = Count(self.counts, True, {1}, seconds=SECONDS)
        game = game_of(self.spec)
        return layers_cost(game, self.kernel, count, self.counts, self.plies, workers, limit)

    def memory(self) -> float:
        key, children = self.key, self.kernel.width * self.key * min(max(self.most), 2**20)
        stages: list[float] = []
        for n, tier in enumerate(self.tiers):
            own, later = self.most[n], [*self.most, 0][n + 1]
            if self.in_slots:  # grow it, with its children; resolve it, with half of that
                stages += [2 * self.each * own, self.each * own + (key + 1) * later + 4 * later]
            else:  # grow it: each child is held, and copied when duplicates go
                stages.append(key * own + 2 * key * own * tier.moves)
                # resolve it: keys with values here, and an index of the next tier
                stages.append((key + 1) * own + 2 * own + (key + 1) * later + 16 * later)
        # write the table: all entries, which where keys are mixed take eight bytes each, with
        # three times as much for those of a tier
        entry = key + 1 if self.in_slots else 9
        temporary = 0 if self.in_slots else 24 * max(self.most)
        stages.append(self.file + entry * sum(self.most) + temporary)
        return START + children + max(stages)

    def expected(self, workers: int = 1, limit: int | None = None) -> Cost:
        """Return the cost as the model has it."""
        key, memory = self.in_files, self.memory()
        limited = limit is not None and limit < memory
        room = 2 * self.each * max(self.most) / workers
        sorting = 0
        if limited:
            assert limit is not None
            memory, room = limit, limit - START
            if not self.in_slots or self.table.mixed:
                # a key in 4 bytes, if it has at most 32 bits besides those of its group
                bits = largest_key(self.spec, self.counts).bit_length()
                of_group = min(10, self.table.buckets.bit_length() - 1)
                sorting = (5 if bits - of_group <= 32 else 9) * self.entries
        traffic = 4.0 * self.file + 2 * sorting
        missed = 0.0
        for n, tier in enumerate(self.tiers):
            own, later = self.stored[n], [*self.stored, 0][n + 1]
            parts = max(1, math.ceil(2 * own * self.each / room))
            pieces = max(1, math.ceil(later * (2 * self.key + 6) * 2 / room))
            if later:  # each part writes the children of its positions, which is in one for sure
                absent = (1 - 1 / parts) ** (tier.moves * own / later)
                traffic += 2 * key * parts * later * (1 - absent)
            traffic += 2 * key * own + own + (key + 1) * own  # keys, values and entries
            traffic += parts * (key + 1) * later
            missed += pieces * tier.moves * own * (pieces > 1)
        every = sum(self.stored)
        moves = sum(n * tier.moves for n, tier in zip(self.stored, self.tiers, strict=True))
        return Cost(
            START_SECONDS
            + SOLVING * SECONDS * moves
            + LOOKING_UP * missed
            + (MOVING_APART if limited else MOVING) * int(traffic),
            int(memory),
            (key + 1) * every + 2 * self.file + sorting,
            int(traffic),
            self.file,
        )


LAYERS = [
    *itertools.product([SLOTS, WIDE_SLOTS], [RISING, FALLING, LEVEL, LATE], [2, 8]),
    *itertools.product([MIXED, WIDE_MIXED], [RISING, FALLING, LEVEL, HUGE, LATE], [2]),
    (WIDE_SLOTS, HUGE, 2),
    (MIXED, LEVEL, 4),
]


@pytest.mark.every
@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize(("spec", "sizes", "images"), LAYERS)
@pytest.mark.thinned(7)
def test_the_cost_of_layers(spec: str, sizes: list[int], images: int, workers: int) -> None:
    layers = Layers(spec, sizes, images)
    for limit in (None, LEAST, 300 * MB, 2000 * MB, 10**15):
        found, right = layers.cost(workers, limit), layers.expected(workers, limit)
        assert found[1:] == right[1:]
        assert found.seconds == pytest.approx(right.seconds, rel=1e-12)


@pytest.mark.parametrize("spec", [WIDE_SLOTS, WIDE_MIXED])
def test_a_limit_that_is_just_enough_changes_nothing(spec: str) -> None:
    layers = Layers(spec, HUGE, 2)
    plenty = layers.cost()
    assert layers.cost(limit=math.ceil(layers.memory())) == plenty
    assert layers.cost(limit=plenty.memory - 1).volume > plenty.volume


def test_less_memory_than_a_process_needs_is_refused() -> None:
    layers = Layers(SLOTS, RISING, 2)
    assert layers.cost(limit=LEAST).memory <= LEAST
    with pytest.raises(MemoryLimitError, match=r"about 255 MB per process .* limit of 255 MB"):
        layers.cost(limit=LEAST - 1)


# tiers


@pytest.mark.every
@pytest.mark.parametrize("steps", [{0, 1}, {0, 2, 3}, {0}])
@pytest.mark.parametrize(
    "sizes", [RISING, FALLING, LEVEL, [1, 500_000], [1, 0, 1 << 20], [9_000_000, 8_000_000]]
)
def test_the_cost_of_tiers(sizes: list[int], steps: set[int]) -> None:
    game = game_of(TIERED)
    tiers, counts, plies = imagined(TIERED, sizes)
    found = tiers_cost(game, Count(counts, True, steps, seconds=SECONDS), counts, plies)
    table = layout(sum(sizes), largest_key(TIERED, counts))
    file, every = HEADER + table.bytes, sum(sizes)
    # write the table: it and its buckets' free places, and a tier's entries
    stages = [file + 8.0 * table.buckets + 50 * max(sizes)]
    for n, tier in enumerate(tiers):
        # a tier is in memory with all that its moves lead to: in a hash table of pairs of eight
        # bytes, which has room for twice as many, and with 12 bytes for each move
        reached = sum([*sizes, 0, 0, 0][n + step] for step in steps)
        slots = 1
        while slots <= reached:
            slots *= 2
        stages.append(2 * 8 * slots + 50 * reached + 12 * sizes[n] * tier.moves)
    # a position with its value, what it takes beside its moves, and four bytes for each of these
    work = 23 * every + 4 * sum(n * tier.moves for n, tier in zip(sizes, tiers, strict=True))
    assert (found.memory, found.file) == (int(START + max(stages)), file)
    assert found.disk == pytest.approx(2 * file + work, abs=1)
    assert found.volume == pytest.approx(4 * file + 40 * every + 2 * work, abs=2)
    assert found.seconds == pytest.approx(1 + 2 * SECONDS * every, rel=1e-12)


# plain Python


class Wide(Scattered):
    """Keys of 65 bits."""

    def key(self, p: int) -> int:
        return super().key(p) + 2**64


class Narrow(Scattered):
    """Keys of 9 bits."""

    def key(self, p: int) -> int:
        return p


PLAIN = {"wide": Wide(), "scattered": Scattered(), "narrow": Narrow(), SLOTS: load_game(SLOTS)}


def entry_bytes(game: Game[Any, Any], p: Any) -> int:
    """Return about how long an entry of a JSON table is, with its line's end and indent."""
    moves = [] if game.primitive(p) is not None else game.moves(p)
    rows = [json.dumps(game.code(m)) for m in moves]
    return 25 + len(game.text(p)) + sum(16 + len(row) for row in rows)


@pytest.mark.every
@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("canonical", [765, SMALL, SMALL + 1, MOST_JSON, MOST_JSON + 1])
def test_the_cost_in_plain_python(
    monkeypatch: pytest.MonkeyPatch, name: str, canonical: int
) -> None:
    """Each ply takes a quarter of a second, for all examples together."""
    clock = SimpleNamespace(thread_time=itertools.count(100.0, 0.25).__next__)
    monkeypatch.setattr(estimate_cost, "time", clock)
    game = PLAIN[name]
    first = game.initial()
    second = [game.play(first, m) for m in game.moves(first)]
    third = [game.play(p, m) for p in second for m in game.moves(p)][:5]
    examples = [[first], second, [], third]
    sizes = [1, 60, 0, canonical - 61]
    counts = [PlyCount([n], [n], some) for n, some in zip(sizes, examples, strict=True)]
    plies = [Ply(i, n, n, n, n) for i, n in enumerate(sizes)]
    found = plain_cost(game, counts, plies)

    each = [n / max(len(some), 1) for n, some in zip(sizes, examples, strict=True)]
    pairs = [(n, p) for n, some in zip(each, examples, strict=True) for p in some]
    top = max(game.key(game.canonical(p)) for _, p in pairs)
    entries = sum(n * entry_bytes(game, p) for n, p in pairs)
    memory = sum(n * (sys.getsizeof(p) + 400) for n, p in pairs)
    file: int | None = HEADER + layout(canonical, top).bytes
    if canonical <= SMALL or name == "wide":
        file = int(1000 + entries) if canonical <= MOST_JSON else None
        memory += entries * JSON_MEMORY
    # work is stored as numbers with two digits to a byte, if it is stored
    work = canonical * (top.bit_length() // 4 + 4) if canonical > SMALL else 0
    disk = work if file is None else 2 * file + work
    assert found[2:] == (disk, disk + 4 * work, file)
    assert found.memory == pytest.approx(START_PLAIN + memory, abs=1)
    assert found.seconds == pytest.approx(0.2 + 3 * 0.25 * sum(each))


# measured


@pytest.mark.parametrize("spec", ["tictactoe", "hexapawn:3x3", "nim:3,4,5", "connect4:3x3,3"])
def test_the_size_of_a_small_table(spec: str, tmp_path: Path) -> None:
    path = Path(solve_file(load_game(spec), str(tmp_path / "t.json"), SolveOptions()))
    assert estimate(load_game(spec)).file == pytest.approx(path.stat().st_size, rel=0.35)


class Traffic:
    """The bytes that a solve reads and writes in its folder, and the most that are stored there.

    These are data alone: what files state about their slots is little in a larger game. Nothing
    stays in memory to be read again.
    """

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.bytes = self.stored = 0
        sizes: dict[str, int] = {}
        put, read, rename = SlotFiles.put, SlotFiles.read, SlotFiles.rename

        def put_counted(files: SlotFiles, name: str, slots: Any) -> None:
            slots = list(slots)
            put(files, name, slots)
            sizes[name] = sum(memoryview(data).nbytes for _, _, data in slots)
            self.bytes += sizes[name]
            left = [path.name for path in Path(files.directory).iterdir()]
            self.stored = max(self.stored, sum(sizes.get(file, 0) for file in left))

        def read_counted(files: SlotFiles, *arguments: Any) -> Any:
            slots, data = read(files, *arguments)
            self.bytes += len(data)
            return slots, data

        def rename_counted(files: SlotFiles, old: str, new: str) -> None:
            rename(files, old, new)
            sizes[new] = sizes.pop(old)

        patch.setattr(SlotFiles, "rename", rename_counted)
        patch.setattr(SlotFiles, "put", put_counted)
        patch.setattr(SlotFiles, "read", read_counted)
        patch.setattr("solver.solving.solve.MOST_KEPT", 0)


Solved = Callable[[str], tuple[Traffic, int]]


@pytest.fixture
def solved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Solved:
    """Return a function that solves a game, and returns what that takes and the table's size."""

    def solve(spec: str) -> tuple[Traffic, int]:
        traffic = Traffic(monkeypatch)
        path = solve_file(load_game(spec), str(tmp_path / "t.safetensors"), SolveOptions())
        return traffic, Path(path).stat().st_size

    return solve


@pytest.mark.slow
@pytest.mark.parametrize("spec", [SLOTS, MIXED, TIERED])
def test_what_a_solve_stores_writes_and_reads(spec: str, solved: Solved) -> None:
    found, (traffic, size) = estimate(load_game(spec)), solved(spec)
    assert found.file == pytest.approx(size, rel=0.02)
    assert found.disk == pytest.approx(traffic.stored + size, rel=0.2)
    assert found.volume == pytest.approx(traffic.bytes + size, rel=0.4)
