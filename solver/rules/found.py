"""What a solve finds out about a game that does not say so itself: keys, symmetries and tiers.

All of it follows from samples, so that a position may contradict it: `with_found` and `with_keys`
then start again. Other processes, and a solve that resumes, take over what `describe` returns.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from solver.errors import BrokenSymmetryError, BrokenTierError, UnpackedPositionError
from solver.rules.default_keys import describe_keys, use_keys
from solver.rules.found_symmetries import find_generators, use_generators
from solver.rules.found_tiers import FoundTier, find_tier, use_tier
from solver.rules.game import Game
from solver.rules.packing import WIDE, Numbers, Packing, ascending

Result = TypeVar("Result")

COUNT = 4  # different numbers at a place from which on they are taken for counts


def find(game: Game[Any, Any], symmetries: bool) -> None:
    """Give a game a tier and, unless they are not wanted, symmetries."""
    if symmetries:
        use_generators(game, find_generators(game))
    use_tier(game, find_tier(game))


def describe(game: Game[Any, Any]) -> Any:
    """Return all that was found, as JSON."""
    narrow = isinstance(game.keys, Numbers) and game.keys.is_narrow
    found = describe_keys(game), narrow, game.generators, game.found_tier, game.may_skip_tiers
    return json.loads(json.dumps(found))


def use(game: Game[Any, Any], described: Any) -> None:
    """Give a game all that was found; raises ValueError and TypeError if it does not fit."""
    keys, narrow, generators, tier, game.may_skip_tiers = described
    use_keys(game, keys)
    if isinstance(game.keys, Numbers):
        game.keys = Numbers(narrow)
    use_generators(game, generators)
    use_tier(game, tier and FoundTier(*tier))


def _without(game: Game[Any, Any], error: BrokenSymmetryError | BrokenTierError) -> None:
    """Take away from a game what an error shows to be wrong."""
    if isinstance(error, BrokenSymmetryError):
        left = [one for i, one in enumerate(game.generators) if i != error.number]
        use_generators(game, left)
    elif game.may_skip_tiers:
        use_tier(game, None)
    else:
        game.may_skip_tiers = True


def with_found(
    game: Game[Any, Any],
    call: Callable[[], Result],
    report: Callable[[str], None] = lambda _: None,
    symmetries: bool = True,
    is_found: bool = False,
) -> Result:
    """Return what `call` returns after `find`; it starts again without what proves to be wrong.

    If `is_found`, the game has at first what another process has found.
    """

    def kept() -> Result:
        nonlocal is_found
        if not is_found:
            find(game, symmetries)
        is_found = False
        while True:
            try:
                return call()
            except (BrokenSymmetryError, BrokenTierError) as error:
                report(f"starting again: {error}")
                _without(game, error)

    return with_keys(game, kept, report)


def with_keys(
    game: Game[Any, Any], call: Callable[[], Result], report: Callable[[str], None] = lambda _: None
) -> Result:
    """Return what `call` returns; when it meets a position without a key, it starts again.

    It then has larger keys, and nothing else is found yet.
    """
    starts = [game.initial()]
    while True:
        try:
            return call()
        except UnpackedPositionError as error:
            report(f"starting again: {error}")
            starts.append(error.position)
            use_generators(game, ())
            use_tier(game, None)
            before, keys = game.keys, game.sample_keys(starts)
            if isinstance(before, Packing) and isinstance(keys, Packing):
                both = zip(before.values, keys.values, strict=True)
                values = [{*a, *b} for a, b in both]
                keys = Packing(keys.shape, tuple(map(ascending, values)))
                wider = Packing(keys.shape, tuple(ascending(_with_room(some)) for some in values))
                keys = wider if wider.size <= WIDE else keys
            game.keys = keys


def _with_room(values: set[Any]) -> set[Any]:
    """Return the values of a place, with the numbers between and half as many above if they count.

    Counts in rare positions are higher than in samples, and each new start costs a search.
    """
    if len(values) < COUNT or any(type(value) is not int for value in values):
        return values
    least, most = min(values), max(values)
    return {*range(least, most + (most - least) // 2 + 1)}
