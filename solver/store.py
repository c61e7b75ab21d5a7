"""Where tables lie on disk, and writing one whole or not at all.

Solved tables go to `$PERFECTPLAY_TABLES`, else to the user's data directory, and are looked for
there and then among the tables that ship with the package.
"""

from __future__ import annotations

import os
import stat
import sys

MOST_BYTES = 1 << 28  # of a table that is read whole
HERE = os.path.dirname(os.path.abspath(__file__))
SHIPPED = os.path.join(HERE, "data")
CHECKOUT = os.path.dirname(HERE)  # where data/ lies beside the package, and pyproject.toml too


def shipped_path(spec: str) -> str | None:
    """Return the path of the table that ships for a game, or None."""
    is_checkout = os.path.isfile(os.path.join(CHECKOUT, "pyproject.toml"))
    directory = os.path.join(CHECKOUT, "data") if is_checkout else SHIPPED
    path = os.path.join(directory, file_name(spec))
    return path if os.path.isfile(path) else None


def own_path(spec: str) -> str:
    """Return where the user's own table of a game goes."""
    return os.path.join(_own_directory(), file_name(spec))


def find_table(spec: str) -> str:
    """Return the path of the table to use for a game; raises FileNotFoundError."""
    own = own_path(spec)
    path = own if os.path.isfile(own) else shipped_path(spec)
    if path is None:
        raise FileNotFoundError(f"there is no table of {spec} yet: run perfectplay solve {spec}")
    return path


def file_name(spec: str) -> str:
    """Return the name of the file for a game's table."""
    return spec.replace(":", "-").replace(os.sep, "-") + ".json"


def read_file(path: str | os.PathLike[str]) -> bytes:
    """Return what the file at `path` holds; raises OSError if it cannot, or is far too large."""
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise OSError(f"{os.fspath(path)} is no table: it has more than {MOST_BYTES:,} bytes")
    return data


def check_place(path: str | None) -> None:
    """Raise OSError if a file could not be written at `path`, before the work for it is done."""
    if path is not None:
        directory = os.path.dirname(os.path.realpath(path)) if path else ""
        if not path or os.path.isdir(path) or not os.access(directory, os.W_OK):
            raise OSError(f"{path!r}: no file can be written there")


def save(path: str, data: bytes) -> None:
    """Write `data` to the file at `path`, all of it or, on any failure, nothing.

    A link stays one, and a file that is replaced keeps its mode. Raises OSError.
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
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(target):
            os.chmod(draft, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(draft, target)
    except BaseException as error:
        os.unlink(draft)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, path) from error
        raise


def _own_directory() -> str:
    chosen = os.environ.get("PERFECTPLAY_TABLES")
    if chosen:
        return chosen
    home = os.path.expanduser("~")
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        base = os.path.join(home, "Library", "Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or os.path.join(home, ".local", "share")
    return os.path.join(base, "perfectplay")
