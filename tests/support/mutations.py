"""Kinds of forgery of the layout of mapped tables; those of what they say are in `forge`."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress

from tests.support.brute import Value
from tests.support.forged import Raw, forge
from tests.support.forger import Forger, Kind


def all_values(most: int) -> list[Value]:
    return [(0, None), *((o, d) for o in (-1, 1) for d in range(most))]


def flipped(generator: random.Random, value: int) -> int:
    """Return a value of another outcome, at a possible distance."""
    sign = generator.choice([s for s in (-1, 0, 1) if s != (value > 0) - (value < 0)])
    return sign * (127 - generator.randrange(12))


def replaced(raw: Raw, place: int, value: int) -> Raw:
    return raw._replace(values=[*raw.values[:place], value, *raw.values[place + 1 :]])


def repeat_an_entry(generator: random.Random, raw: Raw) -> Raw:
    entries = raw.entries()
    key, value = generator.choice(entries)
    return raw.with_entries([*entries, (key, generator.choice([value, flipped(generator, value)]))])


def change_remainder(generator: random.Random, raw: Raw) -> Raw:
    remainders = raw.remainders.copy()
    place = generator.randrange(len(remainders))
    held, most = remainders[place], 2 ** raw.number("width") - 1
    remainders[place] = generator.choice([x for x in (0, most, held ^ 1, held ^ 64) if x != held])
    return raw._replace(remainders=remainders)


def widen_remainder(generator: random.Random, raw: Raw) -> Raw:
    """Set a bit beyond the remainder's width, if its bytes have room for one."""
    width = raw.number("width")
    room = next(n for n in (8, 16, 32, 64) if width <= n)
    remainders = raw.remainders.copy()
    place = generator.randrange(len(remainders))
    remainders[place] ^= 1 << (room - 1 if width < room else 0)
    return raw._replace(remainders=remainders)


def filled(raw: Raw) -> list[int]:
    return [b for b in range(len(raw.offsets) - 1) if raw.offsets[b + 1] - raw.offsets[b]]


def swap_buckets(generator: random.Random, raw: Raw) -> Raw:
    """Exchange the entries of two buckets."""
    sizes = [raw.offsets[b + 1] - raw.offsets[b] for b in range(len(raw.offsets) - 1)]
    parts = [
        list(zip(raw.remainders[a : a + n], raw.values[a : a + n], strict=True))
        for a, n in zip(raw.offsets, sizes, strict=False)
    ]
    a, b = generator.sample(filled(raw), 2)
    while parts[a] == parts[b]:
        a, b = generator.sample(filled(raw), 2)
    parts[a], parts[b] = parts[b], parts[a]
    return rebuilt(raw, parts)


def reverse_bucket(generator: random.Random, raw: Raw) -> Raw:
    """Reverse the entries of a bucket."""
    bucket = generator.choice([b for b in filled(raw) if raw.offsets[b + 1] - raw.offsets[b] > 1])
    remainders, values = raw.remainders.copy(), raw.values.copy()
    part = slice(*raw.offsets[bucket : bucket + 2])
    remainders[part], values[part] = remainders[part][::-1], values[part][::-1]
    return raw._replace(remainders=remainders, values=values)


def rebuilt(raw: Raw, parts: list[list[tuple[int, int]]]) -> Raw:
    offsets = [0]
    for part in parts:
        offsets.append(offsets[-1] + len(part))
    flat = [entry for part in parts for entry in part]
    return Raw(raw.about, offsets, [r for r, _ in flat], [v for _, v in flat])


def shift_a_boundary(generator: random.Random, raw: Raw) -> Raw:
    offsets = raw.offsets.copy()
    place = generator.randrange(1, len(offsets) - 1)
    offsets[place] += generator.choice([-1, 1] if offsets[place] else [1])
    return raw._replace(offsets=offsets)


def break_a_boundary(generator: random.Random, raw: Raw) -> Raw:
    offsets = raw.offsets.copy()
    place = generator.randrange(len(offsets))
    others = {0, 1, len(raw.values), len(raw.values) + 1, 2**31, 2**32 - 1} - {offsets[place]}
    offsets[place] = generator.choice(sorted(others))
    return raw._replace(offsets=offsets)


def layout_kind(change: Callable[[random.Random, Raw], Raw]) -> Kind:
    """Return a kind of forgery that changes the contents of a table that is not packed."""

    def kind(forger: Forger, generator: random.Random) -> bytes | None:
        with suppress(IndexError, ValueError):  # it has too few buckets
            return None if forger.is_packed else forge(change(generator, forger.content))
        return None

    kind.__name__ = change.__name__
    return kind


LAYOUT: tuple[Kind, ...] = (
    *map(layout_kind, (repeat_an_entry, change_remainder, widen_remainder, swap_buckets)),
    *map(layout_kind, (reverse_bucket, shift_a_boundary, break_a_boundary)),
)


def overlapping(raw: Raw) -> list[Raw]:
    """Return tables in which a bucket ends beyond the empty bucket after it.

    The entry beyond has a larger remainder than the bucket's own entries, so that every look-up in
    such a table still finds the right value.
    """
    found = []
    for bucket in range(len(raw.offsets) - 2):
        start, end, next_end = raw.offsets[bucket : bucket + 3]
        if end == next_end < len(raw.values) and (
            start == end or raw.remainders[end - 1] < raw.remainders[end]
        ):
            offsets = [*raw.offsets[: bucket + 1], end + 1, *raw.offsets[bucket + 2 :]]
            found.append(raw._replace(offsets=offsets))
    return found
