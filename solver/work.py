"""A folder for what a long solve has finished, so that it can go on after any end.

A file is whole and sound, or it counts as missing: each begins with a CRC-32 of the rest and comes
into being under its name only when it is complete. One process at a time holds the folder.
"""

from __future__ import annotations

import json
import os
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from .files import save

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

MARK = b"tier"
LEDGER, LOCK = "ledger", "lock"


class Work:
    """The folder; use it in a `with` statement.

    `about` says what is being solved, and how: work of the same game done in another way is thrown
    away. Raises OSError if another process holds it, or if it holds work of another game.
    """

    def __init__(self, directory: str, about: dict[str, Any]) -> None:
        self.directory = directory
        self.about = json.loads(json.dumps(about))
        self.ledger: dict[str, Any] = {}

    def __enter__(self) -> Self:
        os.makedirs(self.directory, exist_ok=True)
        self._lock = _locked(os.path.join(self.directory, LOCK))
        known = self.get(LEDGER)
        self.ledger = {} if known is None else json.loads(known)
        if self.ledger.get("about") != self.about:
            other = self.ledger.get("about", self.about).get("game")
            if other != self.about.get("game"):
                self._lock.close()
                raise OSError(
                    f"{self.directory} holds unfinished work of {other}: name another file, or"
                    " delete that folder if the work is not wanted"
                )
            _empty(self.directory)
            self.ledger = {"about": self.about}
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._lock.close()

    def note(self) -> None:
        """Keep the ledger as it is now."""
        self.put(LEDGER, json.dumps(self.ledger).encode())

    def put(self, name: str, data: Any) -> None:
        """Keep a buffer under a name."""
        view = memoryview(data).cast("B")
        head = MARK + zlib.crc32(view).to_bytes(4, "little")
        save(self._path(name), head, view, durable=False)

    def get(self, name: str) -> bytearray | None:
        """Return what is kept under a name; None if it is missing or damaged."""
        try:
            with open(self._path(name), "rb", buffering=0) as file:
                head = file.read(8)
                data = bytearray(max(0, os.fstat(file.fileno()).st_size - 8))
                view = memoryview(data)
                while view and (count := file.readinto(view)):  # at most 2 GiB at once
                    view = view[count:]
        except FileNotFoundError:
            return None
        sound = head == MARK + zlib.crc32(data).to_bytes(4, "little")
        return data if sound else None

    def has(self, name: str) -> bool:
        """Return whether something is kept under a name; it may be damaged."""
        return os.path.exists(self._path(name))

    def rename(self, old: str, new: str) -> None:
        """Keep under another name what is kept under one."""
        os.replace(self._path(old), self._path(new))

    def clear(self) -> None:
        """Delete the files that a solve has left, and the folder if there is nothing else in it."""
        _empty(self.directory)
        os.unlink(self._path(LOCK))
        with suppress(OSError):  # somebody keeps something else there
            os.rmdir(self.directory)

    def drop(self, name: str) -> None:
        """Forget what is kept under a name, if anything is."""
        if self.has(name):
            os.unlink(self._path(name))

    def _path(self, name: str) -> str:
        return os.path.join(self.directory, name)


def _empty(directory: str) -> None:
    for name in os.listdir(directory):
        if name.endswith((".keys", ".seeds", ".values", ".part")) or name == LEDGER:
            os.unlink(os.path.join(directory, name))


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
