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

from .digest import sha256
from .errors import TableFormatError
from .game import Game, fingerprint
from .games import load_game
from .record import NamedTuple, record
from .value import LIMIT, Outcome

TYPE_CHECKING = False  # see solver.record
if TYPE_CHECKING:
    from typing import Any

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


def encode(table: Table) -> bytes:
    """Return the file that holds the table."""
    import orjson  # here, since an agent only reads and must start fast

    def line(value: Any) -> str:
        return orjson.dumps(value).decode()

    header = ",\n".join(f"{line(name)}:{line(value)}" for name, value in describe(table).items())
    entries = ",\n".join(f"{line(key)}:{line(table.entries[key])}" for key in sorted(table.entries))
    text = f'{{\n{header},\n{HASH % NO_HASH},\n"entries":{{\n{entries}\n}}\n}}\n'
    digest = sha256(text.encode()).hexdigest()
    return text.replace(HASH % NO_HASH, HASH % digest, 1).encode()


def describe(table: Table) -> dict[str, Any]:
    """Return what the file says before its entries, without the hash."""
    game = table.game
    start = table.entries[game.text(game.canonical(game.initial()))]
    cells = [list(s.cells) for s in game.symmetries if s.cells]
    values = (
        FORMAT,
        VERSION,
        game.spec,
        fingerprint(game),
        {"count": len(game.symmetries), "cells": cells},
        *(table.counts[name] for name in COUNTS),
        *start[:2],
        {"entry": ENTRY, "move": MOVE},
    )
    return dict(zip(HEADER, values, strict=True))


def decode(data: bytes, game: Game[Any, Any] | None = None) -> Table:
    """Return the table in a file's bytes, checked for its hash, its shape and its rules.

    The rules are `game`, or else those of the built-in game that the file names. Raises
    TableFormatError unless all fits; that the values are right, `solver.proof.verify` shows.
    """
    content = _parse(data)
    if game is None:
        try:
            game = load_game(content["game"])
        except ValueError as error:
            raise TableFormatError(f"the table names no known game: {error}") from error
    if content["game"] != game.spec:
        raise TableFormatError(f"this is a table of {content['game']!r}, not of {game.spec!r}")
    if content["rules"] != fingerprint(game):
        raise TableFormatError(
            f"the table is of other rules of {game.spec}: the fingerprints differ; solve it again"
        )
    for key, entry in content["entries"].items():
        _check_entry(key, entry)
    return Table(game, {name: content[name] for name in COUNTS}, content["entries"])


def _parse(data: bytes) -> dict[str, Any]:
    """Return the JSON object in the file, if its hash holds and its header has the right shape."""
    try:
        content = json.loads(data.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise TableFormatError(f"this is no whole JSON file: {error}") from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise TableFormatError(f'this is no {FORMAT}: it has no "format":"{FORMAT}"')
    if content.get("version") != VERSION:
        version = content.get("version")
        raise TableFormatError(f"the table has format version {version!r}; this reads {VERSION}")
    if tuple(content) != (*HEADER, "sha256", "entries"):
        raise TableFormatError(f"the table's fields are not {', '.join(HEADER)}, sha256, entries")
    claimed = HASH % content["sha256"]
    found = (
        HASH
        % sha256(
            data.replace(claimed.encode(errors="replace"), (HASH % NO_HASH).encode(), 1)
        ).hexdigest()
    )
    if found != claimed:
        raise TableFormatError(f"the table has been altered or cut: it has {claimed}, not {found}")
    if not all(type(content[name]) is int for name in COUNTS):
        raise TableFormatError(f"the counts {', '.join(COUNTS)} must be whole numbers")
    if not isinstance(content["game"], str) or not isinstance(content["entries"], dict):
        raise TableFormatError("the game must be a text and the entries an object")
    return content


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _check_entry(key: str, entry: Any) -> None:
    """Raise TableFormatError unless the entry has the shape of one."""
    try:
        outcome, distance, best, moves = entry
        _check_value(outcome, distance)
        names = [move for move, _, _, _ in moves]
        for _, move_outcome, move_distance, trap in moves:
            _check_value(move_outcome, move_distance)
            if type(trap) is not float or not 0 <= trap <= 1:
                raise TypeError(f"the trap {trap!r} is not a fraction from 0.0 to 1.0")
        if not isinstance(best, list) or any(move not in names for move in best):
            raise TypeError(f"the best moves {best!r} are not among the moves {names!r}")
    except (TypeError, ValueError) as error:
        raise TableFormatError(f"the entry of {key!r} is not {ENTRY}: {error}") from error


def _check_value(outcome: Any, distance: Any) -> None:
    if type(outcome) is not int or not -1 <= outcome <= 1:
        raise TypeError(f"the outcome {outcome!r} is not -1, 0 or 1")
    if outcome == Outcome.DRAW:
        if distance is not None:
            raise TypeError(f"a draw has distance null, not {distance!r}")
    elif type(distance) is not int or not 0 <= distance < LIMIT:
        raise TypeError(f"the distance {distance!r} is not a whole number from 0 below {LIMIT}")
