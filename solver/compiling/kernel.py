"""The kernel of compiled rules."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from hashlib import sha256
from types import ModuleType
from typing import Any

import numba
import numpy as np

from solver.compiling.images import images, images_of, orbits, orient
from solver.compiling.position_source import key_bits
from solver.compiling.source import RulesSource, module_source
from solver.errors import BrokenSymmetryError, GameLawError, KernelError, NotCompiledError
from solver.files import atomic_write
from solver.rules.game import Game, legal_moves, primitive_outcome
from solver.rules.kernel import TieredKernel

WIDTH = 8  # columns at first


class CompiledKernel(TieredKernel):
    """The rules of a game, compiled; raises NotCompiledError if they cannot be."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game, self.width = game, WIDTH
        self.bits = key_bits(game)
        text, source = module_source(game, numba.__version__)
        self.code = _load(text)
        self.has_tiers = type(game).tier is not Game.tier
        if len(game.symmetries) > 1:
            self._images = images_of(game)
        key = np.array([game.key(game.initial())])
        try:
            self.successors(key)
            self.tiers(key)
        except Exception as error:  # numba raises errors of many types
            raise _not_compiled(str(error), str(self.code.__file__), source) from error

    def successors(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        keys = np.asarray(keys, np.int64)
        outcomes = np.empty(len(keys), np.int8)
        while True:
            children = np.empty((len(keys), self.width), np.int64)
            most = self.code.expand(keys, outcomes, children)
            if most < 0:
                self._ask_rules(int(keys[-1 - most]))
            if most <= self.width:
                return outcomes, children
            self.width = most

    def _ask_rules(self, key: int) -> None:
        """Raise the error that the Python rules raise at a position."""
        game, p = self.game, self.game.position(key)
        for m in legal_moves(game, p) if primitive_outcome(game, p) is None else ():
            if (child := game.key(game.play(p, m))) >> self.bits:
                raise GameLawError(
                    f"{game.spec}: the move {m!r} at {p!r} leads to a position whose key,"
                    f" {child:,}, has more than {self.bits} bits"
                )
        raise KernelError(f"the compiled rules of {game.spec} contradict its rules at {p!r}")

    def orient(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found, ways = np.empty(len(keys), np.int64), np.zeros(len(keys), np.int8)
        if len(self.game.symmetries) == 1:
            return keys, ways
        row = orient(np.asarray(keys, np.int64), *self._images, found, ways)
        if row >= 0:
            p = self.game.position(int(keys[row]))
            raise KernelError(f"{self.game.spec}: it is not known which images {p!r} has")
        return found, ways

    def images(self, keys: np.ndarray, number: int) -> np.ndarray:
        """Return the images of keys under one of the game's symmetries; -1 stays -1."""
        found = np.empty(len(keys), np.int64)
        weights, sizes, tables = self._images
        images(keys, weights, sizes, tables[number], found)
        return found

    def check_symmetries(self, keys: np.ndarray) -> None:
        if not self.game.generators:
            return
        outcomes, children = self.successors(keys)
        for number in range(len(self.game.generators)):
            image_outcomes, after = self.successors(self.images(keys, number + 1))
            moved = self.images(children.ravel(), number + 1).reshape(children.shape)
            is_same = (_sets(moved, self.width) == _sets(after, self.width)).all(axis=1)
            wrong = np.flatnonzero(~is_same | (image_outcomes != outcomes))
            if len(wrong):
                raise BrokenSymmetryError(number, self.game.position(int(keys[wrong[0]])))

    def orbits(self, keys: np.ndarray) -> np.ndarray:
        found = np.ones(len(keys), np.int8)
        if len(self.game.symmetries) > 1:
            orbits(keys, *self._images, found)
        return found

    def tiers(self, keys: np.ndarray) -> np.ndarray:
        found = np.zeros(len(keys), np.int64)
        if self.has_tiers:
            self.code.tiers(keys, found)
        return found


def _sets(rows: np.ndarray, width: int) -> np.ndarray:
    """Return the distinct keys of each row in ascending order, in `width` columns, after -1."""
    found = np.full((len(rows), width), -1, np.int64)
    found[:, : rows.shape[1]] = rows
    found.sort(axis=1)
    found[:, 1:][found[:, 1:] == found[:, :-1]] = -1
    found.sort(axis=1)
    return found


def _load(text: str) -> ModuleType:
    """Return the module with this text, which is kept in a folder for later processes.

    Its name is a hash of the text, and so of all that the rules consist of.
    """
    name = f"rules_{sha256(text.encode()).hexdigest()[:24]}"
    if name in sys.modules:
        return sys.modules[name]
    folder = os.path.join(os.environ.get("NUMBA_CACHE_DIR") or _user_cache(), "perfectplay")
    path = os.path.join(folder, f"{name}.py")
    module = ModuleType(name)
    module.__file__ = path
    try:
        os.makedirs(folder, exist_ok=True)
        is_kept = False
        with suppress(FileNotFoundError), open(path, encoding="utf-8") as file:
            is_kept = file.read() == text
        if not is_kept:
            with atomic_write(path) as file:
                file.write(text.encode())
    except OSError:  # then every process compiles them anew
        text = text.replace(", cache=True", "", 1)
    exec(compile(text, path, "exec"), vars(module))
    sys.modules[name] = module
    return module


def _user_cache() -> str:
    """Return the folder for what programs keep to save time."""
    if sys.platform == "win32":
        return os.environ.get("LOCALAPPDATA") or os.path.expanduser("~")
    return os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")


def _not_compiled(message: str, path: str, source: RulesSource) -> NotCompiledError:
    """Return the error for the first line of the rules that numba does not compile."""
    found = re.search(rf"{re.escape(os.path.basename(path))}\"?[,:]? (?:line |\()(\d+)", message)
    lines = (line.strip() for line in message.splitlines())
    reason = next(
        (line for line in lines if line and not line.startswith("Failed in")), "no reason"
    )
    reason = re.sub(r"<iv=None>| for '\$.*|, defined at .*", "", reason)
    place = source.place_of(int(found[1])) if found else ""
    return NotCompiledError(f"numba says: {reason:.200}", place)
