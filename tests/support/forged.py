"""Forged tables: files laid out as ours, with any contents and the right hash."""

from __future__ import annotations

import hashlib
import json
import struct
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from solver import TableFormatError, TableProofError
from tests.conftest import SHIPPED
from tests.support.brute import Value

DATA = SHIPPED.read_bytes()
REFUSED = (TableProofError, TableFormatError)


def edited(**changes: Any) -> bytes:
    """Return the shipped table with some fields changed and the right hash."""
    return rehash(json.dumps({**json.loads(DATA), **changes}, separators=(",", ":")).encode())


def forge_json(content: dict[str, Any]) -> bytes:
    """Return a JSON table with any contents, laid out as ours, and the right hash."""

    def lines(members: dict[str, Any]) -> str:
        text = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
        return ",\n".join(f"{text(name)}:{text(value)}" for name, value in members.items())

    header = {name: value for name, value in content.items() if name != "entries"}
    text = f'{{\n{lines(header)},\n"entries":{{\n{lines(content["entries"])}\n}}\n}}\n'
    return rehash(text.encode())


class Raw(NamedTuple):
    """The contents of a mapped table, read and written as its format is described."""

    about: dict[str, str]
    """The header's metadata."""
    offsets: list[int]
    remainders: list[int]
    values: list[int]

    def number(self, name: str) -> int:
        return int(self.about[name])

    def bucket_of(self, key: int) -> tuple[int, range]:
        """Return a key's remainder, and the indices of its bucket's entries."""
        mixed = key * self.number("multiplier") % 2 ** self.number("bits")
        bucket, remainder = divmod(mixed, 2 ** self.number("width"))
        return remainder, range(*self.offsets[bucket : bucket + 2])

    def look_up(self, key: int) -> Value | None:
        """Return the value of the position with a key, or None if there is no entry."""
        if not 0 <= key < 2 ** self.number("bits"):
            return None
        remainder, bucket = self.bucket_of(key)
        found = [self.values[i] for i in bucket if self.remainders[i] == remainder]
        assert len(found) <= 1
        return self.value(found[0]) if found else None

    def value(self, stored: int) -> Value:
        """Return the outcome and the distance that a stored number stands for."""
        outcome = (stored > 0) - (stored < 0)
        return outcome, self.number("limit") - abs(stored) if stored else None

    def entries(self) -> list[tuple[int, int]]:
        """Return every key with its stored value."""
        bits, width = self.number("bits"), self.number("width")
        inverse = pow(self.number("multiplier"), -1, 2**bits)
        mixed = (
            bucket << width | self.remainders[place]
            for bucket in range(len(self.offsets) - 1)
            for place in range(*self.offsets[bucket : bucket + 2])
        )
        return [(k * inverse % 2**bits, v) for k, v in zip(mixed, self.values, strict=True)]

    def with_entries(self, entries: list[tuple[int, int]], **about: Any) -> Raw:
        """Return the table with other entries, and changes to its header."""
        changed = self.about | {"canonical": str(len(entries))}
        changed |= {name: str(value) for name, value in about.items()}
        bits, width = int(changed["bits"]), int(changed["width"])
        mixed = sorted(
            (key * int(changed["multiplier"]) % 2**bits, value) for key, value in entries
        )
        sizes = Counter(key >> width for key, _ in mixed)
        offsets = [0]
        for bucket in range(2 ** max(0, bits - width)):
            offsets.append(offsets[-1] + sizes[bucket])
        return Raw(changed, offsets, [key % 2**width for key, _ in mixed], [v for _, v in mixed])


CODES = {"U8": "B", "U16": "H", "U32": "I", "U64": "Q", "I8": "b", "I16": "h"}


def header_of(data: bytes) -> dict[str, Any]:
    """Return the header of a mapped table."""
    header: dict[str, Any] = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    return header


def raw_of(data: bytes) -> Raw:
    """Return the contents of a mapped table."""
    start, header, arrays = 8 + int.from_bytes(data[:8], "little"), header_of(data), {}
    for name in ("offsets", "remainders", "values"):
        entry = header[name]
        code = f"<{entry['shape'][0]}{CODES[entry['dtype']]}"
        arrays[name] = list(struct.unpack_from(code, data, start + entry["data_offsets"][0]))
    return Raw(header["__metadata__"], **arrays)


def forge(raw: Raw, rehashed: bool = True) -> bytes:
    """Return a mapped table with any contents, laid out as ours, and the right hash."""
    width = next(n for n in (8, 16, 32, 64) if raw.number("width") <= n)
    kinds = {
        "offsets": "U32",
        "remainders": f"U{width}",
        "values": "I8" if raw.about["limit"] == "127" else "I16",
    }
    names = sorted(kinds, key=lambda name: (-int(kinds[name][1:]), name))
    columns = {name: (kinds[name], getattr(raw, name)) for name in names}
    data = with_columns(raw.about | ({"sha256": "0" * 64} if rehashed else {}), columns)
    return rehash(data) if rehashed else data


def with_columns(about: dict[str, str], columns: dict[str, tuple[str, Sequence[int]]]) -> bytes:
    """Return a file in the format of safetensors, each column with the type of its numbers."""
    header: dict[str, Any] = {"__metadata__": about}
    body = b""
    for name, (kind, column) in columns.items():
        places = [len(body), len(body) + len(column) * int(kind[1:]) // 8]
        header[name] = {"dtype": kind, "shape": [len(column)], "data_offsets": places}
        body += struct.pack(f"<{len(column)}{CODES[kind]}", *column)
    text = json.dumps(header, separators=(",", ":"))
    text += " " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text.encode() + body


def rehash(data: bytes) -> bytes:
    """Return a file of either form with the right hash, computed as its format is described."""
    field = b'"sha256":"'
    start = data.index(field) + len(field)
    blank = data[:start] + b"0" * 64 + data[start + 64 :]
    return data[:start] + hashlib.sha256(blank).hexdigest().encode() + data[start + 64 :]
