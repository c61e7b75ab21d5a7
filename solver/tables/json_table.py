"""Small tables: a JSON file with everything about each position written out.

A table has an entry for every canonical position that a game can reach, under the position's
text: its outcome, distance and best moves, and for each legal move outcome, distance and trap.
All of it is seen from the side to move; a distance is in plies, and null for a draw.

The file is one JSON object, described by `data/table.schema.json`: a header about the game, then
"entries", one line each, in ascending order of their texts. The same table always gives the same
bytes.
"""

from __future__ import annotations

import json
from functools import cached_property

from solver.errors import TableFormatError, UnknownPositionError
from solver.rules.game import Game, fingerprint, move_image
from solver.startup import sha256
from solver.tables.format import (
    COUNTS,
    FORMAT,
    NO_HASH,
    VERSION,
    check_digits,
    check_source,
    check_version,
    compare_hash,
    compare_rules,
    game_for,
    replace_hash,
    summarise,
)
from solver.tables.scores import Scores
from solver.value import LIMIT, Outcome, preferred, score

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from solver.tables.mapped_table import MappedTable

    Entry = list[Any]  # outcome, distance, [move, ...], [[move, outcome, distance, trap], ...]

ENTRY = ["outcome", "distance", "best", "moves"]
MOVE = ["move", "outcome", "distance", "trap"]
HEADER = ("format", "version", "game", "rules", "symmetries", *COUNTS, *ENTRY[:2], "columns")
SOURCE = "source"  # optional, after these: the files of a custom game's rules and their hash


class Table(Scores):
    """The solution of a game: counts of positions, and an entry for each canonical position."""

    counts: dict[str, int]
    """The number of distinct positions a game can reach, in all and by outcome; and canonical."""
    entries: dict[str, Entry]
    """Text of a canonical position -> [outcome, distance, best, moves]; see ENTRY and MOVE."""

    def __init__(
        self,
        game: Game[Any, Any],
        counts: dict[str, int],
        entries: dict[str, Entry],
        rule_files: dict[str, Any] | None = None,
    ) -> None:
        self.game: Game[Any, Any] = game
        self.counts, self.entries, self.rule_files = counts, entries, rule_files

    def __repr__(self) -> str:
        return summarise(self)

    @cached_property
    def sha256(self) -> str:
        """The hash in the file that the table was read from, or else in the one it encodes to."""
        return self._encode()[0]

    def describe(self) -> dict[str, Any]:
        """Return the file's header, without the hash."""
        game = self.game
        first = game.text(game.canonical(game.initial()))
        if first not in self.entries:
            raise TableFormatError(f"the table has no entry for the starting position, {first!r}")
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
        header: dict[str, Any] = dict(zip(HEADER, values, strict=True))
        return header if self.rule_files is None else header | {SOURCE: self.rule_files}

    def encode(self) -> bytes:
        """Return the bytes of the table's file."""
        return self._encode()[1]

    def probe_canonical(self, p: Any) -> int:
        outcome, plies, _, _ = self._look_up(p)
        return score(outcome, plies or 0)

    def moves(self, p: Any) -> list[tuple[Any, int, float]]:
        game = self.game
        canonical, symmetry = game.orient(p)
        _, _, _, rows = self._look_up(canonical)
        scores = {code: (score(outcome, plies or 0), trap) for code, outcome, plies, trap in rows}
        codes = [
            (m, game.code(move_image(game, symmetry, p, m)))
            for m in (game.moves(p) if game.primitive(p) is None else ())
        ]
        if len(codes) != len(scores) or any(code not in scores for _, code in codes):
            text = game.text(canonical)
            raise TableFormatError(f"the table's entry for {text!r} does not have the legal moves")
        return [(m, *scores[code]) for m, code in codes]

    def move_scores(self, p: Any) -> list[tuple[Any, int]]:
        return [(m, score) for m, score, _ in self.moves(p)]

    def best(self, p: Any) -> Any:
        moves = self.moves(p)
        if not moves:
            return None
        return moves[preferred([score for _, score, _ in moves], lambda i: moves[i][2])][0]

    def positions(self) -> Iterator[tuple[Any, int]]:
        """Yield every canonical position with its score, in the order of the file."""
        for text in sorted(self.entries):
            outcome, plies, _, _ = self.entries[text]
            yield self.game.parse(text), score(outcome, plies or 0)

    def _encode(self) -> tuple[str, bytes]:
        """Return the hash in the table's file, and the file's bytes."""
        from solver.json_bytes import dumps  # here, since an agent only reads and must start fast

        def line(name: str, value: Any) -> bytes:
            try:
                return dumps(name) + b":" + dumps(value)
            except TypeError as error:
                raise TableFormatError(f"the entry for {name!r} is not JSON: {error}") from error

        def lines(members: Iterable[tuple[str, Any]]) -> bytes:
            return b",\n".join(line(*member) for member in members)

        for key, entry in self.entries.items():
            _check_entry(key, entry)

        header = lines({**self.describe(), "sha256": NO_HASH}.items())
        data = b'{\n%b,\n"entries":{\n%b\n}\n}\n' % (header, lines(sorted(self.entries.items())))
        digest = sha256(data).hexdigest()
        return digest, replace_hash(data, NO_HASH, digest)

    def _look_up(self, canonical: Any) -> Entry:
        """Return the entry of a canonical position."""
        text = self.game.text(canonical)
        try:
            return self.entries[text]
        except KeyError:
            raise UnknownPositionError(
                f"no game of {self.game.spec} leads to this position or an image of it"
            ) from None


