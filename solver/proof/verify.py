"""The proof that a table is right, from the rules alone.

Takes a table file; returns what was proved, or names the first wrong entry. It uses none of the
solvers' code: values are pairs of outcome and distance, not scores, and traps, best moves and
counts are computed separately.

The argument: the table has an entry for the start and for every position that a move leads to, and
no other. Where the game is over, an entry has the outcome given by the rules; elsewhere it has the
best of the values that its moves lead to. Claimed distances are whole numbers, each one more than
that of the best child, so by induction on distance every claimed win or loss can be played out. In
a position claimed to be a draw neither side can force a win, since otherwise an entry on the way
would be wrong. This holds for games in which positions repeat, too.
"""

from __future__ import annotations

from collections.abc import Callable
from mmap import mmap
from typing import Any, NamedTuple

from solver.proof.json_proof import prove_json
from solver.proof.mapped_proof import prove_mapped
from solver.rules.game import Game
from solver.tables.mapped_table import MappedTable
from solver.tables.open import table_of
from solver.tables.source import TableBytes
from solver.value import Outcome


class Proof(NamedTuple):
    """What has been proved of a table; `positions` to `loss` count distinct positions."""

    game: str
    positions: int
    canonical: int
    terminal: int
    win: int
    draw: int
    loss: int
    outcome: Outcome
    distance: int | None
    rules: str
    sha256: str


def verify(
    data: bytes | mmap | TableBytes,
    game: Game[Any, Any] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Proof:
    """Prove the table in a file's bytes, read or mapped, and return what was proved.

    The rules are those of `game`, or else of the built-in game that the file names. Raises
    TableFormatError if the file is not a complete table for these rules, and TableProofError, which
    names the first wrong entry, its value and the right one, if the rules contradict it.
    For a large table, `progress` is called with the number of entries checked and their total.
    """
    if not isinstance(data, bytes | mmap | TableBytes):
        raise TypeError(f"verify takes a file's bytes, not {type(data).__name__}")
    source = data if isinstance(data, TableBytes) else TableBytes(data)
    table = table_of(source, game)
    if isinstance(table, MappedTable):
        prove_mapped(table, progress)
    else:
        prove_json(table, source.read_at(0, source.size))
    proved = {**table.describe(), "sha256": table.sha256}
    fields: dict[str, Any] = {name: proved[name] for name in Proof._fields}
    fields["outcome"] = Outcome(proved["outcome"])
    return Proof(**fields)
