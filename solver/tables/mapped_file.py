"""The file of a large table: a header and three arrays, to be mapped into memory.

It has the layout of safetensors, all numbers little-endian:

    8 bytes   the header's length n
    n bytes   the header, a JSON object padded with spaces: metadata, and offsets of each array
              offsets, remainders, values: first those with the widest elements

The arrays hold the score of every canonical position under the position's key; all else follows
from that and the rules. A key of `bits` bits is mixed, key * multiplier mod 2**bits, and split:

      bits - width bits     width bits
    +-------------------+---------------+
    |      bucket       |   remainder   |
    +-------------------+---------------+

The entries of bucket b are those from offsets[b] up to, not including, offsets[b + 1], in ascending
order of their remainders. A value is `limit` - distance for a win, the negative of that for a loss,
and 0 for a draw. For example, with bits 6, multiplier 1, width 4 and limit 127:

    key 0b10_0111: bucket 2, remainder 7

    bucket       0            1    2         3            end
    offsets      0            3    3         5            9
    entries      0   1   2         3   4     5   6   7   8
    remainders   1   2  15         3   7     0   1   2   3
    values                             88

Bucket 2 has the entries 3 and 4. The remainder of entry 4 is 7, so that 88 is the key's value: a
win in 127 - 88 = 39 plies.

Where keys are dense, a remainder takes one byte and the multiplier is 1; where they are sparse, a
remainder is wider, and the multiplier spreads the keys evenly over the buckets.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from solver.errors import TableFormatError
from solver.rules.packing import mixer
from solver.tables.format import (
    COUNTS,
    FORMAT,
    NO_HASH,
    SMALL,
    VERSION,
    check_digits,
    check_version,
    replace_hash,
)
from solver.tables.source import TableBytes
from solver.value import LIMIT, NARROW

if sys.byteorder == "big":
    raise ImportError("mapped tables need a processor whose numbers are little-endian")

WIDEST = 64  # bits of a key
BUCKET = 8  # entries of a bucket, on average at most
DENSE = 9  # bits of a remainder: up to this width, bytes and more buckets are no larger
MOST_HEADER = 1 << 16  # bytes
TYPES = {"U8": "B", "U16": "H", "U32": "I", "U64": "Q", "I8": "b", "I16": "h"}
ARRAYS = ("offsets", "remainders", "values")
METADATA = ("format", "version", "game", "rules", *COUNTS, "outcome", "distance")
KEYS = "keys"  # how the game's default keys are made, as JSON; see `solver.rules.packing`
SOURCE = "source"  # the files of a custom game's rules, as JSON; see `solver.rules.rule_files`
OPTIONAL = (KEYS, SOURCE)
LAYOUT = ("limit", "bits", "multiplier", "width")
NUMBERS = (*COUNTS, "outcome", *LAYOUT)


class TableLayout(NamedTuple):
    """How keys are split, and how wide the arrays are."""

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
        """The number of buckets."""
        return 1 << max(0, self.bits - self.width)

    @property
    def arrays(self) -> dict[str, tuple[str, int]]:
        """Type and length of each array, in the order of the file: wide elements first."""
        remainders = next(f"U{bits}" for bits in (8, 16, 32, 64) if self.width <= bits)
        arrays = {
            "offsets": ("U32" if self.entries < 1 << 32 else "U64", self.buckets + 1),
            "remainders": (remainders, self.entries),
            "values": ("I8" if self.limit == NARROW else "I16", self.entries),
        }
        return dict(sorted(arrays.items(), key=lambda item: (-int(item[1][0][1:]), item[0])))

    @property
    def sizes(self) -> dict[str, int]:
        """The size of each array in bytes."""
        return {name: n * int(kind[1:]) // 8 for name, (kind, n) in self.arrays.items()}

    @property
    def header(self) -> dict[str, Any]:
        """What the header states about each array."""
        return described_arrays(self.arrays)


def described_arrays(arrays: dict[str, tuple[str, int]]) -> dict[str, dict[str, Any]]:
    """Return what a header states about arrays, given type and length of each in their order."""
    fields, offset = {}, 0
    for name, (kind, length) in arrays.items():
        size = length * int(kind[1:]) // 8
        fields[name] = {"dtype": kind, "shape": [length], "data_offsets": [offset, offset + size]}
        offset += size
    return fields


def choose_layout(entries: int, top: int, plies: int) -> TableLayout:
    """Return the layout of a table, given its largest key and its longest distance."""
    bits = max(1, top.bit_length())
    if bits > WIDEST:
        way = "name a file that ends in .json"
        if entries > SMALL:
            way = f"define key and position with at most {WIDEST} bits"
        raise ValueError(f"keys of more than {WIDEST} bits do not fit a mapped table: {way}")
    width = bits - (max(1, -(-entries // BUCKET)) - 1).bit_length()
    is_dense, limit = width <= DENSE, NARROW if plies < NARROW else LIMIT
    return TableLayout(
        entries, bits, 1 if is_dense else mixer(bits), 8 if is_dense else width, limit
    )


def encode_head(facts: dict[str, Any], layout: TableLayout, sha256: str) -> bytes:
    """Return what precedes the arrays.

    `facts` has METADATA except format and version, and those that are OPTIONAL.
    """
    fields = {"format": FORMAT, "version": VERSION, **facts, **layout._asdict()}
    fields["outcome"] = int(fields["outcome"])
    names = (*METADATA, *filter(facts.__contains__, OPTIONAL), *LAYOUT)
    metadata = {name: str(fields[name]) for name in names} | {"sha256": sha256}
    head = join_head(metadata, layout.header)
    read_metadata(head)  # which raises an error for what no reader takes
    return head


def join_head(metadata: dict[str, str], arrays: dict[str, Any], size: int = 0) -> bytes:
    """Return what precedes the arrays, padded to at least `size` bytes.

    Raises TableFormatError if `read_head` would refuse it.
    """
    text = json.dumps({"__metadata__": metadata, **arrays}, separators=(",", ":"))
    text += " " * max(-len(text) % 8, size - 8 - len(text))
    if len(text) > MOST_HEADER:
        longest = max(metadata, key=lambda name: len(metadata[name]))
        hint = ": define key and position, so that no values are listed" * (longest == KEYS)
        raise TableFormatError(
            f"a mapped table has a header of at most {MOST_HEADER:,} bytes, not {len(text):,}; its"
            f" field {longest!r} takes most of them{hint}"
        )
    return len(text).to_bytes(8, "little") + text.encode()


class MappedFile:
    """The file of a table, to be written piece by piece.

    `array(name)` yields the buffers that make up an array; it is called once for the hash, and
    again when the file is written. `facts` are those of `encode_head`.
    """

    def __init__(
        self, facts: dict[str, Any], layout: TableLayout, array: Callable[[str], Iterable[Any]]
    ) -> None:
        from hashlib import sha256

        self.layout, self.array = layout, array
        self.head = encode_head(facts, layout, NO_HASH)
        digest = sha256()
        for piece in self:
            digest.update(piece)
        self.head = replace_hash(self.head, NO_HASH, digest.hexdigest())

    def __iter__(self) -> Iterator[Any]:
        """Yield the parts of the file."""
        yield self.head
        for name in self.layout.arrays:
            yield from self.array(name)


def read_head(source: TableBytes) -> bytes:
    """Return all before the arrays; raises TableFormatError if its length is impossible."""
    size = 8 + int.from_bytes(source.read_at(0, min(8, source.size)), "little")
    if not 10 <= size <= min(MOST_HEADER + 8, source.size):
        raise TableFormatError("not a complete table: the length of its header is impossible")
    return source.read_at(0, size)


def read_header(head: bytes, size: int) -> tuple[dict[str, Any], TableLayout]:
    """Return the metadata in the head of a file of this size, and the layout of its arrays.

    Raises TableFormatError unless the header is one that MappedFile could have written.
    """
    fields, layout, _, stated = read_metadata(head)
    check_arrays(stated, layout.header, len(head), size)
    return fields, layout


def read_metadata(
    head: bytes,
) -> tuple[dict[str, Any], TableLayout, dict[str, str], dict[str, Any]]:
    """Return the metadata in a head, the layout, the metadata as texts, and the stated arrays.

    Raises TableFormatError unless the metadata are those of a table.
    """
    try:
        header = json.loads(head[8:].decode())
        stated = header.pop("__metadata__")
        check_version(stated, str(VERSION))
        optional = filter(stated.__contains__, OPTIONAL)
        if list(stated) != [*METADATA, *optional, *LAYOUT, "sha256"]:
            raise TableFormatError("the table's fields are not those of this version")
        if not all(isinstance(value, str) for value in stated.values()):
            raise TableFormatError("the table's fields are not all strings")
        check_digits(stated["sha256"])
        fields = {name: int(stated[name]) if name in NUMBERS else stated[name] for name in stated}
        fields["version"] = VERSION
        fields["distance"] = None if stated["distance"] == "None" else int(stated["distance"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, TableFormatError):
            raise
        raise TableFormatError(f"the table's header is damaged: {error}") from error
    bits, plies = fields["bits"], 0 if fields["limit"] == NARROW else NARROW
    layout = TableLayout(fields["canonical"], **{name: fields[name] for name in LAYOUT})
    if (
        not all(fields[name] >= 0 for name in COUNTS)
        or not 1 <= bits <= WIDEST
        or not 1 <= layout.entries <= 1 << bits
        or layout != choose_layout(layout.entries, 1 << bits - 1, plies)
    ):
        raise TableFormatError("the numbers in the table's header are impossible")
    return fields, layout, stated, header


def check_arrays(stated: dict[str, Any], arrays: dict[str, Any], head: int, size: int) -> None:
    """Raise TableFormatError unless these arrays are stated, and a file of this size has them.

    `head` is the number of bytes before the arrays.
    """
    if list(stated) != list(arrays):
        raise TableFormatError(f"the table's arrays are not {', '.join(arrays)}")
    for name, right in arrays.items():
        if stated[name] != right:
            raise TableFormatError(
                f"the array {name} is {stated[name]!r:.120}; it should be {right!r}"
            )
    expected = head + max(about["data_offsets"][1] for about in arrays.values())
    if size != expected:
        raise TableFormatError(
            f"the table has been truncated or extended: it has {size:,} bytes and should have"
            f" {expected:,}"
        )


def numbers(data: bytes | bytearray | memoryview, code: Any) -> memoryview:
    """Return numbers in a file; those of this machine are little-endian, too."""
    return memoryview(data).cast(code)
