"""The proof that a mapped table is right; `solver.proof.verify` gives the argument.

Every position that moves lead to from the start is visited, and its entry is compared with the
rules and with the entries of the positions one move on. If the game has a kernel, the kernel
provides the rules, after it has been compared with the game's Python rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.errors import TableProofError, UnknownPositionError
from solver.proof.walk import (
    Value,
    compare,
    every_position,
    legal,
    preference,
    value_of_end,
    value_of_move,
)
from solver.rules.check_kernel import find_kernel
from solver.rules.game import fingerprint
from solver.tables.format import COUNTS
from solver.tables.mapped_file import MappedFile, choose_layout, head_size
from solver.value import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.tables.mapped_table import MappedTable


def prove_mapped(table: MappedTable, progress: Callable[[int, int], None]) -> None:
    """Prove every byte of a mapped table.

    Raises TableFormatError if it has been altered, and TableProofError, which names the first wrong
    entry, if the rules contradict it. `progress` is called with the number of entries checked and
    their total.
    """
    table.check_hash()
    kernel, _ = find_kernel(table.game)
    if kernel is None:
        counts, top, plies = _Visit(table, progress).run()
    else:
        from solver.proof.mapped_arrays import visit

        counts, top, plies = visit(table, kernel, progress, every_position(table.game))
    for name in COUNTS:
        compare(f"the count {name!r}", table.counts[name], counts[name])
    layout = choose_layout(counts["canonical"], top, plies)
    compare("the layout", tuple(table.layout), tuple(layout))
    _check_header(table, counts)


def _check_header(table: MappedTable, counts: dict[str, int]) -> None:
    """Raise TableProofError unless the header is the one for these counts, byte for byte."""
    start = place = head_size(table.data)
    buffers = {}
    for name, size in table.layout.sizes.items():
        buffers[name] = table.data[place : place + size]
        place += size
    stated = table.describe()
    facts = {"game": table.game.spec, "rules": fingerprint(table.game), **counts}
    facts |= {"outcome": stated["outcome"], "distance": stated["distance"]}  # checked on opening
    head = MappedFile(facts, table.layout, lambda name: [buffers[name]]).head
    compare("the header", bytes(table.data[:start]), bytes(head))


class _Visit:
    """The visit of any game's positions in plain Python."""

    def __init__(self, table: MappedTable, progress: Callable[[int, int], None]) -> None:
        self.table, self.progress, self.game = table, progress, table.game

    def run(self) -> tuple[dict[str, int], int, int]:
        """Check that the table has the right entries and no others.

        Returns the counts, the largest key and the longest distance; raises TableProofError.
        """
        game, total = self.game, self.table.layout.entries
        start = game.canonical(game.initial())
        values: dict[Any, Value] = {}
        seen, waiting = {start}, [start]
        top = plies = 0
        wrong: list[tuple[tuple[int, bool, int], Any, Value, Value]] = []
        while waiting:
            p = waiting.pop()
            children = [self._canonical(game.play(p, m)) for m in legal(game, p)]
            stated = values[p] = self._claim(p)
            right = self._right(p, children)
            if stated != right:
                order = -game.tier(p), stated[1] is None, stated[1] or 0
                wrong.append((order, p, stated, right))
            top, plies = max(top, game.key(p)), max(plies, stated[1] or 0)
            fresh = set(children) - seen
            seen |= fresh
            waiting += fresh
            self.progress(len(values), total)
        if wrong:  # name one of the last tier, since a wrong entry spoils those before it
            _, p, stated, right = min(wrong, key=lambda found: found[0])
            compare(f"the entry for {game.text(p)!r}", stated, right, _words)
        self._check_order()
        if len(seen) != total:
            raise TableProofError(f"the table has {total:,} entries; it should have {len(seen):,}")
        return self._count(values), top, plies

    def _canonical(self, p: Any) -> Any:
        return min((s.position(p) for s in self.game.symmetries), key=self.game.key)

    def _claim(self, p: Any) -> Value:
        """Return the value that the table states for a canonical position."""
        try:
            score = self.table.probe_key(self.game.key(p))
        except UnknownPositionError:
            raise TableProofError(
                f"the entry for {self.game.text(p)!r} is missing; a game leads to it"
            ) from None
        return (score > 0) - (score < 0), (1 << 14) - abs(score) if score else None

    def _right(self, p: Any, children: list[Any]) -> Value:
        """Return the right value of a position, given those that the table states for children."""
        over = self.game.primitive(p)
        if over is not None:
            return value_of_end(over)
        return max((value_of_move(self._claim(child)) for child in children), key=preference)

    def _check_order(self) -> None:
        """Raise TableProofError unless buckets follow each other and their entries ascend."""
        table, start = self.table, 0
        for bucket in range(table.layout.buckets):
            stop = table.offsets[bucket + 1]
            inside = table.remainders[start:stop].tolist()
            if start > stop or inside != sorted(set(inside)):
                raise TableProofError(f"the entries of bucket {bucket} are not in order")
            start = stop

    def _count(self, values: dict[Any, Value]) -> dict[str, int]:
        """Return the counts of distinct positions, visiting each of them."""
        counts = dict.fromkeys(COUNTS, 0) | {"canonical": len(values)}
        for p in every_position(self.game):
            counts["positions"] += 1
            counts[str(Outcome(values[self._canonical(p)][0]))] += 1
            counts["terminal"] += self.game.primitive(p) is not None
        return counts


def _words(value: Value) -> str:
    outcome, distance = value
    return "a draw" if distance is None else f"a {Outcome(outcome)} in {distance}"
