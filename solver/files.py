"""Writing a file whole, or not at all."""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator


def check_place(path: str | None) -> None:
    """Raise OSError if a file could not be written at `path`, before the work for it is done."""
    if path is not None:
        directory = os.path.dirname(os.path.realpath(path)) if path else ""
        if not path or os.path.isdir(path) or not os.access(directory, os.W_OK):
            raise OSError(f"{path!r}: no file can be written there")


def save(path: str, *parts: bytes | memoryview, durable: bool = True) -> None:
    """Write the parts to the file at `path`, all of them or, on any failure, nothing.

    See `writing`. Raises OSError.
    """
    with writing(path, durable) as file:
        for part in parts:
            file.write(part)


@contextmanager
def writing(path: str, durable: bool = True) -> Iterator[BinaryIO]:
    """Give a file to write; it comes into being at `path` when it is complete, or not at all.

    A link stays one, and a file that is replaced keeps its mode. Unless `durable`, a loss of power
    may still leave less than the whole. Raises OSError.
    """
    target = os.path.realpath(path)
    if os.path.exists(target) and not os.path.isfile(target):
        raise OSError(f"{path} is not a file that can be replaced")
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
