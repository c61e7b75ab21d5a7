"""The packed form of a mapped table: its entries in compressed blocks, in a quarter of the bytes.

The file has the same layout as that of `mapped_file` and the same metadata, with other arrays:

    keys      the mixed key of each block's first entry
    offsets   where each block starts among `blocks`, and the end of the last
    blocks    the blocks, one after another

A block has BLOCK entries in the order of the mapped table, the last one what is left. It is a
CRC-32 of four bytes and a raw deflate stream of

    one byte       the width of a gap in bytes: 1, 2, 4 or 8
    gaps           from each entry's mixed key to the next: the lowest byte of all, then the next
    values         as in the mapped table, likewise byte by byte

`PackedEntries` looks up single entries in their blocks. For whatever reads whole arrays, it makes
those of the mapped table, which takes NumPy; so whatever opens, proves, serves or exports a table
takes either form. Its SHA-256 is that of the mapped table. `pack` writes it, with NumPy.
"""

from __future__ import annotations

import json
import sys
import zlib
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from solver.errors import TableFormatError, needs_extra
from solver.files import atomic_write
from solver.tables.entries import Entries
from solver.tables.mapped_file import (
    ARRAYS,
    TYPES,
    TableLayout,
    check_arrays,
    described_arrays,
    join_head,
    numbers,
    read_metadata,
)
from solver.tables.source import DEFLATE, TableBytes

if TYPE_CHECKING:
    import numpy as np

BLOCK = 1024  # entries
RAW = -15  # zlib's name for a stream without a header
CHECK = 4  # bytes of a block before its stream
WIDTHS = (1, 2, 4, 8)  # of a gap in bytes
AT_ONCE = 1 << 10  # blocks decoded at once
KEPT = 256  # decoded blocks
LEVEL = 9  # of deflate
LONGEST = 1 << 60  # bytes of all blocks


def block_arrays(blocks: int, size: int) -> dict[str, dict[str, Any]]:
    """Return what a header states about the arrays: so many blocks, of `size` bytes together."""
    lengths = {"keys": ("U64", blocks), "offsets": ("U64", blocks + 1), "blocks": ("U8", size)}
    return described_arrays(lengths)


