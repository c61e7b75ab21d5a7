"""The proof that a table is right, from the rules alone.

Takes a table file; returns what was proved, or names the first entry that is wrong. Nothing here
comes from the solvers: values are pairs of outcome and distance, not scores, and traps, best moves
and counts are worked out anew.

The argument: the entries hold the start and every position that a move leads to, and no other;
where the game is over, an entry says what the rules say; elsewhere it says the best of what its
moves lead to. Claimed distances are whole numbers that grow by one from the best child to its
parent, so by induction on distance every claimed win or loss can be played out. In a position
claimed as a draw neither side can force a win, for then some entry on the way would be wrong. This
holds for games in which positions repeat, too.
"""

from __future__ import annotations

import json
from mmap import mmap
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.errors import IllegalPositionError, TableProofError
from solver.proof.mapped import certify, every_position, legal, preference
from solver.rules.game import Game, fingerprint
from solver.tables.format import COUNTS
from solver.tables.json_table import Table, decode
from solver.tables.mapped_table import MappedTable
from solver.tables.store import HEAD, is_mapped
from solver.value import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.proof.mapped import Worth
    from solver.tables.json_table import Entry


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
    data: bytes | mmap,
    game: Game[Any, Any] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Proof:
    """Prove the table in a file's bytes, read or mapped, and return what was proved.

    The rules are `game`, or else those of the built-in game that the file names. Raises
    TableFormatError if the file is no whole table of these rules, and TableProofError, which
    names the first wrong entry, what it says and what it should say, if the rules contradict it.
    `progress` hears of a large table how many entries are checked, and how many there are.
    """
    if not isinstance(data, bytes | mmap):
        raise TypeError(f"verify takes a file's bytes, not {type(data).__name__}")
    if is_mapped(data[:HEAD]):
        proved = certify(MappedTable(data, game), progress)
        kept = {name: proved[name] for name in Proof._fields}
        return Proof(**kept | {"outcome": Outcome(proved["outcome"])})
    table = decode(bytes(data), game)
    return _Checker(table).prove(bytes(data))


class _Checker:
    """The work of one proof."""

    def __init__(self, table: Table) -> None:
        self.game = table.game
        self.entries = table.entries
        self.counts = table.counts
        self.positions = {text: self._read(text) for text in self.entries}
        self.worths: dict[Any, list[Worth]] = {}

    def prove(self, data: bytes) -> Proof:
        """Check every entry, then the counts, then every byte."""
        start = self.game.text(self.game.canonical(self.game.initial()))
        right = {text: self._check(text) for text in self._children_first()}
        counts = self._count()
        for name in COUNTS:
            self._compare(f"the count {name!r}", self.counts[name], counts[name])
        proved = Table(self.game, counts, right).encode()
        for number, (says, should) in enumerate(
            zip(data.splitlines(True), proved.splitlines(True), strict=False), 1
        ):
            self._compare(f"line {number}", says.decode(), should.decode())
        self._compare("the length in bytes", len(data), len(proved))
        return Proof(
            self.game.spec,
            **counts,
            outcome=Outcome(right[start][0]),
            distance=right[start][1],
            rules=fingerprint(self.game),
            sha256=json.loads(data)["sha256"],
        )

    def _compare(self, what: str, says: Any, should: Any) -> None:
        if says != should:
            raise TableProofError(f"{what} says {_json(says)}; it should say {_json(should)}")

    def _read(self, text: str) -> Any:
        """Return the canonical position that an entry is about."""
        try:
            p = self.game.parse(text)
        except IllegalPositionError as error:
            raise TableProofError(f"the entry {text!r} is of no position: {error}") from error
        images = [s.position(p) for s in self.game.symmetries]
        least = self.game.text(min(images, key=self.game.key))
        if text != least:
            raise TableProofError(f"the entry {text!r} is not canonical; it should be {least!r}")
        return p

    def _children_first(self) -> list[str]:
        """Return the entries in an order in which a wrong one comes before those it spoils."""

        def order(text: str) -> tuple[int, bool, int]:
            plies = self.entries[text][1]
            return -self.game.tier(self.positions[text]), plies is None, plies or 0

        return sorted(self.entries, key=order)

    def _claim(self, p: Any, parent: str) -> Worth:
        """Return what the table says of the position after a move."""
        text = self.game.text(p)
        if text not in self.entries:
            raise TableProofError(
                f"the entry {text!r} is missing; a move from {parent!r} leads to it"
            )
        outcome, distance = self.entries[text][:2]
        return outcome, distance

    def _moves(self, p: Any) -> list[Worth]:
        """Return what each move from a canonical position brings the side that makes it."""
        if p not in self.worths:
            self.worths[p] = [self._worth(p, m) for m in legal(self.game, p)]
        return self.worths[p]

    def _after(self, p: Any, m: Any) -> Any:
        return self.game.canonical(self.game.play(p, m))

    def _worth(self, p: Any, m: Any) -> Worth:
        outcome, distance = self._claim(self._after(p, m), self.game.text(p))
        return -outcome, None if distance is None else distance + 1

    def _check(self, text: str) -> Entry:
        """Return the right entry of a position; raise if the table has another one."""
        p = self.positions[text]
        over = self.game.primitive(p)
        if over is not None:
            right: Entry = [int(over), 0 if over else None, [], []]
        else:
            moves = list(legal(self.game, p))
            worths = self._moves(p)
            best = max(worths, key=preference)
            right = [
                *best,
                [
                    self.game.code(m)
                    for m, worth in zip(moves, worths, strict=True)
                    if worth == best
                ],
                [
                    [self.game.code(m), *worth, self._trap(self._after(p, m))]
                    for m, worth in zip(moves, worths, strict=True)
                ],
            ]
        self._compare(f"the entry {text!r}", self.entries[text], right)
        return right

    def _trap(self, p: Any) -> float:
        """Return the share of the moves from `p` that lose some of the outcome held there."""
        outcomes = [outcome for outcome, _ in self._moves(p)]
        if not outcomes:
            return 0.0
        return sum(outcome != max(outcomes) for outcome in outcomes) / len(outcomes)

    def _count(self) -> dict[str, int]:
        """Play every game; count the positions, and see that no entry is left over."""
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
                    f"the entry {text!r} should not be there: no game leads to it"
                )
        return counts


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
