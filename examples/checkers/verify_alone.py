"""Prove a table a second time, with none of the code that made it, reads it or proves it.

    python -m examples.checkers.verify_alone data/tictactoe.json --game tictactoe
    python -m examples.checkers.verify_alone TABLE --game FILE.py:CLASS

It takes two things from the project: `Outcome`, and the game's class with what that inherits from
`Game`. (`load_game` creates built-in games; a FILE.py is imported here.) Tables are read as
docs/reference/tables.md describes them, JSON and mapped ones, with the standard library alone.

The argument. Let V(p) be what the file states for `canonical(p)`. At every position p that `moves`
and `play` lead to from `initial`, images included, the script checks that

1. if `primitive` says that the game is over, V(p) is that outcome, in 0 plies;
2. otherwise there is a move, and V(p) is the best V of the children, negated and one ply later.

By 2, a win in n has a move to a loss in n - 1, and every move from a loss in n leads to a win in at
most n - 1. So by induction on n both can be played out, and n is exact. A draw has a move to a draw
and none to a loss: either side can stay in draws for ever, so neither can force a win. Cycles need
nothing more. Symmetries, tiers and keys are not trusted: they only decide which entry V(p) is.

Exits with 0 and a line that begins with "proved"; with 1 and one that names a wrong entry; with
2 if there is no such file or game, or the table is of another form.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import struct
import sys
from collections import Counter
from collections.abc import Callable
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from solver import Game, Outcome

VERSION = 2  # of the format
COUNTS = ("positions", "canonical", "terminal", "win", "draw", "loss")
FIELDS = ("format", "version", "game", "rules", *COUNTS, "outcome", "distance", "sha256")
SOURCE = {"source"}  # optional: the files of the rules and their hash, which prove nothing
COLUMNS = {
    "entry": ["outcome", "distance", "best", "moves"],
    "move": ["move", "outcome", "distance", "trap"],
}
LAYOUT = ("limit", "bits", "multiplier", "width")
CODES = {"U8": "B", "U16": "H", "U32": "I", "U64": "Q", "I8": "b", "I16": "h"}
DAMAGED = (ValueError, LookupError, TypeError, AttributeError, RecursionError, struct.error)
Value = tuple[int, int | None]  # outcome, and plies to the end; None for a draw


class WrongTableError(Exception):
    """The table is not right; the message names a wrong entry."""


class Content(NamedTuple):
    """What a file states."""

    header: dict[str, Any]
    entries: dict[Any, Any]
    """Outcome and distance, in JSON also best and moves, by the name of a canonical position."""
    name: Callable[[Any], Any]
    """Return the name of a canonical position: its text or its key."""


def prove(data: bytes, game: Any) -> int:
    """Return the number of positions at which a table is proved; raises WrongTableError."""
    try:
        content = read_json(data, game) if data[:1] == b"{" else read_mapped(data, game)
    except DAMAGED as error:
        raise WrongTableError(f"the file is damaged: {error}") from error
    walk = Walk(game, content)
    reached = walk.reach()
    for p in reversed(reached):  # since a wrong entry makes those before it look wrong
        walk.check_value(p)
    images = {content.name(image): image for image in map(game.canonical, reached)}
    for name, entry in content.entries.items():
        if name not in images:
            raise WrongTableError(f"the entry for {name!r} is extra: no game leads to it")
        compare(f"the entry for {name!r}", entry, walk.entry(images[name])[: len(entry)])
    for p in reached:
        walk.check_moves(p)
    counts = Counter(str(Outcome(walk.value(p)[0])) for p in reached)
    counts["positions"], counts["canonical"] = len(reached), len(images)
    counts["terminal"] = sum(walk.expand(p)[0] is not None for p in reached)
    facts = {"format": "perfectplay table", "version": VERSION, "game": game.spec}
    facts |= {"rules": fingerprint(game), **{name: counts[name] for name in COUNTS}}
    facts["outcome"], facts["distance"] = walk.value(game.initial())
    for name, right in facts.items():
        stated = content.header[name]
        compare(f"the header's {name}", stated, right if data[:1] == b"{" else str(right))
    return len(reached)


class Walk:
    """All positions of a game, and what a file states about them."""

    def __init__(self, game: Any, content: Content) -> None:
        self.game, self.content = game, content
        self.expanded: dict[Any, tuple[Outcome | None, list[tuple[Any, Any]]]] = {}
        self.values: dict[Any, Value] = {}

    def reach(self) -> list[Any]:
        """Return every position that the start can reach."""
        reached = [self.game.initial()]
        kinds = {reached[0]: typed(reached[0])}
        for p in reached:  # which grows
            for _, q in self.expand(p)[1]:
                if q not in kinds:
                    kinds[q] = typed(q)
                    reached.append(q)
                elif kinds[q] != typed(q):
                    raise WrongTableError(f"{q!r} equals a position with other types")
        return reached

    def expand(self, p: Any) -> tuple[Outcome | None, list[tuple[Any, Any]]]:
        """Return the outcome if the game is over, and else each move with what it leads to."""
        if p not in self.expanded:
            game, over = self.game, self.game.primitive(p)
            moves = [(m, game.play(p, m)) for m in game.moves(p)] if over is None else []
            if not isinstance(over, Outcome) and not moves:
                raise WrongTableError(f"the game is not over at {p!r}, but there is no move")
            self.expanded[p] = over, moves
        return self.expanded[p]

    def value(self, p: Any) -> Value:
        """Return V(p)."""
        if p not in self.values:
            name = self.content.name(self.game.canonical(p))
            if name not in self.content.entries:
                raise WrongTableError(f"the entry for {name!r} is missing: a game leads to it")
            outcome, distance, *_ = self.content.entries[name]
            if outcome not in (-1, 0, 1) or type(distance) is not (int if outcome else type(None)):
                raise WrongTableError(f"the entry for {name!r} has no value")
            self.values[p] = outcome, distance
        return self.values[p]

    def trap(self, p: Any) -> float:
        """Return the share of the moves at `p` that worsen the outcome of the side to move."""
        worse = [-self.value(q)[0] < self.value(p)[0] for _, q in self.expand(p)[1]]
        return sum(worse) / len(worse) if worse else 0.0

    def rows(self, p: Any) -> list[list[Any]]:
        """Return code, outcome, distance and trap of each move at `p`, from what it leads to."""
        moves = self.expand(p)[1]
        return [[self.game.code(m), *later(self.value(q)), self.trap(q)] for m, q in moves]

    def entry(self, p: Any) -> list[Any]:
        """Return the right entry of a canonical position."""
        value, rows = [*self.value(p)], self.rows(p)
        return [*value, [row[0] for row in rows if row[1:3] == value], rows]

    def check_value(self, p: Any) -> None:
        """Check V(p)."""
        over, moves = self.expand(p)
        end = (0, None) if over == Outcome.DRAW else (int(over or 0), 0)
        right = max((later(self.value(q)) for _, q in moves), key=preference, default=end)
        compare(f"the value at {self.game.text(p)!r}", self.value(p), right)

    def check_moves(self, p: Any) -> None:
        """Check that what is stated of the moves of the image of `p` is true of those of `p`."""
        moves, text = self.expand(p)[1], self.game.text(p)
        image, symmetry = self.game.orient(p)
        entry = self.content.entries[self.content.name(image)]
        if len(entry) == 2:  # what an agent says of moves follows from V one and two moves on
            return
        stated = {row[0]: row[1:] for row in entry[3]}
        codes = [self.game.code(self.mapped(m, q, image, symmetry)) for m, q in moves]
        compare(f"the moves at {text!r}", sorted(map(repr, stated)), sorted(map(repr, codes)))
        for code, row in zip(codes, self.rows(p), strict=True):
            compare(f"the move {row[0]!r} at {text!r}", stated[code], row[1:])

    def mapped(self, m: Any, q: Any, image: Any, symmetry: Any) -> Any:
        """Return the image of a move to `q`: by the symmetry's map, or else by what it leads to."""
        if symmetry.move is not None:
            return symmetry.move(m)
        wanted = symmetry.position(q)
        return next((n for n, child in self.expand(image)[1] if child == wanted), None)