def encode(table: Table | MappedTable) -> bytes:
    """Return the bytes of a table's file."""
    return table.encode()


def decode(data: bytes, game: Game[Any, Any] | None = None) -> Table:
    """Return the table in a file's bytes, after checking its hash, its shape and its rules.

    The rules are those of `game`, or else of the built-in game that the file names. Raises
    TableFormatError if any check fails; `solver.proof.verify` proves the values.
    """
    content = _parse(data)
    game = game_for(content["game"], game)
    if content["game"] != game.spec:
        raise TableFormatError(f"this is a table of {content['game']!r}, not of {game.spec!r}")
    for key, entry in content["entries"].items():
        _check_entry(key, entry)
    counts = {name: content[name] for name in COUNTS}
    table = Table(game, counts, content["entries"], content.get(SOURCE))
    table.sha256 = content["sha256"]
    for name, right in table.describe().items():
        compare_rules(name, content[name], right, game.spec)
    table.rules_changed = check_source(table.rule_files, game)
    return table


def _parse(data: bytes) -> dict[str, Any]:
    """Return the JSON object in the file, after checking its hash and the shape of its header."""
    try:
        content = json.loads(
            data.decode(), parse_constant=_refuse_constant, object_pairs_hook=_unique
        )
    except (ValueError, RecursionError) as error:
        raise TableFormatError(f"not a complete JSON file: {error}") from error
    if not isinstance(content, dict):
        raise TableFormatError("not a table: it is not a JSON object")
    check_version(content, VERSION)
    if tuple(content) != (*HEADER, *[SOURCE] * (SOURCE in content), "sha256", "entries"):
        raise TableFormatError(f"the table's fields are not {', '.join(HEADER)}, sha256, entries")
    claimed = str(content["sha256"])
    check_digits(claimed)
    compare_hash(sha256(replace_hash(data, claimed, NO_HASH)).hexdigest(), claimed)
    if not all(type(content[name]) is int and content[name] >= 0 for name in COUNTS):
        raise TableFormatError(f"the counts {', '.join(COUNTS)} must be whole numbers from 0")
    if not isinstance(content["game"], str) or not isinstance(content["entries"], dict):
        raise TableFormatError("the game must be a string and the entries an object")
    return content


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object from its members; raises ValueError if a name is repeated."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("an object has a repeated name")
    return members


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _check_entry(key: str, entry: Any) -> None:
    """Raise TableFormatError unless the entry has the shape of one."""
    try:
        outcome, distance, best, moves = entry
        _check_value(outcome, distance)
        names = [move for move, _, _, _ in moves]
        if not {int, str}.issuperset(map(type, names)) or len(set(names)) < len(names):
            raise TypeError("the moves are not distinct numbers or strings")
        for _, move_outcome, move_distance, trap in moves:
            _check_value(move_outcome, move_distance)
            if type(trap) is not float or not 0 <= trap <= 1:
                raise TypeError(f"the trap {trap!r:.80} is not a fraction from 0.0 to 1.0")
        if not isinstance(best, list) or not set(names).issuperset(best):
            raise TypeError(f"the best moves {best!r:.80} are not among the moves {names!r:.80}")
    except (TypeError, ValueError) as error:
        raise TableFormatError(f"the entry for {key!r} is not {ENTRY}: {error}") from error


def _check_value(outcome: Any, distance: Any) -> None:
    if type(outcome) is not int or not -1 <= outcome <= 1:
        raise TypeError(f"the outcome {outcome!r:.80} is not -1, 0 or 1")
    if outcome == Outcome.DRAW:
        if distance is not None:
            raise TypeError(f"a draw has distance null, not {distance!r:.80}")
    elif type(distance) is not int or not 0 <= distance < LIMIT:
        raise TypeError(f"the distance {distance!r:.80} is not a whole number from 0 below {LIMIT}")
