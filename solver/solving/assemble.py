"""From solved tiers to a mapped table, range by range, so that it never has to be held whole.

Takes a course whose tiers are solved; returns the table's file. A range of buckets gathers its
entries from the parts of all tiers: from slices of their files where those are in the order of the
table, or from whole ones where one range takes all; else every part is first written in that order.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from solver.rules.game import fingerprint
from solver.solving.coordinator import WORTH, WRITING
from solver.tables.format import COUNTS
from solver.tables.mapped_file import MappedFile, TableLayout, choose_layout
from solver.value import distance, outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from solver.solving.coordinator import Coordinator

WEIGHT = 64  # bytes that an entry takes, about, while a range is filled
SLOTS = 10  # bits of a slot's number


def assemble(course: Coordinator, counts: dict[str, int] | None = None) -> MappedFile:
    """Return the table's file; `counts` are those of positions if the tallies do not tell them."""
    shop = course.shop
    tallies = [t for tier in course.tiers.values() for t in tier.tallies.values()]
    found = Counter[str]()
    for tally in tallies:
        found.update({name: tally[name] for name in COUNTS})
    layout = choose_layout(
        found["canonical"], max(t["top"] for t in tallies), max(t["plies"] for t in tallies)
    )
    begins, ranges = _fill(course, layout)
    score = shop.start_score(f"{course.first}.0")
    facts: dict[str, Any] = {"game": shop.game.spec, "rules": fingerprint(shop.game)}
    facts |= counts or {name: found[name] for name in COUNTS}
    facts |= {"outcome": outcome(score), "distance": distance(score)}

    def array(name: str) -> Iterator[Any]:
        number = list(layout.arrays).index(name)
        for begin, table in zip(begins, ranges, strict=True):
            data = shop.folder.get(table, number, number + 1)
            yield shop.steps.shift(data, begin, layout) if name == "offsets" else data
        if name == "offsets":
            size = layout.sizes[name] // layout.arrays[name][1]
            yield layout.entries.to_bytes(size, "little")

    return MappedFile(facts, layout, array)


def _fill(course: Coordinator, layout: TableLayout) -> tuple[list[int], list[str]]:
    """Write the ranges of the table; return before which entry each begins, and their files."""
    shop, work = course.shop, course.work
    wanted = -(-layout.entries * WEIGHT // shop.room)
    wanted = min(max(wanted, min(course.crew.workers, layout.entries // WORTH), 1), layout.buckets)
    edges = [layout.buckets * i // wanted for i in range(wanted + 1)]
    ordered = shop.steps.slot is not None and layout.multiplier == 1
    width = None if wanted == 1 or ordered else max(layout.width, layout.bits - SLOTS)
    course.progress(WRITING, 0, layout.entries)
    if width is not None and work.ledger.get("spread") != width:
        for _ in course.do("spread", [(part, layout, width) for part in course.parts]):
            pass
        work.ledger["spread"] = width
        course.note()
    names = [f"{i}.table" for i in range(wanted)]
    filled = work.ledger.get("filled", {})
    if filled.get("edges") != edges:
        filled = {"edges": edges, "counts": {}}
        work.ledger["filled"] = filled
    missing = [i for i in range(wanted) if str(i) not in filled["counts"]]
    calls = [(names[i], layout, (edges[i], edges[i + 1]), course.parts, width) for i in missing]
    for i, count in course.do("fill", calls):
        filled["counts"][str(missing[i])] = count
        course.progress(WRITING, sum(filled["counts"].values()), layout.entries)
        course.note()
    counts = [filled["counts"][str(i)] for i in range(wanted)]
    return [sum(counts[:i]) for i in range(wanted)], names
