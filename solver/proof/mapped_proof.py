"""The proof that a mapped table is right; `solver.proof.verify` gives the argument.

Every position that moves lead to from the start is visited, and its value is compared with the
rules and with the values one move on. If the game has a kernel, the kernel provides the rules,
after it has been compared with the game's Python rules. If it was made by compiling those rules,
some entries are checked by the Python rules as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import Any

from solver.compiling.find import find_kernel
from solver.errors import BrokenSymmetryError, TableProofError, UnknownPositionError
from solver.proof.walk import (
    Value,
    canonical,
    check_values,
    compare,
    compare_value,
    count_positions,
    every_position,
    legal,
    right_value,
)
from solver.rules.game import Game, fingerprint
from solver.tables.format import COUNTS
from solver.tables.mapped_file import FOUND, KEYS, encode_head, valid_layouts
from solver.tables.mapped_table import MappedTable

SOME = 10_000  # random entries that are checked by the Python rules as well


def prove_mapped(table: MappedTable, progress: Callable[[int, int], None]) -> None:
    """Prove every byte of a mapped table.

    Raises TableFormatError if it has been altered, and TableProofError, which names the first wrong
    entry, if the rules contradict it. `progress` is called with the number of entries checked and
    their total.
    """
    table.check_hash()
    game = table.game
    kernel, _ = find_kernel(game)
    try:
        if kernel is None:
            counts, top, plies = _visit(table, progress)
        else:
            from solver.proof.mapped_arrays import visit

            counts, top, plies = visit(table, kernel, progress, every_position(game))
    except BrokenSymmetryError as error:
        raise TableProofError(f"a symmetry of the table is wrong: {error}") from error
    for name in COUNTS:
        compare(f"the count {name!r}", table.counts[name], counts[name])
    layouts = valid_layouts(counts["canonical"], top, plies)
    layout = table.layout if table.layout in layouts else layouts[0]
    compare("the layout", tuple(table.layout), tuple(layout))
    start = {name: table.header[name] for name in ("outcome", "distance")}  # checked on opening
    keys = {name: table.header[name] for name in (KEYS, FOUND) if name in table.header}
    facts = {"game": game.spec, "rules": fingerprint(game), **counts, **start, **keys}
    head = encode_head(facts, layout, table.sha256)
    compare("the header", table.head, head)
    if kernel is not None and type(game).kernel is Game.kernel:  # nobody has written it
        _check_some(table)


def _visit(
    table: MappedTable, progress: Callable[[int, int], None]
) -> tuple[dict[str, int], int, int]:
    """Check the values and the order of all entries in plain Python.

    Returns the counts, the largest key and the longest distance; raises TableProofError.
    """
    game, total = table.game, table.layout.entries
    values = check_values(game, partial(_stated_value, table), lambda done: progress(done, total))
    _check_order(table)
    plies = max(distance or 0 for _, distance in values.values())
    return count_positions(game, values), max(map(game.key, values)), plies


def _check_some(table: MappedTable) -> None:
    """Compare the values of some entries with the Python rules; raises TableProofError."""
    game, entries = table.game, table.layout.entries
    stated = partial(_stated_value, table)
    for place in sorted(random.Random(0).sample(range(entries), min(SOME, entries))):
        p, _ = table.entry(place)
        children = [canonical(game, game.play(p, m)) for m in legal(game, p)]
        compare_value(game, p, stated(p), right_value(game, p, children, stated))


def _stated_value(table: MappedTable, p: Any) -> Value:
    """Return the value that the table has for a canonical position."""
    try:
        score = table.probe_key(table.game.key(p))
    except UnknownPositionError:
        text = table.game.text(p)
        raise TableProofError(f"the entry for {text!r} is missing; a game leads to it") from None
    return (score > 0) - (score < 0), (1 << 14) - abs(score) if score else None


def _check_order(table: MappedTable) -> None:
    """Raise TableProofError unless buckets follow each other and their entries ascend."""
    start, offsets, remainders = 0, table.arrays["offsets"], table.arrays["remainders"]
    for bucket in range(table.layout.buckets):
        stop = offsets[bucket + 1]
        inside = remainders[start:stop].tolist()
        if start > stop or inside != sorted(set(inside)):
            raise TableProofError(f"the entries of bucket {bucket} are not in order")
        start = stop
