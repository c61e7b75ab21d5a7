"""The coordinator: plans a solve tier by tier, forward to find positions, backward for values.

Gives tasks to workers and records in the ledger what they finished, so that the solve resumes where
it was interrupted, however that happened. A file that is lost or damaged is recreated.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

from solver.errors import IntraTierMoveError, LostFileError, MemoryLimitError
from solver.solving.checkpoint import Checkpoint, Part
from solver.solving.options import Progress
from solver.solving.pool import WorkerPool
from solver.solving.slot_files import END
from solver.solving.worker import Worker

Result = TypeVar("Result")

INTERVAL = 0.2  # seconds of work that a crash may lose, besides running tasks
COUNTING, SOLVING, WRITING = "counting", "solving", "writing"
WORTHWHILE = 1 << 16  # fewest positions that it pays to give to another worker
MOST_LOSSES = 3  # the most times that one file is recreated


@dataclass
class PartRecord:
    """What the ledger records of a part of a tier."""

    part: Part
    count: int | None = None
    """How many positions it has; None until its seeds are united."""
    later: list[int] | None = None
    """The tiers that its moves lead to; None until it is grown."""
    tally: dict[str, int] | None = None
    """Counts by outcome, the largest key and the longest distance; None until it is resolved."""


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
        self.progress, self.check = progress, check
        self.part_size = max(1, worker.room // 2 // max(1, worker.steps.position_bytes))
        self.first = worker.steps.start()[0]
        self.tiers: dict[int, list[PartRecord]] = {}
        for entry in checkpoint.ledger.get("parts", []):
            record = PartRecord(**entry | {"part": Part(*entry["part"])})
            self.tiers.setdefault(record.part.tier, []).append(record)
        self._noted = 0.0
        largest = max((record.count or 0 for record in self.records), default=0)
        before = checkpoint.ledger.get("part size", 0)  # a part of one slot may be larger
        checkpoint.ledger["part size"] = max(before, self.part_size)
        if self._can_split and largest > 2 * self.part_size < 2 * before:
            raise MemoryLimitError(
                f"the solve in {checkpoint.directory} was started with more memory per worker:"
                " allow as much, or delete that folder"
            )

    @property
    def records(self) -> Iterator[PartRecord]:
        """The records of all parts, tier by tier."""
        return (record for tier in sorted(self.tiers) for record in self.tiers[tier])

    @property
    def parts(self) -> list[Part]:
        """All parts, tier by tier."""
        return [record.part for record in self.records]

    @property
    def tallies(self) -> list[dict[str, int]]:
        """The tallies of all parts that are resolved."""
        return [record.tally for record in self.records if record.tally is not None]

    @property
    def grown_tiers(self) -> int:
        """How many tiers have all their positions."""
        tiers = self.tiers.values()
        return sum(all(record.later is not None for record in tier) for tier in tiers)

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
                    self._forget(error.name)
                except IntraTierMoveError:
                    self.checkpoint.ledger["unsplit"] = True
        finally:
            self.note()

    def run(
        self, method: Callable[..., Result], calls: list[tuple[Any, ...]], size: int
    ) -> Iterator[tuple[int, Result]]:
        """Call a method of the workers with each of some arguments; see `Worker.run`.

        Tasks of threads that have few positions, `size` together, are done without them.
        """
        is_small = self.pool.is_here and size < WORTHWHILE
        pool = WorkerPool(None, 1, is_here=True) if is_small else self.pool
        return self.worker.run(pool, method, calls)

    def note(self) -> None:
        """Write the ledger."""
        self.checkpoint.ledger["parts"] = [vars(record) for record in self.records]
        self.checkpoint.note()
        self._noted = time.monotonic()

    def _note_if_due(self) -> None:
        if time.monotonic() - self._noted > INTERVAL:
            self.note()

    @property
    def _can_split(self) -> bool:
        return self.worker.steps.can_split and not self.checkpoint.ledger.get("unsplit")

    def _grow(self) -> None:
        """Find the positions of every tier, the earliest first."""
        tier: int | None = self.first
        done = 0
        while tier is not None:
            self.check(done)
            done = self._grow_tier(tier, done)
            later = {n for record in self.records for n in record.later or () if n > tier}
            tier = min(later, default=None)

    def _grow_tier(self, tier: int, done: int) -> int:
        """Find the positions of a tier and where its moves lead; return how many are found now."""
        sources = [r.part.seeds(tier) for r in self.records if tier in (r.later or ())]
        records = self.tiers.get(tier, [])
        if not records or (len(records) > 1 and not self._can_split):
            records = self.tiers[tier] = [*map(PartRecord, self._split(tier, sources))]
        done += sum(record.count or 0 for record in records if record.later is not None)
        if waiting := [record for record in records if record.later is None]:
            self.progress(COUNTING, done, None)
            calls = [(r.part, sources if r.count is None else None) for r in waiting]
            counts = [r.count for r in waiting]
            size = self._seeds(sources).total() if None in counts else sum(filter(None, counts))
            for i, (count, later) in self.run(Worker.grow, calls, size):
                waiting[i].count, waiting[i].later = count, later
                done += count
                self.progress(COUNTING, done, None)
                self._note_if_due()
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
        total = sum(record.count or 0 for record in self.records)
        done = 0
        for tier in sorted(self.tiers, reverse=True):
            records = self.tiers[tier]
            waiting = [record for record in records if record.tally is None]
            done += sum(record.count or 0 for record in records if record.tally is not None)
            if not waiting:
                continue
            self.progress(SOLVING, done, total)
            tiers = {n for record in records for n in record.later or ()}
            later = [record.part for n in sorted(tiers) for record in self.tiers[n]]
            calls = [(r.part, later) for r in waiting]
            size = sum(record.count or 0 for record in waiting)
            for i, tally in self.run(Worker.resolve, calls, size):
                waiting[i].tally = tally
                done += waiting[i].count or 0
                self.progress(SOLVING, done, total)
                self._note_if_due()
        self.progress(SOLVING, total, total)

    def _forget(self, name: str) -> None:
        """Mark what a lost file held as not done, and what made it if that is needed again."""
        ledger = self.checkpoint.ledger
        if name in ledger.get("ranges", {}).get("files", ()):
            del ledger["ranges"]
        for record in self.records:
            if name == record.part.values:
                record.tally = None
            elif name in (record.part.moves, *map(record.part.seeds, record.later or ())):
                record.later = None
            elif name == record.part.keys:
                record.count = record.later = None  # growing adds positions within the tier
                for other in self.records:
                    if record.part.tier in (other.later or ()):
                        other.later = None
