"""Opening files safely, and writing them atomically: completely, or leaving them as they were."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import BufferedWriter, FileIO


def open_regular(path: str | os.PathLike[str], most: int | None = None) -> FileIO:
    """Open a file to read; raises OSError, also if it is a pipe or a device.

    Such a file might have no end, or might wait for a writer. `most` limits a file's bytes.
    """
    status = os.stat(path)
    if not stat.S_ISREG(status.st_mode) and not stat.S_ISDIR(status.st_mode):  # open refuses those
        raise OSError(f"{os.fspath(path)} is not a regular file")
    if most is not None and status.st_size > most:
        raise OSError(
            f"{os.fspath(path)} has {status.st_size:,} bytes; such a file has at most {most:,}"
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


def save(path: str, data: bytes, durable: bool = True) -> None:
    """Write a file at `path`; see `atomic_write`. Raises OSError."""
    with atomic_write(path, durable) as file:
        file.write(data)


@contextmanager
def atomic_write(path: str, durable: bool = True) -> Iterator[BufferedWriter]:
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
    directory, name = os.path.split(target)
    draft = os.path.join(directory, f".{name[:NAMED]}.{os.urandom(8).hex()}.part")
    try:
        with ExitStack() as stack:
            with suppress(OSError):  # not every file system has locks
                stack.enter_context(lock(draft, wait=True))
            try:
                with open(draft, "wb") as file:
                    yield file
                    if durable:
                        file.flush()
                        os.fsync(file.fileno())
                if os.path.exists(target):
                    os.chmod(draft, stat.S_IMODE(os.stat(target).st_mode))
                os.replace(draft, target)
            except BaseException:
                with suppress(FileNotFoundError):
                    os.unlink(draft)
                raise
    except OSError as error:
        if error.errno is not None:
            raise OSError(error.errno, error.strerror, path) from error
        raise


def remove_drafts(path: str) -> None:
    """Delete the drafts of the file at `path` that killed processes have left."""
    directory, name = os.path.split(os.path.realpath(path))
    with suppress(OSError):  # as in a directory that may not be listed
        for entry in os.listdir(directory):
            if (match := DRAFT.fullmatch(entry)) and match[1] == name[:NAMED]:
                remove_draft(os.path.join(directory, entry))


def remove_draft(path: str) -> bool:
    """Delete a draft unless a process is writing it; return whether it is deleted."""
    try:
        with lock(path, wait=False):
            os.unlink(path)
    except OSError:
        return False
    return True


def lock(path: str, wait: bool) -> BufferedWriter:
    """Create the file at `path` if it is missing, and lock it until the returned file is closed.

    Raises OSError if the file system has no locks, and BlockingIOError, unless `wait`, if another
    process has locked it. On Windows, where an open file cannot be deleted, it locks nothing.
    """
    try:
        import fcntl
    except ImportError:
        open(path, "ab").close()
        return open(os.devnull, "ab")
    while True:
        with ExitStack() as stack:
            file = stack.enter_context(open(path, "ab"))
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            with suppress(FileNotFoundError):  # whoever had locked it deleted it
                if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
                    stack.pop_all()
                    return file