def later(value: Value) -> Value:
    """Return the value of a move to a position with this value."""
    return -value[0], None if value[1] is None else value[1] + 1


def preference(value: Value) -> tuple[int, int]:
    """Return what is larger for the better value: an early win, then a draw, then a late loss."""
    return value[0], -value[0] * (value[1] or 0)


def typed(p: Any) -> Any:
    """Return what tells equal positions of other types apart, such as (1,) and (True,)."""
    return type(p), [*map(typed, p)] if isinstance(p, tuple) else p


def compare(what: str, stated: Any, right: Any) -> None:
    """Raise WrongTableError unless what is stated is right, types included."""
    if repr(stated) != repr(right):
        raise WrongTableError(f"{what} is {stated!r:.400}; it should be {right!r:.400}")


def fingerprint(game: Any) -> str:
    """Return the hash of what the rules do along a fixed walk."""
    lines, p, x = [game.spec], game.initial(), 1
    for _ in range(100):
        over = game.primitive(p)
        moves = list(game.moves(p)) if over is None else []
        lines.append(f"{game.text(p)} {over} {[game.code(m) for m in moves]}")
        x = (x * 6364136223846793005 + 1442695040888963407) % 2**64 if moves else x
        p = game.play(p, moves[(x >> 33) % len(moves)]) if moves else game.initial()
    return sha256("\n".join(lines).encode()).hexdigest()


