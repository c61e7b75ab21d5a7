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
    """Files of slots in a directory, by name."""

    def __init__(self, directory: str) -> None:
        self.directory, self.disk = directory, DiskGuard(directory)

    def put(self, name: str, slots: Iterable[tuple[int, int, Any]]) -> None:
        """Write a file of slots, in ascending order: each a number, a count of items, a buffer."""
        views = [(number, count, memoryview(data).cast("B")) for number, count, data in slots]
        rows = array("Q")
        for number, count, view in views:
            rows.extend((number, count, view.nbytes, zlib.crc32(view)))
        index = len(views).to_bytes(8, "little") + rows.tobytes()
        with atomic_write(self.path(name), durable=False) as file:
            file.write(MARK + _crc(name, index) + index)
            for _, _, view in views:
                self.disk.write(file, view)

    def index(self, name: str) -> list[Slot]:
        """Return the slots of a file without their data; raises LostFileError."""
        with self._open(name) as file:
            rows = self._index(name, file)
        return [*map(Slot, rows[::4], rows[1::4])]

    def read(self, name: str, low: int = 0, high: int = END) -> tuple[list[Slot], memoryview]:
        """Return the slots from `low` to below `high`, and their data, concatenated.

        Raises LostFileError if the file is missing or these slots are damaged.
        """
        with self._open(name) as file:
            rows = self._index(name, file)
            numbers, sizes = rows[::4], rows[2::4]
            first, last = bisect_left(numbers, low), bisect_left(numbers, high)
            data = _memory(sum(sizes[first:last]))
            file.seek(sum(sizes[:first]), os.SEEK_CUR)
            view = data
            while view and (count := file.readinto(view[:PIECE])):
                view = view[count:]
        start = 0
        for size, crc in zip(sizes[first:last], rows[4 * first + 3 : 4 * last : 4], strict=True):
            if zlib.crc32(data[start : start + size]) != crc:
                raise LostFileError(self.directory, name)
            start += size
        return [*map(Slot, numbers[first:last], rows[4 * first + 1 : 4 * last : 4])], data

    def _open(self, name: str) -> FileIO:
        try:
            return open(self.path(name), "rb", buffering=0)
        except FileNotFoundError:
            raise LostFileError(self.directory, name) from None

    def _index(self, name: str, file: FileIO) -> array[int]:
        """Read the index of a file, four numbers a slot; check the file's length against it."""
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
