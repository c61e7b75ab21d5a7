"""From scores to a table: a JSON table, a mapped one, or the file of one too large for memory.

The last is filled in ranges of buckets. A range takes its entries from the parts of all tiers: from
some of their slots if these follow the order of the table, else from all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, pairwise
from typing import Any

from solver.rules.default_keys import describe_keys
from solver.rules.game import Game, checked_key, fingerprint
from solver.rules.positions import children, codes_of, orbits
from solver.solving.coordinator import WORTHWHILE, WRITING, Coordinator
from solver.solving.ledger import Range
from solver.solving.steps import ENTRY_BYTES
from solver.solving.steps_python import count_positions, table_entries
from solver.solving.worker import Worker
from solver.startup import M, P
from solver.tables.buckets import fill_buckets, shift_offsets
from solver.tables.format import COUNTS
from solver.tables.json_table import Table
from solver.tables.mapped_file import KEYS, SOURCE, MappedFile, TableLayout, choose_layout
from solver.value import back, distance, outcome, trap

Source = dict[str, Any] | None


def json_table(game: Game[P, M], scores: dict[P, int], source: Source = None) -> Table:
    """Return the JSON table of a game, given the scores of all its canonical positions.

    `source` states the files of the rules; see `solver.rules.rule_files`.
    """
    after = {p: children(game, p) for p in scores}
    replies = {p: [back(scores[child]) for child in after[p]] for p in scores}
    traps = {p: trap(replies[p], scores[p]) for p in scores}
    entries = {}
    for p, score in scores.items():
        codes = codes_of(game, p) if after[p] else []
        moves = list(zip(codes, replies[p], after[p], strict=True))
        entries[game.text(p)] = [
            int(outcome(score)),
            distance(score),
            [code for code, reply, _ in moves if reply == score],
            [[code, int(outcome(s)), distance(s), traps[child]] for code, s, child in moves],
        ]
    return Table(game, count_positions(game, scores, orbits(game, scores)), entries, source)


def mapped_table(game: Game[P, M], scores: dict[P, int], source: Source = None) -> MappedFile:
    """Return the mapped table of a game, given the scores of all its canonical positions."""
    top, plies = (
        max(checked_key(game, p) for p in scores),
        max(distance(s) or 0 for s in scores.values()),
    )
    layout = choose_layout(len(scores), top, plies)
    entries = table_entries(game, scores, scores.values(), layout)
    arrays = fill_buckets([entries], layout)
    counts = count_positions(game, scores, orbits(game, scores))
    score = scores[game.canonical(game.initial())]
    return _file(game, counts, score, layout, lambda name: [arrays[name]], source)


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
    return _file(game, counts, score, layout, arrays, worker.sources.stated)


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


def _file(
    game: Game[P, M],
    counts: dict[str, int],
    score: int,
    layout: TableLayout,
    arrays: Callable[[str], Iterable[Any]],
    source: Source,
) -> MappedFile:
    facts = {"game": game.spec, "rules": fingerprint(game), **counts}
    facts |= {"outcome": outcome(score), "distance": distance(score)}
    if (keys := describe_keys(game)) is not None:
        facts[KEYS] = json.dumps(keys)
    if source is not None:
        facts[SOURCE] = json.dumps(source, separators=(",", ":"))
    return MappedFile(facts, layout, arrays)
