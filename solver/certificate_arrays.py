"""The visit of a mapped table's positions on arrays, by the game's kernel; needs the extra `fast`.

Lookup, order and values are written anew here, apart from the solver's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from .errors import TableProofError
from .kernel import CHUNK, OPEN
from .table import COUNTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from .kernel import Kernel
    from .mapped import MappedTable

MISSING, WRONG = 1, 2


class Compiled:
    """The visit of a game in which all images of a reachable position are reachable.

    Of wrong entries it names one of the last level, since a wrong entry spoils those before it.
    """

    def __init__(
        self, table: MappedTable, kernel: Kernel, progress: Callable[[int, int], None]
    ) -> None:
        self.table, self.kernel, self.progress = table, kernel, progress
        self.arrays = tuple(
            np.asarray(view) for view in (table.offsets, table.remainders, table.values)
        )
        _, bits, multiplier, width, _ = table.layout
        self.limit = table.layout.limit
        self.wrong: str | None = None
        numbers = (multiplier, (1 << bits) - 1, width, (1 << width) - 1, self.limit)
        self.cut = tuple(np.uint64(number) for number in numbers)

    def visit(self) -> tuple[dict[str, int], int, int]:
        """Check every entry and that there is no other.

        Returns the counts, the largest key and the longest distance.
        """
        total = self.table.layout.entries
        bucket = _check_order(self.arrays, total)
        if bucket >= 0:
            raise TableProofError(f"the entries of bucket {bucket} are not in order")
        seen = np.zeros(total, np.bool_)
        counts = dict.fromkeys(COUNTS, 0)
        level, top = self.kernel.start(self.table.game), 0
        seen[_place(level[0], self.arrays, self.cut)] = True
        while len(level):
            top = max(top, int(level.max()))
            after = []
            for start in range(0, len(level), CHUNK):
                after.append(self._check(level[start : start + CHUNK], seen, counts))
            self.progress(counts["canonical"], total)
            level = np.concatenate(after)
        if self.wrong is not None:
            raise TableProofError(self.wrong)
        if counts["canonical"] != total:
            raise TableProofError(
                f"the table has {total:,} entries; it should have {counts['canonical']:,}"
            )
        values = np.abs(self.arrays[2].astype(np.int32, copy=False))
        plies = int(self.limit - values[values > 0].min(initial=self.limit))
        return counts, top, plies

    def _check(self, keys: np.ndarray, seen: np.ndarray, counts: dict[str, int]) -> np.ndarray:
        """Check entries, add them to the counts, and return the keys after that are new."""
        outcomes, children = self.kernel.expand(keys)
        claims = np.empty(len(keys), np.int16)
        fresh = np.empty(children.size, keys.dtype)
        found = np.zeros(4, np.int64)  # what is wrong, in which row, how many are new, which key
        _check_rows((keys, outcomes, children), self.arrays, self.cut, seen, claims, fresh, found)
        wrong, row, new, key = found.tolist()
        if wrong == MISSING:
            raise TableProofError(self._why(wrong, int(keys[row]), int(claims[row]), key))
        if wrong:
            self.wrong = self._why(wrong, int(keys[row]), int(claims[row]), key)
        sizes = self.kernel.orbits(keys).astype(np.int64)
        for name, sign in (("win", 1), ("draw", 0), ("loss", -1)):
            counts[name] += int(sizes[np.sign(claims) == sign].sum())
        counts["terminal"] += int(sizes[outcomes != OPEN].sum())
        counts["positions"] += int(sizes.sum())
        counts["canonical"] += len(keys)
        return fresh[:new]

    def _why(self, wrong: int, key: int, claim: int, other: int) -> str:
        game: Any = self.table.game
        text = game.text(game.position(key))
        if wrong == MISSING:
            child = game.text(game.position(other))
            return f"the entry of {child!r} is missing; a move from {text!r} leads to it"
        says, should = (self._words(value) for value in (claim, other))
        return f"the entry of {text!r} says {says}; it should say {should}"

    def _words(self, value: int) -> str:
        plies = self.limit - abs(value)
        return f"a {'win' if value > 0 else 'loss'} in {plies}" if value else "a draw"


@njit(cache=True)
def _place(key, table, cut):  # type: ignore[no-untyped-def]
    """Return the place of a key's entry, or -1."""
    offsets, remainders, _ = table
    multiplier, mask, width, low, _ = cut
    if np.uint64(key) > mask:
        return -1
    mixed = (np.uint64(key) * multiplier) & mask
    remainder = mixed & low
    bucket = mixed >> width
    for place in range(np.int64(offsets[bucket]), np.int64(offsets[bucket + np.uint64(1)])):
        if remainders[place] == remainder:
            return place
    return -1


@njit(cache=True)
def _check_order(table, total):  # type: ignore[no-untyped-def]
    """Return the first bucket whose entries do not ascend, or that reaches beyond, or -1."""
    offsets, remainders, _ = table
    for bucket in range(len(offsets) - 1):
        start, stop = np.int64(offsets[bucket]), np.int64(offsets[bucket + 1])
        if start > stop or stop > total:
            return bucket
        for place in range(start + 1, stop):
            if remainders[place - 1] >= remainders[place]:
                return bucket
    return -1


@njit(cache=True)
def _check_rows(rows, table, cut, seen, claims, fresh, found):  # type: ignore[no-untyped-def]
    """Compare each row's entry with what it should be; see `Compiled._check`."""
    keys, outcomes, children = rows
    values, limit = table[2], np.int64(cut[4])
    new = 0
    for row in range(len(keys)):
        claim = np.int64(values[_place(keys[row], table, cut)])
        claims[row] = claim
        right = np.int64(outcomes[row]) * limit
        if outcomes[row] == OPEN:
            right = np.int64(-limit - 1)
            for child in children[row]:
                if child < 0:
                    continue
                place = _place(child, table, cut)
                if place < 0:
                    found[0], found[1], found[3] = MISSING, row, child
                    return
                if not seen[place]:
                    seen[place] = True
                    fresh[new] = child
                    new += 1
                brings = -np.int64(values[place])  # and one ply later
                right = max(right, brings - np.sign(brings))
        if claim != right and found[0] == 0:
            found[0], found[1], found[3] = WRONG, row, right
    found[2] = new
