"""Mapped tables with any scores, and proofs of them by a kernel or in plain Python."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import solver.proof.contents
import solver.proof.verify
import solver.solving.from_scores
import solver.tables.mapped_table
from solver import Game, load_game
from solver.games import built_in_name
from solver.kernels import find_kernel
from solver.rules.default_keys import keys_state, with_keys
from solver.rules.game import fingerprint
from solver.rules.kernel import Kernel
from solver.solving.from_scores import mapped_table
from solver.value import outcome, score
from tests.support.brute import Value

checked, loaded, known = cache(find_kernel), cache(load_game), cache(fingerprint)
copied: dict[Any, Game[Any, Any]] = {}


def as_score(worth: Value) -> int:
    return score(outcome(worth[0]), worth[1] or 0)


def forged(game: Game[Any, Any], scores: dict[Any, int]) -> bytes:
    """Return a mapped table with any scores; its counts, header and hash agree with them."""
    return b"".join(with_keys(game, lambda: mapped_table(game, scores)))


def same(game: Game[Any, Any]) -> Game[Any, Any]:
    """Return one object for all of a built-in game, or for all copies that tables make."""
    if built_in_name(game):
        return loaded(game.spec)
    own = sorted((name, id(value)) for name, value in vars(game).items() if name != "keys")
    return copied.setdefault((type(game), str(keys_state(game)), *own), game)


def with_kernel(name: Any, game: Game[Any, Any]) -> Kernel | None:
    """Stand in for the rules of any game with a kernel, as for those of built-in ones."""
    return checked(same(game))[0]


def prove_by(kind: str, patch: pytest.MonkeyPatch) -> str:
    """Prove with a kernel that is compared with its rules once, or in plain Python.

    Fingerprints are cached, since computing them would take most of the time.
    """
    by = with_kernel if kind == "kernel" else lambda *_: None
    patch.setattr(solver.proof.verify, "_stand_in", by)
    modules = solver.proof.contents, solver.tables.mapped_table, solver.solving.from_scores
    for module in modules:
        patch.setattr(module, "fingerprint", lambda game: known(same(game)))
    return kind
