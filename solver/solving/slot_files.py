"""Files of numbered slots of data, which can be read one range at a time.

A file appears under its name only when it is complete, and each slot has a CRC-32, as have the name
and the index; a file that is damaged nevertheless, or that had another name, counts as lost.
"""

from __future__ import annotations

import mmap
import os
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from contextlib import suppress
from io import FileIO
from typing import Any, NamedTuple

from solver.errors import LostFileError
from solver.files import atomic_write
from solver.solving.limits import DiskGuard

MARK = b"slot"
HEAD = 16  # bytes before the index
PIECE = 1 << 30  # bytes read at once
LARGE = 1 << 22  # bytes from which on memory is taken in huge pages, which are mapped faster
END = 1 << 63  # after the last slot: moves within a tier may lead to any slot


class Slot(NamedTuple):
    """A slot of a file: its number, and how many items it holds."""

    number: int
    items: int


class SlotFiles:
    """Files of slots in a directory, by name.

    Up to `room` bytes of the data that were written or read last stay in memory and are not read
    again; if there is room, no other process may write these files. Threads may share it.
    """

    def __init__(self, directory: str) -> None:
        self.directory, self.disk, self.room = directory, DiskGuard(directory), 0
        self._kept: dict[str, tuple[array[int], list[memoryview]]] = {}  # indexes and data
        self._held: dict[str, tuple[array[int], list[memoryview]]] = {}  # of no file

    def put(
        self, name: str, slots: Iterable[tuple[int, int, Any]], whole: Iterable[Any] = ()
    ) -> None:
        """Write a file of slots, in ascending order: each a number, a count of items, a buffer.

        The buffers in `whole`, if there are any, have the same in a row, and are not changed later.
        """
        rows, views = _rows(slots)
        with atomic_write(self.path(name), durable=False) as file:
            file.write(_head(name, rows) + rows.tobytes())
            buffers = [memoryview(buffer).cast("B") for buffer in whole]
            for view in buffers or views:
                self.disk.write(file, view)
        self._keep(name, rows, buffers)

    def hold(self, name: str, slots: Iterable[tuple[int, int, Any]]) -> None:
        """Hold slots, as `put` takes them, in memory alone, however many bytes they have."""
        self._held[name] = _rows(slots)

    def index(self, name: str) -> list[Slot]:
        """Return the slots of a file without their data; raises LostFileError."""
        rows = self._index(name)
        return [*map(Slot, rows[::4], rows[1::4])]

    def read(self, name: str, low: int = 0, high: int = END) -> tuple[list[Slot], memoryview]:
        """Return the slots from `low` to below `high`, and their data, concatenated.

        The caller does not change the data. Raises LostFileError if the file is missing or these
        slots are damaged.
        """
        rows, buffers = self._held.get(name) or self._kept.get(name) or (self._index(name), [])
        first, last = (4 * bisect_left(rows[::4], number) for number in (low, high))
        numbers, items, sizes, sums = (rows[i + first : last : 4] for i in range(4))
        slots, place, size = [*map(Slot, numbers, items)], sum(rows[2:first:4]), sum(sizes)
        for buffer in buffers:
            if 0 <= place <= len(buffer) - size:
                if name not in self._held:
                    self._keep(name, rows, buffers)
                return slots, buffer[place : place + size]
            place -= len(buffer)
        data = view = _memory(size)
        with self._open(name) as file:
            file.seek(HEAD + 8 * len(rows) + sum(rows[2:first:4]))
            while view and (count := file.readinto(view[:PIECE])):
                view = view[count:]
        start = 0
        for length, crc in zip(sizes, sums, strict=True):
            if zlib.crc32(data[start : start + length]) != crc:
                raise LostFileError(self.directory, name)
            start += length
        self._keep(name, rows, [data] if len(slots) == len(rows) // 4 else buffers)
        return slots, data

    def take(self, name: str) -> tuple[list[Slot], memoryview]:
        """Return all slots and data as `read` does; the caller may change the data."""
        found = self.read(name)
        self._kept.pop(name, None)
        return found

    def rename(self, old: str, new: str) -> None:
        """Rename a file, in which the checksum of its name is written anew."""
        index = self._index(old)
        with open(self.path(old), "r+b") as file:
            file.write(_head(new, index))
        os.replace(self.path(old), self.path(new))
        self._keep(new, *self._kept.pop(old, (array("Q"), [])))

    def delete(self, name: str) -> None:
        """Delete a file, if there is one."""
        self._kept.pop(name, None)
        with suppress(FileNotFoundError):
            os.unlink(self.path(name))

    def _keep(self, name: str, rows: array[int], buffers: list[memoryview]) -> None:
        """Keep the data of a file, and of those used before it as many as there is room for."""
        self._kept.pop(name, None)
        if buffers and _taken(rows, buffers) <= self.room:
            self._kept[name] = rows, buffers
        sizes = {file: _taken(*kept) for file, kept in [*self._kept.items()]}
        total = sum(sizes.values())
        for oldest, size in sizes.items():
            if total > self.room:
                self._kept.pop(oldest, None)
                total -= size

    def _open(self, name: str) -> FileIO:
        try:
            return open(self.path(name), "rb", buffering=0)
        except FileNotFoundError:
            raise LostFileError(self.directory, name) from None

    def _index(self, name: str) -> array[int]:
        """Read the index of a file, four numbers a slot; check the file's length against it."""
        with self._open(name) as file:
            head = file.read(HEAD)
            count = int.from_bytes(head[8:], "little")
            size = os.fstat(file.fileno()).st_size
            most = max(0, size - HEAD) // 32
            rows = array("Q", file.read(32 * min(count, most)))
        if head != _head(name, rows) or size != HEAD + 32 * count + sum(rows[2::4]):
            raise LostFileError(self.directory, name)
        return rows

    def path(self, name: str) -> str:
        """Return the path of a file."""
        return os.path.join(self.directory, name)


def _rows(slots: Iterable[tuple[int, int, Any]]) -> tuple[array[int], list[memoryview]]:
    """Return the index of slots, four numbers each, and their data."""
    rows, views = array("Q"), []
    for number, count, data in slots:
        views.append(memoryview(data).cast("B"))
        rows.extend((number, count, views[-1].nbytes, zlib.crc32(views[-1])))
    return rows, views


def _taken(rows: array[int], buffers: list[memoryview]) -> int:
    """Return how many bytes of memory an index and data take."""
    return sum(map(len, buffers)) + rows.itemsize * len(rows)


def _head(name: str, rows: array[int]) -> bytes:
    """Return the first bytes of a file, with the number of its slots.

    A checksum is of its name and its index, so that no other file passes for it.
    """
    checksum = zlib.crc32(rows.tobytes(), zlib.crc32(name.encode()))
    return MARK + checksum.to_bytes(4, "little") + (len(rows) // 4).to_bytes(8, "little")


def _memory(size: int) -> memoryview:
    """Return a buffer of so many bytes, all zero."""
    if size < LARGE or not hasattr(mmap, "MADV_HUGEPAGE"):
        return memoryview(bytearray(size))
    memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # the system may have no huge pages
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(memory)
