"""The walk over every position that a game can reach, by its rules in Python.

Takes the rules and the look-up of a table; returns the value that the table gives each position,
after checking that all of them follow from the rules; `solver.proof.verify` has the argument. It
uses nothing else of the game's class than what the agent uses, and of that nothing unchecked:

- the table's answer is asked as the agent asks, through the canonical image, at each position;
- `parse` is the inverse of `text`, and `position` that of `key`, at each position;
- moves have different codes and labels, and a position that is not over has a move;
- after a move it is the other side's turn, if positions tell whose turn it is;
- positions hold no sets, and those that are equal have the same types; see `solver.rules.kinds`.

The positions are visited breadth first. Examining one is a task that other processes can do; what
joins the positions, the set of those visited and the comparison of values, is done here.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from solver.errors import (
    GameLawError,
    TableProofError,
    UnknownPositionError,
    UnpackedPositionError,
)
from solver.rules.default_keys import has_default_keys
from solver.rules.game import Game, checked_key, legal_moves, primitive_outcome
from solver.rules.game import walk as walk_at_random
from solver.rules.kinds import check_same, check_sets, is_literal
from solver.rules.plain import check_hashable, identity
from solver.tables.format import COUNTS
from solver.tables.json_table import Table
from solver.tables.mapped_table import MappedTable
from solver.value import Outcome

Value = tuple[int, int | None]  # outcome for the side to move, and plies to the end; None: a draw
FAR = 1 << 14  # a score is this minus the distance, or the negative of that
PIECE = 500  # positions of a task
TURNS = 100  # plies of random games that show whether texts depend on the seat to move
MOST_WRONG = 1000  # wrong values of a ply from which the one to name is chosen
NAMED = frozenset(map(identity, (int, str)))  # types of moves whose default codes and labels differ


class Examined(NamedTuple):
    """What examining some positions gives."""

    rows: list[tuple[Value, int | None, list[Any]]]
    """For each position the table's value, the outcome if the game is over, and the children."""
    own: int
    """How many are their own canonical images."""
    images: list[Any]
    """The canonical images of the others, as far as they are new to the process."""
    top: int
    """The largest key of a canonical image, 0 if the table has no keys."""


class Walked(NamedTuple):
    """What the walk has found."""

    numbers: dict[Any, int]
    """Every position that a game can reach, in the order of the visit, numbered from 0."""
    values: list[Value]
    """The value of each."""
    counts: dict[str, int]
    """How many positions there are, and how many canonical images these have."""
    top: int
    """The largest key of a canonical image, 0 if the table has no keys."""


Mapping = Callable[[Callable[[list[Any]], Examined], Iterable[list[Any]]], Iterable[Examined]]


