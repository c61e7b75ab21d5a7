"""The keys of games that do not define `key`, and how they are stored.

A table and a solve store which values each place of a position may have (see
`solver.rules.packing`), so that everyone who opens them has the same keys.
"""

from __future__ import annotations

import json
from typing import Any

from solver.rules.game import Game, Numbered
from solver.rules.packing import Texts, keys_from


def has_default_keys(game: Game[Any, Any]) -> bool:
    """Return whether a game leaves its keys to `Game`."""
    return type(game).key is Game.key


def has_known_keys(game: Game[Any, Any]) -> bool:
    """Return whether a game's keys follow from its positions: default ones, or numbers."""
    return type(game).key in (Game.key, Numbered.key)


def has_fixed_places(game: Game[Any, Any]) -> bool:
    """Return whether keys are known, and follow from the values at the places of positions."""
    return has_known_keys(game) and not isinstance(game.keys, Texts)


def describe_keys(game: Game[Any, Any]) -> Any:
    """Return what says how a game's keys are made, as JSON; None if it defines them itself."""
    return json.loads(json.dumps(game.keys.described)) if has_default_keys(game) else None


def use_keys(game: Game[Any, Any], described: Any) -> None:
    """Give a game the keys that `describe_keys` described; raises ValueError and TypeError."""
    if has_default_keys(game):
        game.keys = keys_from(described, game.text, game.parse)
