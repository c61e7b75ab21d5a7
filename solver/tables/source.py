"""The bytes of a table: in memory, or in a file that is read piece by piece.

`read_at` is the one way to a part of them. It reads a file at a position rather than through a
map, since touching a map of a file that has been shortened ends the process. A part that is
missing raises TableFormatError.
"""

from __future__ import annotations

import os

from solver.errors import TableFormatError
from solver.files import open_regular
from solver.tables.store import MOST_BYTES

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from io import FileIO
    from mmap import mmap

PIECE = 1 << 22  # bytes read at once
AT_ONCE = 1 << 23  # bytes of a file that is read into memory when it is opened
DEFLATE = 1032  # bytes that one byte of a deflate stream stands for at most


class TableBytes:
    """A table in memory."""

    in_memory: bool = True

    def __init__(self, data: bytes | mmap) -> None:
        self._data: bytes | mmap = data
        self.size: int = len(data)

    def read_at(self, offset: int, size: int) -> bytes:
        """Return `size` bytes from `offset` on; raises TableFormatError if the table ends there."""
        data = self._data[offset : offset + size]
        if len(data) != size:
            raise TableFormatError(f"the table ends before byte {offset + size:,}")
        return data

    def whole(self) -> memoryview:
        """Return all bytes."""
        return memoryview(self._data)

    def pieces(self, start: int) -> Iterator[bytes | memoryview]:
        """Yield the bytes from `start` on, piece by piece."""
        for offset in range(start, self.size, PIECE):
            yield self.read_at(offset, min(PIECE, self.size - offset))

    def check_size(self) -> None:
        """Raise TableFormatError if the file has been shortened since it was opened."""


class TableFile(TableBytes):
    """A table in a file, which stays open while the table is in use."""

    in_memory: bool = False
    _handle = -1

    def __init__(self, file: FileIO) -> None:
        self._handle = os.dup(file.fileno())
        file.close()
        self._read = os.pread if hasattr(os, "pread") else _read_in_turn()
        self.size: int = os.fstat(self._handle).st_size

    def __del__(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)

    def read_at(self, offset: int, size: int) -> bytes:
        try:
            data = self._read(self._handle, size, offset)
        except OSError as error:
            raise TableFormatError(f"the table's file cannot be read: {error.strerror}") from error
        if len(data) != size:
            self.check_size()
            raise TableFormatError(f"the table ends before byte {offset + size:,}")
        return data

    def whole(self) -> memoryview:
        """Return all bytes: a copy, or a map of a file of more than MOST_BYTES."""
        if self.size <= MOST_BYTES:
            return memoryview(self.read_at(0, self.size))
        from mmap import ACCESS_READ, mmap

        self.check_size()
        return memoryview(mmap(self._handle, self.size, access=ACCESS_READ))

    def check_size(self) -> None:
        size = os.fstat(self._handle).st_size
        if size < self.size:
            raise TableFormatError(
                f"the table's file has been shortened since it was opened: it has {size:,} of"
                f" {self.size:,} bytes"
            )


def open_source(path: str | os.PathLike[str], at_once: int = AT_ONCE) -> TableBytes:
    """Open a file: a copy in memory if it has at most `at_once` bytes; raises OSError."""
    source = TableFile(open_regular(path))
    return TableBytes(source.read_at(0, source.size)) if source.size <= at_once else source


def _read_in_turn() -> Callable[[int, int, int], bytes]:
    """Return what replaces os.pread where it does not exist, as on Windows."""
    from threading import Lock

    lock = Lock()

    def read(handle: int, size: int, offset: int) -> bytes:
        with lock:
            os.lseek(handle, offset, os.SEEK_SET)
            return os.read(handle, size)

    return read
