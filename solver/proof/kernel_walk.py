"""The walk over every position of a mapped table with a kernel; needs the extra `fast`.

It does what `solver.proof.walk` does, on arrays of keys. A kernel written by hand stands for the
rules of its own game, among them the canonical images: that it agrees with them is tested at every
position of several boards. A position is its canonical image and the symmetry to it, so that one
bit of an entry notes that it was visited.

All compiled code but `prefetch` is in this file, because numba's cache does not notice edits in
other files. It has its own look-up and arithmetic of values. In the loops `table` has the arrays
offsets, remainders and values, and `layout` the numbers multiplier, key mask, width, remainder mask
and limit, as uint64.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from solver.errors import TableProofError
from solver.loops import compiled, prefetch
from solver.rules.kernel import Kernel
from solver.tables.format import COUNTS
from solver.tables.mapped_file import ARRAYS
from solver.tables.mapped_table import MappedTable
from solver.value import OPEN

PIECE = 1 << 14  # positions expanded at once: their children fit in the cache
GROUPS = 1 << 13  # of positions; the entries of one fit in the cache
BLOCK = 64  # entries fetched at once
FAR = 1 << 20  # replaces the limit of a table's values while they are compared
WORST = -2 * FAR  # below every value, so that an open position needs a move
TYPES = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}


class KernelWalk:
    """The walk over a table; `progress` is called with how many positions are visited, of all."""

    def __init__(
        self, table: MappedTable, kernel: Kernel, progress: Callable[[int, int], None]
    ) -> None:
        self.table, self.kernel, self.progress = table, kernel, progress
        self.arrays = tuple(np.asarray(table.arrays[name]) for name in ARRAYS)
        entries, bits, multiplier, width, self.limit = table.layout
        numbers = (multiplier, (1 << bits) - 1, width, (1 << width) - 1, self.limit)
        self.layout = tuple(np.uint64(number) for number in numbers)
        images = next(size for size in TYPES if size >= len(table.game.symmetries))
        self.seen: np.ndarray = np.zeros(entries, TYPES[images])
        self.index = np.uint32 if entries < 1 << 32 else np.int64
        self.counts = np.zeros(5, np.int64)  # wins, draws, losses, ends, and all
        self.top = 0
        self.wrong: TableProofError | None = None

    def run(self) -> tuple[dict[str, int], int, int]:
        """Visit every position; check that each value is right and that each entry is asked for.

        Returns the counts, the largest key of a canonical image and the longest distance. Raises
        TableProofError; if several values are wrong, it names one of the last that were visited,
        since a wrong value makes those before it look wrong.
        """
        game, total = self.table.game, self.table.counts["positions"]
        bucket = _disorder(self.arrays, len(self.seen))
        if bucket >= 0:
            raise TableProofError(f"the entries of bucket {bucket} are not in order")
        keys, entries, _ = self._visit(np.array([game.key(game.initial())], np.int64))
        while len(keys):
            fresh, new = list[np.ndarray](), list[np.ndarray]()
            for i in range(0, len(keys), PIECE):
                pair = self._check(keys[i : i + PIECE], entries[i : i + PIECE])
                fresh.append(pair[0])
                new.append(pair[1])
                self.progress(int(self.counts[4]), total)
            keys, entries = _gathered(fresh), _gathered(new)
            keys, entries = _group(keys, entries, len(self.seen))
        if self.wrong is not None:
            raise self.wrong
        unasked = int(np.argmin(self.seen))
        if not self.seen[unasked]:
            p, _ = self.table.entry(unasked)
            raise TableProofError(f"the entry for {game.text(p)!r} is extra: no game leads to it")
        wins, draws, losses, ends, positions = self.counts.tolist()
        counts = dict.fromkeys(COUNTS, 0)
        counts |= {"win": wins, "draw": draws, "loss": losses, "terminal": ends}
        counts |= {"positions": positions, "canonical": len(self.seen)}
        values, nearest = self.arrays[2], self.limit  # to 0, of those that are no draw's
        for i in range(0, len(values), PIECE):
            sizes = np.abs(values[i : i + PIECE])
            nearest = min(nearest, int(sizes.min(where=sizes > 0, initial=self.limit)))
        return counts, self.top, self.limit - nearest

    def _visit(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the new ones among some positions, the entries of these, and the values of all."""
        canonical, numbers = self.kernel.orient(keys)
        self.top = max(self.top, int(canonical.max(initial=0)))
        fresh: np.ndarray = np.empty(len(keys), self.kernel.dtype)
        new, after = np.empty(len(keys), self.index), np.empty_like(self.arrays[2], shape=len(keys))
        result = np.zeros(2, np.int64)
        into = after, self.seen, fresh, new
        _visit((keys, canonical, numbers), self.arrays, self.layout, into, result)
        missing, count = result.tolist()
        if missing:
            raise self._error(int(canonical[missing - 1]), "is missing; a game leads to it")
        return fresh[:count].copy(), new[:count].copy(), after

    def _check(self, keys: np.ndarray, entries: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Compare the values of some positions; return those one move on that are new."""
        outcomes, children = self.kernel.successors(keys)
        flat, numbers = _flatten(children)
        fresh, new, after = self._visit(flat)
        result = np.zeros(2, np.int64)
        rows = entries, outcomes, numbers, after
        _compare(rows, self.arrays[2], self.limit, self.counts, result)
        wrong, right = result.tolist()
        if wrong:
            p, _ = self.table.entry(int(entries[wrong - 1]))
            stated = _words(int(self.arrays[2][entries[wrong - 1]]), self.limit)
            self.wrong = self._error(
                self.table.game.key(p), f"is {stated}; it should be {_words(right, FAR)}"
            )
        return fresh, new

    def _error(self, key: int, error: str) -> TableProofError:
        game = self.table.game
        return TableProofError(f"the entry for {game.text(game.position(key))!r} {error}")


def _gathered(pieces: list[np.ndarray]) -> np.ndarray:
    """Return some arrays as one, and empty the list."""
    array = np.concatenate(pieces)
    pieces.clear()
    return array


def _words(value: int, limit: int) -> str:
    plies = limit - abs(value)
    return f"a {'win' if value > 0 else 'loss'} in {plies}" if value else "a draw"


@compiled
def _flatten(children):  # type: ignore[no-untyped-def]
    """Return the children in all rows, without the gaps, and how many each row has."""
    flat, numbers = np.empty(children.size, np.int64), np.empty(len(children), np.int32)
    stop = 0
    for row in range(len(children)):
        start = stop
        for child in children[row]:
            flat[stop] = child
            stop += child >= 0
        numbers[row] = stop - start
    return flat[:stop], numbers


@compiled
def _fetch(canonical, table, layout, seen):  # type: ignore[no-untyped-def]
    """Fetch entries into the cache: all at once, since they are far apart."""
    offsets, remainders, values = table
    multiplier, mask, width, _, _ = layout
    for key in canonical:
        prefetch(offsets, np.int64((np.uint64(key) * multiplier & mask) >> width))
    for key in canonical:
        entry = np.int64(offsets[(np.uint64(key) * multiplier & mask) >> width])
        prefetch(remainders, entry)
        prefetch(values, entry)
        prefetch(seen, entry)


@compiled
def _visit(positions, table, layout, into, result):  # type: ignore[no-untyped-def]
    """Fill in the values of entries, and the keys that are new with their entries.

    `result` gets the row after one without an entry, or 0, and how many are new.
    """
    keys, canonical, numbers = positions
    offsets, remainders, values = table
    multiplier, mask, width, low, _ = layout
    after, seen, fresh, new = into
    count = 0
    for begin in range(0, len(keys), BLOCK):
        end = min(begin + BLOCK, len(keys))
        _fetch(canonical[begin:end], table, layout, seen)
        for i in range(begin, end):
            key = np.uint64(canonical[i])
            mixed = key * multiplier & mask
            bucket, remainder = mixed >> width, mixed & low
            entry, stop = np.int64(offsets[bucket]), np.int64(offsets[bucket + np.uint64(1)])
            for other in remainders[entry:stop]:  # ascending
                entry += other < remainder
            if key > mask or entry == stop or remainders[entry] != remainder:
                result[0] = i + 1
                return
            after[i] = values[entry]
            bit, before = np.uint64(1) << np.uint64(numbers[i]), np.uint64(seen[entry])
            seen[entry] = before | bit
            fresh[count], new[count] = keys[i], entry
            count += before & bit == 0
    result[1] = count


@compiled
def _group(keys, entries, total):  # type: ignore[no-untyped-def]
    """Return positions in groups whose entries are near, so that those of children are, too."""
    shift = 0
    while total >> shift > GROUPS:
        shift += 1
    starts = np.zeros((total >> shift) + 2, np.int64)
    for entry in entries:
        starts[(entry >> shift) + 1] += 1
    starts = np.cumsum(starts)
    grouped, placed = np.empty_like(keys), np.empty_like(entries)
    for i in range(len(keys)):
        group = entries[i] >> shift
        grouped[starts[group]], placed[starts[group]] = keys[i], entries[i]
        starts[group] += 1
    return grouped, placed


@compiled
def _compare(rows, values, limit, counts, result):  # type: ignore[no-untyped-def]
    """Compare each position's value with the right one, and add up outcomes and ends.

    Values are compared with the limit FAR, so that no distance reaches 0, a draw. `result` gets the
    row after one that is wrong, and its right value.
    """
    entries, outcomes, numbers, after = rows
    lead = FAR - np.int64(limit)
    stop = 0
    for row in range(len(entries)):
        start, stop = stop, stop + numbers[row]
        claim = np.int64(values[entries[row]])
        counts[1 - np.sign(claim)] += 1
        counts[3] += outcomes[row] != OPEN
        counts[4] += 1
        claim += np.sign(claim) * lead
        right = np.int64(outcomes[row]) * FAR
        if outcomes[row] == OPEN:
            right = np.int64(WORST)
            for i in range(start, stop):
                value = -np.int64(after[i])
                right = max(right, value + np.sign(value) * (lead - 1))  # and one ply later
        if claim != right:
            result[0], result[1] = row + 1, right


@compiled
def _disorder(table, total):  # type: ignore[no-untyped-def]
    """Return the first bucket with entries out of order or beyond the table's end, or -1."""
    offsets, remainders, _ = table
    for bucket in range(len(offsets) - 1):
        start, stop = np.int64(offsets[bucket]), np.int64(offsets[bucket + 1])
        if start > stop or stop > total:
            return bucket
        for entry in range(start + 1, stop):
            if remainders[entry - 1] >= remainders[entry]:
                return bucket
    return -1
