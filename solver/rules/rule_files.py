"""The Python files that the rules of a game consist of."""

from __future__ import annotations

import ast
import os
import sys
import sysconfig
from hashlib import sha256
from types import ModuleType
from typing import Any

from solver.rules.game import Game

LIBRARIES = tuple(
    os.path.realpath(path) + os.sep for path in {*sysconfig.get_paths().values()} if path
)
PACKAGE = __name__.split(".", maxsplit=1)[0]


def hash_rules(game: Game[Any, Any]) -> str:
    """Return a SHA-256 of the files of a game's class and of all that they import of the user's.

    These are the modules of the class and of its bases, and what these import, directly or not,
    that is neither in a library nor in this package. Data that the rules read are not among them.
    It is empty if there is no file, as for rules that were typed interactively.
    """
    sources: dict[str, bytes] = {}
    for kind in type(game).__mro__:
        if kind is Game:
            break
        _add(sys.modules.get(kind.__module__), sources)
    digest = sha256()
    for name, source in sorted(sources.items()):
        digest.update(f"{name} {len(source)}\n".encode() + source)
    return digest.hexdigest() if sources else ""


def _add(module: ModuleType | None, sources: dict[str, bytes]) -> None:
    """Add the source of a module, by its name, and of those of the user's that it imports."""
    path = getattr(module, "__file__", None)
    if module is None or path is None or module.__name__ in sources or not path.endswith(".py"):
        return
    with open(path, "rb") as file:
        source = sources[module.__name__] = file.read()
    if module.__name__.split(".")[0] == PACKAGE:
        return
    for name in _imports(ast.parse(source), module.__package__ or ""):
        imported = sys.modules.get(name)
        where = os.path.realpath(getattr(imported, "__file__", None) or LIBRARIES[0])
        if name.split(".")[0] != PACKAGE and not where.startswith(LIBRARIES):
            _add(imported, sources)


def _imports(tree: ast.Module, package: str) -> list[str]:
    """Return the names of modules that a module may import."""
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package.split(".")[: len(package.split(".")) + 1 - node.level])
            start = ".".join(filter(None, (base if node.level else "", node.module)))
            names += [start, *(f"{start}.{alias.name}".lstrip(".") for alias in node.names)]
    return [".".join(name.split(".")[:i]) for name in names for i in range(1, name.count(".") + 2)]
