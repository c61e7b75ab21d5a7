"""Images of keys under symmetries that are data, by digit tables.

A key is a number in mixed radix, with a digit for each place of a position. A symmetry moves what
is at a place to another one, where it may become another value. So the image of a key is a sum with
a term for each digit. For example, three cells with the values ".ox" and their mirror image:

    "x.o"    2 * 9 + 0 * 3 + 1 * 1 = 19
    "o.x"    2 * 1 + 0 * 3 + 1 * 9 = 11: the digit 2 with the weight 9 gives the term 2 * 1

Digits are taken in groups, so that few terms are added: `tables[group, digits, s]` is the sum of
the terms of a group's digits for symmetry number s, where `digits` is the number that they make.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from solver.compiling.position_source import key_bits
from solver.errors import NotCompiledError
from solver.loops import compiled
from solver.rules.game import IDENTITY, Game, Symmetry
from solver.rules.packing import Packing

Digit = tuple[int, tuple[Any, ...]]  # the weight of the digit of a place, and the values there
MOST = 1 << 11  # entries of a table
NONE = -(1 << 62)  # the term of a digit whose image has no key


class DigitTables(NamedTuple):
    """The tables, and how many numbers the digits of each group make, the lowest group first."""

    sizes: np.ndarray
    tables: np.ndarray


NO_TABLES = DigitTables(np.empty(0, np.uint64), np.empty((0, 0, 1), np.int64))
"""Of a game without symmetries, which needs none: its places may have many values."""


def digit_tables(game: Game[Any, Any]) -> DigitTables:
    """Return the tables of the symmetries of a game.

    Raises NotCompiledError if one is not data.
    """
    if any(s.place_map is None for s in game.symmetries if s is not IDENTITY):
        raise NotCompiledError("a symmetry is made of functions; solver.rearrange makes it of data")
    keys, places = game.keys, [(1 << bit, (0, 1)) for bit in range(key_bits(game))]
    if not isinstance(keys, Packing):  # the highest bit is the first place of a key
        return _digit_tables([_terms(places, s)[::-1] for s in game.symmetries])
    places = [*zip(keys.weights, keys.values, strict=True)]
    for size in (len(s.place_map[0]) for s in game.symmetries if s.place_map is not None):
        if size != len(places):
            raise NotCompiledError(
                f"a symmetry has {size} places, and positions have {len(places)}"
            )
    return _digit_tables([_terms(places, s) for s in game.symmetries])


def _digit_tables(each: list[list[np.ndarray]]) -> DigitTables:
    """Return tables, given for each symmetry the term of each digit of each place."""
    radices = [*map(len, each[0])]
    groups: list[list[int]] = [[]]
    size = 1
    for place, radix in enumerate(radices):
        if size * radix > MOST:
            groups.append([])
            size = 1
        groups[-1].append(place)
        size *= radix
    groups.reverse()
    sizes = [math.prod(radices[place] for place in group) for group in groups]
    tables = np.zeros((len(groups), max(sizes), len(each)), np.int64)
    for s, terms in enumerate(each):
        for i, group in enumerate(groups):
            table = np.zeros(1, np.int64)
            for place in group:
                table = np.add.outer(table, terms[place]).ravel()
            tables[i, : len(table), s] = table
    return DigitTables(np.array(sizes, np.uint64), tables)


def _terms(places: list[Digit], symmetry: Symmetry) -> list[np.ndarray]:
    """Return the term of each digit of each place; NONE if its image has no key."""
    count = len(places)
    terms = [np.full(len(values), NONE) for _, values in places]
    moves = [*zip(*(symmetry.place_map or ((), ())), strict=True)]
    moves += [(place, ()) for place in range(len(moves), count)]
    for (weight, values), (origin, changes) in zip(places, moves, strict=False):
        if origin >= count:
            continue  # a bit beyond those of keys
        changed = dict(changes)
        digits = {value: digit for digit, value in enumerate(values)}
        for digit, value in enumerate(places[origin][1]):
            image = changed.get(value, value)
            if image in digits:
                terms[origin][digit] = weight * digits[image]
    return terms


@partial(compiled, no_cfunc_wrapper=False)  # which loops of other files get as a pointer
def orient(keys, sizes, tables, images, canonical, numbers):  # type: ignore[no-untyped-def]
    """Fill in the least image of each key and a symmetry to it; return a row without one, or -1.

    `images` has room for those of one key. (Code that makes arrays takes longer to load.)
    """
    for row in range(len(keys)):
        canonical[row] = keys[row]
        numbers[row] = 0
        if keys[row] < 0:
            continue
        _fill(keys[row], sizes, tables, images)
        for s in range(len(images)):
            if images[s] < 0:
                return row
            if images[s] < canonical[row]:
                canonical[row] = images[s]
                numbers[row] = s
    return -1


@compiled
def images_under(keys, sizes, tables, number, results):  # type: ignore[no-untyped-def]
    """Fill in the image of each key under one symmetry; -1 for a key that is -1."""
    one = tables[:, :, number : number + 1]
    total = np.empty(1, np.int64)
    for row in range(len(keys)):
        results[row] = -1
        if keys[row] >= 0:
            _fill(keys[row], sizes, one, total)
            results[row] = total[0]


@compiled
def orbits(keys, sizes, tables, images, counts):  # type: ignore[no-untyped-def]
    """Fill in how many images each key has, 0 if it is not canonical; see `orient`."""
    for row in range(len(keys)):
        key = np.int64(keys[row])
        _fill(key, sizes, tables, images)
        same = 0
        for s in range(len(images)):
            if images[s] < key:
                same = 0
                break
            same += images[s] == key
        counts[row] = len(images) // same if same else 0


@compiled
def differ(rows, others):  # type: ignore[no-untyped-def]
    """Return the first row whose set of keys is not that of the same row of `others`, or -1."""
    for row in range(len(rows)):
        for one, other in ((rows[row], others[row]), (others[row], rows[row])):
            for key in one:
                if key >= 0 and key not in other:
                    return row
    return -1


@compiled
def _fill(key, sizes, tables, images):  # type: ignore[no-untyped-def]
    images[:] = 0
    rest = np.uint64(key)
    for i in range(len(sizes)):
        digits = rest % sizes[i]
        rest //= sizes[i]
        terms = tables[i, digits]
        for s in range(len(images)):
            images[s] += terms[s]