def read_json(data: bytes, game: Any) -> Content:
    """Return what a JSON table states; raises one of DAMAGED if it is not laid out as one."""
    header = json.loads(data, object_pairs_hook=unique)
    entries = header.pop("entries")
    check_hash(data, header["sha256"])
    cells = [list(s.cells) for s in game.symmetries if s.cells]
    about = {"symmetries": {"count": len(game.symmetries), "cells": cells}, "columns": COLUMNS}
    if {name: header.get(name) for name in about} != about or set(header) - SOURCE != {
        *FIELDS,
        *about,
    }:
        raise ValueError("the header is not that of a table of this game")
    for outcome, distance, _, rows in entries.values():
        hash((outcome, distance, *(code for code, *_ in rows)))
    return Content(header, entries, game.text)


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object; raises ValueError if a name is repeated."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name is repeated")
    return dict(pairs)


def check_hash(data: bytes, stated: str) -> None:
    """Raise ValueError unless a file has this hash, with zeros in its place."""
    old, blank = (f'"sha256":"{digits}"'.encode() for digits in (stated, "0" * 64))
    if sha256(data.replace(old, blank, 1)).hexdigest() != stated:
        raise ValueError("it has been altered or truncated: its hash is another")


def read_mapped(data: bytes, game: Any) -> Content:
    """Return what a mapped table states; raises one of DAMAGED if it is not laid out as one."""
    start = 8 + int.from_bytes(data[:8], "little")
    arrays = json.loads(data[8:start], object_pairs_hook=unique)
    header = arrays.pop("__metadata__")
    check_hash(data, header["sha256"])
    if header.keys() - {"keys"} - SOURCE != {*FIELDS, *LAYOUT}:
        raise ValueError("the header is not that of a table")
    limit, bits, multiplier, width = (int(header[name]) for name in LAYOUT)
    if not (0 < bits <= 64 and 0 < width <= 64):
        raise ValueError("the layout is impossible")
    columns = {}
    for name, array in arrays.items():
        (count,), (first, last) = array["shape"], array["data_offsets"]
        columns[name] = struct.unpack(f"<{count}{CODES[array['dtype']]}", data[start:][first:last])
    offsets, remainders, values = (columns[name] for name in ("offsets", "remainders", "values"))
    if len(offsets) != (1 << max(0, bits - width)) + 1 or offsets[0] or offsets[-1] != len(values):
        raise ValueError("the buckets do not cover the entries")
    if [*offsets] != sorted(offsets):
        raise ValueError("a bucket ends before it begins")
    mixed = []
    for bucket, (first, last) in enumerate(pairwise(offsets)):
        mixed += [bucket << width | remainder for remainder in remainders[first:last]]
    if mixed != sorted({*mixed}) or max(remainders) >> width or mixed[-1] >> bits:
        raise ValueError("the entries are not in order")
    inverse = pow(multiplier, -1, 1 << bits)
    keys = [one * inverse % (1 << bits) for one in mixed]
    pairs = [[(v > 0) - (v < 0), limit - abs(v) if v else None] for v in values]
    return Content(header, dict(zip(keys, pairs, strict=True)), namer(game, header))


