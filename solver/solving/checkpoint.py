"""A folder for what a long solve has finished, so that it can go on after any end.

A file holds data in slots, each with a number, and can be read slot by slot. It is whole and sound,
or it counts as lost: a CRC-32 stands beside every slot, and a file comes into being under its name
only when it is complete. Many processes may read and write there; one holds the ledger.
"""

from __future__ import annotations

import json
import os
import re
import sys
import zlib
from array import array
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.errors import LostFileError
from solver.files import atomic_write

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import TracebackType
    from typing import BinaryIO, Self

MARK = b"slot"
LEDGER, LOCK = "ledger", "lock"
OWN = re.compile(  # the names that files here have, drafts among them
    r"start\.seeds|(-?\d+\.){3}seeds|-?\d+\.\d+\.(keys|values|mixed|worth)|\d+\.table"
    r"|\.[0-9a-f]{16}\.part"
)
PIECE = 1 << 30  # bytes read at once


class Slot(NamedTuple):
    """A slot of a file: its number, how many items it holds, its bytes and their CRC-32."""

    number: int
    items: int
    size: int
    crc: int


class SlotFiles:
    """Files in a folder, by their names."""

    def __init__(self, directory: str) -> None:
        self.directory = directory

    def put(self, name: str, slots: Iterable[tuple[int, int, Any]]) -> None:
        """Keep slots, ascending, under a name: each a number, a count of items, and a buffer."""
        held = [(number, count, memoryview(data).cast("B")) for number, count, data in slots]
        rows = array("Q")
        for number, count, view in held:
            rows.extend((number, count, view.nbytes, zlib.crc32(view)))
        if sys.byteorder == "big":
            rows.byteswap()
        index = len(held).to_bytes(8, "little") + rows.tobytes()
        with atomic_write(self.path(name), durable=False) as file:
            file.write(MARK + zlib.crc32(index).to_bytes(4, "little") + index)
            for _, _, view in held:
                file.write(view)

    def index(self, name: str) -> list[Slot]:
        """Return the slots of a file without their data; raises LostFileError."""
        try:
            with open(self.path(name), "rb") as file:
                return self._index(name, file)
        except FileNotFoundError:
            raise LostFileError(self.directory, name) from None

    def get(self, name: str, low: int = 0, high: int | None = None) -> bytearray:
        """Return the data of the slots from `low` to below `high`, in a row.

        Raises LostFileError if the file is missing, or if they are damaged.
        """
        try:
            with open(self.path(name), "rb", buffering=0) as file:
                slots = self._index(name, file)
                skipped = sum(slot.size for slot in slots if slot.number < low)
                slots = [s for s in slots if low <= s.number and (high is None or s.number < high)]
                data = bytearray(sum(slot.size for slot in slots))
                file.seek(skipped, os.SEEK_CUR)
                view = memoryview(data)
                while view and (count := file.readinto(view[:PIECE])):
                    view = view[count:]
        except FileNotFoundError:
            raise LostFileError(self.directory, name) from None
        place, whole = 0, memoryview(data)
        for slot in slots:
            if zlib.crc32(whole[place : place + slot.size]) != slot.crc:
                raise LostFileError(self.directory, name)
            place += slot.size
        return data

    def _index(self, name: str, file: BinaryIO) -> list[Slot]:
        """Read the slots of a file that is as long as they say."""
        head = file.read(16)
        count = int.from_bytes(head[8:], "little")
        size = os.fstat(file.fileno()).st_size
        if head[:4] != MARK or 32 * count > size:
            raise LostFileError(self.directory, name)
        index = file.read(32 * count)
        if head[4:8] != zlib.crc32(head[8:] + index).to_bytes(4, "little"):
            raise LostFileError(self.directory, name)
        rows = array("Q", index)
        if sys.byteorder == "big":
            rows.byteswap()
        slots = [*map(Slot, rows[::4], rows[1::4], rows[2::4], rows[3::4])]
        if size != 16 + len(index) + sum(rows[2::4]):
            raise LostFileError(self.directory, name)
        return slots

    def rename(self, old: str, new: str) -> None:
        """Keep under another name what is kept under one; raises LostFileError."""
        try:
            os.replace(self.path(old), self.path(new))
        except FileNotFoundError:
            raise LostFileError(self.directory, old) from None

    def drop(self, name: str) -> None:
        """Forget what is kept under a name, if anything is."""
        with suppress(FileNotFoundError):
            os.unlink(self.path(name))

    def path(self, name: str) -> str:
        """Return where the file of a name lies."""
        return os.path.join(self.directory, name)


