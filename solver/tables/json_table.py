"""Tables of solved games, and the JSON file that holds one.

A table has an entry for every canonical position that a game can reach, under the position's
text: its outcome, distance and best moves, and for each legal move outcome, distance and trap.
All of it is seen from the side to move; distance counts plies and is null for a draw.

The file is one JSON object, described by `data/table.schema.json`: first what the table is
about, then "entries", one line each, keys ascending. The same table always gives the same bytes.
"sha256" is the hash of the whole file with its own 64 digits written as zeros, so no byte can
change unnoticed.
"""

from __future__ import annotations

import json

from solver.errors import TableFormatError, UnknownPositionError
from solver.games import load_built_in
from solver.rules.game import Game, fingerprint
from solver.startup import NamedTuple, record, sha256
from solver.value import LIMIT, Outcome, score

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from solver.tables.mapped_table import MappedTable

    Entry = list[Any]  # outcome, distance, [move, ...], [[move, outcome, distance, trap], ...]

FORMAT = "perfectplay table"
VERSION = 1
ENTRY = ["outcome", "distance", "best", "moves"]
MOVE = ["move", "outcome", "distance", "trap"]
COUNTS = ("positions", "canonical", "terminal", "win", "draw", "loss")
HEADER = ("format", "version", "game", "rules", "symmetries", *COUNTS, *ENTRY[:2], "columns")
HASH = '"sha256":"%s"'
NO_HASH = "0" * 64


@record
class Table(NamedTuple):
    """The solution of a game: counts of positions, and an entry for each canonical position."""

    game: Game[Any, Any]
    counts: dict[str, int]
    """How many distinct positions a game can reach, all of them and by outcome; and canonical."""
    entries: dict[str, Entry]
    """Text of a canonical position -> [outcome, distance, best, moves]; see ENTRY and MOVE."""

    def describe(self) -> dict[str, Any]:
        """Return what the file says before its entries, without the hash."""
        game = self.game
        first = game.text(game.canonical(game.initial()))
        if first not in self.entries:
            raise TableFormatError(f"the table has no entry of the starting position, {first!r}")
        start = self.entries[first]
        cells = [list(s.cells) for s in game.symmetries if s.cells]
        values = (
            FORMAT,
            VERSION,
            game.spec,
            fingerprint(game),
            {"count": len(game.symmetries), "cells": cells},
            *(self.counts[name] for name in COUNTS),
            *start[:2],
            {"entry": ENTRY, "move": MOVE},
        )
        return dict(zip(HEADER, values, strict=True))

    def probe(self, p: Any) -> int:
        """Return the score of a position; raises UnknownPositionError."""
        held, plies, _, _ = self._look_up(self.game.canonical(p))
        return score(held, plies or 0)

    def moves(self, p: Any) -> list[tuple[Any, int, float]]:
        """Return each legal move with what it brings, a score, and its trap."""
        game = self.game
        canonical, symmetry = game.orient(p)
        _, _, _, rows = self._look_up(canonical)
        worth = {code: (score(held, plies or 0), trap) for code, held, plies, trap in rows}
        codes = [
            (m, game.code(symmetry.move(m)))
            for m in (game.moves(p) if game.primitive(p) is None else ())
        ]
        if {code for _, code in codes} != worth.keys():
            text = game.text(canonical)
            raise TableFormatError(f"the table's entry of {text!r} does not have the legal moves")
        return [(m, *worth[code]) for m, code in codes]

    def move_scores(self, p: Any) -> list[tuple[Any, int]]:
        """Return each legal move with what it brings, a score."""
        return [(m, held) for m, held, _ in self.moves(p)]

    def best(self, p: Any) -> Any:
        """Return the best move by score and trap, the first of equals; None if the game is over."""
        moves = self.moves(p)
        return max(moves, key=lambda worth: worth[1:])[0] if moves else None

    def positions(self) -> Iterator[tuple[Any, int]]:
        """Yield every canonical position with its score, in the order of the file."""
        for text in sorted(self.entries):
            held, plies, _, _ = self.entries[text]
            yield self.game.parse(text), score(held, plies or 0)

    def _look_up(self, canonical: Any) -> Entry:
        """Return the entry of a canonical position."""
        text = self.game.text(canonical)
        try:
            return self.entries[text]
        except KeyError:
            raise UnknownPositionError(
                f"no game of {self.game.spec} leads to {text} or an image of it"
            ) from None


def encode(table: Table | MappedTable) -> bytes:
    """Return the file that holds the table."""
    if not isinstance(table, Table):
        return bytes(table.data)
    import orjson  # here, since an agent only reads and must start fast

    def line(value: Any) -> str:
        return orjson.dumps(value).decode()

    header = ",\n".join(f"{line(name)}:{line(value)}" for name, value in table.describe().items())
    entries = ",\n".join(f"{line(key)}:{line(table.entries[key])}" for key in sorted(table.entries))
    text = f'{{\n{header},\n{HASH % NO_HASH},\n"entries":{{\n{entries}\n}}\n}}\n'
    digest = sha256(text.encode()).hexdigest()
    return text.replace(HASH % NO_HASH, HASH % digest, 1).encode()