class PackedEntries(Entries):
    """The entries of a mapped table in its packed form."""

    def __init__(self, source: TableBytes, head: bytes) -> None:
        """Raise TableFormatError if the head is not that of a packed table of this size."""
        self._source = source
        self.header, self.layout, metadata, stated = read_metadata(head)
        count = -(-self.layout.entries // BLOCK)
        arrays = block_arrays(count, max(0, source.size - len(head) - 8 * (2 * count + 1)))
        check_arrays(stated, arrays, len(head), source.size)
        self.head = join_head(metadata, self.layout.header)
        self.size = len(self.head) + sum(self.layout.sizes.values())
        self.keys = numbers(source.read_at(len(head), 8 * count), "Q")
        self._starts = numbers(source.read_at(len(head) + 8 * count, 8 * (count + 1)), "Q")
        self._blocks = len(head) + arrays["blocks"]["data_offsets"][0]
        self._kind = self.layout.arrays["values"][0]
        entry = 1 + int(self._kind[1:]) // 8  # bytes of a gap and a value at least
        least = count * CHECK + entry * (self.layout.entries - count) // DEFLATE
        if least > source.size - self._blocks:
            raise TableFormatError(
                f"the table states {self.layout.entries:,} entries, more than a file of its size"
                " can have"
            )
        self._block = lru_cache(KEPT)(self._decode)

    @cached_property
    def arrays(self) -> dict[str, memoryview]:
        """The arrays of the mapped table, made of all blocks; needs the extra `fast`."""
        with needs_extra("reading a packed table as a whole", "fast"):
            import numpy as np
        layout = self.layout
        arrays = {  # whose pages take no memory until they are filled
            name: np.zeros(length, "<" + TYPES[kind])
            for name, (kind, length) in layout.arrays.items()
        }
        offsets, start = arrays["offsets"], 0
        for piece in range(0, len(self.keys), AT_ONCE):
            keys, values = self.decode(range(piece, min(piece + AT_ONCE, len(self.keys))))
            rows = slice(start, start + len(keys))
            arrays["values"][rows] = values
            arrays["remainders"][rows] = keys & np.uint64((1 << layout.width) - 1)
            buckets = (keys >> np.uint64(layout.width)).astype(np.int64)
            sizes = np.bincount(buckets - buckets[0])
            offsets[buckets[0] + 1 : buckets[-1] + 2] += sizes.astype(offsets.dtype)
            start += len(keys)
        np.cumsum(offsets, out=offsets)
        return {
            name: numbers(arrays[name].view(np.uint8).data, TYPES[kind])
            for name, (kind, _) in layout.arrays.items()
        }

    def pieces(self) -> Iterator[bytes | memoryview]:
        for name in self.layout.arrays:
            yield self.arrays[name].cast("B")

    def value(self, mixed: int) -> int | None:
        i = bisect_right(self.keys, mixed) - 1
        if i < 0:
            return None
        keys, values = self._block(i)
        index = bisect_left(keys, mixed)
        return values[index] if index < len(keys) and keys[index] == mixed else None

    def find(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the scores of keys, and which there are; each block is decoded once for all."""
        import numpy as np

        from solver.tables.lookup import mix, widened

        mixed, possible = mix(keys, self.layout)
        order = np.argsort(mixed)
        mixed = mixed[order]
        scores, hits = np.zeros(len(keys), np.int16), np.zeros(len(keys), bool)
        blocks, starts = np.unique(
            np.searchsorted(np.asarray(self.keys), mixed, "right") - 1, return_index=True
        )
        ends = np.append(starts[1:], len(keys))
        for first in range(int(len(blocks) > 0 and blocks[0] < 0), len(blocks), AT_ONCE):
            part = slice(first, first + AT_ONCE)
            inside, values = self.decode(blocks[part].tolist())
            rows = slice(starts[part][0], ends[part][-1])
            indices = np.minimum(np.searchsorted(inside, mixed[rows]), len(inside) - 1)
            hits[order[rows]] = inside[indices] == mixed[rows]
            scores[order[rows]] = widened(values[indices], self.layout)
        return scores, hits & possible

    def decode(self, blocks: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return the mixed keys and the values of blocks, which are given in ascending order."""
        import numpy as np

        kind = np.dtype(TYPES[self.layout.arrays["values"][0]])
        keys = np.zeros((len(blocks), BLOCK), np.uint64)
        values = np.zeros((len(blocks), BLOCK), kind)
        count = BLOCK
        for row, i in enumerate(blocks):
            gaps, block = self._read(i)
            count = len(block)
            keys[row, 0] = self.keys[i]
            keys[row, 1:count], values[row, :count] = gaps, block
        np.cumsum(keys, axis=1, out=keys)
        size = keys.size - BLOCK + count  # the last block may have fewer entries
        mixed, found_values = keys.ravel()[:size], values.ravel()[:size]
        wrong = np.flatnonzero(mixed[1:] <= mixed[:-1])
        if len(wrong) or int(mixed[-1]) >= self._end(blocks[-1]):
            raise self._damaged(blocks[wrong[0] // BLOCK if len(wrong) else -1])
        return mixed, found_values

    def _decode(self, i: int) -> tuple[Sequence[int], memoryview]:
        """Return the mixed keys and the values of a block."""
        gaps, values = self._read(i)
        keys = _add_up(self.keys[i], gaps)
        if not keys[0] <= keys[-1] < self._end(i):  # NumPy's numbers wrap around
            raise self._damaged(i)
        return keys, values

    def _end(self, i: int) -> int:
        """Return what all mixed keys of a block are below."""
        return self.keys[i + 1] if i + 1 < len(self.keys) else 1 << self.layout.bits

    def _read(self, i: int) -> tuple[memoryview, memoryview]:
        """Return the gaps between the mixed keys of a block, and its values."""
        start, stop = self._starts[i : i + 2]
        kind = self._kind
        count = min(BLOCK, self.layout.entries - i * BLOCK)
        most = 1 + WIDTHS[-1] * (count - 1) + count * int(kind[1:]) // 8
        if not 4 <= stop - start <= 2 * most + 64:
            raise self._damaged(i)
        data = self._source.read_at(self._blocks + start, stop - start)
        squeezed = zlib.decompressobj(RAW)
        try:
            raw = squeezed.decompress(data[4:], most + 1)
        except zlib.error:
            raise self._damaged(i) from None
        width = raw[0] if raw else 0
        middle = 1 + width * (count - 1)
        if (
            zlib.crc32(data[4:]) != int.from_bytes(data[:4], "little")
            or width not in WIDTHS
            or len(raw) != middle + count * int(kind[1:]) // 8
        ):
            raise self._damaged(i)
        return _numbers(raw[1:middle], f"U{8 * width}"), _numbers(raw[middle:], kind)

    def _damaged(self, i: int) -> TableFormatError:
        return TableFormatError(f"the table is damaged: block {i:,} of {len(self.keys):,}")


def _add_up(first: int, gaps: memoryview) -> Sequence[int]:
    """Return numbers that ascend from the first by these gaps; with NumPy, where it is loaded."""
    numpy = sys.modules.get("numpy")
    if numpy is None or gaps.itemsize == WIDTHS[-1]:  # such gaps can wrap around more than once
        return [*accumulate(gaps, initial=first)]
    sums = numpy.empty(len(gaps) + 1, numpy.uint64)
    sums[0], sums[1:] = first, gaps
    return memoryview(sums.cumsum(out=sums))


def _numbers(planes: bytes, kind: str) -> memoryview:
    """Return the numbers of which `_planes` made these bytes."""
    size = int(kind[1:]) // 8
    if size == 1:
        return numbers(planes, TYPES[kind])
    count, data = len(planes) // size, bytearray(planes)
    for i in range(size):
        data[i::size] = planes[i * count : (i + 1) * count]
    return numbers(data, TYPES[kind])


def pack(entries: Entries, path: str, progress: Callable[[int, int], None]) -> None:
    """Write the packed form of a mapped table to a file; needs the extra `fast`.

    `progress` is called with the number of entries written and their total. Raises OSError.
    """
    with needs_extra("packing a table", "fast"):
        import numpy as np
    layout = entries.layout
    count = -(-layout.entries // BLOCK)
    metadata = json.loads(entries.head[8:])["__metadata__"]
    size = len(join_head(metadata, block_arrays(count, LONGEST)))  # whatever the digits
    keys, offsets = np.empty(count, "<u8"), np.zeros(count + 1, "<u8")
    done = 0
    with atomic_write(path) as file:
        file.seek(size + 8 * (2 * count + 1))
        for mixed, values in _pieces(layout, entries.arrays):
            for start in range(0, len(mixed), BLOCK):
                one = mixed[start : start + BLOCK]
                data = _encode_block(one, values[start : start + BLOCK])
                keys[done], offsets[done + 1] = one[0], offsets[done] + np.uint64(len(data))
                file.write(data)
                done += 1
            progress(min(done * BLOCK, layout.entries), layout.entries)
        file.seek(0)
        file.write(join_head(metadata, block_arrays(count, int(offsets[-1])), size))
        file.write(keys.tobytes() + offsets.tobytes())


def _pieces(
    layout: TableLayout, arrays: dict[str, memoryview]
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the mixed keys and the values of all entries, in pieces of whole blocks."""
    import numpy as np

    offsets, remainders, values = (np.asarray(arrays[name]) for name in ARRAYS)
    for start in range(0, layout.entries, BLOCK * AT_ONCE):
        stop = min(start + BLOCK * AT_ONCE, layout.entries)
        first = int(np.searchsorted(offsets, start, "right")) - 1
        last = int(np.searchsorted(offsets, stop, "left"))
        edges = np.clip(offsets[first : last + 1].astype(np.int64), start, stop)
        buckets = np.repeat(np.arange(first, last, dtype=np.uint64), np.diff(edges))
        mixed = buckets << np.uint64(layout.width) | remainders[start:stop].astype(np.uint64)
        yield mixed, values[start:stop]


def _encode_block(mixed: np.ndarray, values: np.ndarray) -> bytes:
    import numpy as np

    gaps = np.diff(mixed)
    most = int(gaps.max(initial=1))
    width = next(width for width in WIDTHS if most < 1 << 8 * width)
    low = gaps.astype(f"<u{width}")
    raw = b"".join(
        (bytes([width]), _planes(low), _planes(values.astype(values.dtype.newbyteorder("<"))))
    )
    squeezed = zlib.compressobj(LEVEL, zlib.DEFLATED, RAW)
    data = squeezed.compress(raw) + squeezed.flush()
    return zlib.crc32(data).to_bytes(4, "little") + data


def _planes(numbers: np.ndarray) -> bytes:
    """Return the lowest byte of all numbers, then the next."""
    import numpy as np

    return numbers.view(np.uint8).reshape(len(numbers), numbers.itemsize).T.tobytes()
