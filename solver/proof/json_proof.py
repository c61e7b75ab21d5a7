"""The proof that a JSON table is right; `solver.proof.verify` gives the argument."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from solver.errors import TableProofError
from solver.proof.walk import (
    Value,
    canonical,
    check_values,
    compare,
    count_positions,
    legal,
    value_of_move,
)
from solver.tables.format import COUNTS
from solver.tables.json_table import Table

compare_json = partial(compare, written=partial(json.dumps, separators=(",", ":")))


def prove_json(table: Table, data: bytes) -> None:
    """Prove every byte of a JSON table, given its file; raises TableProofError.

    The values are proved first. The rest of the entries follows from them, and with the counts the
    whole file.
    """
    game = table.game
    values = check_values(game, partial(_stated_value, table), lambda done: None)
    entries = {game.text(p): entry for p, entry in _entries(table, values).items()}
    for text, entry in table.entries.items():
        if text not in entries:
            raise TableProofError(f"the entry for {text!r} is extra: no game leads to it")
        compare_json(f"the entry for {text!r}", entry, entries[text])
    counts = count_positions(game, values)
    for name in COUNTS:
        compare(f"the count {name!r}", table.counts[name], counts[name])
    proved = Table(game, counts, entries).encode()
    lines = zip(data.splitlines(True), proved.splitlines(True), strict=False)
    for number, (found, right) in enumerate(lines, 1):
        compare_json(f"line {number}", found.decode(), right.decode())
    compare("the length in bytes", len(data), len(proved))


def _stated_value(table: Table, p: Any) -> Value:
    """Return the value that the table has for a canonical position."""
    text = table.game.text(p)
    if text not in table.entries:
        raise TableProofError(f"the entry for {text!r} is missing; a game leads to it")
    outcome, distance = table.entries[text][:2]
    return outcome, distance


def _entries(table: Table, values: dict[Any, Value]) -> dict[Any, list[Any]]:
    """Return the right entry of each canonical position, given the values of all."""
    game = table.game
    moves = {p: [(m, canonical(game, game.play(p, m))) for m in legal(game, p)] for p in values}
    traps = {p: _trap([-values[q][0] for _, q in moves[p]]) for p in values}
    entries: dict[Any, list[Any]] = {}
    for p, value in values.items():
        rows = [(game.code(m), value_of_move(values[q]), traps[q]) for m, q in moves[p]]
        best = [code for code, brought, _ in rows if brought == value]
        entries[p] = [*value, best, [[code, *brought, trap] for code, brought, trap in rows]]
    return entries


def _trap(outcomes: list[int]) -> float:
    """Return the share of moves that worsen the outcome, given the outcomes of all moves."""
    worse = sum(outcome != max(outcomes) for outcome in outcomes)
    return worse / len(outcomes) if outcomes else 0.0
