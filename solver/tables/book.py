"""Books: the scores of the first plies of a game that is too large for a table.

A book has the score of every canonical position of its plies in which the game is not over, in the
order of their keys, ply by ply. The keys are not in the file, since they follow from the rules. The
game has a symmetric start, and every move of it leads to the next tier.

    one line    the header, a JSON object: what the book is of, how many positions each ply has, and
                the hash of the file (see `solver.tables.format`)
    the rest    the scores as a zlib stream, each a signed byte as in a mapped table: 127 - distance
                for a win, the negative of that for a loss, 0 for a draw
"""

from __future__ import annotations

import json
import zlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import accumulate, pairwise
from threading import Lock
from typing import Any

from solver.errors import TableFormatError
from solver.games import by_hand
from solver.rules.game import Game, fingerprint, start_key
from solver.tables.format import (
    BOOK,
    NO_HASH,
    check_digits,
    compare_hash,
    compare_rules,
    game_for,
    replace_hash,
)
from solver.tables.source import DEFLATE
from solver.tables.store import read_file
from solver.value import NARROW, OPEN, widen

VERSION = 1
FIELDS = ("format", "version", "game", "rules", "plies", "sha256")
MOST_HEADER = 1 << 16  # bytes


class Book:
    """The scores in a book's file."""

    def __init__(self, data: bytes, game: Game[Any, Any] | None = None) -> None:
        """Take a file's bytes; raises TableFormatError unless they are a book of the game.

        The rules are `game`, or else those of its built-in game.
        """
        head, _, packed = data.partition(b"\n")
        fields = _read_head(head)
        self.game: Game[Any, Any] = game_for(fields["game"], game)
        compare_rules("game", fields["game"], self.game.spec, self.game.spec)
        compare_rules("rules", fields["rules"], fingerprint(self.game), self.game.spec)
        self.sha256: str = fields["sha256"]
        compare_hash(sha256(replace_hash(data, self.sha256, NO_HASH)).hexdigest(), self.sha256)
        self.counts: list[int] = fields["plies"]
        starts = [*accumulate(self.counts, initial=0)]
        scores = _unpack(packed, starts[-1])
        self.plies: list[memoryview] = [scores[a:b] for a, b in pairwise(starts)]
        self._growing: Iterator[Sequence[int]] = open_positions(self.game)
        self._keys: list[Sequence[int]] = []
        self._lock = Lock()  # of these two

    @property
    def depth(self) -> int:
        """The last ply."""
        return len(self.counts) - 1

    def ply(self, p: Any) -> int:
        """Return how many plies after the start a position is."""
        return self.game.tier(p) - self.game.tier(self.game.initial())

    def score(self, p: Any) -> int | None:
        """Return the score of a canonical position; None if the book does not have it."""
        ply = self.ply(p)
        if ply > self.depth:
            return None
        keys, key = self.keys(ply), self.game.key(p)
        index = bisect_left(keys, key)
        if index == len(keys) or keys[index] != key:
            return None  # the game is over, or no game leads to it
        return widen(self.plies[ply][index], NARROW)

    def keys(self, ply: int) -> Sequence[int]:
        """Return the keys of a ply, in order; raises TableFormatError if the count is wrong."""
        with self._lock:
            while len(self._keys) <= ply:
                keys = next(self._growing, ())
                compare_rules(
                    f"number of positions at ply {len(self._keys)}",
                    self.counts[len(self._keys)],
                    len(keys),
                    self.game.spec,
                )
                self._keys.append(keys)
        return self._keys[ply]


def open_book(path: str, game: Game[Any, Any] | None = None) -> Book:
    """Return the book in a file; raises OSError, and TableFormatError that names the file."""
    try:
        return Book(read_file(path), game)
    except TableFormatError as error:
        raise TableFormatError(f"{path}: {error}") from error


def open_positions(game: Game[Any, Any]) -> Iterator[Sequence[int]]:
    """Yield the keys of each ply, in order: canonical positions in which the game is not over."""
    written = by_hand(game, "kernel")
    try:
        kernel = None if written is None else written.kernel()
    except ImportError:
        kernel = None
    keys: Any = [start_key(game)]
    while keys:
        yield keys
        if kernel is None:
            before = map(game.position, keys)
            after = {game.canonical(game.play(p, m)) for p in before for m in game.moves(p)}
            keys = sorted(game.key(p) for p in after if game.primitive(p) is None)
        else:
            import numpy as np

            _, children = kernel.expand(np.array(keys, kernel.dtype))
            following = np.unique(children[children >= 0])
            keys = following[kernel.outcomes(following.astype(kernel.dtype)) == OPEN].tolist()


def _read_head(head: bytes) -> dict[str, Any]:
    """Return the fields of a header; raises TableFormatError."""
    try:
        fields = json.loads(head[:MOST_HEADER])
    except (ValueError, RecursionError):
        fields = None
    if not isinstance(fields, dict) or tuple(fields) != FIELDS or fields["format"] != BOOK:
        raise TableFormatError("not a book: its first line is not a book's header")
    if fields["version"] != VERSION:
        raise TableFormatError(f"the book's version is {fields['version']!r:.80}, not {VERSION}")
    counts = fields["plies"]
    if not (isinstance(counts, list) and counts and all(type(n) is int and n > 0 for n in counts)):
        raise TableFormatError("the book's numbers of positions are not numbers from 1 on")
    if not all(isinstance(fields[name], str) for name in ("game", "rules", "sha256")):
        raise TableFormatError("the book's game, rules and sha256 are not texts")
    check_digits(fields["sha256"])
    return fields


def _unpack(packed: bytes, size: int) -> memoryview:
    """Return `size` scores; raises TableFormatError if the stream has more, fewer or other ones."""
    if size > DEFLATE * len(packed):
        raise TableFormatError("the book states more positions than a file of its size can have")
    stream = zlib.decompressobj()
    try:
        scores = stream.decompress(packed, size + 1)
    except zlib.error:
        scores = b""
    if len(scores) != size or not stream.eof or stream.unused_data:
        raise TableFormatError(f"the book does not have the scores of its {size:,} positions")
    return memoryview(scores).cast("b")
