"""Images of keys under symmetries that permute places and, at each place, values.

The image of a key is then a sum with a term for each place, so that a table for every few places
gives it: `tables[s, chunk, digits]` is what these digits contribute to the image under symmetry s.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from solver.compiling.position_source import key_bits
from solver.errors import NotCompiledError
from solver.rules.game import SAMPLED, Game, walk
from solver.rules.packing import Packing

CHUNK = 1 << 11  # entries of a table
UNKNOWN = -(1 << 62)  # what a digit contributes that no sampled position had


class Images(NamedTuple):
    """The tables of a game's symmetries; the key of chunk i is key // weights[i] % sizes[i]."""

    weights: np.ndarray
    sizes: np.ndarray
    tables: np.ndarray


def images_of(game: Game[Any, Any]) -> Images:
    """Return the tables; raises NotCompiledError if a symmetry is no such permutation."""
    if isinstance(game.keys, Packing):
        weights, radices = game.keys.weights, [len(some) for some in game.keys.values]
    else:
        bits = key_bits(game)
        weights, radices = [1 << i for i in reversed(range(bits))], [2] * bits
    chunks: list[list[int]] = []
    size = CHUNK
    for place, radix in enumerate(radices):
        if size * radix > CHUNK:
            chunks.append([])
            size = 1
        chunks[-1].append(place)
        size *= radix
    tables = np.zeros((len(game.symmetries), len(chunks), CHUNK), np.int64)
    each = _found(game, weights) if game.generators else _learned(game, weights, radices)
    for s, shares in enumerate(each):
        for i, chunk in enumerate(chunks):
            table = np.zeros(1, np.int64)
            for place in chunk:
                table = np.add.outer(table, shares[place]).ravel()
            tables[s, i, : len(table)] = table
    lasts = [weights[chunk[-1]] for chunk in chunks]
    sizes = [math.prod(radices[place] for place in chunk) for chunk in chunks]
    return Images(np.array(lasts), np.array(sizes), tables)


def _found(game: Game[Any, Any], weights: list[int]) -> Iterator[list[np.ndarray]]:
    """Yield what each digit of each place contributes under each symmetry that was found."""
    for one in game.key_maps:
        if isinstance(game.keys, Packing):
            yield [weights[target] * np.array(digits) for target, digits in one]
        else:  # bits that no sampled position had stay where they are
            kept = [np.array([0, weight]) for weight in weights[: -len(one)]]
            yield kept + [np.array(digits) << target for target, digits in reversed(one)]


def _learned(
    game: Game[Any, Any], weights: list[int], radices: list[int]
) -> Iterator[list[np.ndarray]]:
    """Yield the same for symmetries that the game declares, by what they do to sampled positions.

    Raises NotCompiledError if one is no permutation of places and values.
    """
    positions = list(dict.fromkeys(walk(game, SAMPLED)))
    if max(map(game.key, positions)) >> key_bits(game):
        raise NotCompiledError(f"its keys have more than {key_bits(game)} bits")
    keys = np.array([game.key(p) for p in positions], np.int64)
    for symmetry in game.symmetries:
        images = np.array([game.key(symmetry.position(p)) for p in positions], np.int64)
        yield _shares(keys, images, weights, radices)


def _shares(
    keys: np.ndarray, images: np.ndarray, weights: list[int], radices: list[int]
) -> list[np.ndarray]:
    """Return what each digit of each place contributes to the images of keys."""
    steps, radix = np.array(weights)[:, None], np.array(radices)[:, None]
    before, after = keys // steps % radix, images // steps % radix
    free = list(range(len(weights)))
    shares: dict[int, np.ndarray] = {}
    for place in sorted(free, key=lambda place: -len(np.unique(before[place]))):
        for target in sorted(free, key=lambda target: target != place):
            digits = _function(before[place], after[target], radices[place])
            if digits is not None:
                free.remove(target)
                shares[place] = np.where(digits < 0, UNKNOWN, digits * weights[target])
                break
    if len(shares) < len(weights) or np.any(
        sum(share[before[place]] for place, share in shares.items()) != images
    ):
        raise NotCompiledError("one of its symmetries is no permutation of places and values")
    return [shares[place] for place in range(len(weights))]


def _function(before: np.ndarray, after: np.ndarray, radix: int) -> np.ndarray | None:
    """Return the digit that each digit becomes, -1 if unknown; None if that differs."""
    found = np.full(radix, -1)
    found[before] = after
    known = found[found >= 0]
    is_one_to_one = len(np.unique(known)) == len(known)
    return found if is_one_to_one and np.array_equal(found[before], after) else None


@njit(cache=True, nogil=True)
def orient(keys, weights, sizes, tables, found, ways):  # type: ignore[no-untyped-def]
    """Fill in the least image of each key and a symmetry to it; return a row without one, or -1."""
    for row in range(len(keys)):
        key = keys[row]
        found[row] = key
        ways[row] = 0
        if key < 0:
            continue
        for s in range(len(tables)):
            image = _image(key, weights, sizes, tables[s])
            if image < 0:
                return row
            if s == 0 or image < found[row]:
                found[row] = image
                ways[row] = s
    return -1


@njit(cache=True, nogil=True)
def images(keys, weights, sizes, table, found):  # type: ignore[no-untyped-def]
    """Fill in the image of each key under the symmetry with a table."""
    for row in range(len(keys)):
        found[row] = _image(keys[row], weights, sizes, table) if keys[row] >= 0 else -1


@njit(cache=True, nogil=True)
def orbits(keys, weights, sizes, tables, found):  # type: ignore[no-untyped-def]
    """Fill in how many images each key has, 0 if it is not canonical."""
    for row in range(len(keys)):
        key = np.int64(keys[row])
        same = 0
        for s in range(len(tables)):
            image = _image(key, weights, sizes, tables[s])
            if image < key:
                same = 0
                break
            same += image == key
        found[row] = len(tables) // same if same else 0


@njit(cache=True, nogil=True)
def _image(key, weights, sizes, table):  # type: ignore[no-untyped-def]
    total = 0
    for i in range(len(weights)):
        total += table[i, key // weights[i] % sizes[i]]
    return total
