"""The keys of games that do not define `key`: how they are stored, and what to do when they fail.

A table and a solve store which values each place of a position may have (see
`solver.rules.packing`), so that everyone who opens them has the same keys.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from solver.errors import UnpackedPositionError
from solver.rules.game import Game, Numbered
from solver.rules.packing import Packing, ascending, keys_from

Result = TypeVar("Result")


def has_default_keys(game: Game[Any, Any]) -> bool:
    """Return whether a game leaves its keys to `Game`."""
    return type(game).key is Game.key


def has_known_keys(game: Game[Any, Any]) -> bool:
    """Return whether a game's keys follow from its positions: default ones, or numbers."""
    return type(game).key in (Game.key, Numbered.key)


def describe_keys(game: Game[Any, Any]) -> Any:
    """Return what says how a game's keys are made, as JSON; None if it defines them itself."""
    return json.loads(json.dumps(game.keys.described)) if has_default_keys(game) else None


def use_keys(game: Game[Any, Any], described: Any) -> None:
    """Give a game the keys that `describe_keys` described; raises ValueError and TypeError."""
    if has_default_keys(game):
        game.keys = keys_from(described, game.text, game.parse)


def with_keys(
    game: Game[Any, Any], call: Callable[[], Result], report: Callable[[str], None] = lambda _: None
) -> Result:
    """Return what `call` returns; when it meets a position without a key, it starts again."""
    starts = [game.initial()]
    while True:
        try:
            return call()
        except UnpackedPositionError as error:
            report(f"starting again: {error}")
            starts.append(error.position)
            before, keys = game.keys, game.sample_keys(starts)
            if isinstance(before, Packing) and isinstance(keys, Packing):
                both = zip(before.values, keys.values, strict=True)
                keys = Packing(keys.shape, tuple(ascending({*a, *b}) for a, b in both))
            game.keys = keys
