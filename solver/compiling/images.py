"""Numbers that are sums with a term for each place of a key: images of keys, and tiers.

A table for every few places gives them: `tables[chunk, digits, s]` is what these digits contribute
to sum number s. Images are such sums under symmetries that permute places and, at each place,
values.
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
from solver.rules.packing import Packing, key_places

CHUNK = 1 << 11  # entries of a table
UNKNOWN = -(1 << 62)  # what a digit contributes that no sampled position had


class Sums(NamedTuple):
    """The tables of some sums, and the size and number of bits of each chunk, the lowest first.

    The bits are -1 if the size is no power of two.
    """

    sizes: np.ndarray
    bits: np.ndarray
    tables: np.ndarray


def images_of(game: Game[Any, Any]) -> Sums:
    """Return the images under each symmetry.

    Raises NotCompiledError if one is no permutation of places and values.
    """
    weights, radices = _places(game)
    each = _found(game, weights) if game.generators else _learned(game, weights, radices)
    return _sums(radices, [*each])


def tiers_of(game: Game[Any, Any]) -> Sums:
    """Return the sum that makes the tier, which was found."""
    weights, radices = _places(game)
    found = [*map(np.array, game.found_tier.weights)]
    if not isinstance(game.keys, Packing):  # the lowest bit comes first there
        found = [np.zeros(2, np.int64)] * (len(weights) - len(found)) + found[::-1]
    return _sums(radices, [found])


def _places(game: Game[Any, Any]) -> tuple[list[int], list[int]]:
    """Return the weight of each place of keys, the highest first, and its number of digits."""
    if isinstance(game.keys, Packing):
        return key_places(game.keys, 0)
    bits = key_bits(game)
    return [1 << i for i in reversed(range(bits))], [2] * bits


def _sums(radices: list[int], each: list[list[np.ndarray]]) -> Sums:
    """Return sums, given for each of them what each digit of each place contributes."""
    chunks: list[list[int]] = []
    size = CHUNK
    for place, radix in enumerate(radices):
        if size * radix > CHUNK:
            chunks.append([])
            size = 1
        chunks[-1].append(place)
        size *= radix
    chunks.reverse()
    sizes = [math.prod(radices[place] for place in chunk) for chunk in chunks]
    bits = [size.bit_length() - 1 if size & size - 1 == 0 else -1 for size in sizes]
    tables = np.zeros((len(chunks), max(sizes), len(each)), np.int64)
    for s, shares in enumerate(each):
        for i, chunk in enumerate(chunks):
            table = np.zeros(1, np.int64)
            for place in chunk:
                table = np.add.outer(table, shares[place]).ravel()
            tables[i, : len(table), s] = table
    return Sums(np.array(sizes, np.uint64), np.array(bits), tables)


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
    targets: dict[bytes, list[int]] = {}  # places that change alike
    for target, column in enumerate(after):
        targets.setdefault(_changes(column), []).append(target)
    shares = []
    for place, column in enumerate(before):
        alike = targets.get(_changes(column), [])
        if not alike:
            raise NotCompiledError("one of its symmetries is no permutation of places and values")
        target = place if place in alike else alike[0]
        alike.remove(target)
        share = np.full(radices[place], UNKNOWN)
        share[column] = after[target] * weights[target]
        shares.append(share)
    return shares


def _changes(column: np.ndarray) -> bytes:
    """Return a column with its digits renamed in the order in which they appear."""
    _, first, digits = np.unique(column, return_index=True, return_inverse=True)
    return bytes(np.argsort(np.argsort(first))[digits].astype(np.uint16))


@njit(cache=True, nogil=True)
def orient(keys, sizes, bits, tables, found, ways):  # type: ignore[no-untyped-def]
    """Fill in the least image of each key and a symmetry to it; return a row without one, or -1."""
    images = np.empty(tables.shape[2], np.int64)
    for row in range(len(keys)):
        found[row] = keys[row]
        ways[row] = 0
        if keys[row] < 0:
            continue
        _fill(keys[row], sizes, bits, tables, images)
        for s in range(len(images)):
            if images[s] < 0:
                return row
            if images[s] < found[row]:
                found[row] = images[s]
                ways[row] = s
    return -1


@njit(cache=True, nogil=True)
def sums(keys, sizes, bits, tables, number, found):  # type: ignore[no-untyped-def]
    """Fill in one sum for each key; -1 for a key that is -1."""
    one = tables[:, :, number : number + 1]
    total = np.empty(1, np.int64)
    for row in range(len(keys)):
        found[row] = -1
        if keys[row] >= 0:
            _fill(keys[row], sizes, bits, one, total)
            found[row] = total[0]


@njit(cache=True, nogil=True)
def orbits(keys, sizes, bits, tables, found):  # type: ignore[no-untyped-def]
    """Fill in how many images each key has, 0 if it is not canonical."""
    images = np.empty(tables.shape[2], np.int64)
    for row in range(len(keys)):
        _fill(keys[row], sizes, bits, tables, images)
        key = np.int64(keys[row])
        same = 0
        for s in range(len(images)):
            if images[s] < key:
                same = 0
                break
            same += images[s] == key
        found[row] = len(images) // same if same else 0


@njit(cache=True, nogil=True)
def differ(rows, others):  # type: ignore[no-untyped-def]
    """Return the first row whose set of keys is not that of the same row of `others`, or -1."""
    for row in range(len(rows)):
        if not (_covers(rows[row], others[row]) and _covers(others[row], rows[row])):
            return row
    return -1


@njit(cache=True, nogil=True)
def _covers(some, others):  # type: ignore[no-untyped-def]
    """Return whether all keys of `others` but -1 are among some."""
    for other in others:
        if other >= 0:
            for key in some:
                if key == other:
                    break
            else:
                return False
    return True


@njit(cache=True, nogil=True)
def _fill(key, sizes, bits, tables, images):  # type: ignore[no-untyped-def]
    images[:] = 0
    rest = np.uint64(key)
    for i in range(len(sizes)):
        if bits[i] >= 0:
            digits = rest & (sizes[i] - np.uint64(1))
            rest >>= np.uint64(bits[i])
        else:
            digits = rest % sizes[i]
            rest //= sizes[i]
        shares = tables[i, digits]
        for s in range(len(images)):
            images[s] += shares[s]
