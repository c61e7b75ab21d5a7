"""Large tables: one file that is mapped into memory, of a few bytes a position.

The file has the layout of safetensors: a header's length as a 64-bit number, the header, a JSON
object, and three arrays, all numbers with the low byte first. It holds the score of every canonical
position under the position's key; everything else follows from that and the rules.

A key is mixed, its bits times `multiplier`, and cut in two: the leading bits name a bucket, the
`width` lowest ones are the remainder. The entries of bucket b are those from `offsets[b]` to below
`offsets[b + 1]`, with ascending `remainders`, and beside them `values`: for a win `limit` minus the
distance, for a loss the negative of that, for a draw 0. With 6 bits, multiplier 1 and width 4:

    key 0b10_0111: bucket 2, remainder 7. If offsets are 0 3 3 5 9, it is entry 3 or 4, if any.

Where keys are dense, a remainder takes one byte and the multiplier is 1; where they are sparse, it
takes more, and the multiplier spreads them evenly over the buckets.
"""

from __future__ import annotations

import json
import re
import sys
from array import array
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.errors import TableFormatError, UnknownPositionError
from solver.rules.game import Game, fingerprint
from solver.rules.mixing import mixer
from solver.tables.json_table import COUNTS, FORMAT, HASH, NO_HASH, VERSION, game_for
from solver.tables.store import read_table
from solver.value import LIMIT, NARROW, back, distance, narrow, outcome, trap, widen

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator

    import numpy as np

SMALL = 10_000  # canonical positions, up to which a table is JSON unless its file's name says else
MOST_JSON = 1_000_000  # canonical positions, up to which it can be
WIDEST = 64  # bits of a key in a mapped table
BUCKET = 8  # entries of a bucket, or a few more or less
MOST_HEADER = 1 << 16
FULL = 1 << 22  # bytes that are hashed at once
TYPES = {"U8": "B", "U16": "H", "U32": "I", "U64": "Q", "I8": "b", "I16": "h"}
NUMBERS = (*COUNTS, "outcome", "limit", "bits", "multiplier", "width")
METADATA = ("format", "version", "game", "rules", *COUNTS, "outcome", "distance")
LAYOUT = ("limit", "bits", "multiplier", "width")