class Examiner:
    """Looks up positions and follows their moves, and checks all that needs one position only."""

    def __init__(self, table: Table | MappedTable) -> None:
        game = table.game
        self.table, self.game = table, game
        kind = type(game)
        self._has_keys = isinstance(table, MappedTable)
        self._checks_keys = self._has_keys or not has_default_keys(game)
        self._default_texts = (kind.text, kind.parse) == (Game.text, Game.parse)
        self._default_names = (kind.code, kind.label) == (Game.code, Game.label)
        self._images: dict[Any, Any] = {}
        self._start_type = type(game.initial())
        self._has_turns = kind.turn is not Game.turn and all(  # else a position may be either's
            game.text(p, game.seats[0]) == game.text(p, game.seats[1])
            for p in walk_at_random(game, TURNS)
        )

    def __call__(self, positions: list[Any]) -> Examined:
        """Examine some positions; raises TableProofError and GameLawError."""
        images, canonicals, top, rows = [], 0, 0, []
        for p in positions:
            check_sets(self.game, p)
            canonical = self.game.canonical(p)
            rows.append((self.value(canonical), *self._expand(p)))
            if canonical == p:
                check_same(canonical, p)
                canonicals += 1
            elif canonical in self._images:
                check_same(canonical, self._images[canonical])
            else:
                self._images[canonical] = canonical
                self._check_key(canonical)
                images.append(canonical)
            if self._has_keys:
                top = max(top, self.game.key(canonical))
        return Examined(rows, canonicals, images, top)

    def value(self, canonical: Any) -> Value:
        """Return the table's value of the positions with a canonical image."""
        try:
            score = self.table.probe_canonical(canonical)
        except (UnknownPositionError, KeyError):
            text = self.game.text(canonical)
            raise TableProofError(
                f"the entry for {text!r} is missing; a game leads to it"
            ) from None
        return value_of(score)

    def _expand(self, p: Any) -> tuple[int | None, list[Any]]:
        """Return the outcome, if the game is over, and the children, after checking the laws."""
        game = self.game
        if not (self._default_texts and type(p) is self._start_type and is_literal(p)):
            for seat in (None, game.turn(p)):
                parsed = game.parse(game.text(p, seat), seat)
                self._require_same(p, parsed, "parse is the inverse of text")
        self._check_key(p)
        over = primitive_outcome(game, p)
        if over is not None:
            return int(over), []
        moves = legal_moves(game, p)
        if not isinstance(moves, Sequence):
            raise GameLawError(
                f"{game.spec} breaks a law at {p!r:.200}: moves is a list, a tuple or a range, not"
                f" {moves!r:.80}"
            )
        kinds = {*map(identity, map(type, moves))}
        if not self._default_names or len(kinds) > 1 or not kinds <= NAMED:
            names = {game.code(m) for m in moves}, {game.label(p, m) for m in moves}
        else:  # different moves have different default codes and labels
            names = ({*moves},) * 2
        if min(len(each) for each in names) < len(moves):
            raise GameLawError(
                f"{game.spec} breaks a law at {p!r:.200}: moves are listed once and have different"
                " codes and labels"
            )
        children = [game.play(p, m) for m in moves]
        turn = game.turn(p) if self._has_turns else None
        for m, child in zip(moves, children, strict=True):
            check_hashable(game, p, "a position", child)
            if turn is not None and game.turn(child) == turn:
                raise GameLawError(
                    f"{game.spec} breaks a law at {p!r:.200}: turn is {turn!r} before and after the"
                    f" move {game.label(p, m)}"
                )
        return None, children

    def _check_key(self, p: Any) -> None:
        if not self._checks_keys:
            return
        try:
            result = self.game.position(checked_key(self.game, p))
        except UnpackedPositionError:
            raise TableProofError(
                f"the entry for {self.game.text(p)!r} is missing: keys lack a value of it"
            ) from None
        self._require_same(p, result, "position is the inverse of key")

    def _require_same(self, p: Any, result: Any, law: str) -> None:
        if result != p:
            raise GameLawError(
                f"{self.game.spec} breaks a law at {p!r:.200}: {law}, but it gives {result!r:.200}"
            )
        check_same(result, p)


def walk(
    table: Table | MappedTable,
    progress: Callable[[int, int], None],
    mapped: Mapping = map,
    examine: Callable[[list[Any]], Examined] | None = None,
) -> Walked:
    """Visit every position; `mapped` calls `examine` for lists of positions, as `map` does.

    `progress` is called with the number of positions visited and the number that the table states.
    Raises TableProofError if a value does not follow from the rules and the values one move on. If
    several are wrong, the error names one that leads to no other, since a wrong value makes those
    before it look wrong.
    """
    game = table.game
    examine = examine or Examiner(table)
    numbers: dict[Any, int] = {game.initial(): 0}
    positions, values = [*numbers], list[Value]()
    images, canonicals, top, ends = set[Any](), 0, 0, 0
    before, level = _Level(0, []), _Level(0, [*numbers])
    wrong: list[tuple[Any, Value, Value]] = []
    while level.positions:
        after: list[Any] = []
        for batch in mapped(examine, _pieces(level.positions)):
            for value, over, children in batch.rows:
                values.append(value)
                ends += over is not None
                for q in children:
                    if q in numbers:
                        check_same(q, positions[numbers[q]])
                    else:
                        numbers[q] = len(numbers)
                        positions.append(q)
                        after.append(q)
                level.add(over, [numbers[q] for q in children])
            canonicals += batch.own
            images.update(batch.images)
            top = max(top, batch.top)
            progress(len(values), table.counts["positions"])
        wrong += islice(before.wrong(values), MOST_WRONG)  # its children are known only now
        before, level = level, _Level(len(values), after)
    wrong += islice(before.wrong(values), MOST_WRONG)  # the last ply
    if wrong:
        p, value, right = _first_cause(game, wrong)
        compare(f"the entry for {game.text(game.canonical(p))!r}", value, right, words)
    others = sum(c not in numbers or game.canonical(c) != c for c in images)
    counts = _count(values) | {"terminal": ends, "canonical": canonicals + others}
    return Walked(numbers, values, counts, top)


