"""Opening files safely, and writing them atomically: completely, or leaving them as they were."""

from __future__ import annotations

import os
import re
import stat
from contextlib import contextmanager, suppress

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import FileIO
    from typing import BinaryIO


def open_regular(path: str | os.PathLike[str], most: int | None = None) -> FileIO:
    """Open a file to read; raises OSError, also if it is a pipe or a device.

    Such a file might have no end, or might wait for a writer. `most` limits a file's bytes.
    """
    found = os.stat(path)
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):  # open refuses those
        raise OSError(f"{os.fspath(path)} is not a regular file")
    if most is not None and found.st_size > most:
        raise OSError(
            f"{os.fspath(path)} has {found.st_size:,} bytes; such a file has at most {most:,}"
        )
    return open(path, "rb", buffering=0)


def working_directory() -> str:
    """Return the working directory; raises OSError, which says so, if it has been deleted."""
    try:
        return os.getcwd()
    except OSError as error:
        raise OSError("the working directory no longer exists; change to one that does") from error


DRAFT = re.compile(r"\.(.+)\.[0-9a-f]{16}\.part", re.DOTALL)
NAMED = 50  # characters of a file's name that its drafts repeat; names may be 255 bytes long


def check_writable(path: str | None) -> None:
    """Raise OSError if no file can be written at `path`; call it before starting long work."""
    if path is not None:
        directory = os.path.dirname(os.path.realpath(path)) if path else ""
        if not path or os.path.isdir(path) or not os.access(directory, os.W_OK):
            raise OSError(f"{path!r}: no file can be written there")


def save(path: str, *parts: bytes | memoryview, durable: bool = True) -> None:
    """Write the parts to the file at `path`; see `atomic_write`. Raises OSError."""
    with atomic_write(path, durable) as file:
        for part in parts:
            file.write(part)


@contextmanager
def atomic_write(path: str, durable: bool = True) -> Iterator[BinaryIO]:
    """Open a file for writing that appears at `path` when the block ends without an exception.

    An existing file is replaced and keeps its mode; if `path` is a symbolic link, its target is
    replaced. Until then the data are in a draft beside it; a killed process leaves its draft there,
    and the next durable write to the same file deletes it. If `durable` is false, a power failure
    may leave an incomplete file. Raises OSError.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        raise OSError(f"{path} is not a regular file")
    if durable:
        remove_drafts(target)
    try:
        with _draft(target) as (draft, file):
            with file:
                yield file
                if durable:
                    file.flush()
                    os.fsync(file.fileno())
            if os.path.exists(target):
                os.chmod(draft, stat.S_IMODE(os.stat(target).st_mode))
            os.replace(draft, target)
    except OSError as error:
        if error.errno is not None:
            raise OSError(error.errno, error.strerror, path) from error
        raise


@contextmanager
def _draft(target: str) -> Iterator[tuple[str, BinaryIO]]:
    """Create a draft, locked so that `remove_draft` leaves it alone; delete it after an error."""
    directory, name = os.path.split(target)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    while True:
        draft = os.path.join(directory, f".{name[:NAMED]}.{os.urandom(8).hex()}.part")
        file = os.fdopen(os.open(draft, flags, 0o666), "wb")
        held = -1  # holds the lock when the file is closed
        with suppress(OSError):  # not every file system has locks
            held = os.dup(file.fileno()) if lock(file.fileno(), wait=True) else -1
        if os.path.exists(draft):
            break
        file.close()  # another process deleted the draft before it was locked
        if held >= 0:
            os.close(held)
    try:
        yield draft, file
    except BaseException:
        os.unlink(draft)
        raise
    finally:
        if held >= 0:
            os.close(held)


def remove_drafts(path: str) -> None:
    """Delete the drafts of the file at `path` that killed processes have left."""
    directory, name = os.path.split(os.path.realpath(path))
    with suppress(OSError):  # as in a directory that may not be listed
        for found in os.listdir(directory):
            if (match := DRAFT.fullmatch(found)) and match[1] == name[:NAMED]:
                remove_draft(os.path.join(directory, found))


def remove_draft(path: str) -> bool:
    """Delete a draft unless a process is writing it; return whether it is deleted."""
    try:
        with open(path, "r+b") as file:
            if has_locks := lock(file.fileno(), wait=False):
                os.unlink(path)
        if not has_locks:
            os.unlink(path)
    except OSError:
        return False
    return True


def lock(handle: int, wait: bool) -> bool:
    """Lock an open file until it is closed, and return True; on Windows, only return False.

    There, no process can delete a file that another has open. Raises OSError if the file system has
    no locks or, unless `wait`, if another process has locked the file.
    """
    try:
        import fcntl
    except ImportError:
        return False
    fcntl.flock(handle, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    return True
