"""Measures solves with several workers and out of core, and the accuracy of cost estimates.

    python -m scripts.bench_cluster                 measure and print
    python -m scripts.bench_cluster --projections   write what larger solves would take

Each solve is a command of its own; CPU time is that of all its processes.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from scripts.measure import Spent, spent
from scripts.sections import DOCS, write_section
from solver import load_game
from solver.solving.estimate import estimate
from solver.units import format_duration, format_size

Row = tuple[str, str, str]  # what was measured, the result, what it is compared with
FASTER = {"connect4:5x5": 1.4, "mnk:4,4,4": 1.0}  # by two workers, at least
LIMIT = "400MB"
PROJECTED = ("connect4:6x5", "connect4:6x6", "connect4:7x6", "mnk:5,5,4")
WORKERS, MEMORY = 64, 8 * 10**9  # of the projections; memory per worker
PAGE = DOCS / "how-to" / "solve-large-games.md"


def solved(directory: str, game: str, *options: str) -> tuple[Spent, bytes]:
    """Solve a game; return the cost and the table."""
    path = os.path.join(directory, "table.safetensors")
    found = spent("solve", game, "-o", path, *options, watched=directory)
    data = Path(path).read_bytes()
    os.unlink(path)
    return found, data


def shared() -> list[Row]:
    """Measure the same solves with one and two workers, on both engines, and with little memory."""
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        for game, least in FASTER.items():
            local: dict[int, Spent] = {}
            right = b""
            for engine in ("local", "dask"):
                for workers in (1, 2):
                    options: tuple[str, ...] = ("--engine", engine, "--workers", str(workers))
                    took, data = solved(directory, game, *options)
                    right = right or data
                    same = "the same bytes" if data == right else "OTHER BYTES"
                    compared = same
                    if engine == "dask":
                        ratio = took.cpu / local[workers].cpu
                        compared += f"; {ratio:.2f}x the local engine's CPU, target: 1.15x"
                    elif workers == 2:
                        faster, more = local[1].wall / took.wall, took.cpu / local[1].cpu
                        compared += (
                            f"; {faster:.2f}x as fast by the clock, target: {least}x;"
                            f" {more:.2f}x the CPU, target: 1.1x"
                        )
                    if engine == "local":
                        local[workers] = took
                    rows.append(
                        (
                            f"{game}, {engine}, {workers} worker{'s' * (workers > 1)}",
                            f"{took.wall:.1f} s elapsed, {took.cpu:.1f} s CPU",
                            compared,
                        )
                    )
        for engine in ("local", "dask"):
            options = ("--engine", engine, "--workers", "2", "--memory", LIMIT)
            took, _ = solved(directory, "connect4:6x4", *options)
            rows.append(
                (
                    f"connect4:6x4, {engine}, two workers of {LIMIT} each",
                    f"{took.wall:.1f} s elapsed, {took.cpu:.1f} s CPU",
                    f"largest process {took.megabytes:.0f} MB",
                )
            )
    return rows


def model() -> list[Row]:
    """Compare what `estimate` predicts with what solves take."""
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        for game in ("connect4:5x4", "connect4:5x5", "connect4:6x4"):
            predicted = estimate(load_game(game))
            took, _ = solved(directory, game)
            rows.append(
                (
                    f"estimate of {game}",
                    f"{predicted.seconds / took.cpu:.0%} of the CPU time,"
                    f" {predicted.disk / took.disk:.0%} of the disk",
                    f"measured {took.cpu:.1f} s, {took.disk / 1e6:.0f} MB; target: 70 to 130%",
                )
            )
    return rows


def projections() -> list[str]:
    """Return a table of what large games would take; it is predicted, not measured."""
    lines = [
        f"| game | positions | disk | one processor | {WORKERS} of them |",
        "|---|---|---|---|---|",
    ]
    for game in PROJECTED:
        found = estimate(load_game(game), workers=WORKERS, memory=MEMORY)
        usual, low, high = map(
            format_duration, (found.seconds, found.seconds_low, found.seconds_high)
        )
        disk = format_size(found.disk)
        lines.append(
            f"| {game} | {found.positions:.2g} | {disk} |"
            f" {usual} ({low} to {high}) | {format_duration(found.seconds / WORKERS)} |"
        )
    return lines


if __name__ == "__main__":
    if "--projections" in sys.argv[1:]:
        write_section(PAGE, "projections", "\n".join(projections()))
    else:
        for row in [*shared(), *model()]:
            print(f"| {' | '.join(row)} |", flush=True)