def _first_cause(
    game: Game[Any, Any], wrong: list[tuple[Any, Value, Value]]
) -> tuple[Any, Value, Value]:
    """Return the last one that leads to no other, or else one of those nearest to the end."""
    positions = {p for p, _, _ in wrong}
    for p, value, right in reversed(wrong):
        moves = game.moves(p) if game.primitive(p) is None else ()
        if not any(game.play(p, m) in positions for m in moves):
            return p, value, right
    return min(wrong, key=lambda entry: (entry[1][1] is None, entry[1][1] or 0))


class _Level:
    """Positions of one ply, whose values are compared when those of their children are known."""

    def __init__(self, first: int, positions: list[Any]) -> None:
        self.first, self.positions = first, positions
        self._overs: list[int | None] = []
        self._counts, self._children = array("q"), array("q")

    def add(self, over: int | None, children: list[int]) -> None:
        """Add the next position's outcome, if the game is over, and its children's numbers."""
        self._overs.append(over)
        self._counts.append(len(children))
        self._children.extend(children)

    def wrong(self, values: list[Value]) -> Iterator[tuple[Any, Value, Value]]:
        """Yield the positions with a wrong value, with that and the right one."""
        stop, rows = 0, zip(self.positions, self._overs, self._counts, strict=True)
        for number, (p, over, count) in enumerate(rows, self.first):
            start, stop = stop, stop + count
            right = right_value(over, [values[n] for n in self._children[start:stop]])
            if values[number] != right:
                yield p, values[number], right


def _pieces(positions: list[Any]) -> Iterator[list[Any]]:
    return (positions[i : i + PIECE] for i in range(0, len(positions), PIECE))


def _count(values: list[Value]) -> dict[str, int]:
    """Return how many positions there are, in all and by outcome."""
    counts = dict.fromkeys(COUNTS, 0) | {"positions": len(values)}
    for result, _ in values:
        counts[str(Outcome(result))] += 1
    return counts


def right_value(over: int | None, children: Iterable[Value]) -> Value:
    """Return the value that follows from the outcome of the rules, or else from the children."""
    if over is not None:
        return over, 0 if over else None
    return max(map(value_of_move, children), key=_preference)


def value_of(score: int) -> Value:
    """Return the value that a score of the agent stands for; see `solver.value`."""
    return (score > 0) - (score < 0), FAR - abs(score) if score else None


def value_of_move(child: Value) -> Value:
    """Return the value of a move, given that of the position it leads to."""
    outcome, distance = child
    return -outcome, None if distance is None else distance + 1


def compare(what: str, stated: Any, right: Any, written: Callable[[Any], str] = str) -> None:
    """Raise TableProofError unless the table states what is right."""
    if stated != right:
        raise TableProofError(f"{what} is {written(stated)}; it should be {written(right)}")


def _preference(value: Value) -> tuple[int, int]:
    """Return a key that is larger for the better of two values."""
    outcome, distance = value
    return outcome, -outcome * (distance or 0)


def words(value: Value) -> str:
    """Return a value in words."""
    outcome, distance = value
    return "a draw" if distance is None else f"a {Outcome(outcome)} in {distance}"
