"""Custom games: subclasses of Game that users write in a file or a module of their own."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from functools import partial
from types import ModuleType
from typing import Any

from solver.errors import UnknownGameError, described, needs_extra
from solver.files import open_regular, working_directory
from solver.rules.game import Game
from solver.rules.rule_files import MOST_SOURCE, executed_files

PREFIX = "python:"  # before a module, which is imported
OPENSPIEL = "openspiel:"  # before the name of a game of OpenSpiel
FORMS = (
    "openspiel:NAME or openspiel:NAME(PARAMETER=VALUE,...) for a game of OpenSpiel, with the extra"
    " openspiel",
    "FILE.py:CLASS or python:MODULE:CLASS for a custom game",
)
"""How the names of games are written that are not built in."""


def is_openspiel(spec: str) -> bool:
    """Return whether a name is that of a game of OpenSpiel."""
    return spec.startswith(OPENSPIEL)


def is_custom(spec: str) -> bool:
    """Return whether a name is that of something in a Python file or module, or in OpenSpiel.

    A module without a dot needs the prefix, since its name might be a misspelling of a game's.
    """
    source, colon, _ = spec.rpartition(":")
    dotted = "." in source and all(part.isidentifier() for part in source.split("."))
    is_named = source.startswith(PREFIX) or is_openspiel(spec)
    return bool(colon) and (source.endswith(".py") or is_named or dotted)


def load_custom(spec: str) -> Game[Any, Any]:
    """Return the game of a name for which `is_custom` is true.

    Executes the file or module and creates the class without arguments, unless the name is that of
    an instance, which has it as its `spec`. Raises UnknownGameError, which lists the games of the
    file or module if there is none of this name, or no name.
    """
    if is_openspiel(spec):
        with needs_extra(f"the game {spec}", "openspiel"):
            from solver.games.openspiel import load
        return load(spec)
    module_name, _, name = (spec, "", "") if spec.endswith(".py") else spec.rpartition(":")
    source = module_name.removeprefix(PREFIX)
    executed_files()  # which are noted from now on
    try:
        module = _load_file(source) if source.endswith(".py") else _load_module(source)
        rules = getattr(module, name, None)
        if isinstance(rules, Game) and not isinstance(rules, type):
            rules.instance_name = f"{module.__name__}:{name}"
            rules.found_in = module.__name__
            return rules
        if not (isinstance(rules, type) and issubclass(rules, Game)):
            games = " or ".join(f"{module_name}:{kind}" for kind in _games(module))
            hint = f"; did you mean {games}?" if games else ""
            wrong = (
                f"has no subclass or instance of Game named {name!r}" if name else "is not a class"
            )
            if isinstance(rules, type):
                wrong = f"has a class {name} that is no game: write class {name}(Game)"
            raise UnknownGameError(f"{source} {wrong}{hint}")
        if missing := sorted(rules.__abstractmethods__):
            raise UnknownGameError(f"{source}: {name} does not define {', '.join(missing)}")
        if rules.__init__ is not object.__init__ and not _takes_nothing(rules):
            raise UnknownGameError(
                f"{source}: {name} needs arguments: give each a default, or add a line such as"
                f" GAME = {name}(...) and name {module_name}:GAME"
            )
        game: Game[Any, Any] = rules()
        game.found_in = module.__name__
        return game
    except UnknownGameError:
        raise
    except (Exception, SystemExit) as error:
        reason = described(error)
        reason += "; write from solver import" * (getattr(error, "name", "") == "perfectplay")
        raise UnknownGameError(f"the game {spec} cannot be loaded: {reason}") from error


def _takes_nothing(kind: type) -> bool:
    """Return whether a class can be called without arguments."""
    from inspect import signature

    try:
        signature(kind).bind()
    except TypeError:
        return False
    return True


def _games(module: ModuleType) -> list[str]:
    """Return the names of the games in a module."""
    from inspect import isabstract

    return [
        name
        for name, v in vars(module).items()
        if isinstance(v, Game)
        or (isinstance(v, type) and issubclass(v, Game) and not isabstract(v))
    ]


def _load_module(name: str) -> ModuleType:
    """Import a module by name; the working directory is searched as well."""
    if working_directory() not in sys.path and "" not in sys.path:
        sys.path.insert(0, working_directory())
    return _with_print(importlib.import_module(name))


def _load_file(path: str) -> ModuleType:
    """Import a file as a module of the same name, which becomes part of the game's spec."""
    name = os.path.basename(path)[:-3]
    absolute = path if os.path.isabs(path) else os.path.join(working_directory(), path)
    absolute = os.path.normpath(absolute)
    loaded = sys.modules.get(name)
    if loaded is not None and getattr(loaded, "__file__", None) == absolute:
        return loaded
    if loaded is not None or name in sys.stdlib_module_names:
        raise UnknownGameError(f"rename {path}: there is already a Python module named {name}")
    if not os.path.exists(absolute):
        raise UnknownGameError(f"there is no file {path}")
    open_regular(path, MOST_SOURCE).close()
    module_spec = importlib.util.spec_from_file_location(name, absolute)
    if module_spec is None or module_spec.loader is None:
        raise UnknownGameError(f"{path} is not a Python file")
    module = _with_print(importlib.util.module_from_spec(module_spec))
    sys.modules[name] = module
    sys.path.insert(0, os.path.dirname(absolute))  # for the imports of the file
    arguments, sys.argv = sys.argv, [absolute]  # a file that reads them would take the command's
    try:
        module_spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.argv = arguments
        sys.path.remove(os.path.dirname(absolute))
    return module


def _with_print(module: ModuleType) -> ModuleType:
    """Return a module whose `print` writes to standard error: commands answer on the other."""
    vars(module).setdefault("print", partial(_print))
    return module


def _print(*values: Any, **options: Any) -> None:
    print(*values, **{"file": sys.stderr, **options})
