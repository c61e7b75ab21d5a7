"""Visiting the positions of a mapped table with the game's kernel; needs the extra `fast`.

It shares no code with the solvers: it has its own look-up, order and arithmetic of values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from solver.errors import TableProofError
from solver.proof import mapped_loops as loops
from solver.proof.mapped_loops import MISSING, WAY, WIDE
from solver.rules.game import start_key
from solver.rules.kernel import CHUNK, Kernel, LayeredKernel, TieredKernel
from solver.tables.format import COUNTS
from solver.tables.mapped_file import ARRAYS
from solver.tables.mapped_table import MappedTable
from solver.value import OPEN

COUNTED = ("win", "draw", "loss", "terminal", "positions")
Rows = tuple[np.ndarray, np.ndarray, np.ndarray]
Moved = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def visit(
    table: MappedTable,
    kernel: LayeredKernel | TieredKernel,
    progress: Callable[[int, int], None],
    positions: Iterable[Any],
) -> tuple[dict[str, int], int, int]:
    """Check that a table has the right entries and no others.

    `positions` yields the game's positions by its Python rules; only as many as are needed are
    taken. Returns the counts, the largest key and the longest distance; raises TableProofError.
    """
    start, symmetries = table.game.initial(), table.game.symmetries
    is_symmetric = all(symmetry.position(start) == start for symmetry in symmetries)
    if isinstance(kernel, TieredKernel) and not is_symmetric:
        return _TieredVisit(table, kernel, progress, positions).run()
    return _Visit(table, kernel, progress).run()


class _Visit:
    """The visit of a game whose start is symmetric, so that all images of a position are reached.

    If several entries are wrong, the error names one of the last level, since a wrong entry makes
    those before it look wrong.
    """

    chunk = CHUNK

    def __init__(
        self, table: MappedTable, kernel: Kernel, progress: Callable[[int, int], None]
    ) -> None:
        self.table, self.kernel, self.progress = table, kernel, progress
        self.arrays = tuple(np.asarray(table.arrays[name]) for name in ARRAYS)
        _, bits, multiplier, width, _ = table.layout
        self.limit = table.layout.limit
        self.wrong: TableProofError | None = None
        numbers = (multiplier, (1 << bits) - 1, width, (1 << width) - 1, self.limit)
        self.layout = tuple(np.uint64(number) for number in numbers)

    def run(self) -> tuple[dict[str, int], int, int]:
        """Check that the table has the right entries and no others; see `visit`."""
        total = self.table.layout.entries
        bucket = loops.check_order(self.arrays, total)
        if bucket >= 0:
            raise TableProofError(f"the entries of bucket {bucket} are not in order")
        seen = np.zeros(total, np.bool_)
        counts = dict.fromkeys(COUNTS, 0)
        level, top = self.kernel.start(start_key(self.table.game)), 0
        seen[loops.place_of(level[0], self.arrays, self.layout)] = True
        while len(level):
            top = max(top, int(level.max()))
            after = []
            for start in range(0, len(level), self.chunk):
                after.append(self._check(level[start : start + self.chunk], seen, counts))
            self.progress(counts["canonical"], total)
            level = np.sort(np.concatenate(after))  # so that the entries of children are near
        if self.wrong is not None:
            raise self.wrong
        self._finish(counts)
        values = np.abs(self.arrays[2].astype(np.int32, copy=False))
        plies = int(self.limit - values[values > 0].min(initial=self.limit))
        return counts, top, plies

    def _check(self, keys: np.ndarray, seen: np.ndarray, counts: dict[str, int]) -> np.ndarray:
        """Check entries, add them to the counts, and return the keys one move on that are new."""
        self.kernel.check_symmetries(keys.astype(np.int64, copy=False))
        outcomes, children, numbers = self._expand(keys)
        own, claims = np.empty(len(keys), np.int64), np.empty(len(keys), np.int16)
        fresh = np.empty(children.size, keys.dtype)
        found = np.zeros(4, np.int64)  # the kind of error, its row, the number of new keys, a key
        rows = keys, outcomes, children, numbers
        loops.check_rows(rows, self.arrays, self.layout, seen, own, claims, fresh, found)
        wrong, row, new, other = found.tolist()
        if wrong == MISSING:
            raise self._error(other, "is missing; a game leads to it")
        if wrong:
            stated, right = _words(int(claims[row]), self.limit), _words(other, WIDE)
            self.wrong = self._error(int(keys[row]), f"is {stated}; it should be {right}")
        counts["canonical"] += len(keys)
        self._take(keys, own, (outcomes != OPEN, claims, children, numbers), counts)
        return fresh[:new]

    def _expand(self, keys: np.ndarray) -> Rows:
        """Return outcomes, canonical children in a row, and how many there are of each key."""
        outcomes, children = self.kernel.expand(keys)
        return outcomes, *loops.flatten(children)

    def _take(
        self, keys: np.ndarray, own: np.ndarray, found: Moved, counts: dict[str, int]
    ) -> None:
        """Add some keys to the counts, given their places, if each is an end, its value and moves.

        The moves are the places of the entries that they lead to, and how many each key has.
        """
        ended, claims, _, _ = found
        _add(counts, self.kernel.orbits(keys), ended, claims)

    def _finish(self, counts: dict[str, int]) -> None:
        """Complete the counts after the visit."""

    def _error(self, key: int, error: str) -> TableProofError:
        game = self.table.game
        return TableProofError(f"the entry for {game.text(game.position(key))!r} {error}")


class _TieredVisit(_Visit):
    """The visit of any game: it records for each move which image of which entry it leads to.

    After the visit, these moves are followed to find the images of entries that the start leads to.
    """

    kernel: TieredKernel
    chunk = CHUNK // 4  # their children take more memory
    _ways: np.ndarray
    """The symmetries from the moves being checked to the entries they lead to."""

    def __init__(
        self,
        table: MappedTable,
        kernel: TieredKernel,
        progress: Callable[[int, int], None],
        positions: Iterable[Any],
    ) -> None:
        super().__init__(table, kernel, progress)
        self._after = _images_after(table.game, positions)
        self._rows: list[tuple[np.ndarray, ...]] = []

    def _expand(self, keys: np.ndarray) -> Rows:
        outcomes, children = self.kernel.successors(keys)
        own, numbers = loops.flatten(children)
        canonical, self._ways = self.kernel.orient(own)
        return outcomes, canonical, numbers

    def _take(
        self, keys: np.ndarray, own: np.ndarray, found: Moved, counts: dict[str, int]
    ) -> None:
        ended, claims, places, numbers = found
        fits = self.table.layout.entries < 1 << 32 - WAY
        moves = (places << WAY | self._ways).astype(np.uint32 if fits else np.int64)
        signs = np.sign(claims).astype(np.int8)
        self._rows.append((keys, own.astype(moves.dtype), ended, signs, numbers, moves))

    def _finish(self, counts: dict[str, int]) -> None:
        columns = list(zip(*self._rows, strict=True))
        self._rows.clear()
        moves = np.concatenate(columns.pop())
        keys, own, ended, signs, numbers = (np.concatenate(column) for column in columns)
        game: Any = self.table.game
        start, symmetries = game.initial(), game.symmetries
        first = game.position(int(keys[0]))
        by_place = np.zeros(self.table.layout.entries, np.uint8)
        images = [symmetry.position(first) == start for symmetry in symmetries]
        by_place[own[0]] = sum(1 << i for i, is_start in enumerate(images) if is_start)
        loops.follow(own, numbers, moves, self._after, by_place)
        reached = by_place[own]
        sizes = np.array([n.bit_count() for n in range(256)], np.int64)[reached]
        for row in np.flatnonzero(self.kernel.orbits(keys) < len(symmetries)):
            p = game.position(int(keys[row]))  # some of its images are the same
            images = [s.position(p) for i, s in enumerate(symmetries) if reached[row] >> i & 1]
            sizes[row] = len(set(images))
        _add(counts, sizes, ended, signs)


def _words(value: int, limit: int) -> str:
    plies = limit - abs(value)
    return f"a {'win' if value > 0 else 'loss'} in {plies}" if value else "a draw"


def _add(counts: dict[str, int], sizes: np.ndarray, ended: np.ndarray, claims: np.ndarray) -> None:
    """Add entries to the counts, given the positions each represents, ends and values."""
    for name, count in zip(COUNTED, loops.add_up(sizes, ended, claims), strict=True):
        counts[name] += int(count)


def _images_after(game: Any, positions: Iterable[Any]) -> np.ndarray:
    """Return the images that a move leads to, by its symmetry and the images before it.

    An image is one bit. Image i of a position leads to the child's image that undoes the symmetry
    from the child to its entry and then does i: which that is can be read off the images of the
    first position whose images all differ.
    """
    symmetries = [symmetry.position for symmetry in game.symmetries]
    for p in positions:
        images = [symmetry(p) for symmetry in symmetries]
        if len(set(images)) == len(images):
            break
    else:
        raise TableProofError(f"{game.spec} has no position whose images all differ")
    found = np.zeros((len(images), 1 << len(images)), np.uint8)
    for way, symmetry in enumerate(symmetries):
        undone = next(q for q in images if symmetry(q) == p)
        for i, other in enumerate(symmetries):
            before = np.arange(1 << len(images)) >> i & 1
            found[way] |= (before << images.index(other(undone))).astype(np.uint8)
    return found
