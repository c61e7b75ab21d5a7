"""The proof that a mapped table is right; `solver.proof` gives the argument.

All positions that moves lead to from the start are visited, and each entry is compared with what
the rules, and the table's own entries one move on, say that it should be. Nothing here comes from
the solvers. Where the game has a kernel it gives the rules, after it has been compared with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from solver.errors import TableProofError, UnknownPositionError
from solver.rules.check_kernel import find_kernel
from solver.rules.game import Game, fingerprint
from solver.tables.format import COUNTS
from solver.tables.mapped_file import MappedFile, choose_layout
from solver.tables.mapped_table import MappedTable
from solver.value import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Worth = tuple[int, int | None]  # outcome and plies to the end, for the side to move


class Found(NamedTuple):
    """What a visit of all positions found."""

    counts: dict[str, int]
    top: int
    """The largest key."""
    plies: int
    """The longest distance."""


def certify(
    table: MappedTable, progress: Callable[[int, int], None] = lambda done, total: None
) -> dict[str, Any]:
    """Prove every byte of a mapped table, and return what its header says.

    Raises TableFormatError if it has been altered or cut, and TableProofError, which names the
    first wrong entry, if the rules contradict it. `progress` hears how many entries are checked.
    """
    table.check_hash()
    kernel, _ = find_kernel(table.game)
    if kernel is None:
        found = _Plain(table, progress).visit()
    else:
        from solver.proof.mapped_arrays import visit

        found = Found(*visit(table, kernel, progress, every_position(table.game)))
    for name in COUNTS:
        compare(f"the count {name!r}", table.counts[name], found.counts[name])
    _check_bytes(table, found)
    return table.describe()


def compare(what: str, says: Any, should: Any) -> None:
    """Raise TableProofError unless the table says what it should."""
    if says != should:
        raise TableProofError(f"{what} says {says}; it should say {should}")


def _check_bytes(table: MappedTable, found: Found) -> None:
    """Raise TableProofError unless the file is the one that its facts give, byte for byte."""
    layout = choose_layout(found.counts["canonical"], found.top, found.plies)
    compare("the layout", tuple(table.layout), tuple(layout))
    start = int.from_bytes(table.data[:8], "little") + 8
    buffers, place = {}, start
    for name, size in layout.sizes.items():
        buffers[name] = table.data[place : place + size]
        place += size
    says = table.describe()
    facts = {"game": table.game.spec, "rules": fingerprint(table.game), **found.counts}
    facts |= {"outcome": says["outcome"], "distance": says["distance"]}  # checked at opening
    head = MappedFile(facts, layout, lambda name: [buffers[name]]).head
    compare("the header", bytes(table.data[:start]), bytes(head))


class _Plain:
    """The visit in plain Python, of any game."""

    def __init__(self, table: MappedTable, progress: Callable[[int, int], None]) -> None:
        self.table, self.progress = table, progress
        self.game: Game[Any, Any] = table.game

    def visit(self) -> Found:
        """Check every entry and that there is no other; return what was found."""
        game, total = self.game, self.table.layout.entries
        start = game.canonical(game.initial())
        worths: dict[Any, Worth] = {}
        seen, waiting = {start}, [start]
        top = plies = 0
        wrong: list[tuple[tuple[int, bool, int], Any, Worth, Worth]] = []
        while waiting:
            p = waiting.pop()
            children = [self._canonical(game.play(p, m)) for m in legal(game, p)]
            says = worths[p] = self._claim(p)
            right = self._right(p, children)
            if says != right:
                order = -game.tier(p), says[1] is None, says[1] or 0
                wrong.append((order, p, says, right))
            top, plies = max(top, game.key(p)), max(plies, says[1] or 0)
            fresh = set(children) - seen
            seen |= fresh
            waiting += fresh
            self.progress(len(worths), total)
        if wrong:
            _, p, says, right = min(wrong, key=lambda found: found[0])
            compare(f"the entry of {game.text(p)!r}", _words(says), _words(right))
        self._check_order()
        if len(seen) != total:
            raise TableProofError(f"the table has {total:,} entries; it should have {len(seen):,}")
        return Found(self._count(worths), top, plies)

    def _canonical(self, p: Any) -> Any:
        return min((s.position(p) for s in self.game.symmetries), key=self.game.key)

    def _claim(self, p: Any) -> Worth:
        """Return what the table says of a canonical position."""
        try:
            score = self.table.probe_key(self.game.key(p))
        except UnknownPositionError:
            raise TableProofError(
                f"the entry of {self.game.text(p)!r} is missing; a game leads to it"
            ) from None
        return (score > 0) - (score < 0), (1 << 14) - abs(score) if score else None

    def _right(self, p: Any, children: list[Any]) -> Worth:
        """Return what the table should say of a position, given what it says of its children."""
        over = self.game.primitive(p)
        if over is not None:
            return int(over), 0 if over else None
        claims = [self._claim(child) for child in children]
        worths = [(-outcome, None if d is None else d + 1) for outcome, d in claims]
        return max(worths, key=preference)

    def _check_order(self) -> None:
        """Raise TableProofError unless the entries of each bucket ascend."""
        table, start = self.table, 0
        for bucket in range(table.layout.buckets):
            stop = table.offsets[bucket + 1]
            inside = table.remainders[start:stop].tolist()
            if start > stop or inside != sorted(set(inside)):
                raise TableProofError(f"the entries of bucket {bucket} are not in order")
            start = stop

    def _count(self, worths: dict[Any, Worth]) -> dict[str, int]:
        """Return how many distinct positions there are, found one by one."""
        counts = dict.fromkeys(COUNTS, 0) | {"canonical": len(worths)}
        for p in every_position(self.game):
            counts["positions"] += 1
            counts[str(Outcome(worths[self._canonical(p)][0]))] += 1
            counts["terminal"] += self.game.primitive(p) is not None
        return counts


def every_position(game: Game[Any, Any]) -> Iterator[Any]:
    """Yield every position that a game can reach, each once."""
    start = game.initial()
    seen, waiting = {start}, [start]
    while waiting:
        p = waiting.pop()
        yield p
        for m in legal(game, p):
            child = game.play(p, m)
            if child not in seen:
                seen.add(child)
                waiting.append(child)


def legal(game: Game[Any, Any], p: Any) -> Iterable[Any]:
    """Return the legal moves; none if the game is over."""
    return game.moves(p) if game.primitive(p) is None else ()


def preference(worth: Worth) -> tuple[int, int]:
    """Return a key that is larger for the better of two worths."""
    outcome, distance = worth
    return outcome, -outcome * (distance or 0)


def _words(worth: Worth) -> str:
    outcome, distance = worth
    return "a draw" if distance is None else f"a {Outcome(outcome)} in {distance}"
