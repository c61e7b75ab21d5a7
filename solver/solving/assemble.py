"""The file of a mapped table that is too large for memory, filled in ranges of buckets.

A range takes its entries from the parts of all tiers: from some of their slots if these follow the
order of the table, else from all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

from solver.rules.positions import orbits
from solver.solving.coordinator import WORTHWHILE, WRITING, Coordinator
from solver.solving.from_scores import count_positions, mapped_file
from solver.solving.ledger import Range
from solver.solving.steps import ENTRY_BYTES
from solver.solving.worker import Worker
from solver.tables.buckets import shift_offsets
from solver.tables.format import COUNTS
from solver.tables.mapped_file import MappedFile, TableLayout, choose_layout


def assemble(coordinator: Coordinator) -> MappedFile:
    """Return the mapped table of a game that is solved on files, filled by its workers."""
    worker, parts = coordinator.worker, coordinator.ledger.parts
    tallies = [part.tally for part in parts if part.tally is not None]
    game = worker.steps.game
    counts = {name: sum(tally[name] for tally in tallies) for name in COUNTS}
    top, plies = (max(tally[name] for tally in tallies) for name in ("top", "plies"))
    layout = choose_layout(counts["canonical"], top, plies)
    ranges = _fill(coordinator, layout)

    def arrays(name: str) -> Iterator[Any]:
        index, before = list(layout.arrays).index(name), 0
        for span in ranges:
            data: Any = worker.files.read(span.file, index, index + 1)[1]
            if name == "offsets":
                data = shift_offsets(data, before, layout, worker.steps.compiled)
                data = data[:-1] if span is not ranges[-1] else data  # the next range starts there
            yield data
            before += span.size

    if not worker.steps.counts_all:
        pairs = (zip(*worker.solved(part), strict=True) for part in parts)
        scores = dict(chain.from_iterable(pairs))
        counts = count_positions(game, scores, orbits(game, scores))
    score = worker.start_score(parts[0], layout)
    worker.sources.update()
    return mapped_file(game, counts, score, layout, arrays, worker.sources.stated)


def _fill(coordinator: Coordinator, layout: TableLayout) -> list[Range]:
    """Write the ranges of the table, and return them."""
    worker, pool, ledger = coordinator.worker, coordinator.pool, coordinator.ledger
    entries = layout.entries
    wanted = max(-(-entries * ENTRY_BYTES // worker.room), min(pool.workers, entries // WORTHWHILE))
    wanted = min(max(wanted, 1), layout.buckets)
    edges = pairwise([layout.buckets * i // wanted for i in range(wanted + 1)])
    ranges = [Range(i, *ends) for i, ends in enumerate(edges)]
    if wanted > 1 or not worker.holds_tables:  # there are files, to be recorded
        before = [replace(span, entries=None) for span in ledger.ranges]
        if before != ranges:
            ledger.ranges = ranges
        ranges = ledger.ranges
    waiting = [span for span in ranges if span.entries is None]
    done = sum(span.size for span in ranges)
    arguments = layout, ledger.parts
    coordinator.do(WRITING, Worker.fill, waiting, arguments, entries, done, entries)
    return ranges
