"""Positions as literals: which value each of a fixed number of places has.

A position is read as its places (see `solver.rules.packing`), with the bits of its numbers as
places of their own or not, or as the characters of its text. A reading works both ways: from the
values at the places it makes the position.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from solver.errors import UnpackedPositionError
from solver.rules.game import Game
from solver.rules.packing import Packing, joined, places, shape_of

Values = tuple[Any, ...]
WIDEST = 256  # places at most
FEW = 12  # values that a place of a number has at least if its bits are worth a look


class Reading:
    """Positions of one shape as the values of their places; numbers in bits if `bits` says so."""

    def __init__(self, name: str, shape: Any, bits: Sequence[int]) -> None:
        self.name, self._shape, self._bits = name, shape, bits
        self.is_number = shape is None and any(bits)

    def values(self, p: Any) -> Values:
        """Return the values at the places of a position."""
        found: list[Any] = []
        for value, bits in zip(places(p), self._bits, strict=True):
            found += [value >> b & 1 for b in range(bits)] if bits else [value]
        return tuple(found)

    def position(self, values: Sequence[Any]) -> Any:
        """Return the position with these values at its places."""
        rest = iter(values)
        numbers = (
            sum([next(rest) << b for b in range(bits)]) if bits else next(rest)
            for bits in self._bits
        )
        return joined(numbers, self._shape)


class TextReading:
    """Positions as the characters of their texts, which all have the same length.

    If every bit of numbers follows from one character, positions are put together from these bits,
    because `parse` refuses positions that no game reaches, and these may be images of others.
    """

    name = "text"
    is_number = False

    def __init__(self, game: Game[Any, Any], positions: Sequence[Any]) -> None:
        self._game = game
        self._parts = _parts(positions, [game.text(p) for p in positions])

    def values(self, p: Any) -> Values:
        """Return the values at the places of a position."""
        return tuple(self._game.text(p))

    def position(self, values: Sequence[Any]) -> Any:
        """Return the position with these values at its places."""
        if self._parts is None:
            return self._game.parse("".join(values))
        try:
            return sum([part[v] for part, v in zip(self._parts, values, strict=True)])
        except KeyError:
            raise UnpackedPositionError("".join(values)) from None


AnyReading = Reading | TextReading


def readings(
    game: Game[Any, Any], positions: Sequence[Any], of_keys: bool = False
) -> list[AnyReading]:
    """Return the ways to read positions that keep all of these apart.

    If `of_keys`, only the way is returned in which default keys read them.
    """
    found: list[AnyReading] = []
    try:
        shape = shape_of(positions[0])
        if all(shape_of(p) == shape for p in positions):
            columns = list(zip(*map(places, positions), strict=True))
            few = FEW if shape is not None else 1
            bits = [_width(column, few) for column in columns]
            if type(positions[0]) is not int:
                found.append(Reading("places", shape, [0] * len(columns)))
            if any(bits):
                found.append(Reading("bits", shape, bits))
    except TypeError:
        pass
    if type(game).text is not Game.text and len({len(game.text(p)) for p in positions}) == 1:
        found.append(TextReading(game, positions))
    if of_keys:
        name = "places" if isinstance(game.keys, Packing) else "bits"
        found = [reading for reading in found if reading.name == name]
    return [reading for reading in found if len(reading.values(positions[0])) <= WIDEST]


def _width(column: Sequence[Any], few: int) -> int:
    """Return how many bits the numbers of a place have, or 0 if they are not read as bits."""
    if not all(type(value) is int and value >= 0 for value in column):
        return 0
    return max(column).bit_length() if len(set(column)) >= few else 0


def _parts(positions: Sequence[Any], texts: Sequence[str]) -> list[dict[str, int]] | None:
    """Return the bits that each character of a text stands for, or None if they do not add up."""
    if not all(type(p) is int and p >= 0 for p in positions):
        return None
    columns = list(zip(*texts, strict=True))
    parts: list[dict[str, int]] = []
    free = -1  # the bits that no earlier character decides
    for column in columns:
        always, ever = dict.fromkeys(column, -1), dict.fromkeys(column, 0)
        for mark, p in zip(column, positions, strict=True):
            always[mark] &= p
            ever[mark] |= p
        decided = free & ~reduce(or_, [always[mark] ^ ever[mark] for mark in ever])
        parts.append({mark: bits & decided for mark, bits in ever.items()})
        free &= ~_all(parts[-1])
    sums = (sum([part[m] for part, m in zip(parts, text, strict=True)]) for text in texts)
    if not all(p == s for p, s in zip(positions, sums, strict=True)):
        return None
    _complete(parts)
    return parts


def _complete(parts: list[dict[str, int]]) -> None:
    """Add characters that were seen only at other places with as many bits."""
    places = [
        [1 << b for b in range(bits.bit_length()) if bits >> b & 1] for bits in map(_all, parts)
    ]
    known = {
        (len(bits), mark): [bit & value != 0 for bit in bits]
        for bits, part in zip(places, parts, strict=True)
        for mark, value in part.items()
    }
    for bits, part in zip(places, parts, strict=True):
        for (number, mark), are_set in known.items():
            if number == len(bits):
                part.setdefault(
                    mark, sum(b for b, is_set in zip(bits, are_set, strict=True) if is_set)
                )


def _all(part: dict[str, int]) -> int:
    """Return all bits that the characters of a place stand for."""
    return reduce(or_, part.values())
