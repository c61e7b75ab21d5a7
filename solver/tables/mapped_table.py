"""Large tables: a memory-mapped file with the score of each position, a few bytes per position.

The moves of a position and their traps are computed from the rules and the scores of the positions
that the moves lead to. `mapped_file` describes the file.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Any

from solver.errors import TableFormatError, UnknownPositionError
from solver.rules.game import Game, fingerprint
from solver.tables.format import (
    COUNTS,
    NO_HASH,
    compare_hash,
    compare_rules,
    game_for,
    replace_hash,
    summarise,
)
from solver.tables.mapped_file import METADATA, head_size, read_arrays, read_header
from solver.tables.store import read_table
from solver.value import back, distance, outcome, trap, widen

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    import numpy as np

    from solver.tables.lookup import Lookup
    from solver.tables.mapped_file import TableLayout

HASHED = 1 << 22  # bytes hashed at once
DAMAGED = "the table is damaged: a bucket extends beyond its end"


class MappedTable:
    """The solution of a game, read from a file on demand.

    Opening one checks its shape, its size and its rules; `solver.proof.verify` proves its values.
    """

    def __init__(self, data: Any, game: Game[Any, Any] | None = None) -> None:
        """Take the table in a buffer; the rules are `game`, or else those of its built-in game.

        Raises TableFormatError if any check fails.
        """
        self.data: memoryview = memoryview(data)
        self.bytes: int = len(self.data)
        self.header: dict[str, Any]
        self.layout: TableLayout
        self.header, self.layout = read_header(self.data)
        self.sha256: str = self.header["sha256"]
        self.game: Game[Any, Any] = game_for(self.header["game"], game)
        self.counts: dict[str, int] = {name: self.header[name] for name in COUNTS}
        views = read_arrays(self.data, self.layout)
        self.offsets: memoryview = views["offsets"]
        self.remainders: memoryview = views["remainders"]
        self.values: memoryview = views["values"]
        self._inverse = pow(self.layout.multiplier, -1, 1 << self.layout.bits)
        self._check()

    def __repr__(self) -> str:
        return summarise(self)

    @classmethod
    def open(cls, path: str | os.PathLike[str], game: Game[Any, Any] | None = None) -> MappedTable:
        """Map the file at a path; raises OSError and TableFormatError."""
        return cls(read_table(path), game)

    def describe(self) -> dict[str, Any]:
        """Return the metadata in the file's header, with the hash."""
        return {name: self.header[name] for name in (*METADATA, "sha256")}

    def encode(self) -> bytes:
        """Return the bytes of the table's file."""
        return bytes(self.data)

    def check_hash(self) -> None:
        """Raise TableFormatError if any byte of the file has been altered."""
        from hashlib import sha256

        start = head_size(self.data)
        digest = sha256(replace_hash(bytes(self.data[:start]), self.sha256, NO_HASH))
        for place in range(start, self.bytes, HASHED):
            digest.update(self.data[place : place + HASHED])
        compare_hash(digest.hexdigest(), self.sha256)

    def probe(self, p: Any) -> int:
        """Return the score of a position; raises UnknownPositionError."""
        try:
            return self.probe_key(self.game.key(self.game.canonical(p)))
        except KeyError:
            raise UnknownPositionError(
                f"no game of {self.game.spec} leads to {self.game.text(p)} or an image of it"
            ) from None

    def probe_key(self, key: int) -> int:
        """Return the score of the canonical position with a key; raises UnknownPositionError."""
        _, bits, multiplier, width, limit = self.layout
        mixed = key * multiplier & (1 << bits) - 1
        bucket = mixed >> width
        remainder = mixed - (bucket << width)
        try:
            stop = self.offsets[bucket + 1]
            place = bisect_left(self.remainders, remainder, self.offsets[bucket], stop)
            if place < stop and self.remainders[place] == remainder and key >> bits == 0:
                return widen(self.values[place], limit)
        except IndexError:
            raise TableFormatError(DAMAGED) from None
        raise UnknownPositionError(f"the table has no canonical position with the key {key}")

    @cached_property
    def lookup(self) -> Lookup:
        """Look-ups of many positions at once; needs numpy."""
        from solver.tables.lookup import Lookup

        return Lookup(self.layout, self.offsets, self.remainders, self.values)

    def probe_many(self, keys: np.ndarray) -> np.ndarray:
        """Return the scores, as int16, of the canonical positions with n keys.

        Raises UnknownPositionError if the table lacks one of them.
        """
        return self.lookup.probe(keys)

    def moves(self, p: Any) -> list[tuple[Any, int, float]]:
        """Return each legal move with its score, for the side that makes it, and its trap."""
        self.probe(p)
        return [(m, back(score), self._trap(q, score)) for m, q, score in self._children(p)]

    def move_scores(self, p: Any) -> list[tuple[Any, int]]:
        """Return each legal move with its score, for the side that makes it."""
        self.probe(p)
        return [(m, back(score)) for m, _, score in self._children(p)]

    def best(self, p: Any) -> Any:
        """Return the best move by score and trap, the first of equals; None if the game is over."""
        self.probe(p)
        children = list(self._children(p))
        top = min((score for _, _, score in children), default=None)
        tied = [(m, q, score) for m, q, score in children if score == top]
        if len(tied) < 2:
            return tied[0][0] if tied else None
        return max(tied, key=lambda move: self._trap(*move[1:]))[0]

    def positions(self) -> Iterator[tuple[Any, int]]:
        """Yield every canonical position with its score, in the order of the file."""
        for bucket in range(self.layout.buckets):
            for place in range(self.offsets[bucket], self.offsets[bucket + 1]):
                yield self._position(bucket, place)

    def entry(self, place: int) -> tuple[Any, int]:
        """Return the canonical position at a place of the file, from 0, and its score."""
        if not 0 <= place < self.layout.entries:
            raise IndexError(f"there is no entry {place}; there are {self.layout.entries:,}")
        return self._position(bisect_right(self.offsets, place) - 1, place)

    def _children(self, p: Any) -> Iterator[tuple[Any, Any, int]]:
        """Yield each legal move, the position it leads to, and that position's score."""
        game = self.game
        for m in game.moves(p) if game.primitive(p) is None else ():
            child = game.play(p, m)
            yield m, child, self.probe(child)

    def _trap(self, child: Any, score: int) -> float:
        """Return the trap of a move that leads to a position with this score."""
        game = self.game
        replies = game.moves(child) if game.primitive(child) is None else ()
        return trap([back(self.probe(game.play(child, m))) for m in replies], score)

    def _position(self, bucket: int, place: int) -> tuple[Any, int]:
        try:
            mixed = bucket << self.layout.width | self.remainders[place]
            score = widen(self.values[place], self.layout.limit)
        except IndexError:
            raise TableFormatError(DAMAGED) from None
        return self.game.position(mixed * self._inverse & self.layout.mask), score

    def _check(self) -> None:
        """Raise TableFormatError unless the table fits its game's rules and has the start."""
        game, stated = self.game, self.header
        for name, right in (("game", game.spec), ("rules", fingerprint(game))):
            compare_rules(name, stated[name], right, game.spec)
        if self.offsets[0] or self.offsets[-1] != self.layout.entries:
            raise TableFormatError("the table is damaged: its buckets do not cover its entries")
        try:
            score = self.probe(game.initial())
        except UnknownPositionError:
            raise TableFormatError("the table has no entry for the starting position") from None
        if (stated["outcome"], stated["distance"]) != (outcome(score), distance(score)):
            raise TableFormatError("the table's outcome and distance are not those of its start")
