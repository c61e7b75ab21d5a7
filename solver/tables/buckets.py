"""Writing the bucket layout that `solver.tables.mapped_file` describes.

Takes entries in any order, piece by piece: mixed keys, and the values that the table stores for
them. Returns the arrays of a range of buckets. The loops are written once: numba compiles them for
NumPy arrays, and they run uncompiled where it is not installed.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from itertools import compress
from typing import Any

from solver.tables.mapped_file import TYPES, TableLayout

Entries = tuple[Any, Any]
"""Mixed keys, unsigned, and their values: two buffers of numbers."""

OFFSETS = {"U32": "I", "U64": "q"}  # signed, since NumPy adds uint64 and int64 to a float


def fill_buckets(
    pieces: Sequence[Entries],
    layout: TableLayout,
    first: int = 0,
    last: int | None = None,
    compiled: bool = False,
) -> dict[str, memoryview]:
    """Return the arrays of the buckets from `first` to below `last`, in the order of the file.

    All entries are in these. Offsets count from the first entry here, and end with the number of
    entries.
    """
    last = layout.buckets if last is None else last
    within = array("Q", [layout.width, first, (1 << layout.width) - 1])
    kinds = {name: kind for name, (kind, _) in layout.arrays.items()}
    types = [OFFSETS[kinds["offsets"]], TYPES[kinds["remainders"]], TYPES[kinds["values"]]]
    columns = _group(pieces, within, last - first, types, compiled)
    _run(_sort, compiled, *columns)
    arrays: dict[str, Any]
    arrays = dict(zip(("offsets", "remainders", "values"), columns, strict=True))
    return {name: memoryview(arrays[name]) for name in kinds}


def shift_offsets(
    offsets: memoryview, base: int, layout: TableLayout, compiled: bool = False
) -> memoryview:
    """Return the offsets of a range of buckets before which the table has `base` entries."""
    code: Any = OFFSETS[layout.arrays["offsets"][0]]
    numbers = offsets.cast(code)
    if compiled:
        import numpy as np

        shifted: Any = np.asarray(numbers) + base
        return memoryview(shifted)
    return memoryview(array(code, [number + base for number in numbers]))


def select_entries(
    entries: Entries, layout: TableLayout, first: int, last: int, compiled: bool = False
) -> Entries:
    """Return the entries in the buckets from `first` to below `last`."""
    mixed, values = entries
    if compiled:
        bucket = mixed >> layout.width
        inside: Any = (first <= bucket) & (bucket < last)
        return mixed[inside], values[inside]
    inside = [first <= key >> layout.width < last for key in mixed]
    return [*compress(mixed, inside)], [*compress(values, inside)]


def _group(
    pieces: Sequence[Entries], within: array[int], buckets: int, types: list[str], compiled: bool
) -> list[array[int]]:
    """Return where each bucket starts, and by bucket the remainders and the values.

    `within` has the width of a remainder, the first bucket, and the mask of a remainder. Element
    b + 1 of `ends` is where the next entry of bucket b goes. When all are placed, that is where the
    next bucket starts.
    """
    ends = _zeros(types[0], buckets + 2, compiled)
    for mixed, _ in pieces:
        _run(_count, compiled, mixed, ends, within)
    _run(_add_up, compiled, ends)
    columns = [_zeros(code, int(ends[-1]), compiled) for code in types[1:]]
    for mixed, values in pieces:
        _run(_fill, compiled, mixed, values, ends, *columns, within)
    return [ends[:-1], *columns]


def _run(loop: Callable[..., None], compiled: bool, *buffers: Any) -> None:
    """Run one of the loops below, compiled or uncompiled."""
    if compiled:
        import numpy as np

        _compile(loop)(*map(np.asarray, buffers))
    else:
        loop(*buffers)


@cache
def _compile(loop: Callable[..., None]) -> Any:
    from solver.loops import compiled

    return compiled(loop)


def _count(mixed, ends, within):  # type: ignore[no-untyped-def]
    """Count the keys of each bucket b in element b + 2."""
    width, first = within[0], within[1]
    for key in mixed:
        ends[(key >> width) - first + 2] += 1


def _add_up(ends):  # type: ignore[no-untyped-def]
    """Turn each number into the sum of all up to it."""
    for i in range(1, len(ends)):
        ends[i] += ends[i - 1]


def _fill(mixed, values, ends, remainders, column, within):  # type: ignore[no-untyped-def]
    """Write each entry to the next free place of its bucket."""
    width, first, mask = within[0], within[1], within[2]
    for i in range(len(mixed)):
        bucket = (mixed[i] >> width) - first
        index = ends[bucket + 1]
        ends[bucket + 1] += 1
        remainders[index] = mixed[i] & mask
        column[index] = values[i]


def _sort(offsets, remainders, values):  # type: ignore[no-untyped-def]
    """Sort each bucket by remainder: by insertion, since buckets are small."""
    for bucket in range(len(offsets) - 1):
        start, stop = offsets[bucket], offsets[bucket + 1]
        for i in range(start + 1, stop):
            remainder, value = remainders[i], values[i]
            j = i
            while j > start and remainders[j - 1] > remainder:
                remainders[j], values[j] = remainders[j - 1], values[j - 1]
                j -= 1
            remainders[j], values[j] = remainder, value


def _zeros(code: str, count: int, compiled: bool) -> Any:
    """Return an array of so many zeros."""
    if not compiled:
        return array(code, [0]) * count
    import numpy as np

    return np.zeros(count, np.dtype(code))
