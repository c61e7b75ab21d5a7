"""The entries of a mapped table: what it asks its bytes, whatever their form.

`Entries` has those of the file that `solver.tables.mapped_file` describes, `PackedEntries` those of
its packed form (`solver.tables.packed`). Both find the `value` of a mixed key and, with NumPy, the
scores of many keys (`find`); and both have the three `arrays`, for whatever reads them as a whole.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property
from struct import Struct
from typing import TYPE_CHECKING, Any

from solver.errors import TableFormatError
from solver.tables.mapped_file import ARRAYS, TYPES, TableLayout, numbers, read_header
from solver.tables.source import TableBytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

DAMAGED = "the table is damaged: a bucket extends beyond its end"
MOST_READ = 1 << 20  # elements of an array in a file that are read at once


class Entries:
    """The entries in the file of a mapped table."""

    head: bytes
    """What precedes the arrays of the mapped table."""
    header: dict[str, Any]
    layout: TableLayout
    size: int
    """The bytes of the mapped table."""

    def __init__(self, source: TableBytes, head: bytes) -> None:
        """Raise TableFormatError unless the file has this head's shape and size."""
        self._source, self.head, self.size = source, head, source.size
        self.header, self.layout = read_header(head, source.size)
        self.offsets: memoryview | FileArray
        self.remainders: memoryview | FileArray
        self.values: memoryview | FileArray
        arrays: Any = self.arrays if source.in_memory else open_arrays(source, self.layout)
        self.offsets, self.remainders, self.values = (arrays[name] for name in ARRAYS)
        if self.offsets[0] or self.offsets[-1] != self.layout.entries:
            raise TableFormatError("the table is damaged: its buckets do not cover its entries")

    @cached_property
    def arrays(self) -> dict[str, memoryview]:
        """The arrays offsets, remainders and values in whole; see `TableFile.whole`."""
        return read_arrays(self._source.whole(), self.layout)

    def pieces(self) -> Iterator[bytes | memoryview]:
        """Yield the bytes of the arrays, in the order of the mapped table."""
        yield from self._source.pieces(len(self.head))

    def value(self, mixed: int) -> int | None:
        """Return the value of the entry with a mixed key, if there is one."""
        width = self.layout.width
        bucket = mixed >> width
        remainder = mixed - (bucket << width)
        inside, before = self.remainders, 0
        try:
            if isinstance(self.offsets, FileArray):  # with as few reads as possible
                before, stop = self.offsets.pair(bucket)
                inside, start, stop = inside[before:stop], 0, stop - before
            else:
                start, stop = self.offsets[bucket], self.offsets[bucket + 1]
            index = bisect_left(inside, remainder, start, stop)
            found = index < stop and inside[index] == remainder
            return self.values[before + index] if found else None
        except IndexError:
            raise TableFormatError(DAMAGED) from None

    def find(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the scores of the positions with n keys, and which of them the table has."""
        from solver.tables.lookup import find_in_arrays

        return find_in_arrays(keys, self.layout, self.arrays, self._source.check_size)


def read_arrays(data: memoryview, layout: TableLayout) -> dict[str, memoryview]:
    """Return a file's arrays without copying them."""
    arrays = data[len(data) - sum(layout.sizes.values()) :]
    return {
        name: numbers(arrays[slice(*about["data_offsets"])], TYPES[about["dtype"]])
        for name, about in layout.header.items()
    }


def open_arrays(source: TableBytes, layout: TableLayout) -> dict[str, FileArray]:
    """Return a file's arrays, to be read element by element."""
    start = source.size - sum(layout.sizes.values())
    return {name: FileArray(source, start, about) for name, about in layout.header.items()}


class FileArray:
    """An array in a file, every part of which is read when it is asked for."""

    def __init__(self, source: TableBytes, start: int, about: dict[str, Any]) -> None:
        """Take the place of the first array and what the header states about this one."""
        self._read, self._offset = source.read_at, start + about["data_offsets"][0]
        self._code, self._length = TYPES[about["dtype"]], int(about["shape"][0])
        self._one, self._two = Struct(f"<{self._code}"), Struct(f"<2{self._code}")

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:
        """Return an element, or the elements of a slice from START to STOP.

        Raises TableFormatError if the array, or the file, ends before.
        """
        size = self._one.size
        if isinstance(index, int):
            index %= self._length
            (number,) = self._one.unpack(self._read(self._offset + index * size, size))
            return number
        start, stop = index.start, index.stop
        if not start <= stop <= self._length or stop - start > MOST_READ:
            raise TableFormatError(DAMAGED)
        data = self._read(self._offset + start * size, (stop - start) * size)
        return data if self._code == "B" else numbers(data, self._code)

    def pair(self, index: int) -> Any:
        """Return an element and the one after it; the array has both."""
        two = self._two
        return two.unpack(self._read(self._offset + index * self._one.size, two.size))
