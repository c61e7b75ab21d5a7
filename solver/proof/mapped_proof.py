"""The proof of what a mapped table has beside values; `solver.proof.verify` gives the argument."""

from __future__ import annotations

from solver.errors import TableProofError
from solver.proof.walk import Walked, compare
from solver.rules.game import fingerprint
from solver.tables.format import COUNTS
from solver.tables.mapped_file import KEYS, choose_layout, encode_head
from solver.tables.mapped_table import MappedTable


def prove_walked(table: MappedTable, walked: Walked) -> None:
    """Prove the rest of a table, after its values; raises TableProofError.

    Every entry is the one of some position visited: the keys of canonical images all differ, since
    `position` leads back from each, and there are as many of these images as entries.
    """
    check_order(table)
    plies = max(distance or 0 for _, distance in walked.values)
    prove_header(table, walked.counts, walked.top, plies)


def prove_header(table: MappedTable, counts: dict[str, int], top: int, plies: int) -> None:
    """Compare the header with the counts, the largest key and the longest distance."""
    for name in COUNTS:
        compare(f"the count {name!r}", table.counts[name], counts[name])
    layout = choose_layout(counts["canonical"], top, plies)
    compare("the layout", tuple(table.layout), tuple(layout))
    start = {name: table.header[name] for name in ("outcome", "distance")}  # checked on opening
    keys = {name: table.header[name] for name in (KEYS,) if name in table.header}
    facts = {"game": table.game.spec, "rules": fingerprint(table.game), **counts, **start, **keys}
    compare("the header", table.head, encode_head(facts, layout, table.sha256))


def check_order(table: MappedTable) -> None:
    """Raise TableProofError unless buckets follow each other and their entries ascend."""
    start, offsets, remainders = 0, table.arrays["offsets"], table.arrays["remainders"]
    for bucket in range(table.layout.buckets):
        stop = offsets[bucket + 1]
        inside = remainders[start:stop].tolist()
        if start > stop or inside != sorted(set(inside)):
            raise TableProofError(f"the entries of bucket {bucket} are not in order")
        start = stop
