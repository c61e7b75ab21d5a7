"""Large tables: a file with the score of each position, a few bytes per position.

`mapped_file` describes the file; `scores` has the values of moves, which follow from it.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from solver.errors import TableFormatError, UnknownPositionError
from solver.games import copy_game
from solver.rules.default_keys import has_default_keys, use_keys
from solver.rules.game import Game, checked_key, fingerprint
from solver.tables.entries import DAMAGED, Entries
from solver.tables.format import (
    COUNTS,
    NO_HASH,
    check_source,
    compare_hash,
    compare_rules,
    game_for,
    replace_hash,
    summarise,
)
from solver.tables.mapped_file import KEYS, METADATA, SOURCE, read_head
from solver.tables.scores import Scores
from solver.tables.source import TableBytes, open_source
from solver.value import distance, outcome, widen

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator
    from mmap import mmap

    import numpy as np

    from solver.tables.mapped_file import TableLayout


BLOCKS = b'"blocks":'  # the array that only the packed form has, as a header names it


class MappedTable(Scores):
    """The solution of a game, read from a file on demand.

    Opening one checks its shape, its size and its rules; `solver.proof.verify` proves its values.
    """

    def __init__(self, data: bytes | mmap | TableBytes, game: Game[Any, Any] | None = None) -> None:
        """Take the table's bytes; the rules are `game`, or else those of its built-in game.

        Raises TableFormatError if any check fails.
        """
        source = data if isinstance(data, TableBytes) else TableBytes(data)
        self.entries: Entries = open_entries(source)
        self._value = self.entries.value
        self.bytes: int = self.entries.size
        self.head: bytes = self.entries.head
        self.header: dict[str, Any] = self.entries.header
        self.layout: TableLayout = self.entries.layout
        self.sha256: str = self.header["sha256"]
        self.game: Game[Any, Any] = _with_stored(game_for(self.header["game"], game), self.header)
        self.counts: dict[str, int] = {name: self.header[name] for name in COUNTS}
        self._inverse = pow(self.layout.multiplier, -1, 1 << self.layout.bits)
        self._check()
        try:
            self.rule_files = json.loads(self.header.get(SOURCE, "null"))
        except (ValueError, RecursionError) as error:
            raise TableFormatError(f"the table's source is damaged: {error}") from error
        self.rules_changed = check_source(self.rule_files, self.game)

    def __repr__(self) -> str:
        return summarise(self)

    @classmethod
    def open(cls, path: str | os.PathLike[str], game: Game[Any, Any] | None = None) -> MappedTable:
        """Open the file at a path; raises OSError and TableFormatError."""
        return cls(open_source(path), game)

    @property
    def arrays(self) -> dict[str, memoryview]:
        """The arrays offsets, remainders and values in whole."""
        return self.entries.arrays

    def describe(self) -> dict[str, Any]:
        """Return the metadata in the file's header, with the hash."""
        return {name: self.header[name] for name in (*METADATA, "sha256")}

    def encode(self) -> bytes:
        """Return the bytes of the table's file."""
        return self.head + b"".join(self.entries.pieces())

    def check_hash(self) -> None:
        """Raise TableFormatError if any byte of the file has been altered."""
        from hashlib import sha256

        digest = sha256(replace_hash(self.head, self.sha256, NO_HASH))
        for piece in self.entries.pieces():
            digest.update(piece)
        compare_hash(digest.hexdigest(), self.sha256)

    def probe(self, p: Any) -> int:
        """Return the score of a position; raises UnknownPositionError."""
        try:
            return self.probe_key(checked_key(self.game, self.game.canonical(p)))
        except KeyError:
            raise UnknownPositionError(
                f"no game of {self.game.spec} leads to this position or an image of it"
            ) from None

    def probe_canonical(self, p: Any) -> int:
        return self.probe_key(checked_key(self.game, p))

    def probe_key(self, key: int) -> int:
        """Return the score of the canonical position with a key; raises UnknownPositionError."""
        _, bits, multiplier, _, limit = self.layout
        value = None if key >> bits else self._value(key * multiplier & (1 << bits) - 1)
        if value is None:
            name = f"the key {key}" if abs(key) >> 999 == 0 else "such a large key"
            raise UnknownPositionError(f"the table has no canonical position with {name}")
        return widen(value, limit)

    def probe_many(self, keys: np.ndarray) -> np.ndarray:
        """Return the scores, as int16, of the canonical positions with n keys.

        Raises UnknownPositionError if the table lacks one of them.
        """
        from solver.tables.lookup import check_keys

        keys = check_keys(keys)
        scores, hits = self.entries.find(keys)
        if not hits.all():
            key = int(keys[hits.argmin()])
            raise UnknownPositionError(f"the table has no canonical position with the key {key}")
        return scores

    def positions(self) -> Iterator[tuple[Any, int]]:
        """Yield every canonical position with its score, in the order of the file."""
        offsets = self.arrays["offsets"]
        for bucket in range(self.layout.buckets):
            for index in range(offsets[bucket], offsets[bucket + 1]):
                yield self._position(bucket, index)

    def entry(self, index: int) -> tuple[Any, int]:
        """Return the canonical position at an index of the file, from 0, and its score."""
        if not 0 <= index < self.layout.entries:
            raise IndexError(f"there is no entry {index}; there are {self.layout.entries:,}")
        return self._position(bisect_right(self.arrays["offsets"], index) - 1, index)

    def _position(self, bucket: int, index: int) -> tuple[Any, int]:
        arrays = self.arrays
        try:
            mixed = bucket << self.layout.width | arrays["remainders"][index]
            score = widen(arrays["values"][index], self.layout.limit)
        except IndexError:
            raise TableFormatError(DAMAGED) from None
        return self.game.position(mixed * self._inverse & self.layout.mask), score

    def _check(self) -> None:
        """Raise TableFormatError unless the table fits its game's rules and has the start."""
        game, stated = self.game, self.header
        for name, right in (("game", game.spec), ("rules", fingerprint(game))):
            compare_rules(name, stated[name], right, game.spec)
        try:
            score = self.probe(game.initial())
        except UnknownPositionError:
            raise TableFormatError("the table has no entry for the starting position") from None
        if (stated["outcome"], stated["distance"]) != (outcome(score), distance(score)):
            raise TableFormatError("the table's outcome and distance are not those of its start")


def open_entries(source: TableBytes) -> Entries:
    """Return the entries in the file of a table, in either form; raises TableFormatError."""
    head = read_head(source)
    if BLOCKS not in head:
        return Entries(source, head)
    from solver.tables.packed import PackedEntries

    return PackedEntries(source, head)


def _with_stored(game: Game[Any, Any], header: dict[str, Any]) -> Game[Any, Any]:
    """Return a game with a table's keys; raises TableFormatError."""
    if header["game"] != game.spec:
        return game  # which `_check` refuses
    if not has_default_keys(game):
        if KEYS in header:
            raise TableFormatError("the table states keys, but its game defines its own")
        return game
    twin = copy_game(game)
    try:
        use_keys(twin, json.loads(header.get(KEYS, '"texts"')))
        twin.position(twin.key(twin.initial()))
    except (ValueError, TypeError, LookupError, AttributeError) as error:
        raise TableFormatError(f"the table's keys are impossible: {error}") from error
    return twin