class Checkpoint(SlotFiles):
    """The folder of one solve, held by one process, with its ledger; use it in a `with` statement.

    `about` says what is being solved, and how: work of the same game done in another way is thrown
    away. Raises OSError if another process holds it, or if it holds work of another game.
    """

    def __init__(self, directory: str, about: dict[str, Any]) -> None:
        super().__init__(directory)
        self.about = json.loads(json.dumps(about))
        self.ledger: dict[str, Any] = {}

    def __enter__(self) -> Self:
        if os.path.exists(self.directory) and not os.path.isdir(self.directory):
            raise OSError(f"{self.directory} is no folder: unfinished work needs one")
        os.makedirs(self.directory, exist_ok=True)
        known = self._read_ledger()
        others = [name for name in os.listdir(self.directory) if not self._is_own(name)]
        if known is None and others:
            raise OSError(
                f"{self.directory} holds other things, such as {others[0]}: name a folder for"
                " unfinished work alone"
            )
        self._lock = _locked(self.path(LOCK))
        if hasattr(os, "register_at_fork"):  # a worker that outlives this process holds no lock
            os.register_at_fork(after_in_child=self._lock.close)
        self.ledger = self._read_ledger() or {}
        if self.ledger.get("about") != self.about:
            other = self.ledger.get("about", self.about).get("game")
            if other != self.about.get("game"):
                self._lock.close()
                raise OSError(
                    f"{self.directory} holds unfinished work of {other}: name another file, or"
                    " delete that folder if the work is not wanted"
                )
            self._empty()
            self.ledger = {"about": self.about}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(FileNotFoundError):
            if os.listdir(self.directory) == [LOCK]:  # nothing was done
                self.clear()
        self._lock.close()

    def note(self) -> None:
        """Keep the ledger as it is now."""
        self.put(LEDGER, [(0, 1, json.dumps(self.ledger).encode())])

    def clear(self) -> None:
        """Delete the files that a solve has left, and the folder if there is nothing else in it."""
        self._empty()
        os.unlink(self.path(LOCK))
        with suppress(OSError):  # somebody keeps something else there
            os.rmdir(self.directory)

    def _read_ledger(self) -> dict[str, Any] | None:
        """Return what the ledger says, or None if there is none that can be read."""
        try:
            known = json.loads(self.get(LEDGER))
        except (LostFileError, ValueError):
            return None
        return known if isinstance(known, dict) and isinstance(known.get("about"), dict) else None

    def _is_own(self, name: str) -> bool:
        """Return whether a file is one that a solve has left."""
        path = self.path(name)
        if name == LOCK:
            return os.path.isfile(path) and os.path.getsize(path) == 0
        if name == LEDGER:
            with open(path, "rb") as file:
                return file.read(len(MARK)) == MARK or os.path.getsize(path) == 0
        return OWN.fullmatch(name) is not None and os.path.isfile(path)

    def _empty(self) -> None:
        for name in os.listdir(self.directory):
            if name != LOCK and self._is_own(name):
                os.unlink(self.path(name))


def _locked(path: str) -> Any:
    """Return the file at `path`, open and locked until it is closed."""
    try:
        import fcntl
    except ImportError:  # no such locks here; two solves at once would only spoil each other's work
        return open(path, "ab")
    while True:
        file = open(path, "ab")  # noqa: SIM115
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                return file
        except FileNotFoundError:  # who held it has finished, and deleted it
            pass
        except OSError:
            file.close()
            raise OSError(f"{os.path.dirname(path)}: another solve is at work there") from None
        file.close()
        os.makedirs(os.path.dirname(path), exist_ok=True)
