"""Compact keys of positions that are texts, or tuples, of a fixed length.

Such a position is read as places: the characters of a text and the items of a tuple, at any depth.
Each place holds one of a few values, in ascending order, and the key is a number in mixed radix
whose first digit is that of the first place. For example, three cells and the side to move:

    position    ("x.o", "x")
    places        x     .     o    x
    values       .ox   .ox   .ox   ox
    digits        2     0     1    1       key ((2 * 3 + 0) * 3 + 1) * 2 + 1 = 39

The values are those in a sample of positions. A position with another value has no key; whoever
needs one starts again with more values, by `solver.rules.default_keys.with_keys`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from math import prod

from solver.errors import UnpackedPositionError
from solver.rules.plain import as_plain, like

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from typing import Any

LONGEST = 64  # bits of a number whose images are found all at once
GOLDEN = 0x9E3779B97F4A7C15  # 2**64 over the golden ratio: Knuth's multiplicative hashing
MOST_DESCRIBED = 60_000  # bytes of a description, as the header of a table has it
MOST_RANGE = 1 << 17  # values of a place that are stated as a range
WIDE = 1 << 64  # above are the keys of numbers that are not their own keys
NARROW = 1 << 32  # below are keys that compiled rules hold in 32 bits


def shape_of(p: Any) -> Any:
    """Return the length of a text, the shapes of a tuple's items, or None for one value.

    A value is a number, a bool, None or a single character. Raises TypeError if `p` has no places.
    """
    if isinstance(p, tuple):
        return tuple(map(shape_of, p))
    if isinstance(p, str):
        return None if len(p) == 1 else len(p)
    if isinstance(p, int | None):
        return None
    raise TypeError(f"a {type(p).__name__} has no places")


def places(p: Any) -> list[Any]:
    """Return the values at the places of a position."""
    if not isinstance(p, tuple):
        return list(p) if isinstance(p, str) else [p]
    values: list[Any] = []
    for item in p:
        if isinstance(item, str):
            values += item
        elif isinstance(item, tuple):
            values += places(item)
        else:
            values.append(item)
    return values


def order(p: Any) -> Any:
    """Return what positions of one shape are sorted by: the order of their keys in any packing."""
    if isinstance(p, tuple):
        return tuple([order(item) for item in p])
    kind = 0 if p is None else 2 if isinstance(p, str) else 1
    return kind, 0 if p is None else p


class Numbers:
    """The keys of positions that are numbers: themselves, unless negative or very large."""

    described: str = "numbers"

    def __init__(self, is_narrow: bool = False) -> None:
        self.is_narrow: bool = is_narrow
        """Whether keys have at most 32 bits, as far as samples show."""

    def key(self, p: int) -> int:
        """Return the key of a position."""
        p = int(p)
        return p if 0 <= p < WIDE else (abs(p) + WIDE) << 1 | (p < 0)

    def position(self, key: int) -> int:
        """Return the position with this key."""
        return key if key < WIDE else ((key >> 1) - WIDE) * (-1 if key & 1 else 1)


class Texts:
    """The keys of positions without fixed places: the bytes of their texts."""

    described: str = "texts"

    def __init__(self, text: Callable[[Any], str], parse: Callable[[str], Any]) -> None:
        self._text, self._parse = text, parse

    def key(self, p: Any) -> int:
        """Return the key of a position."""
        return int.from_bytes(b"\1" + self._text(p).encode(), "big")

    def position(self, key: int) -> Any:
        """Return the position with this key."""
        text = key.to_bytes(key.bit_length() // 8 + 1, "big").lstrip(b"\0")[1:].decode()
        return self._parse(text)


class Packing:
    """The shape of positions (see `shape_of`), and the values of each place, ascending."""

    def __init__(self, shape: Any, values: tuple[tuple[Any, ...], ...]) -> None:
        self.shape: Any = shape
        self.values: tuple[tuple[Any, ...], ...] = values
        self.size: int = 1
        """All keys are below it."""
        self.weights: list[int] = []
        """The place value of each digit."""
        for choices in reversed(values):
            self.weights.insert(0, self.size)
            self.size *= len(choices)
        self._shares: list[dict[Any, int]] = [
            {value: weight * digit for digit, value in enumerate(choices)}
            for weight, choices in zip(self.weights, values, strict=True)
        ]

    @cached_property
    def described(self) -> tuple[Any, ...]:
        """The shape and the values, which can be written as JSON.

        If lists of values are too long for the header of a table, numbers that follow each other
        are stated as a range.
        """
        described = self.shape, self.values
        return described if _fits(described) else (self.shape, tuple(map(_stated, self.values)))

    @property
    def fits(self) -> bool:
        """Whether the header of a table can describe these keys."""
        return _fits(self.described)

    def key(self, p: Any) -> int:
        """Return the key of a position; raises UnpackedPositionError if it has none."""
        try:
            values = self._places(p, self.shape)
            return sum([shares[v] for shares, v in zip(self._shares, values, strict=True)])
        except (KeyError, TypeError, ValueError):
            raise UnpackedPositionError(p) from None

    def position(self, key: int) -> Any:
        """Return the position with this key."""
        values = []
        for weight, choices in zip(self.weights, self.values, strict=True):
            digit, key = divmod(key, weight)
            values.append(choices[digit])
        return joined(iter(values), self.shape)

    def _places(self, p: Any, shape: Any) -> Any:
        """Return the values at the places of a position; raises TypeError if it does not fit."""
        if shape is None:
            return (p,)
        is_text = isinstance(shape, int)
        if not isinstance(p, str if is_text else tuple):
            raise TypeError
        if is_text or shape.count(None) == len(shape):
            if len(p) != (shape if is_text else len(shape)):
                raise TypeError
            return p
        values: list[Any] = []
        for item, inner in zip(p, shape, strict=True):
            values += self._places(item, inner)
        return values


Keys = Numbers | Texts | Packing


def keys_of(positions: list[Any]) -> Numbers | Packing | None:
    """Return the keys that have the values of these positions; None if no header describes them."""
    if not positions:
        return None
    try:
        positions = [*map(as_plain, positions)]
    except TypeError:
        return None
    if type(positions[0]) is int:
        return Numbers(0 <= min(positions) <= max(positions) < NARROW)
    try:
        shape = shape_of(positions[0])
        if any(shape_of(p) != shape for p in positions):
            return None
    except TypeError:
        return None
    columns = zip(*map(places, positions), strict=True)
    keys = Packing(shape, tuple(map(ascending, map(set, columns))))
    return keys if keys.fits else None


def keys_from(described: Any, texts: Keys) -> Keys:
    """Return the keys with this description; raises ValueError or TypeError if there are none.

    `texts` are those that are made of texts.
    """
    if described == Numbers.described:
        return Numbers()
    if described == Texts.described:
        return texts
    shape, stated = described
    sizes = [one["to"] - one["from"] + 1 for one in stated if isinstance(one, dict)]
    if not all(0 < size <= MOST_RANGE for size in sizes) or prod(sizes) > WIDE:
        raise ValueError("the ranges of values are impossible")
    keys = Packing(_tuples(shape), tuple(map(_values, stated)))
    if shape_of(keys.position(0)) != keys.shape or any(
        choices != ascending({*choices}) for choices in keys.values
    ):
        raise ValueError("the values of the places are impossible")
    return keys


def _fits(described: Any) -> bool:
    return len(json.dumps(json.dumps(described))) <= MOST_DESCRIBED


def _stated(values: tuple[Any, ...]) -> Any:
    """Return the values of a place as JSON states them: a range if they are one."""
    first, last = values[0], values[-1]
    if {*map(type, values)} == {int} and last - first + 1 == len(values):
        return {"from": first, "to": last}
    return values


def _values(stated: Any) -> tuple[Any, ...]:
    """Return the values that are stated; the inverse of `_stated`."""
    if isinstance(stated, dict):
        return tuple(range(stated["from"], stated["to"] + 1))
    values: tuple[Any, ...] = _tuples(stated)
    return values


def mixer(bits: int) -> int:
    """Return the odd factor that, modulo 2**bits, spreads keys of `bits` bits evenly."""
    return GOLDEN >> 64 - bits | 1


def ascending(values: set[Any]) -> tuple[Any, ...]:
    """Return the values of a place in the order of their digits."""
    return tuple(sorted(values, key=order))


def joined(values: Iterator[Any], shape: Any) -> Any:
    """Return the position of a shape with these values at its places; the inverse of `places`."""
    if shape is None:
        return next(values)
    if type(shape) is int:
        return "".join(islice(values, shape))
    if all(inner is None for inner in shape):  # a flat tuple
        return tuple(islice(values, len(shape)))
    return tuple([joined(values, inner) for inner in shape])


def with_places(p: Any, values: Iterator[Any]) -> Any:
    """Return a position of the shape and the types of `p` with these values at its places."""
    if isinstance(p, tuple):
        return like(p, tuple([with_places(item, values) for item in p]))
    is_text = type(p) is str and len(p) != 1
    return "".join(islice(values, len(p))) if is_text else next(values)


def bit_image(bits: Sequence[tuple[int, tuple[int, ...]]]) -> Callable[[int], int]:
    """Return a map of numbers that leaves higher bits as they are.

    Given are for each bit, the lowest first, the bit where it goes, and what 0 and 1 become there.
    """
    tables = []
    for low in range(0, len(bits), 8):
        table = [0]
        for target, (zero, one) in bits[low : low + 8]:
            table = [n | zero << target for n in table] + [n | one << target for n in table]
        tables.append(table)

    def image(p: int) -> int:
        number = p >> len(bits) << len(bits)
        for table in tables:
            number |= table[p & len(table) - 1]
            p >>= 8
        return number

    return image


def all_images(
    images: Sequence[Callable[[Any], Any]], maps: Sequence[Any]
) -> Callable[[Any], Sequence[Any]]:
    """Return what maps a position to its images; those of a number are found all at once.

    This pays where there are many: tic-tac-toe, with eight symmetries, is solved in 0.68 of the
    time that it takes with one image after another, but numbers of Clobber on 5x3 in 0.92.

    `maps` are the place maps of the images, None if one has none, and () of the identity.
    """
    sizes = [*{0 if one is None else len(one[0]) for one in maps if one != ()}]
    size, find = max(sizes, default=0), None

    def found(p: Any) -> Sequence[Any]:
        nonlocal find
        if type(p) is not int or len(sizes) != 1 or not 0 < size <= LONGEST or p >> size:
            return [image(p) for image in images]
        find = find or _at_once(maps, size)
        return find(p)

    return found


def _at_once(maps: Sequence[Any], size: int) -> Callable[[int], Sequence[int]]:
    """Return what maps a number to its images under place maps."""
    from struct import Struct  # which the first answer of tic-tac-toe does without

    joined_images, split = bit_image(_parallel(maps, size)), Struct(f"<{len(maps)}Q")
    return lambda p: split.unpack(joined_images(p).to_bytes(split.size, "little"))


def _parallel(maps: Sequence[Any], size: int) -> list[tuple[int, tuple[int, ...]]]:
    """Return what `bit_targets` does, for an image under each map, LONGEST bits apart."""
    stay = tuple(range(size)), ((),) * size
    targets: list[tuple[int, tuple[int, ...]]] = []
    for way in zip(*[bit_targets(one or stay) for one in maps], strict=True):
        places = [(LONGEST * i + place, changed) for i, (place, changed) in enumerate(way)]
        targets.append((0, tuple(sum(to[v] << place for place, to in places) for v in (0, 1))))
    return targets


def bit_targets(place_map: Any) -> list[tuple[int, tuple[int, ...]]]:
    """Return for each bit of a number where it goes, and what 0 and 1 become there."""
    targets: list[tuple[int, tuple[int, ...]]] = [(0, ())] * len(place_map[0])
    for place, (origin, pairs) in enumerate(zip(*place_map, strict=True)):
        changed = dict(pairs)
        if not {*changed} <= {0, 1}:
            raise ValueError("positions are numbers, whose bits are only 0 or 1")
        targets[origin] = place, (changed.get(0, 0), changed.get(1, 1))
    return targets


def _tuples(lists: Any) -> Any:
    return tuple(map(_tuples, lists)) if isinstance(lists, list) else lists
