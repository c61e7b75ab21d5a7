"""Where tables lie on disk, and writing one whole or not at all.

Solved tables go to `$PERFECTPLAY_TABLES`, else to the user's data directory, and are looked for
there and then among the tables that ship with the package.
"""

from __future__ import annotations

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SHIPPED = (os.path.join(HERE, "data"), os.path.join(os.path.dirname(HERE), "data"))
"""The tables' place in an installed package, and in a checkout."""


def shipped_path(spec: str) -> str | None:
    """Return the path of the table that ships for a game, or None."""
    paths = (os.path.join(directory, file_name(spec)) for directory in SHIPPED)
    return next((path for path in paths if os.path.isfile(path)), None)


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


def save(path: str, data: bytes) -> None:
    """Write `data` to the file at `path`, all of it or, on any failure, nothing.

    Raises OSError.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(f"{path} is not a file that can be replaced")
    draft = f"{path}.{os.getpid()}.part"
    handle = os.open(
        draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666
    )
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
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