class TableLayout(NamedTuple):
    """How keys are cut, and how wide the arrays are."""

    entries: int
    bits: int
    """Keys are below 2**bits."""
    multiplier: int
    width: int
    """Bits of a remainder."""
    limit: int

    @property
    def mask(self) -> int:
        """The bits of a mixed key."""
        return (1 << self.bits) - 1

    @property
    def buckets(self) -> int:
        """How many buckets there are."""
        return 1 << max(0, self.bits - self.width)

    @property
    def arrays(self) -> dict[str, tuple[str, int]]:
        """Type and length of each array, in the order of the file: wide elements first."""
        remainders = next(f"U{bits}" for bits in (8, 16, 32, 64) if self.width <= bits)
        found = {
            "offsets": ("U32" if self.entries < 1 << 32 else "U64", self.buckets + 1),
            "remainders": (remainders, self.entries),
            "values": ("I8" if self.limit == NARROW else "I16", self.entries),
        }
        return dict(sorted(found.items(), key=lambda item: (-int(item[1][0][1:]), item[0])))

    @property
    def sizes(self) -> dict[str, int]:
        """How many bytes each array takes."""
        return {name: n * int(kind[1:]) // 8 for name, (kind, n) in self.arrays.items()}


def choose_layout(entries: int, top: int, plies: int) -> TableLayout:
    """Return the layout of a table, given its largest key and its longest distance."""
    bits = max(1, top.bit_length())
    if bits > WIDEST:
        raise ValueError(f"keys of more than {WIDEST} bits do not fit a mapped table")
    width = bits - (max(1, -(-entries // BUCKET)) - 1).bit_length()
    multiplier = 1 if width <= 8 else mixer(bits)
    return TableLayout(
        entries, bits, multiplier, max(8, width), NARROW if plies < NARROW else LIMIT
    )


def arrange(entries: list[tuple[int, int]], layout: TableLayout) -> dict[str, memoryview]:
    """Return the three arrays that hold keys with their scores, in plain Python."""
    mixed = sorted((key * layout.multiplier & layout.mask, score) for key, score in entries)
    columns = {
        "offsets": [0] * (layout.buckets + 1),
        "remainders": [key & (1 << layout.width) - 1 for key, _ in mixed],
        "values": [narrow(score, layout.limit) for _, score in mixed],
    }
    offsets = columns["offsets"]
    for key, _ in mixed:
        offsets[(key >> layout.width) + 1] += 1
    for bucket in range(layout.buckets):
        offsets[bucket + 1] += offsets[bucket]
    buffers = {}
    for name, (kind, _) in layout.arrays.items():
        packed = array(TYPES[kind], columns[name])
        if sys.byteorder == "big":
            packed.byteswap()
        buffers[name] = memoryview(packed).cast("B")
    return buffers


class MappedFile:
    """The file of a table: its header, with the hash, and the arrays, given piece by piece.

    `facts` has what METADATA names, but for format and version. `array(name)` yields the buffers
    that make up an array, as often as it is asked.
    """

    def __init__(
        self, facts: dict[str, Any], layout: TableLayout, array: Callable[[str], Iterable[Any]]
    ) -> None:
        from hashlib import sha256

        self.layout, self.array = layout, array
        known = {"format": FORMAT, "version": VERSION, **facts, **layout._asdict()}
        known["outcome"] = int(known["outcome"])
        metadata = {name: str(known[name]) for name in (*METADATA, *LAYOUT)}
        header: dict[str, Any] = {"__metadata__": metadata | {"sha256": NO_HASH}}
        place = 0
        for name, (kind, length) in layout.arrays.items():
            size = layout.sizes[name]
            header[name] = {"dtype": kind, "shape": [length], "data_offsets": [place, place + size]}
            place += size
        text = json.dumps(header, separators=(",", ":"))
        text += " " * (-len(text) % 8)
        self.head = len(text).to_bytes(8, "little") + text.encode()
        digest = sha256()
        for piece in self:
            digest.update(piece)
        own, blank = (HASH % digits for digits in (digest.hexdigest(), NO_HASH))
        self.head = self.head.replace(blank.encode(), own.encode(), 1)

    def __iter__(self) -> Iterator[Any]:
        """Yield the parts of the file."""
        yield self.head
        for name in self.layout.arrays:
            yield from self.array(name)


class MappedTable:
    """The solution of a game, read from a file as it is asked.

    Opening one checks its shape, its size and its rules; the values, `solver.proof.verify` proves.
    """

    def __init__(self, data: Any, game: Game[Any, Any] | None = None) -> None:
        """Read the table in a buffer; the rules are `game`, or else those of its built-in game.

        Raises TableFormatError unless all fits.
        """
        self.data = memoryview(data)
        self.bytes = len(self.data)
        self.header, arrays = _read_header(self.data)
        self.game = game_for(self.header["game"], game)
        self.counts = {name: self.header[name] for name in COUNTS}
        known = {name: self.header[name] for name in LAYOUT}
        self.layout = TableLayout(entries=self.counts["canonical"], **known)
        views = self._views(arrays)
        self.offsets, self.remainders, self.values = (
            views[name] for name in ("offsets", "remainders", "values")
        )
        self._inverse = pow(self.layout.multiplier, -1, 1 << self.layout.bits)
        self._check()

    @classmethod
    def open(cls, path: str | os.PathLike[str], game: Game[Any, Any] | None = None) -> MappedTable:
        """Map the file at a path; raises OSError if it cannot, and TableFormatError."""
        return cls(read_table(path), game)

    def describe(self) -> dict[str, Any]:
        """Return what the file says of the game, its rules, its counts and the start."""
        return {name: self.header[name] for name in (*METADATA, "sha256")}

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
            raise TableFormatError("the table is damaged: a bucket ends beyond it") from None
        raise UnknownPositionError(f"the table has no canonical position with the key {key}")

    def probe_many(self, keys: np.ndarray) -> np.ndarray:
        """Return the scores, as int16, of the canonical positions with n keys.

        Raises UnknownPositionError if the table does not hold one of them.
        """
        from solver.tables.lookup import probe_many

        return probe_many(self, keys)

    def moves(self, p: Any) -> list[tuple[Any, int, float]]:
        """Return each legal move with what it brings, a score, and its trap."""
        game = self.game
        self.probe(p)
        found = []
        for m in game.moves(p) if game.primitive(p) is None else ():
            child = game.play(p, m)
            held = self.probe(child)
            found.append((m, back(held), self._trap(child, held)))
        return found

    def move_scores(self, p: Any) -> list[tuple[Any, int]]:
        """Return each legal move with what it brings, a score."""
        game = self.game
        self.probe(p)
        moves = game.moves(p) if game.primitive(p) is None else ()
        return [(m, back(self.probe(game.play(p, m)))) for m in moves]

    def best(self, p: Any) -> Any:
        """Return the best move by score and trap, the first of equals; None if the game is over."""
        scores = self.move_scores(p)
        top = max((score for _, score in scores), default=None)
        tied = [m for m, score in scores if score == top]
        if len(tied) < 2:
            return tied[0] if tied else None
        children = {m: self.game.play(p, m) for m in tied}
        return max(tied, key=lambda m: self._trap(children[m], self.probe(children[m])))

    def _trap(self, child: Any, held: int) -> float:
        """Return the trap of a move that leads to a position of this score."""
        game = self.game
        over = game.primitive(child) is not None
        after = [game.play(child, reply) for reply in ([] if over else game.moves(child))]
        return trap([back(self.probe(q)) for q in after], held)

    def positions(self) -> Iterator[tuple[Any, int]]:
        """Yield every canonical position with its score, in the order of the file."""
        for bucket in range(self.layout.buckets):
            for place in range(self.offsets[bucket], self.offsets[bucket + 1]):
                yield self._position(bucket, place)

    def entry(self, place: int) -> tuple[Any, int]:
        """Return the canonical position at a place of the file, from 0, and its score."""
        if not 0 <= place < self.layout.entries:
            raise IndexError(f"there is no place {place}; there are {self.layout.entries:,}")
        return self._position(bisect_right(self.offsets, place) - 1, place)

    def _position(self, bucket: int, place: int) -> tuple[Any, int]:
        try:
            mixed = bucket << self.layout.width | self.remainders[place]
            score = widen(self.values[place], self.layout.limit)
        except IndexError:
            raise TableFormatError("the table is damaged: a bucket ends beyond it") from None
        return self.game.position(mixed * self._inverse & self.layout.mask), score

    def _views(self, arrays: dict[str, Any]) -> dict[str, memoryview]:
        """Return the arrays, if they are what the layout says and fill the file to its end."""
        place = origin = int.from_bytes(self.data[:8], "little") + 8
        if list(arrays) != list(self.layout.arrays):
            raise TableFormatError(f"the table's arrays are not {', '.join(self.layout.arrays)}")
        places = {}
        for name, (kind, length) in self.layout.arrays.items():
            size = self.layout.sizes[name]
            right = {
                "dtype": kind,
                "shape": [length],
                "data_offsets": [place - origin, place - origin + size],
            }
            if arrays[name] != right:
                raise TableFormatError(
                    f"the array {name} is {arrays[name]!r:.120}; it should be {right!r}"
                )
            places[name] = slice(place, place + size), TYPES[kind]
            place += size
        if place != len(self.data):
            raise TableFormatError(
                f"the table has been cut or added to: it has {len(self.data):,} bytes and should"
                f" have {place:,}"
            )
        return {name: _view(self.data[part], code) for name, (part, code) in places.items()}

    def _check(self) -> None:
        """Raise TableFormatError unless the table is of these rules and holds the start."""
        game, says = self.game, self.header
        for name, right in (("game", game.spec), ("rules", fingerprint(game))):
            if says[name] != right:
                raise TableFormatError(
                    f"the table says that {name} is {says[name]!r:.80}, but by the rules of"
                    f" {game.spec} it is {right!r:.80}: the table is of other rules"
                )
        if self.offsets[0] or self.offsets[-1] != self.layout.entries:
            raise TableFormatError("the table is damaged: its buckets do not hold its entries")
        try:
            score = self.probe(game.initial())
        except UnknownPositionError:
            raise TableFormatError("the table has no entry of the starting position") from None
        if (says["outcome"], says["distance"]) != (outcome(score), distance(score)):
            raise TableFormatError("the table's outcome and distance are not those of its start")


def check_hash(table: MappedTable) -> None:
    """Raise TableFormatError if any byte of the file has been altered."""
    from hashlib import sha256

    start = int.from_bytes(table.data[:8], "little") + 8
    head, claimed = bytes(table.data[:start]), str(table.header["sha256"])
    own, blank = (HASH % digits for digits in (claimed, NO_HASH))
    digest = sha256(head.replace(own.encode(), blank.encode(), 1))
    for place in range(start, len(table.data), FULL):
        digest.update(table.data[place : place + FULL])
    if digest.hexdigest() != claimed:
        raise TableFormatError(
            f"the table has been altered: its SHA-256 is {digest.hexdigest()}, but it says"
            f" {claimed}"
        )


def _view(data: memoryview, code: str) -> memoryview:
    if sys.byteorder == "little":
        return data.cast(code)  # type: ignore[call-overload,no-any-return]
    swapped = array(code, bytes(data))
    swapped.byteswap()
    return memoryview(swapped)


def _read_header(data: memoryview) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what the header says, and what it says of the arrays."""
    size = int.from_bytes(data[:8], "little")
    if not 2 <= size <= min(MOST_HEADER, len(data) - 8):
        raise TableFormatError("this is no whole table: its header's length cannot be")
    try:
        header = json.loads(bytes(data[8 : 8 + size]).decode())
        says = header.pop("__metadata__")
        if says["format"] != FORMAT:
            raise TableFormatError(f"this is no {FORMAT}")
        if says["version"] != str(VERSION):
            raise TableFormatError(
                f"the table's version is {says['version']!r:.80}; this reads {VERSION}"
            )
        if list(says) != [*METADATA, *LAYOUT, "sha256"]:
            raise TableFormatError("the table's fields are not those of this version")
        if not all(isinstance(value, str) for value in says.values()):
            raise TableFormatError("the table's fields are not all texts")
        if not re.fullmatch("[0-9a-f]{64}", says["sha256"]):
            raise TableFormatError("the table's sha256 is not 64 hexadecimal digits")
        known = {name: int(says[name]) if name in NUMBERS else says[name] for name in says}
        known["version"] = VERSION
        known["distance"] = None if says["distance"] == "None" else int(says["distance"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, TableFormatError):
            raise
        raise TableFormatError(f"the table's header is damaged: {error}") from error
    bits, plies = known["bits"], 0 if known["limit"] == NARROW else NARROW
    if (
        not all(known[name] >= 0 for name in COUNTS)
        or not 1 <= bits <= 64
        or not 1 <= known["canonical"] <= 1 << bits
        or choose_layout(known["canonical"], (1 << bits) - 1, plies)
        != TableLayout(known["canonical"], **{name: known[name] for name in LAYOUT})
    ):
        raise TableFormatError("the table's header has numbers that cannot be")
    return known, header
