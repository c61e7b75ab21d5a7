"""The files that the rules of a custom game consist of, and their hash.

A table of a custom game, and unfinished work, state both: `{"files": [NAME, ...], "hash": HASH}`,
with names relative to the folder of the rules' file. The files are

- that file, which has the game's class or is the one that `load_game` was given;
- what it imports by statement, directly or not, if it is neither in a library nor in this package;
- everything below the folder whose code has run since the rules' file began to load, however it was
  loaded, but for environments.

A list grows as files are loaded, and whoever compares takes the files that are listed, no others.
The hash leaves out what does not change the rules: comments, docstrings, blank lines and spaces at
the ends of lines. Data that the rules read and texts that they execute are not seen.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from types import ModuleType
from typing import Any

from solver.files import open_regular
from solver.rules.game import Game
from solver.startup import sha256

PACKAGE = __name__.split(".", maxsplit=1)[0]
INSTALLED = {"site-packages", "dist-packages"}
COMPILED = re.compile(r"rules_[0-9a-f]{24}\.py")  # see `solver.compiling.kernel`
MOST_SOURCE = 1 << 24  # bytes of a file of rules
MOST_NAMES = 1 << 14  # characters of a list of files: the header of a table has limits
MISSING = "missing"  # in place of a file's hash


def rules_path(game: Game[Any, Any]) -> str | None:
    """Return the path of the file of a game's rules; None without one, and for a built-in game."""
    return next(iter(_homes(game)), None)


def has_changed(game: Game[Any, Any], stated: dict[str, Any]) -> bool:
    """Return whether the files that are stated have another hash now, or the game has none."""
    return rules_path(game) is None or RuleFiles(game, stated["files"]).stated != stated


class RuleFiles:
    """The files of a game's rules, each with its hash when it was first seen.

    So a file that is edited while the rules in memory solve a game counts as it was.
    """

    def __init__(self, game: Game[Any, Any], files: Iterable[str] | None = None) -> None:
        """Take the files with these names, by default those that are loaded."""
        self.game, self._path = game, rules_path(game)
        self.folder = os.path.dirname(self._path or "")
        self.hashes: dict[str, str] = {}
        self._imports: dict[str, list[str]] = {}
        self._counts = 0, 0  # of what was loaded when the list was made
        if files is None:
            self.update()
        for name in files or ():
            self.hashes[name] = _hash(os.path.join(self.folder, name))

    @property
    def stated(self) -> dict[str, Any] | None:
        """The files and their hash; None if the rules have no file, or too many."""
        files = sorted(self.hashes)
        if not files or len(json.dumps(files)) > MOST_NAMES:
            return None
        lines = "".join(f"{self.hashes[name]} {name}\n" for name in files)
        return {"files": files, "hash": sha256(lines.encode()).hexdigest()}

    def update(self) -> None:
        """Add the files that have been loaded since."""
        counts = len(sys.modules), len(executed_files())
        if self._path is None or counts == self._counts:
            return
        self._counts = counts
        for path in {*self._imported(), *self._loaded()}:
            with suppress(ValueError):  # on another disk of Windows
                name = os.path.relpath(path, self.folder).replace(os.sep, "/")
                if name not in self.hashes and name.isprintable():
                    self.hashes[name] = _hash(path)

    def _loaded(self) -> Iterator[str]:
        """Yield the files below the folder that were loaded since the rules' file began to load."""
        ran, before = executed_files(), type(self.game).modules_before
        start = min(ran.get(path, len(ran)) for path in _homes(self.game))
        paths = [path for path, number in ran.items() if number > start]
        for name, module in [*sys.modules.items()]:
            path = getattr(module, "__file__", None)
            if before is not None and name not in before and isinstance(path, str):
                paths.append(_real(path))
        for path in paths:
            if path.startswith(self.folder + os.sep) and self._is_users(path):
                yield path

    def _imported(self) -> Iterator[str]:
        """Yield the rules' files and what they import by statement, directly or not."""
        names = [self.game.found_in, *(kind.__module__ for kind in type(self.game).__mro__)]
        walked = set[str]()
        for name in names:  # which grows
            path = _path(name)
            if path is not None and path not in walked and self._is_users(path):
                walked.add(path)
                if path not in self._imports:
                    self._imports[path] = _imports(path, sys.modules[name])
                names += self._imports[path]
        yield from {*_homes(self.game), *walked}

    def _is_users(self, path: str) -> bool:
        """Return whether a file is in no environment or library, unless the rules are there, too.

        Nor is it one that compiled rules were written to.
        """
        libraries = [folder for folder in _libraries() if path.startswith(folder)]
        if not path.startswith(self.folder + os.sep):
            return not libraries
        inside = path[len(self.folder) :].split(os.sep)
        is_installed = not INSTALLED.isdisjoint(inside) or COMPILED.fullmatch(inside[-1])
        return not is_installed and all(map(self.folder.startswith, libraries))


@lru_cache(1)
def _libraries() -> list[str]:
    """Return the folders of libraries, and that of this package."""
    import sysconfig

    own = os.path.dirname(os.path.dirname(__file__))
    return [os.path.realpath(path) + os.sep for path in {*sysconfig.get_paths().values(), own}]


@lru_cache(1)
def executed_files() -> dict[str, int]:
    """Return the files whose code has run since the first call, numbered in order; it grows.

    So a module is seen that is not among `sys.modules`, or no longer.
    """
    files: dict[str, int] = {}

    def note(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "exec":
            path = getattr(arguments[0], "co_filename", "<")
            if not path.startswith("<"):
                files.setdefault(_real(path), len(files))

    sys.addaudithook(note)
    return files


def _homes(game: Game[Any, Any]) -> list[str]:
    """Return the paths of a game's files: of its name or class first, and where it was found."""
    kind = type(game)
    homes = [_path(kind.__module__, kind.module_file), _path(game.found_in)]
    return [path for path in (homes[::-1] if game.instance_name else homes) if path is not None]


def _path(name: str, file: str | None = None) -> str | None:
    """Return the path of a module's file; None if it has none, or none that others can import.

    `file` is where it was when the module was loaded.
    """
    path = file or getattr(sys.modules.get(name), "__file__", None)
    if name == "__main__" or name.split(".", 1)[0] == PACKAGE or not isinstance(path, str):
        return None
    path = _real(path)
    return path if os.path.isfile(path) else None


def _real(path: str) -> str:
    """Return an absolute path without links, except that of the file itself."""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)


def _imports(path: str, module: ModuleType) -> list[str]:
    """Return the names of modules that a module may import by statement, and of its packages."""
    import ast

    from solver.rules.blanked import parsed

    package = module.__package__ or ""
    names = [package]
    for node in ast.walk(parsed(_read(path)) or ast.Module([], [])):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) + 1 - node.level])
            start = ".".join(filter(None, (base if node.level else "", node.module)))
            names += [start, *(f"{start}.{alias.name}".lstrip(".") for alias in node.names)]
    return [".".join(name.split(".")[:i]) for name in names for i in range(1, name.count(".") + 2)]


def _read(path: str) -> bytes:
    """Return the bytes of a file; raises OSError, and ValueError for an impossible path."""
    with open_regular(path, MOST_SOURCE) as file:
        return file.read()


def _hash(path: str) -> str:
    """Return the hash of a file's rules, or MISSING if it cannot be read."""
    from solver.rules.blanked import blanked  # which imports what hardly anybody else needs

    try:
        return sha256(blanked(_read(path))).hexdigest()
    except (OSError, ValueError):
        return MISSING
