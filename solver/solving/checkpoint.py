"""The folder of an unfinished solve, from which it resumes however it was interrupted.

A file holds numbered slots of data, which can be read one range at a time. A file appears under its
name only when it is complete, and each slot has a CRC-32, as have the name and the index; a file
that is damaged nevertheless, or that had another name, counts as lost. Many processes read and
write in the folder; one of them owns it and its ledger.
"""

from __future__ import annotations

import json
import mmap
import os
import re
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterable
from contextlib import suppress
from io import FileIO
from typing import Any, BinaryIO, NamedTuple, Self

from solver.errors import LostFileError
from solver.files import DRAFT, atomic_write, lock, remove_draft
from solver.solving.limits import DiskGuard

MARK = b"slot"
LEDGER, LOCK = "ledger", "lock"
NAMES = re.compile(  # of a part's files, of ranges of the table, and of the ledger
    r"(-?\d+\.){3}seeds|-?\d+\.\d+\.(keys|moves|values)|\d+\.table|ledger"
)
PIECE = 1 << 30  # bytes read at once
LARGE = 1 << 22  # bytes from which on memory is taken in huge pages, which are mapped faster
END = 1 << 63  # after the last slot: moves within a tier may lead to any slot


class Part(NamedTuple):
    """A part of a tier: the slots from `low` to below `high`. Its files are named after it."""

    tier: int
    number: int
    low: int
    high: int

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole tier."""
        return self.low == 0 and self.high == END

    @property
    def keys(self) -> str:
        """The file of its positions."""
        return f"{self.tier}.{self.number}.keys"

    @property
    def moves(self) -> str:
        """The file of the moves from them, if the steps keep moves."""
        return f"{self.tier}.{self.number}.moves"

    @property
    def values(self) -> str:
        """The file of their values."""
        return f"{self.tier}.{self.number}.values"

    def seeds(self, later: int) -> str:
        """Return the file of the positions in a later tier that its moves lead to."""
        return f"{later}.{self.tier}.{self.number}.seeds"


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

    def put(
        self, name: str, slots: Iterable[tuple[int, int, Any]], whole: Iterable[Any] = ()
    ) -> None:
        """Write a file of slots, in ascending order: each a number, a count of items, a buffer.

        The buffers in `whole`, if there are any, have the same in a row, and are not changed later.
        """
        views = [(number, count, memoryview(data).cast("B")) for number, count, data in slots]
        rows = array("Q")
        for number, count, view in views:
            rows.extend((number, count, view.nbytes, zlib.crc32(view)))
        index = len(views).to_bytes(8, "little") + rows.tobytes()
        with atomic_write(self.path(name), durable=False) as file:
            file.write(MARK + _crc(name, index) + index)
            buffers = [memoryview(buffer).cast("B") for buffer in whole]
            for view in buffers or (view for _, _, view in views):
                self.disk.write(file, view)
        self._keep(name, rows, buffers)

    def index(self, name: str) -> list[Slot]:
        """Return the slots of a file without their data; raises LostFileError."""
        rows = self._index(name)
        return [*map(Slot, rows[::4], rows[1::4])]

    def read(self, name: str, low: int = 0, high: int = END) -> tuple[list[Slot], memoryview]:
        """Return the slots from `low` to below `high`, and their data, concatenated.

        Raises LostFileError if the file is missing or these slots are damaged.
        """
        rows, buffers = self._kept.get(name) or (self._index(name), [])
        first, last = (4 * bisect_left(rows[::4], number) for number in (low, high))
        numbers, items, sizes, sums = (rows[i + first : last : 4] for i in range(4))
        slots, place, size = [*map(Slot, numbers, items)], sum(rows[2:first:4]), sum(sizes)
        for buffer in buffers:
            if 0 <= place <= len(buffer) - size:
                self._keep(name, rows, buffers)
                return slots, buffer[place : place + size]
            place -= len(buffer)
        data = view = _memory(size)
        with self._open(name) as file:
            file.seek(16 + 8 * len(rows) + sum(rows[2:first:4]))
            while view and (count := file.readinto(view[:PIECE])):
                view = view[count:]
        start = 0
        for length, crc in zip(sizes, sums, strict=True):
            if zlib.crc32(data[start : start + length]) != crc:
                raise LostFileError(self.directory, name)
            start += length
        self._keep(name, rows, [data] if len(slots) == len(rows) // 4 else buffers)
        return slots, data

    def rename(self, old: str, new: str) -> None:
        """Rename a file."""
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
        if buffers:
            self._kept[name] = rows, buffers
        sizes = {file: sum(map(len, kept)) for file, (_, kept) in [*self._kept.items()]}
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
            head = file.read(16)
            count = int.from_bytes(head[8:], "little")
            size = os.fstat(file.fileno()).st_size
            if head[:4] != MARK or 32 * count > size:
                raise LostFileError(self.directory, name)
            index = file.read(32 * count)
        if head[4:8] != _crc(name, head[8:] + index):
            raise LostFileError(self.directory, name)
        rows = array("Q", index)
        if size != 16 + len(index) + sum(rows[2::4]):
            raise LostFileError(self.directory, name)
        return rows

    def path(self, name: str) -> str:
        """Return the path of a file."""
        return os.path.join(self.directory, name)


class Checkpoint(SlotFiles):
    """The folder of one solve, locked by one process, with its ledger; a context manager.

    `about` identifies the solve: unfinished work on the same game with anything else changed is
    deleted. Raises OSError if another process has the folder locked or it belongs to another game.
    """

    def __init__(self, directory: str, about: dict[str, Any]) -> None:
        super().__init__(directory)
        self.about = json.loads(json.dumps(about))
        self.ledger: dict[str, Any] = {}

    def __enter__(self) -> Self:
        if os.path.exists(self.directory) and not os.path.isdir(self.directory):
            raise OSError(f"{self.directory} is not a folder; unfinished work needs one")
        os.makedirs(self.directory, exist_ok=True)
        others = [name for name in os.listdir(self.directory) if not self._is_own(name)]
        if others and self._read_ledger() is None:
            raise OSError(
                f"{self.directory} has other files, such as {others[0]}: name a folder that is"
                " empty or does not exist"
            )
        self._lock = _lock(self.path(LOCK))
        for name in os.listdir(self.directory):
            if DRAFT.fullmatch(name) and self._is_own(name):
                remove_draft(self.path(name))
        if hasattr(os, "register_at_fork"):  # a worker that outlives this process has no lock
            os.register_at_fork(after_in_child=self._lock.close)
        self.ledger = self._read_ledger() or {"about": self.about}
        if self.ledger["about"] != self.about:
            other = self.ledger["about"].get("game")
            if other != self.about.get("game"):
                self._lock.close()
                raise OSError(
                    f"{self.directory} has unfinished work on {other}: name another file, or delete"
                    " that folder"
                )
            self._delete_files()
            self.ledger = {"about": self.about}
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(FileNotFoundError):
            if os.listdir(self.directory) == [LOCK]:  # nothing was done
                self.clear()
        self._lock.close()

    def note(self) -> None:
        """Write the ledger, even to a disk that is nearly full."""
        self.disk.written = 0
        self.put(LEDGER, [(0, 1, json.dumps(self.ledger).encode())])

    def clear(self) -> None:
        """Delete the files of the solve, and the folder if nothing else is in it."""
        self._delete_files()
        os.unlink(self.path(LOCK))
        with suppress(OSError):  # the user put a file there
            os.rmdir(self.directory)

    @classmethod
    def find(cls, directory: str) -> Checkpoint | None:
        """Return the folder of a solve, not locked, or None if `directory` is none."""
        work = cls(directory, {})
        ledger, names = work._read_ledger(), os.listdir(directory)
        if LOCK not in names or (ledger is None and not all(map(work._is_own, names))):
            return None
        work.about = {} if ledger is None else ledger["about"]
        return work

    def size(self) -> int:
        """Return how many bytes the files of the solve have."""
        total = 0
        for name in os.listdir(self.directory):
            with suppress(FileNotFoundError):  # a solve has just deleted it
                total += os.path.getsize(self.path(name)) if self._is_own(name) else 0
        return total

    def _read_ledger(self) -> dict[str, Any] | None:
        """Return the ledger, or None if there is none that can be read."""
        try:
            ledger = json.loads(bytes(self.read(LEDGER)[1]))
        except (LostFileError, ValueError):
            return None
        return (
            ledger if isinstance(ledger, dict) and isinstance(ledger.get("about"), dict) else None
        )

    def _is_own(self, name: str) -> bool:
        """Return whether a file is one that a solve writes."""
        path = self.path(name)
        if name == LOCK:
            return os.path.isfile(path) and os.path.getsize(path) == 0
        if name == LEDGER:
            with open(path, "rb") as file:
                return file.read(len(MARK)) == MARK or os.path.getsize(path) == 0
        draft = DRAFT.fullmatch(name)
        target = name if draft is None else draft[1]
        return NAMES.fullmatch(target) is not None and os.path.isfile(path)

    def _delete_files(self) -> None:
        for name in os.listdir(self.directory):
            if name != LOCK and self._is_own(name):
                os.unlink(self.path(name))


def _crc(name: str, index: bytes) -> bytes:
    """Return the checksum of a file's name and index, so that no other file passes for it.

    Seeds, which may become the positions of a part, have that of all files of their tier.
    """
    about = name.partition(".")[0] if name.endswith((".seeds", ".keys")) else name
    return zlib.crc32(index, zlib.crc32(about.encode())).to_bytes(4, "little")


def _memory(size: int) -> memoryview:
    """Return a buffer of so many bytes, all zero."""
    if size < LARGE or not hasattr(mmap, "MADV_HUGEPAGE"):
        return memoryview(bytearray(size))
    memory = mmap.mmap(-1, size, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    with suppress(OSError):  # the system may have no huge pages
        memory.madvise(mmap.MADV_HUGEPAGE)
    return memoryview(memory)


def _lock(path: str) -> BinaryIO:
    """Lock a folder by its file at `path`, until the returned file is closed."""
    while True:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        try:  # without locks, two solves at once would only damage each other's files
            return lock(path, wait=False)
        except FileNotFoundError:  # its owner has just deleted the folder
            pass
        except BlockingIOError:
            raise OSError(f"{os.path.dirname(path)}: another solve is using this folder") from None
