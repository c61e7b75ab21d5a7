"""Measures large games: complete commands, each in its own process, and look-ups.

    python -m scripts.bench_large           measure and print; `large` is a part of scripts.bench
    python -m scripts.bench_large --write   also write the table into docs/measurements.md

This measures Connect 4 on 5x6 beside 5x5, with workers and on Dask, and solves and proofs beside
those of commit e7b97ae, which is taken from the history of this repository. That takes ten
minutes, 8 GB of memory and 15 GB of disk.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from bisect import bisect_left
from collections.abc import Callable, Sequence

import numpy as np

from scripts.measure import Spent, run, spent
from scripts.sections import MEASUREMENTS, table, write_section
from scripts.sources import COMMIT, unpack
from solver import Game, MappedTable

Row = tuple[str, str, str]  # what was measured, the result, what it is compared with
HUGE, BILLION = "connect4:5x6", 1_044_334_437
FOUR_PAWNS = "kingspawns:.k../pppp/PPPP/.K.."
RUNS = 3  # of each solve beside the commit, by turns
LOOKED_UP = 1_000_000  # keys in an array
ONE_BY_ONE = 20_000  # keys and strings


def large() -> list[Row]:
    """Measure solving, proving and looking up in large tables."""
    with tempfile.TemporaryDirectory() as directory:
        tables = {
            spec: os.path.join(directory, spec.replace(":", "-") + ".safetensors")
            for spec in ("connect4:5x5", "connect4:6x4", "mnk:4,4,4", "connect4:4x4")
        }
        rows = cold_start(directory, tables["connect4:4x4"])
        sorting = min(sort_seconds(69_763_700) for _ in range(3))
        first = spent("solve", "connect4:5x5", "-o", tables["connect4:5x5"])
        table = MappedTable.open(tables["connect4:5x5"])
        size = table.bytes / table.counts["canonical"]
        rows += [
            (
                "Connect 4 5x5, command to file, 69,763,700 positions",
                f"{first.cpu:.1f} s CPU, {first.megabytes:.0f} MB",
                f"{first.cpu / sorting:.1f}x np.sort of as many numbers, target: 13x, 600 MB;"
                " Böck's BDD solver 141 s, 870 MB, no distances",
            ),
            (
                "its file",
                f"{size:.2f} bytes a canonical position",
                f"target: 2.6; {table.bytes / 1e6:.1f} MB, Böck's 75.8 MB without distances",
            ),
        ]
        proof = spent("verify", tables["connect4:5x5"])
        rows.append(("its proof", f"{proof.cpu:.1f} s CPU", "target: 60 s"))
        six = spent("solve", "connect4:6x4", "--memory", "2GB", "-o", tables["connect4:6x4"])
        rows.append(
            (
                "Connect 4 6x4 with --memory 2GB, 94,910,577 positions",
                f"{six.cpu:.1f} s CPU, {six.megabytes:.0f} MB",
                f"{six.cpu / 94_910_577 / first.cpu * 69_763_700:.2f}x the CPU a position of 5x5;"
                " target: 1.1x",
            )
        )
        four = [spent("solve", "mnk:4,4,4", "-o", tables["mnk:4,4,4"]).cpu for _ in range(3)]
        rows.append(
            (
                "m,n,k 4,4,4, command to file, 9,722,011 positions",
                f"{statistics.median(four):.2f} s CPU",
                "target: 2 s",
            )
        )
        packed = os.path.join(directory, "packed.safetensors")
        packing = spent("export", tables["connect4:5x5"], "-o", packed)
        size = os.path.getsize(packed)
        rows.append(
            (
                "Connect 4 5x5, packed",
                f"{size / table.counts['canonical']:.2f} bytes a canonical position",
                f"target: 0.8; {size / 1e6:.1f} MB; packing takes {packing.cpu:.1f} s CPU",
            )
        )
        rows += cycles(directory) + look_ups(table)
        return rows + packed_look_ups(table, MappedTable.open(packed))


def cycles(directory: str) -> list[Row]:
    """Measure chess with kings and pawns from two starts: a game with cycles."""
    rows = []
    for start, about in (("", "three"), (":.k../pppp/PPPP/.K..", "four")):
        path = os.path.join(directory, f"{about}.safetensors")
        solved = spent("solve", f"kingspawns{start}", "-o", path)
        count = MappedTable.open(path).counts["canonical"]
        proof = spent("verify", path)
        rows += [
            (
                f"4x4 chess, {about} pawns a side, {count:,} positions up to symmetry",
                f"{solved.cpu:.1f} s CPU, {solved.megabytes:.0f} MB",
                "target: 60 s, 3,000 MB",
            ),
            ("its proof", f"{proof.cpu:.1f} s CPU, {proof.megabytes:.0f} MB", "-"),
        ]
    return rows


def cold_start(directory: str, path: str) -> list[Row]:
    """Measure the first solve after installation, when nothing is compiled yet."""
    cache = {"NUMBA_CACHE_DIR": os.path.join(directory, "cache")}
    cold, warm = (spent("solve", "connect4:4x4", "-o", path, **cache) for _ in range(2))
    compared = f"{cold.wall - warm.wall:.1f} s more than warm; target: 10 s more"
    return [("Connect 4 4x4, nothing compiled yet", f"{cold.wall:.1f} s elapsed", compared)]


def look_ups(table: MappedTable) -> list[Row]:
    """Measure looking up one key, one string of moves and an array of keys in the 5x5 table."""
    game = table.game
    places = np.random.default_rng(0).integers(0, table.counts["canonical"], LOOKED_UP)
    keys = keys_at(table, places)
    few = keys[:ONE_BY_ONE].tolist()
    texts = [text for key in few if (text := moves_to(game, key)) is not None]
    one = min(each(table.probe, few) for _ in range(5))
    string = min(each(lambda text: table.probe(game.parse(text)), texts) for _ in range(5))
    batch = min(each(table.probe_many, [keys]) / LOOKED_UP for _ in range(5))
    whole = np.sort(keys)
    peer = min(each(lambda k: np.searchsorted(whole, k), [keys]) / LOOKED_UP for _ in range(3))
    listed = memoryview(whole.data)
    plain = min(each(lambda key: bisect_left(listed, key), few) for _ in range(5))
    return [
        (
            "look-up of a key in 5x5",
            f"{one / 1000:.1f} µs",
            f"target: 2 µs; bisect on a million keys {plain / 1000:.1f} µs",
        ),
        (
            f"look-up of a string of moves ({statistics.mean(map(len, texts)):.0f} on average)",
            f"{string / 1000:.1f} µs",
            "target: 6 µs",
        ),
        (
            "look-up of an array of keys",
            f"{batch:.0f} ns each",
            f"target: 300 ns; np.searchsorted on a million keys {peer:.0f} ns",
        ),
    ]


def packed_look_ups(table: MappedTable, packed: MappedTable) -> list[Row]:
    """Measure looking up keys in the packed 5x5 table."""
    random_places = np.random.default_rng(1).integers(0, table.counts["canonical"], LOOKED_UP)
    near = np.arange(LOOKED_UP) + 10_000_000
    keys, together = (keys_at(table, places) for places in (random_places, near))
    first = each(packed.probe_key, keys[:ONE_BY_ONE].tolist())
    numpy = sys.modules.pop("numpy")  # look-ups in a process that has not loaded it do without
    without = each(packed.probe_key, keys[ONE_BY_ONE : 2 * ONE_BY_ONE].tolist())
    sys.modules["numpy"] = numpy
    apart = each(packed.probe_many, [keys]) / LOOKED_UP
    sorted_keys = each(packed.probe_many, [together]) / LOOKED_UP
    return [
        ("look-up of a key in packed 5x5", f"{without / 1000:.0f} µs", "target: 80 µs"),
        ("the same where NumPy is loaded", f"{first / 1000:.0f} µs", "target: 20 µs"),
        ("look-up of an array of keys there", f"{apart:.0f} ns each", "target: 1,500 ns"),
        ("of neighbouring keys, sorted", f"{sorted_keys:.0f} ns each", "target: 150 ns"),
    ]


def keys_at(table: MappedTable, places: np.ndarray) -> np.ndarray:
    """Return the keys of the entries at some places of a table whose keys are not mixed."""
    buckets = np.searchsorted(np.asarray(table.arrays["offsets"]), places, side="right") - 1
    low = np.asarray(table.arrays["remainders"])[places]
    keys: np.ndarray = buckets.astype(np.int64) << table.layout.width | low
    return keys


def sort_seconds(count: int) -> float:
    """Return the CPU time of sorting random 32-bit numbers."""
    numbers = np.random.default_rng(0).integers(0, 1 << 32, count, np.uint32)
    start = time.process_time()
    np.sort(numbers)
    return time.process_time() - start


def huge() -> list[Row]:
    """Measure solving Connect 4 on 5x6, beside 5x5, with one and two workers and on Dask."""
    rows, solved = [], dict[tuple[str, ...], Spent]()
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "table.safetensors")
        small = spent("solve", "connect4:5x5", "-o", path)
        for options in ((), ("--workers", "2"), ("--engine", "dask")):
            found = spent("solve", HUGE, "--memory", "4GB", "-o", path, *options)
            solved[options] = found
            one = solved[()]
            ratio = found.cpu / BILLION / small.cpu * 69_763_700
            compared = {
                (): f"{ratio:.2f}x the CPU a position of 5x5; target: 1.8x",
                ("--workers", "2"): f"{one.wall / found.wall:.2f}x as fast by the clock, target:"
                f" 1.7x; {found.cpu / one.cpu:.2f}x the CPU, target: 1.1x",
                ("--engine", "dask"): f"{found.cpu / one.cpu:.2f}x the CPU, target: 1.15x",
            }[options]
            rows.append((" ".join([HUGE, "--memory 4GB", *options]), describe(found), compared))
    return rows


def before() -> list[Row]:
    """Measure solves and proofs beside those of an earlier commit, by turns."""
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        old, missing = unpack(directory)
        for spec in ("connect4:5x5", "kingspawns", FOUR_PAWNS):
            path = os.path.join(directory, "table.safetensors")
            if old is None:
                rows.append((spec, "-", missing))
                continue
            python = [sys.executable, "-P", "-m", "solver"]
            variables, other = {"PYTHONPATH": old}, os.path.join(directory, "other.safetensors")
            costs = [
                (
                    run([*python, "solve", spec, "-o", other], variables),
                    spent("solve", spec, "-o", path),
                    run([*python, "verify", other, "--game", spec], variables),
                    spent("verify", path, "--game", spec),
                )
                for _ in range(RUNS)
            ]
            least = [min(some, key=lambda cost: cost.cpu) for some in zip(*costs, strict=True)]
            for what, then, now, target in (
                (f"solve {spec}", *least[:2], 1.03),
                ("its proof, every position visited", *least[2:], 2.2),
            ):
                compared = f"x the {then.cpu:.1f} s of the same at commit {COMMIT}"
                rows.append(
                    (
                        what,
                        describe(now),
                        f"{now.cpu / then.cpu:.2f}{compared}, target: {target}x",
                    )
                )
    return rows


def describe(found: Spent) -> str:
    """Return what a command cost, in words."""
    return f"{found.cpu:.1f} s CPU, {found.wall:.1f} s elapsed, {found.megabytes:.0f} MB"


def each(call: Callable[..., object], items: Sequence[object]) -> float:
    """Return the mean time of a call, in nanoseconds."""
    start = time.perf_counter()
    for item in items:
        call(item)
    return (time.perf_counter() - start) / len(items) * 1e9


def moves_to(game: Game[int, int], p: int) -> str | None:
    """Return columns that lead to a position, found backwards at random; None at a dead end."""
    generator, digits = random.Random(p), []
    while p != game.initial():
        before = game.parents(p)
        if not before:
            return None
        earlier = generator.choice(before)
        moves = game.moves(earlier)
        digits.append(next(m for m in moves if game.play(earlier, m) == p))
        p = earlier
    return "".join(str(m + 1) for m in reversed(digits))


if __name__ == "__main__":
    found = table("measured|result|compared with", [*huge(), *before()])
    print(found)
    if "--write" in sys.argv[1:]:
        write_section(MEASUREMENTS, "large", found)
