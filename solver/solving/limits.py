"""What a solve may take of this machine: a hopeless one is refused, and none fills the disk.

`Limits` compares what a solve needs, by its estimate, with free disk, installed memory and a month,
before a large solve writes much. `DiskGuard` watches the disk while a solve runs.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.compiling.find import find_kernel
from solver.errors import KernelError, SolveTooLargeError, UnpackedPositionError
from solver.games.catalogue import GAMES
from solver.solving.memory import PLENTY, installed
from solver.tables.format import MOST_JSON
from solver.tables.mapped_file import WIDEST
from solver.units import format_duration, format_size

if TYPE_CHECKING:
    from typing import BinaryIO

    from solver.rules.game import Game
    from solver.solving.estimate import Estimate, Finding
    from solver.solving.options import SolveOptions

LARGE = 1_000_000  # positions from which on a solve is checked
MONTH = 30 * 86400  # seconds
CORES = 64  # of a large machine
RESERVE = 10**9  # bytes of disk that a solve leaves free
SMALL_WORK = 1 << 26  # bytes that a process may write in any case
PIECE = 1 << 23  # bytes written at once


class Limits:
    """What limits a solve with unfinished work in `folder` that writes its table to `target`."""

    def __init__(
        self, game: Game[Any, Any], folder: str, target: str, options: SolveOptions
    ) -> None:
        self.game, self.folder, self.target, self.options = game, folder, target, options
        self.known = {listing.spec: listing.positions for listing in GAMES}.get(game.spec)
        self.find: Finding = find_kernel
        """How to find the kernel that solves the game, if one does."""
        self.checked = options.force

    def check(self, positions: int) -> None:
        """Raise SolveTooLargeError for a hopeless game, once it is known or found to be large."""
        if self.checked or max(positions, self.known or 0) < LARGE:
            return
        self.checked = True
        from solver.solving.estimate import estimate

        how, in_memory = self.options, self.options.method == "search"
        if self.known is None:
            how.report(f"estimating what it takes to solve {self.game.spec}")
        limit = how.memory or (installed() or PLENTY) // 2 // how.workers
        cost = estimate(
            self.game,
            workers=how.workers,
            memory=None if in_memory else limit,
            known=self.known,
            samples=0,
            find=(lambda _: (None, "")) if in_memory else self.find,
        )
        cost = least(cost)
        if in_memory:
            cost = cost._replace(disk=cost.file or 0)
        else:  # tiers are split, or the solve stops at one that does not fit
            cost = cost._replace(memory=min(limit, cost.memory))
        if beyond := exceeded(cost, self.folder, self.target, how.scheduler is not None):
            other = "the method retrograde" if in_memory else "a larger disk for --workdir or -o"
            searched = " Without a table it is answered by search." * self.game.searchable
            about = "at least an estimated" if self.known is None else "about"
            raise SolveTooLargeError(
                f"solving {cost.game}, with {about} {cost.positions:.3g} positions, takes"
                f" {describe_cost(cost)}. {' '.join(beyond)} What helps is a smaller board,"
                f" {other}, other values of --memory and --workers, or --force, which starts it all"
                f" the same.{searched}{weak_way(self.game, how.name or cost.game)}"
            )


def exceeded(cost: Estimate, folder: str, target: str, on_cluster: bool = False) -> list[str]:
    """Return sentences about what a solve exceeds: memory, disk, or what is sane."""
    if not cost.complete:
        return []
    beyond = []
    memory = installed()
    if not on_cluster and memory is not None and cost.memory * cost.workers > memory:
        beyond.append(f"This machine has less memory: {format_size(memory)}.")
    if cost.file is None:
        beyond.append(
            f"Its keys have more than {WIDEST} bits, so its table is a JSON file of up to"
            f" {MOST_JSON:,} positions."
        )
    table = cost.file or 0
    work = cost.disk - table
    for path in Path(folder).glob("*"):
        with suppress(FileNotFoundError):  # a worker has just finished it
            work -= path.stat().st_size
    needs = [(existing(folder), work), (existing(target), table)]
    if len({os.stat(place).st_dev for place, _ in needs}) == 1:
        needs = [(needs[0][0], work + table)]
    for place, size in needs:
        free = shutil.disk_usage(place).free
        if size > SMALL_WORK and size > free - RESERVE:
            beyond.append(f"The disk of {place} has less free space: {format_size(free)}.")
    if on_cluster:
        return beyond
    if cost.memory > 1 << 42 or cost.disk > 1 << 46 or cost.seconds > 12 * MONTH * CORES:
        beyond.append("No single machine can do this.")
    elif cost.seconds > MONTH * cost.workers:
        beyond.append("It takes more than a month.")
    return beyond


def least(cost: Estimate) -> Estimate:
    """Return the estimate for as few positions as are likely."""
    share = cost.low / cost.positions
    seconds, canonical = share * cost.seconds, int(share * cost.canonical)
    fits = cost.file is not None or canonical <= MOST_JSON
    return cost._replace(
        positions=cost.low,
        high=cost.low,
        canonical=canonical,
        seconds=seconds,
        seconds_low=seconds,
        seconds_high=seconds,
        memory=int(share * cost.memory),
        disk=int(share * cost.disk),
        file=int(share * (cost.file or 0)) if fits else None,
    )


def describe_cost(cost: Estimate) -> str:
    """Return the time, memory and disk of a solve in words."""
    usual, low, high = (
        format_duration(seconds / cost.workers)
        for seconds in (cost.seconds, cost.seconds_low, cost.seconds_high)
    )
    several, likely = cost.workers > 1, f"({low} to {high}) " if low != high else ""
    return (
        f"about {usual} {likely}on"
        f" {f'{cost.workers} processors' if several else 'one processor'} like this machine's,"
        f" {format_size(cost.memory)} of memory{' each' * several} and {format_size(cost.disk)}"
        " of disk"
    )


class DiskGuard:
    """Writes the files of a folder, but raises OSError before less than RESERVE is free."""

    def __init__(self, folder: str) -> None:
        self.folder, self.written = folder, 0

    def write(self, file: BinaryIO, data: Any) -> None:
        """Write a buffer to a file."""
        view = memoryview(data).cast("B")
        for start in range(0, len(view), PIECE):
            piece = view[start : start + PIECE]
            self.written += len(piece)
            if self.written > SMALL_WORK:
                self._check(len(piece))
            file.write(piece)

    def _check(self, size: int) -> None:
        if shutil.disk_usage(self.folder).free < RESERVE + size:
            raise OSError(
                f"the disk of {self.folder} is nearly full, and a solve leaves"
                f" {format_size(RESERVE)} free: free some space, then run the same command to"
                " resume"
            )


def weak_way(game: Game[Any, Any], name: str) -> str:
    """Return a sentence about solving a game weakly, if its rules are compiled; else nothing."""
    try:
        kernel, _ = find_kernel(game, layers=False, hand=False)
    except (KernelError, UnpackedPositionError):
        return ""
    is_compiled = kernel is not None
    return f" Without a table, perfectplay solve {name} --weak looks for a strategy." * is_compiled


def existing(path: str) -> str:
    """Return the folder in which `path` is, or the nearest one above it that exists."""
    place = Path(path).absolute()
    return str(next(folder for folder in (place, *place.parents) if folder.is_dir()))
