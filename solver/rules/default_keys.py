"""The keys of games that do not define `key`: they follow from a sample of positions.

A table and a solve store which values each place of a position may have (see
`solver.rules.packing`), so that everyone who opens them has the same keys. A sample may lack a
value. Every position that is met needs a key, and one that has none raises UnpackedPositionError;
`with_keys` then starts again with more values, and from then on with room for more.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from solver.errors import UnpackedPositionError
from solver.rules.game import Game, Numbered, checked_key, overrides, walk
from solver.rules.packing import Numbers, Packing, ascending, keys_from

Result = TypeVar("Result")

MOST_STARTS = 16  # until a place is taken to have more values than can be listed
COUNT = 4  # different numbers at a place from which on they are taken for counts
ROOM = 60  # bits of a key up to which counts get room for higher ones
WIDEST = 64  # bits of a key in a mapped table
WALKED = 1000  # plies of random games that show how wide keys are
LISTED = 1 << 10  # values of a place up to which it gets more than twice as many


def has_default_keys(game: Game[Any, Any]) -> bool:
    """Return whether a game leaves its keys to `Game`."""
    return not overrides(game, "key")


def has_known_keys(game: Game[Any, Any]) -> bool:
    """Return whether a game's keys follow from its positions: default ones, or numbers."""
    return has_default_keys(game) or type(game).key is Numbered.key


def key_width(game: Game[Any, Any]) -> int:
    """Return how many bits the keys of positions in random games have, or of one with over 64."""
    width = 0
    for p in walk(game, WALKED):
        width = max(width, checked_key(game, p).bit_length())
        if width > WIDEST:
            break
    return width


def describe_keys(game: Game[Any, Any]) -> Any:
    """Return what says how a game's keys are made, as JSON; None if it defines them itself."""
    return json.loads(json.dumps(game.keys.described)) if has_default_keys(game) else None


def use_keys(game: Game[Any, Any], described: Any) -> None:
    """Give a game the keys that `describe_keys` described; raises ValueError and TypeError."""
    if has_default_keys(game):
        game.keys = keys_from(described, game.text_keys)


def keys_state(game: Game[Any, Any]) -> Any:
    """Return all about a game's keys that a solve and its workers must agree on, as JSON."""
    return [describe_keys(game), isinstance(game.keys, Numbers) and game.keys.is_narrow]


def restore_keys(game: Game[Any, Any], state: Any) -> None:
    """Give a game the keys of `keys_state`; raises ValueError and TypeError."""
    described, is_narrow = state
    use_keys(game, described)
    if isinstance(game.keys, Numbers):
        game.keys = Numbers(is_narrow)


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
            widen_keys(game, starts, error.position)


def widen_keys(game: Game[Any, Any], starts: list[Any], position: Any) -> None:
    """Give a game keys that have room for a position; it is added to `starts`.

    Random games from these positions show which values there are. Keys are made of texts if the
    position has another shape, the description is too long, or the starts are too many.
    """
    starts.append(position)
    before, keys = game.keys, game.sample_keys(starts)
    if isinstance(before, Packing) and isinstance(keys, Packing):
        both = zip(before.values, keys.values, strict=True)
        keys = _with_room(Packing(keys.shape, tuple(ascending({*a, *b}) for a, b in both)))
    is_same = keys.described == before.described and not isinstance(before, Numbers)
    is_described = not isinstance(keys, Packing) or keys.fits
    if is_same or not is_described or len(starts) > MOST_STARTS:
        keys = game.text_keys
    game.keys = keys


def _with_room(keys: Packing) -> Packing:
    """Return keys that leave room for higher counts, as far as there are bits for it.

    Counts in rare positions are higher than in samples, and each new start costs a search.
    """
    most = max(LISTED, 2 * max(map(len, keys.values), default=0))
    while max(map(_span, keys.values), default=0) <= most:
        wider = Packing(keys.shape, tuple(map(_doubled, keys.values)))
        is_wide = wider.size.bit_length() > ROOM
        if is_wide or wider.size == keys.size or not wider.fits:
            break
        keys = wider
    return keys


def _span(values: tuple[Any, ...]) -> int:
    """Return how many values a place has with twice the range of numbers, if they count."""
    if len(values) < COUNT or any(type(value) is not int for value in values):
        return 0
    return 2 * int(values[-1] - values[0]) + 1


def _doubled(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return the values of a place, with twice the range of numbers if they count."""
    span = _span(values)
    return tuple(range(values[0], values[0] + span)) if span else values
