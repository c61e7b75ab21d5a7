"""Opening files safely, and writing them atomically: completely, or leaving them as they were."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager

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
    replaced. If `durable` is false, a power failure may leave an incomplete file. Raises OSError.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        raise OSError(f"{path} is not a regular file")
    draft = os.path.join(os.path.dirname(target), f".{os.urandom(8).hex()}.part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(draft, flags, 0o666)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if os.path.exists(target):
            os.chmod(draft, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(draft, target)
    except BaseException as error:
        os.unlink(draft)
        if isinstance(error, OSError) and error.errno is not None:
            raise OSError(error.errno, error.strerror, path) from error
        raise