def decode(data: bytes, game: Game[Any, Any] | None = None) -> Table:
    """Return the table in a file's bytes, checked for its hash, its shape and its rules.

    The rules are `game`, or else those of the built-in game that the file names. Raises
    TableFormatError unless all fits; that the values are right, `solver.proof.verify` shows.
    """
    content = _parse(data)
    game = game_for(content["game"], game)
    if content["game"] != game.spec:
        raise TableFormatError(f"this is a table of {content['game']!r}, not of {game.spec!r}")
    for key, entry in content["entries"].items():
        _check_entry(key, entry)
    table = Table(game, {name: content[name] for name in COUNTS}, content["entries"])
    for name, value in table.describe().items():
        if content[name] != value:
            raise TableFormatError(
                f"the table says that {name} is {content[name]!r:.80}, but by the rules of"
                f" {game.spec} it is {value!r:.80}: the table is of other rules"
            )
    return table


def game_for(spec: str, game: Game[Any, Any] | None) -> Game[Any, Any]:
    """Return the rules for reading a table that names a game: those given, or the built-in ones.

    Raises TableFormatError if none are given and none are built in.
    """
    if game is None:
        try:
            game = load_built_in(spec)
        except ValueError as error:
            raise TableFormatError(
                f"the table names no known game: {error}; a game of your own needs its rules,"
                " as in --game FILE.py:CLASS"
            ) from error
    if not isinstance(game, Game):
        raise TypeError(f"the rules are a Game, as load_game returns one, not {game!r:.80}")
    return game


def _parse(data: bytes) -> dict[str, Any]:
    """Return the JSON object in the file, if its hash holds and its header has the right shape."""
    try:
        content = json.loads(
            data.decode(), parse_constant=_refuse_constant, object_pairs_hook=_unique
        )
    except (ValueError, RecursionError) as error:
        raise TableFormatError(f"this is no whole JSON file: {error}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise TableFormatError(f'this is no {FORMAT}: it has no "format":"{FORMAT}"')
    version = content.get("version")
    if type(version) is not int or version != VERSION:
        raise TableFormatError(f"the table's version is {version!r:.80}; this reads {VERSION}")
    if tuple(content) != (*HEADER, "sha256", "entries"):
        raise TableFormatError(f"the table's fields are not {', '.join(HEADER)}, sha256, entries")
    claimed = str(content["sha256"])
    if len(claimed) != len(NO_HASH) or not set(claimed) <= set("0123456789abcdef"):
        raise TableFormatError("the table's sha256 is not 64 hexadecimal digits")
    own, blank = (HASH % digits for digits in (claimed, NO_HASH))
    found = sha256(data.replace(own.encode(), blank.encode(), 1)).hexdigest()
    if found != claimed:
        raise TableFormatError(
            f"the table has been altered or cut: its SHA-256 is {found}, but it says {claimed}"
        )
    if not all(type(content[name]) is int and content[name] >= 0 for name in COUNTS):
        raise TableFormatError(f"the counts {', '.join(COUNTS)} must be whole numbers from 0")
    if not isinstance(content["game"], str) or not isinstance(content["entries"], dict):
        raise TableFormatError("the game must be a text and the entries an object")
    return content


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object in which no name stands twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return members


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _check_entry(key: str, entry: Any) -> None:
    """Raise TableFormatError unless the entry has the shape of one."""
    try:
        outcome, distance, best, moves = entry
        _check_value(outcome, distance)
        names = [move for move, _, _, _ in moves]
        if any(type(name) not in (int, str) for name in names) or len(set(names)) < len(names):
            raise TypeError("the moves are not different numbers or texts")
        for _, move_outcome, move_distance, trap in moves:
            _check_value(move_outcome, move_distance)
            if type(trap) is not float or not 0 <= trap <= 1:
                raise TypeError(f"the trap {trap!r:.80} is not a fraction from 0.0 to 1.0")
        if not isinstance(best, list) or any(move not in names for move in best):
            raise TypeError(f"the best moves {best!r:.80} are not among the moves {names!r:.80}")
    except (TypeError, ValueError) as error:
        raise TableFormatError(f"the entry of {key!r} is not {ENTRY}: {error}") from error


def _check_value(outcome: Any, distance: Any) -> None:
    if type(outcome) is not int or not -1 <= outcome <= 1:
        raise TypeError(f"the outcome {outcome!r:.80} is not -1, 0 or 1")
    if outcome == Outcome.DRAW:
        if distance is not None:
            raise TypeError(f"a draw has distance null, not {distance!r:.80}")
    elif type(distance) is not int or not 0 <= distance < LIMIT:
        raise TypeError(f"the distance {distance!r:.80} is not a whole number from 0 below {LIMIT}")
