"""The coordinator: plans a solve tier by tier, forward to find positions, backward for values.

Gives tasks to workers and records in the ledger what they return, so that the solve resumes where
it was interrupted, however that happened. A file that is lost or damaged is recreated.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from solver.errors import IntraTierMoveError, LostFileError, MemoryLimitError
from solver.solving.checkpoint import Checkpoint
from solver.solving.ledger import Part, Range
from solver.solving.options import Progress
from solver.solving.pool import WorkerPool
from solver.solving.slot_files import END
from solver.solving.worker import Worker

Result = TypeVar("Result")

INTERVAL = 0.2  # seconds of work that a crash may lose, besides running tasks
COUNTING, SOLVING, WRITING = "counting", "solving", "writing"
WORTHWHILE = 1 << 16  # fewest positions that it pays to give to another worker
MOST_LOSSES = 3  # the most times that one file is recreated
HERE = WorkerPool(None, 1, is_here=True)


class Coordinator:
    """One solve, from the start to the last value.

    `check` is called with the number of positions found before each tier is grown, and may raise.
    """

    def __init__(
        self,
        worker: Worker,
        pool: WorkerPool,
        checkpoint: Checkpoint,
        progress: Progress,
        check: Callable[[int], None] = lambda _: None,
    ) -> None:
        self.worker, self.pool, self.checkpoint = worker, pool, checkpoint
        self.ledger = checkpoint.ledger
        self.progress, self.check = progress, check
        self.part_size = max(1, worker.room // 2 // max(1, worker.steps.position_bytes))
        self._noted = 0.0
        largest = max((part.size for part in self.ledger.parts), default=0)
        before = self.ledger.part_size
        self.ledger.part_size = max(before, self.part_size)
        if self._can_split and largest > 2 * self.part_size < 2 * before:
            raise MemoryLimitError(
                f"the solve in {checkpoint.directory} was started with more memory per worker:"
                " allow as much, or delete that folder"
            )

    def solve(self, finish: Callable[[], Result]) -> Result:
        """Do everything not yet done, and return what `finish` returns.

        A file that turns out to be lost or damaged is recreated, a few times at most.
        """
        losses: Counter[str] = Counter()
        try:
            while True:
                try:
                    self._grow()
                    self._resolve()
                    return finish()
                except LostFileError as error:
                    losses[error.name] += 1
                    if losses[error.name] > MOST_LOSSES:
                        raise
                    self.ledger.forget(error.name)
                except IntraTierMoveError:
                    self.ledger.is_unsplit = True
        finally:
            self._note()

    def do(
        self,
        stage: str,
        task: Callable[..., dict[str, Any]],
        items: Sequence[Part] | Sequence[Range],
        arguments: tuple[Any, ...],
        size: int,
        done: int = 0,
        total: int | None = None,
    ) -> int:
        """Do a task for some parts or ranges, `size` together; record what it returns of each.

        Reports progress from `done` on, and returns how far it has got. Tasks of threads that have
        little to do are done without them.
        """
        is_small = self.pool.is_here and (size < WORTHWHILE or len(items) == 1)
        self.progress(stage, done, total)
        calls = [(item, *arguments) for item in items]
        for index, record in self.worker.run(HERE if is_small else self.pool, task, calls):
            vars(items[index]).update(record)
            done += items[index].size
            self.progress(stage, done, total)
            if time.monotonic() - self._noted > INTERVAL:
                self._note()
        return done

    def _note(self) -> None:
        self.checkpoint.note()
        self._noted = time.monotonic()

    @property
    def _can_split(self) -> bool:
        return self.worker.steps.can_split and not self.ledger.is_unsplit

    def _grow(self) -> None:
        """Find the positions of every tier, the earliest first."""
        tier: int | None = self.worker.steps.start()[0]
        done = 0
        while tier is not None:
            self.check(done)
            done = self._grow_tier(tier, done)
            later = {n for part in self.ledger.parts for n in part.later or () if n > tier}
            tier = min(later, default=None)

    def _grow_tier(self, tier: int, done: int) -> int:
        """Find the positions of a tier and where its moves lead; return how many are found now."""
        sources, parts = self.ledger.sources(tier), self.ledger.tier(tier)
        if not parts or (len(parts) > 1 and not self._can_split):
            parts = self.ledger.divide(tier, self._split(tier, sources))
        waiting = [part for part in parts if part.later is None]
        done += sum(part.size for part in parts if part.later is not None)
        if waiting:
            is_new = any(part.count is None for part in waiting)
            size = self._seeds(sources).total() if is_new else sum(part.size for part in waiting)
            done = self.do(COUNTING, Worker.grow, waiting, (sources,), size, done)
        for name in sources:
            self.worker.files.delete(name)
        return done

    def _split(self, tier: int, sources: list[str]) -> list[Part]:
        """Return the parts of a tier: ranges of slots of about equal size."""
        counts = self._seeds(sources)
        total = counts.total()
        wanted = math.ceil(total / self.part_size)
        wanted = max(wanted, min(self.pool.workers, total // WORTHWHILE))
        if wanted < 2 or not self._can_split:
            return [Part(tier, 0, 0, END)]
        largest = max(counts.values())
        if largest * self.worker.steps.position_bytes > self.worker.room:
            raise MemoryLimitError(
                f"{self.worker.steps.game.spec} has a tier that cannot be split finely enough: a"
                f" worker would have to take {largest:,} positions at once; give it more memory"
            )
        edges, done = [0], 0
        for number in sorted(counts):
            if done and done + counts[number] / 2 > total * len(edges) / wanted:
                edges.append(number)
            done += counts[number]
        return [Part(tier, i, *ends) for i, ends in enumerate(pairwise([*edges, END]))]

    def _seeds(self, sources: list[str]) -> Counter[int]:
        """Return how many seeds of a tier are in each slot."""
        counts: Counter[int] = Counter()
        for name in sources:
            for slot in self.worker.files.index(name):
                counts[slot.number] += slot.items
        return counts

    def _resolve(self) -> None:
        """Find the values of every tier, the last one first."""
        parts = self.ledger.parts
        total, done = sum(part.size for part in parts), 0
        for tier in sorted({part.tier for part in parts}, reverse=True):
            solved = [part for part in self.ledger.tier(tier) if part.tally is not None]
            waiting = [part for part in self.ledger.tier(tier) if part.tally is None]
            done += sum(part.size for part in solved)
            if waiting:
                tiers = {n for part in self.ledger.tier(tier) for n in part.later or ()}
                later = [part for part in parts if part.tier in tiers]
                size = sum(part.size for part in waiting)
                done = self.do(SOLVING, Worker.resolve, waiting, (later,), size, done, total)
        self.progress(SOLVING, total, total)
