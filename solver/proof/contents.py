"""The proof of what a table has beside values; `solver.proof.verify` gives the argument."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from solver.errors import GameLawError, TableFormatError, TableProofError
from solver.proof.walk import Examiner, Value, Walked, compare, value_of, value_of_move
from solver.rules.game import Game, fingerprint, is_packaged
from solver.tables.format import COUNTS
from solver.tables.json_table import Table
from solver.tables.mapped_file import KEYS, OPTIONAL, choose_layout, encode_head
from solver.tables.mapped_table import MappedTable
from solver.value import preferred

compare_json = partial(compare, written=partial(json.dumps, separators=(",", ":")))
Row = tuple[Any, Value, float]  # a move, its value and its trap


def prove_json(table: Table, data: bytes, walked: Walked) -> None:
    """Prove every byte of a JSON table, given its file and the values of all positions.

    At every position, what the table says of moves, through the symmetry to its entry, is compared
    with what follows from the positions that they lead to. Then the entries, counts and header are
    made anew, also those of canonical images that no game reaches. Raises TableProofError.
    """
    game, values = table.game, _Values(table, walked)
    for p in walked.numbers:
        _compare_moves(table, p, values.rows(p))
    entries: dict[str, Any] = {}
    for p in walked.numbers:
        canonical = game.canonical(p)
        if entries.setdefault(game.text(canonical), canonical) != canonical:
            raise TableProofError(f"several positions have the text {game.text(canonical)!r}")
    for text in table.entries:
        if text not in entries:
            raise TableProofError(f"the entry for {text!r} is extra: no game leads to it")
    right = {text: _entry(game, values, p) for text, p in entries.items()}
    for text, entry in table.entries.items():
        compare_json(f"the entry for {text!r}", entry, right[text])
    for name in COUNTS:
        compare(f"the count {name!r}", table.counts[name], walked.counts[name])
    files = None if is_packaged(game) else table.rule_files
    proved = Table(game, walked.counts, right, files).encode()
    lines = zip(data.splitlines(True), proved.splitlines(True), strict=False)
    for number, (stated, expected) in enumerate(lines, 1):
        compare_json(f"line {number}", stated.decode(), expected.decode())
    compare("the length in bytes", len(data), len(proved))


class _Values:
    """The values of positions, and what follows from them for moves."""

    def __init__(self, table: Table, walked: Walked) -> None:
        self.game, self._walked = table.game, walked
        self._examiner = Examiner(table)
        self._traps: dict[Any, float] = {}

    def value(self, p: Any) -> Value:
        """Return the value of a position; one that no game reaches is looked up."""
        number = self._walked.numbers.get(p)
        if number is None:
            return self._examiner.value(self.game.canonical(p))
        return self._walked.values[number]

    def rows(self, p: Any) -> list[Row]:
        """Return the value and the trap of each move, from the positions that it leads to."""
        rows = []
        for m in self._legal(p):
            child = self.game.play(p, m)
            rows.append((m, value_of_move(self.value(child)), self._trap(child)))
        return rows

    def _legal(self, p: Any) -> Any:
        return self.game.moves(p) if self.game.primitive(p) is None else ()

    def _trap(self, p: Any) -> float:
        """Return the share of the moves of a position that worsen its outcome."""
        if p not in self._traps:
            outcomes = [-self.value(self.game.play(p, m))[0] for m in self._legal(p)]
            worse = sum(outcome != max(outcomes) for outcome in outcomes)
            self._traps[p] = worse / len(outcomes) if outcomes else 0.0
        return self._traps[p]


def _compare_moves(table: Table, p: Any, right: list[Row]) -> None:
    """Compare what the table says of a position's moves, and its best move."""
    name = table.game.text(p)
    try:
        stated = [(m, value_of(s), trap) for m, s, trap in table.moves(p)]
        best = table.best(p)
    except (TableFormatError, GameLawError) as error:
        raise TableProofError(f"the moves of {name!r} cannot be looked up: {error}") from error
    compare(f"what the table says of the moves of {name!r}", stated, right)
    if right:
        ranks = [(outcome, -outcome * (plies or 0)) for _, (outcome, plies), _ in right]
        first = right[preferred(ranks, lambda i: right[i][2])][0]
        compare(f"the best move of {name!r}", best, first)


def _entry(game: Game[Any, Any], values: _Values, p: Any) -> list[Any]:
    """Return the right entry of a canonical position."""
    value, rows = values.value(p), values.rows(p)
    best = [game.code(m) for m, brought, _ in rows if brought == value]
    return [*value, best, [[game.code(m), *brought, trap] for m, brought, trap in rows]]


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
    optional = (KEYS,) if is_packaged(table.game) else OPTIONAL
    keys = {name: table.header[name] for name in optional if name in table.header}
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
