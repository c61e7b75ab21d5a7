"""A game of one's own: a subclass of Game in a file or a module, loaded when somebody names it."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from types import ModuleType
from typing import Any

from solver.errors import UnknownGameError
from solver.rules.game import Game


def load_custom(spec: str) -> Game[Any, Any]:
    """Return the game that `path/to/file.py:Class` or `module:Class` names.

    The class takes no arguments. Runs the file. Raises UnknownGameError if it cannot be loaded.
    """
    place, _, name = spec.rpartition(":")
    try:
        module = _from_file(place) if place.endswith(".py") else _from_path(place)
        found = getattr(module, name, None)
        if not (isinstance(found, type) and issubclass(found, Game)):
            raise UnknownGameError(f"{place} has no class {name!r} that is a Game")
        return found()
    except UnknownGameError:
        raise
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {error}"
        if isinstance(error, ModuleNotFoundError) and error.name == place:
            reason += "; perfectplay games lists the names"
        raise UnknownGameError(f"the game {spec} cannot be loaded: {reason}") from error


def _from_path(name: str) -> ModuleType:
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
    return importlib.import_module(name)


def _from_file(path: str) -> ModuleType:
    """Return the module in a file; its name, the file's, is the first half of the game's spec."""
    name, whole = os.path.basename(path)[:-3], os.path.abspath(path)
    known = sys.modules.get(name)
    if known is not None and getattr(known, "__file__", None) == whole:
        return known
    if known is not None or name in sys.stdlib_module_names:
        raise UnknownGameError(f"{path} needs another name: Python has a module {name} already")
    described = importlib.util.spec_from_file_location(name, whole)
    if described is None or described.loader is None:
        raise UnknownGameError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(described)
    sys.modules[name] = module
    sys.path.insert(0, os.path.dirname(whole))  # for what the file imports
    try:
        described.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    finally:
        sys.path.remove(os.path.dirname(whole))
    return module
