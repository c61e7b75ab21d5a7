"""The kernel of compiled rules."""

from __future__ import annotations

import re
from typing import Any

import numba
import numpy as np

from solver.compiling.images import NO_TABLES, differ, digit_tables, images_under, orbits, orient
from solver.compiling.module import load
from solver.compiling.position_source import key_bits
from solver.compiling.source import RulesSource, module_source
from solver.errors import (
    KernelError,
    NotCompiledError,
    OverflowedKeyError,
    UnpackedPositionError,
)
from solver.rules.default_keys import key_width
from solver.rules.game import IDENTITY, Game, primitive_outcome, walk
from solver.rules.kernel import TieredKernel
from solver.rules.packing import Numbers
from solver.rules.positions import check_images, one_move_on
from solver.value import OPEN

WIDTH = 8  # columns at first
SAMPLED = 200  # plies of random games
CALL = ">" * 3 + " "  # precedes the call that numba has no code for, in its messages


class CompiledKernel(TieredKernel):
    """The rules of a game, compiled."""

    orient_loop = staticmethod(orient)
    """The compiled loop of `orient`, which loops of other files get as a pointer."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game, self.width = game, WIDTH
        reasons: list[NotCompiledError] = []
        try:
            self.bits = key_bits(game)
            if key_width(game) > self.bits:
                raise NotCompiledError(f"its keys have more than {self.bits} bits")
            self.tables = digit_tables(game) if len(game.symmetries) > 1 else NO_TABLES
        except NotCompiledError as error:
            reasons.append(error)
        text, source = module_source(game, numba.__version__, reasons)
        self.asked = 0
        """How many positions were expanded by the rules in Python, where compiled ones fail."""
        none = np.empty(0, np.int64)
        try:
            self.code = load(text, self._sample)
            self.code.expand(none, none.astype(np.int8), none.reshape(0, WIDTH), none)
            self.tiers(none)
        except NotCompiledError:
            raise
        except Exception as error:  # numba raises errors of many types
            raise _not_compiled(str(error), source) from error

    def _sample(self) -> list[int]:
        """Return the keys of some positions."""
        keys = {self.game.key(p) for p in walk(self.game, SAMPLED)}
        return sorted(key for key in keys if not key >> self.bits)

    def successors(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        keys = np.asarray(keys, np.int64)
        outcomes, at = np.empty(len(keys), np.int8), np.zeros(1, np.int64)
        while True:
            children, done, most = np.empty((len(keys), self.width), np.int64), 0, 0
            while done < len(keys):
                rest = slice(done, None)
                try:
                    needed = self.code.expand(keys[rest], outcomes[rest], children[rest], at)
                except Exception:  # what the rules may raise in Python, too, and overflows
                    needed = -1
                if needed < 0:
                    row = done + int(at[0])
                    outcomes[row], after = self._expand_in_python(int(keys[row]))
                    needed = len(after)
                    children[row] = (after + [-1] * self.width)[: self.width]
                    done = row + 1
                else:
                    done = len(keys)
                most = max(most, needed)
            if most <= self.width:
                return outcomes, children
            self.width = most

    def _expand_in_python(self, key: int) -> tuple[int, list[int]]:
        """Return the outcome, or OPEN, and the children's keys, by the rules in Python.

        Raises UnpackedPositionError or OverflowedKeyError for a child without a key.
        """
        self.asked += 1
        game, p = self.game, self.game.position(key)
        over, keys = primitive_outcome(game, p), []
        for child in one_move_on(game, p):
            keys.append(game.key(child))
            if keys[-1] >> self.bits:
                if isinstance(game.keys, Numbers) and game.keys.is_narrow:
                    raise UnpackedPositionError(child)
                raise OverflowedKeyError(
                    f"a move at {p!r} leads to a position whose key, {keys[-1]:,}, has more than"
                    f" {self.bits} bits"
                )
        return OPEN if over is None else int(over), keys

    def orient(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the canonical key of each key, and the index of a symmetry that maps to it."""
        canonical, numbers = np.empty(len(keys), np.int64), np.zeros(len(keys), np.int8)
        if len(self.game.symmetries) == 1:
            return keys, numbers
        images = np.empty(len(self.game.symmetries), np.int64)
        row = orient(np.asarray(keys, np.int64), *self.tables, images, canonical, numbers)
        if row >= 0:
            self._require_images(int(keys[row]))
        return canonical, numbers

    def _require_images(self, key: int) -> None:
        """Raise UnpackedPositionError for the image without a key of the position with a key."""
        p = self.game.position(key)
        for symmetry in self.game.symmetries:
            image = symmetry.position(p)
            if self.game.key(image) >> self.bits:
                raise UnpackedPositionError(image)
        raise KernelError(f"the compiled images of {p!r} contradict those in Python")

    def images(self, keys: np.ndarray, number: int) -> np.ndarray:
        """Return the images of keys under one of the game's symmetries; -1 stays -1."""
        images = np.empty(len(keys), np.int64)
        images_under(keys, *self.tables, number, images)
        return images

    def check_symmetries(self, keys: np.ndarray, expanded: tuple[np.ndarray, np.ndarray]) -> None:
        outcomes, children = expanded
        for number, symmetry in enumerate(self.game.symmetries):
            if symmetry is IDENTITY:
                continue
            image_outcomes, after = self.successors(self.images(keys, number))
            moved = self.images(children.ravel(), number).reshape(children.shape)
            row = differ(moved, after)
            if row < 0 and (image_outcomes != outcomes).any():
                row = int((image_outcomes != outcomes).argmax())
            if row >= 0:
                p = self.game.position(int(keys[row]))
                check_images(self.game, p)
                raise KernelError(f"the compiled rules contradict those in Python at {p!r}")

    def orbits(self, keys: np.ndarray) -> np.ndarray:
        counts = np.ones(len(keys), np.int8)
        if len(self.game.symmetries) > 1:
            orbits(keys, *self.tables, np.empty(len(self.game.symmetries), np.int64), counts)
        return counts

    def tiers(self, keys: np.ndarray) -> np.ndarray:
        """Return the tier of each key, as int64."""
        tiers = np.zeros(len(keys), np.int64)
        if type(self.game).tier is not Game.tier:
            try:
                self.code.tiers(keys, tiers)
            except Exception:  # as above
                tiers[:] = [self.game.tier(self.game.position(int(key))) for key in keys]
        return tiers


def _not_compiled(message: str, source: RulesSource) -> NotCompiledError:
    """Return the error for the first line of the rules that numba does not compile."""
    match = re.search(r"rules_\w+\.py\"?[,:]? (?:line |\()(\d+)", message)
    lines = [line.strip() for line in message.splitlines()]
    called = (f"{line[4:]} is not compiled" for line in lines if line.startswith(CALL))
    others = (line for line in lines if line and not line.startswith("Failed in"))
    reason = next(called, None) or next(others, "no reason")
    reason = re.sub(r"<iv=None>| for '\$.*|, defined at .*", "", reason)
    location = source.location_of(int(match[1])) if match else ""
    if "OptionalType" in reason or "none" in reason:
        return NotCompiledError("something is None and not always: write a number for it", location)
    if "unify" in reason and "Text(" in reason and "int64" in reason:
        return NotCompiledError(
            "it returns texts and numbers: write a number for each text", location
        )
    return NotCompiledError(f"numba says: {reason:.200}", location)
