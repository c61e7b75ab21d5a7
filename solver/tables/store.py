"""Where tables are stored on disk, and reading their files.

Solved tables are written to `$PERFECTPLAY_TABLES`, or else to the user's data directory. A table is
looked for there first, and then among the tables that ship with the package.
"""

from __future__ import annotations

import os
import sys

from solver.errors import RulesChangedWarning
from solver.files import open_regular
from solver.rules.game import Game, is_packaged
from solver.startup import Any, sha256

SUFFIXES = (".json", ".safetensors")  # of small tables and of large ones
BOOK_SUFFIX = ".book"
UNPROVED = ".unproved"  # the suffix of a table that was made at once for an answer
WORK = ".work"  # the suffix of the folder of an unfinished solve
MOST_BYTES = 1 << 28  # of a table that is read into memory
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SHIPPED = os.path.join(HERE, "data")
CHECKOUT = os.path.dirname(HERE)  # in a checkout, has data/ and pyproject.toml


def shipped_path(spec: str) -> str | None:
    """Return the path of the table of a game that ships with the package, or None."""
    path = stored_file(shipped_directory(), spec, SUFFIXES[0])
    return path if os.path.isfile(path) else None


def shipped_directory() -> str:
    """Return the folder of the tables that ship with the package."""
    is_checkout = os.path.isfile(os.path.join(CHECKOUT, "pyproject.toml"))
    return os.path.join(CHECKOUT, "data") if is_checkout else SHIPPED


def user_path(spec: str, suffix: str, rules: str | None = None) -> str:
    """Return the path where the user's table of a game is stored; `rules` is that of `rules_of`."""
    return stored_file(user_directory(), spec, suffix, rules)


def rules_of(game: Game[Any, Any]) -> str | None:
    """Return the path of a custom game's rules, which the name of its stored table depends on."""
    if is_packaged(game):
        return None
    from solver.rules.rule_files import rules_path  # which imports more than most games need

    return rules_path(game)


def find_table(
    spec: str, name: str | None = None, rules: str | None = None, unproved: bool = False
) -> str:
    """Return the path of the table to use for a game; raises FileNotFoundError.

    `name` is what the user calls the game, and `rules` the path of `rules_of`. A table whose name
    is without it, as earlier versions wrote, is found with a warning. With `unproved`, one that was
    made at once comes last.
    """
    for folder in dict.fromkeys((rules, None)):
        paths = (user_path(spec, suffix, folder) for suffix in SUFFIXES)
        path = next(filter(os.path.isfile, paths), None)
        if path is not None:
            break
    path = path or shipped_path(spec)
    kept = user_path(spec, UNPROVED, rules)
    if path is None and unproved and os.path.isfile(kept):
        return kept
    if path is not None and folder != rules:
        from warnings import warn

        warn(
            f"{path} has an older name, and may be of other rules that are called {spec}: solve the"
            " game again",
            RulesChangedWarning,
            stacklevel=2,
        )
    if path is None:
        raise no_table(spec, name)
    return path


def no_table(spec: str, name: str | None, reason: str = "") -> FileNotFoundError:
    """Return the error that says how to make the table of a game, and why that is not done."""
    from shlex import quote

    from solver.tables.format import name_of_rules

    named, why = quote(name) if name else name_of_rules(spec), reason and f", and {reason}"
    return FileNotFoundError(
        f"there is no table for {spec} yet{why}: run perfectplay solve {named}"
    )


def find_book(spec: str) -> str | None:
    """Return the path of the book of a game, the user's or the one in the package, or None."""
    folders = user_directory(), shipped_directory()
    paths = (stored_file(folder, spec, BOOK_SUFFIX) for folder in folders)
    return next(filter(os.path.isfile, paths), None)


def stored_file(folder: str, spec: str, suffix: str, rules: str | None = None) -> str:
    """Return the path of a game's file in a folder; `rules` is that of `rules_of`.

    Eight digits of a hash of that path tell files of rules with one name apart.
    """
    name = spec.replace(":", "-").replace(os.sep, "-")
    if rules is not None:
        name += f"-{sha256(os.fsencode(rules)).hexdigest()[:8]}"
    return os.path.join(folder, name + suffix)


def read_file(path: str | os.PathLike[str]) -> bytes:
    """Return a file's contents; raises OSError, also for a file that is too large for a table."""
    with open_regular(path, MOST_BYTES) as file:
        return file.read()


def user_directory() -> str:
    """Return the folder of the user's tables."""
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
