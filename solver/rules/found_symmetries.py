"""Symmetries that were found, not declared: what solves and tables do with them.

A key map says for each place of the positions (see `solver.rules.packing`; a number's places are
its bits) where its value goes, and which digit each digit becomes there. Found are only maps that
leave the start as it is, so that all images of a position that can be reached can be reached.

A search on samples proves nothing: a solve compares every position that it expands with its images
under the generators, and `verify` does so again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from solver.errors import BrokenSymmetryError, UnpackedPositionError
from solver.rules.default_keys import has_known_keys
from solver.rules.game import IDENTITY, Game, Symmetry, unknown_move
from solver.rules.packing import Numbers, Packing, bit_image, joined, places

KeyMap = tuple[tuple[int, tuple[int, ...]], ...]
"""For each place where its value goes, and the digit that each digit becomes."""
MOST_IMAGES = 64  # of a position, in a solve with a kernel


def find_generators(game: Game[Any, Any]) -> list[KeyMap]:
    """Return generators of the symmetries that sampled positions show."""
    from solver.rules.symmetry_search import find_symmetries

    if type(game).symmetries is not Game.symmetries or not has_known_keys(game):
        return []
    try:
        group = find_symmetries(game, of_keys=True)
    except ValueError:  # no fixed places
        return []
    start = game.initial()
    found: list[KeyMap] = []
    for literals in group.maps:
        if group.image(literals, start) != start:
            continue
        one = _key_map(game, literals)
        if one is None or one in _products(found, one):
            continue
        if len(_products([*found, one], one)) <= MOST_IMAGES:
            found.append(one)
    return found


def use_generators(game: Game[Any, Any], generators: Iterable[KeyMap]) -> None:
    """Give a game the group of some generators; raises ValueError if they are no key maps."""
    listed = [_checked(game, one) for one in generators]
    if game.generators:
        del game.symmetries, game.key_maps
    game.generators = tuple(listed)
    if listed:
        group = _products(listed, listed[0])
        if len(group) > MOST_IMAGES:
            raise ValueError(f"the group has more than {MOST_IMAGES} elements")
        others = [one for one in group[1:] if one not in listed]
        found = [Symmetry(_image(game, one), unknown_move, None) for one in (*listed, *others)]
        game.symmetries = (IDENTITY, *found)
        game.key_maps = (group[0], *listed, *others)


def check_generators(game: Game[Any, Any], p: Any, over: Any, children: Sequence[Any]) -> None:
    """Raise BrokenSymmetryError unless a position and its image under each generator agree."""
    for number, symmetry in enumerate(game.symmetries[1 : len(game.generators) + 1]):
        image = symmetry.position(p)
        image_over = game.primitive(image)
        after = [] if image_over is not None else [game.play(image, m) for m in game.moves(image)]
        if image_over != over or {*after} != {*map(symmetry.position, children)}:
            raise BrokenSymmetryError(number, p)


def _key_map(game: Game[Any, Any], literals: Any) -> KeyMap | None:
    """Return a map of literals as one of keys; None if some place lacks a value."""
    keys = game.keys
    if isinstance(keys, Packing):
        values: Sequence[Sequence[Any]] = keys.values
    else:
        values = [(0, 1)] * len({place for place, _ in literals})
    found = []
    try:
        for place, some in enumerate(values):
            targets = [literals[place, v] for v in some]
            target = targets[0][0]
            digits = tuple(values[target].index(w) for _, w in targets)
            if len(values[target]) != len(some):
                return None
            found.append((target, digits))
    except (KeyError, ValueError):
        return None
    return tuple(found)


def _checked(game: Game[Any, Any], one: Any) -> KeyMap:
    """Return a key map read from JSON; raises ValueError unless it permutes places and digits."""
    made = tuple((place, tuple(digits)) for place, digits in one)
    keys = game.keys
    radices = [len(some) for some in keys.values] if isinstance(keys, Packing) else [2] * len(made)
    if (
        sorted(place for place, _ in made) != [*range(len(radices))]
        or any(sorted(digits) != [*range(len(digits))] for _, digits in made)
        or [len(digits) for _, digits in made] != radices
        or [len(made[place][1]) for place, _ in made] != radices
    ):
        raise ValueError("a symmetry permutes no places and values")
    return made


def _products(generators: Sequence[KeyMap], like: KeyMap) -> list[KeyMap]:
    """Return all products of generators, the identity first; too many are cut off."""
    found = [tuple((place, tuple(range(len(digits)))) for place, (_, digits) in enumerate(like))]
    known = {*found}
    for one in found:  # which grows
        for generator in generators:
            product = tuple(
                (generator[place][0], tuple(generator[place][1][digit] for digit in digits))
                for place, digits in one
            )
            if product not in known:
                known.add(product)
                found.append(product)
        if len(found) > MOST_IMAGES:
            break
    return found


def _image(game: Game[Any, Any], one: KeyMap) -> Callable[[Any], Any]:
    """Return a key map as a map of positions."""
    keys = game.keys
    if isinstance(keys, Packing):
        tables = [
            {v: (target, keys.values[target][digit]) for v, digit in zip(some, digits, strict=True)}
            for some, (target, digits) in zip(keys.values, one, strict=True)
        ]

        def image(p: Any) -> Any:
            found = [None] * len(tables)
            try:
                for table, value in zip(tables, places(p), strict=True):
                    target, found_value = table[value]
                    found[target] = found_value
            except (KeyError, ValueError):
                raise UnpackedPositionError(p) from None
            return joined(iter(found), keys.shape)

        return image
    assert isinstance(keys, Numbers)
    return bit_image(one)
