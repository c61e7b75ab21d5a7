"""The proof that a JSON table is right; `solver.proof.verify` gives the argument."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from solver.errors import IllegalPositionError, TableProofError
from solver.proof.walk import (
    Value,
    compare,
    every_position,
    legal,
    preference,
    value_of_end,
    value_of_move,
)
from solver.tables.format import COUNTS
from solver.tables.json_table import Table
from solver.value import Outcome

if TYPE_CHECKING:
    from solver.tables.json_table import Entry

compare_json = partial(compare, written=partial(json.dumps, separators=(",", ":")))


def prove_json(table: Table, data: bytes) -> None:
    """Prove every byte of a JSON table, given its file; raises TableProofError.

    Every entry is checked, then the counts, then the bytes of the file.
    """
    proof = _Proof(table)
    entries = {text: proof.check(text) for text in proof.children_first()}
    counts = proof.count()
    for name in COUNTS:
        compare_json(f"the count {name!r}", table.counts[name], counts[name])
    proved = Table(table.game, counts, entries).encode()
    lines = zip(data.splitlines(True), proved.splitlines(True), strict=False)
    for number, (stated, right) in enumerate(lines, 1):
        compare_json(f"line {number}", stated.decode(), right.decode())
    compare_json("the length in bytes", len(data), len(proved))


class _Proof:
    """The entries of one table, and the values of their moves."""

    def __init__(self, table: Table) -> None:
        self.game, self.entries = table.game, table.entries
        self.positions = {text: self._read(text) for text in self.entries}
        self.values: dict[Any, list[Value]] = {}

    def children_first(self) -> list[str]:
        """Return the entries, a wrong one before those that are wrong because of it."""

        def order(text: str) -> tuple[int, bool, int]:
            plies = self.entries[text][1]
            return -self.game.tier(self.positions[text]), plies is None, plies or 0

        return sorted(self.entries, key=order)

    def check(self, text: str) -> Entry:
        """Return the right entry of a position; raises TableProofError for another one."""
        game, p = self.game, self.positions[text]
        over = game.primitive(p)
        if over is not None:
            right: Entry = [*value_of_end(over), [], []]
        else:
            moves = list(zip(legal(game, p), self._moves(p), strict=True))
            best = max((value for _, value in moves), key=preference)
            right = [
                *best,
                [game.code(m) for m, value in moves if value == best],
                [[game.code(m), *value, self._trap(self._after(p, m))] for m, value in moves],
            ]
        compare_json(f"the entry for {text!r}", self.entries[text], right)
        return right

    def count(self) -> dict[str, int]:
        """Return the counts of distinct positions; raises TableProofError for an extra entry."""
        counts = dict.fromkeys(COUNTS, 0)
        used = set()
        for p in every_position(self.game):
            text = self.game.text(self.game.canonical(p))
            used.add(text)
            counts["positions"] += 1
            counts[str(Outcome(self.entries[text][0]))] += 1
            counts["terminal"] += self.game.primitive(p) is not None
        counts["canonical"] = len(used)
        for text in self.entries:
            if text not in used:
                raise TableProofError(
                    f"the entry for {text!r} should not be there: no game leads to it"
                )
        return counts

    def _read(self, text: str) -> Any:
        """Return the canonical position that an entry is for."""
        try:
            p = self.game.parse(text)
        except IllegalPositionError as error:
            raise TableProofError(
                f"the entry for {text!r} is not for a position: {error}"
            ) from error
        images = [s.position(p) for s in self.game.symmetries]
        least = self.game.text(min(images, key=self.game.key))
        if text != least:
            raise TableProofError(
                f"the entry for {text!r} is not canonical; it should be for {least!r}"
            )
        return p

    def _moves(self, p: Any) -> list[Value]:
        """Return the value of each move from a canonical position, as the table states it."""
        if p not in self.values:
            self.values[p] = [
                value_of_move(self._claim(self._after(p, m), p)) for m in legal(self.game, p)
            ]
        return self.values[p]

    def _after(self, p: Any, m: Any) -> Any:
        return self.game.canonical(self.game.play(p, m))

    def _claim(self, p: Any, parent: Any) -> Value:
        """Return the value that the table states for the position after a move."""
        text = self.game.text(p)
        if text not in self.entries:
            raise TableProofError(
                f"the entry for {text!r} is missing; a move from {self.game.text(parent)!r} leads"
                " to it"
            )
        outcome, distance = self.entries[text][:2]
        return outcome, distance

    def _trap(self, p: Any) -> float:
        """Return the share of the moves from `p` that worsen its outcome."""
        outcomes = [outcome for outcome, _ in self._moves(p)]
        if not outcomes:
            return 0.0
        return sum(outcome != max(outcomes) for outcome in outcomes) / len(outcomes)