def namer(game: Any, about: dict[str, Any]) -> Callable[[Any], int]:
    """Return the keys of a game: its own, or those that the header describes."""
    if type(game).key is not Game.key:
        if "keys" in about:
            raise ValueError("the game defines key, so there are no keys in the header")
        return game.key  # type: ignore[no-any-return]
    described = json.loads(about["keys"])
    if described == "numbers":
        return lambda p: p if type(p) is int and p >= 0 else -1
    if described == "texts":
        return lambda p: int.from_bytes(b"\1" + game.text(p).encode(), "big")
    shape, stated = described
    values = [
        range(some["from"], some["to"] + 1) if isinstance(some, dict) else some for some in stated
    ]
    if any([*some] != sorted(some, key=order) or len({*some}) < len(some) for some in values):
        raise ValueError("the values of a place are not in order")

    def key(p: Any) -> int:
        number = 0
        try:
            for value, some in zip(places(p, shape), values, strict=True):
                number = number * len(some) + some.index(value)
        except (ValueError, TypeError):
            raise WrongTableError(f"{p!r} has no key") from None
        return number

    return key


def order(value: Any) -> Any:
    """Return what orders the values of a place: None, then numbers, then texts."""
    return (value is not None, isinstance(value, str), 0 if value is None else value)


def places(p: Any, shape: Any) -> list[Any]:
    """Return the values at the places of a position; raises ValueError if it has another shape."""
    if shape is None:
        return [p]
    if type(p) is not (tuple if isinstance(shape, list) else str):
        raise ValueError
    inner = shape if isinstance(shape, list) else [None] * shape
    return [value for item, one in zip(p, inner, strict=True) for value in places(item, one)]


def load(name: str) -> Any:
    """Return a game: a class in a FILE.py, or a built-in game."""
    path, _, kind = name.rpartition(":")
    if not path.endswith(".py"):
        from solver.games import load_game

        return load_game(name)
    about = importlib.util.spec_from_file_location(Path(path).stem, path)
    if about is None or about.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = sys.modules[about.name] = importlib.util.module_from_spec(about)
    sys.path.insert(0, str(Path(path).resolve().parent))  # for the imports of the file
    about.loader.exec_module(module)
    return getattr(module, kind)()


def main() -> None:
    """Prove the table that the arguments name."""
    parser = argparse.ArgumentParser(description="Prove a table with the standard library alone.")
    parser.add_argument("table", metavar="TABLE")
    parser.add_argument("--game", metavar="GAME", required=True)
    chosen = parser.parse_args()
    try:
        data, game = Path(chosen.table).read_bytes(), load(chosen.game)
        if b'"perfectplay table"' not in data[: 1 << 16] or b'"blocks":' in data[: 1 << 16]:
            raise ValueError(f"{chosen.table} is not a JSON or a mapped table")
        count = prove(data, game)
    except WrongTableError as error:
        parser.exit(1, f"verify_alone: {chosen.table}: {error}\n")
    except Exception as error:  # the rules may raise anything
        parser.exit(2, f"verify_alone: {type(error).__name__}: {error}\n")
    print(f"proved {chosen.table} by the rules of {game.spec} in Python at {count:,} positions")


if __name__ == "__main__":
    main()
