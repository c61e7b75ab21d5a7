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
from solver.tables.json_table import COUNTS
from solver.tables.mapped_table import Layout, MappedFile, layout
from solver.value import distance, outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from solver.solving.coordinator import Course

WEIGHT = 64  # bytes that an entry takes, about, while a range is filled
SLOTS = 10  # bits of a slot's number


def assemble(course: Course, counts: dict[str, int] | None = None) -> MappedFile:
    """Return the table's file; `counts` are those of positions if the tallies do not tell them."""
    shop = course.shop
    tallies = [t for tier in course.tiers.values() for t in tier.tallies.values()]
    found = Counter[str]()
    for tally in tallies:
        found.update({name: tally[name] for name in COUNTS})
    cut = layout(
        found["canonical"], max(t["top"] for t in tallies), max(t["plies"] for t in tallies)
    )
    begins, ranges = _fill(course, cut)
    score = shop.start_score(f"{course.first}.0")
    facts: dict[str, Any] = {"game": shop.game.spec, "rules": fingerprint(shop.game)}
    facts |= counts or {name: found[name] for name in COUNTS}
    facts |= {"outcome": outcome(score), "distance": distance(score)}

    def array(name: str) -> Iterator[Any]:
        number = list(cut.arrays).index(name)
        for begin, table in zip(begins, ranges, strict=True):
            data = shop.folder.get(table, number, number + 1)
            yield shop.steps.shift(data, begin, cut) if name == "offsets" else data
        if name == "offsets":
            size = cut.sizes[name] // cut.arrays[name][1]
            yield cut.entries.to_bytes(size, "little")

    return MappedFile(facts, cut, array)


def _fill(course: Course, cut: Layout) -> tuple[list[int], list[str]]:
    """Write the ranges of the table; return before which entry each begins, and their files."""
    shop, work = course.shop, course.work
    wanted = -(-cut.entries * WEIGHT // shop.room)
    wanted = min(max(wanted, min(course.crew.workers, cut.entries // WORTH), 1), cut.buckets)
    edges = [cut.buckets * i // wanted for i in range(wanted + 1)]
    ordered = shop.steps.slot is not None and cut.multiplier == 1
    width = None if wanted == 1 or ordered else max(cut.width, cut.bits - SLOTS)
    course.progress(WRITING, 0, cut.entries)
    if width is not None and work.ledger.get("spread") != width:
        for _ in course.do("spread", [(part, cut, width) for part in course.parts]):
            pass
        work.ledger["spread"] = width
        course.note()
    names = [f"{i}.table" for i in range(wanted)]
    filled = work.ledger.get("filled", {})
    if filled.get("edges") != edges:
        filled = {"edges": edges, "counts": {}}
        work.ledger["filled"] = filled
    missing = [i for i in range(wanted) if str(i) not in filled["counts"]]
    calls = [(names[i], cut, (edges[i], edges[i + 1]), course.parts, width) for i in missing]
    for i, count in course.do("fill", calls):
        filled["counts"][str(missing[i])] = count
        course.progress(WRITING, sum(filled["counts"].values()), cut.entries)
        course.note()
    counts = [filled["counts"][str(i)] for i in range(wanted)]
    return [sum(counts[:i]) for i in range(wanted)], names
