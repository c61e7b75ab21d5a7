"""How much memory a solve may take: what a machine has, and what is left for each task."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Sequence
from mmap import PAGESIZE

from solver.errors import MemoryLimitError
from solver.solving.pool import WorkerPool

PLENTY = 1 << 34  # bytes that a task may take where the system does not report its memory
MARGIN = 24 << 20  # bytes that a process takes in addition to what is estimated


def installed() -> int | None:
    """Return how many bytes of memory this machine has, or None if it does not report that."""
    if not hasattr(os, "sysconf"):
        return None
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def resident() -> int:
    """Return how many bytes of memory this process takes; else the most it took, or 0."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * PAGESIZE
    except OSError:
        try:
            import resource
        except ImportError:
            return 0
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most << 10


def room_for_task(
    spec: str,
    pool: WorkerPool,
    limit: int | None,
    loaded: Callable[[Sequence[tuple[()]]], Iterable[tuple[int, int]]],
) -> int:
    """Return how many bytes a task may take, so that each worker stays within the limit.

    `loaded` asks workers how many bytes each takes with the game loaded. Workers in
    this process share what they may take together. Without a limit, the workers share half of the
    smallest machine's memory. Raises MemoryLimitError.
    """
    each: list[tuple[()]] = [()] * pool.workers
    if limit is None:
        sizes = [memory or PLENTY for _, memory in pool.run(installed, each)]
        return min(sizes) // 2 // pool.workers
    taken = max(memory for _, memory in loaded(each))
    shares = pool.threads if pool.is_here else 1
    free = (limit * shares - taken - MARGIN) // pool.threads
    if free < MARGIN:
        least = (taken + (1 + pool.threads) * MARGIN) // shares // 10**6 + 1
        raise MemoryLimitError(
            f"a process that solves {spec} takes {least:,} MB before its first position, more than"
            f" the limit of {limit / 1e6:,.0f} MB"
        )
    return free * 3 // 4  # allocators keep some of what is freed


def tier_too_large(spec: str, positions: int, memory: int) -> MemoryLimitError:
    """Return the error for a tier that does not fit into memory."""
    return MemoryLimitError(
        f"{spec} has a tier of at least {positions:,} positions, which cannot be split and exceeds"
        f" the limit of {memory / 1e6:,.0f} MB of memory; perfectplay estimate shows how much"
        " solving needs"
    )
