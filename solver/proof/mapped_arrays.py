"""The visit of a mapped table's positions on arrays, by the game's kernel; needs the extra `fast`.

Lookup, order and values are written anew here, apart from the solver's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from solver.errors import TableProofError
from solver.rules.game import start_key
from solver.rules.kernel import CHUNK, OPEN, TieredKernel
from solver.tables.format import COUNTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from solver.rules.kernel import Kernel, LayeredKernel
    from solver.tables.mapped_table import MappedTable

    Rows = tuple[np.ndarray, np.ndarray, np.ndarray]

MISSING, WRONG = 1, 2
WIDE = 1 << 20  # stands for the limit of a table's values while they are compared
WAY = 3  # bits for the number of a symmetry, below a place
LAST_WAY = (1 << WAY) - 1


def visit(
    table: MappedTable,
    kernel: LayeredKernel | TieredKernel,
    progress: Callable[[int, int], None],
    positions: Iterable[Any],
) -> tuple[dict[str, int], int, int]:
    """Check every entry of a table and that there is no other.

    `positions` are those of the game, by the rules; as few as are needed are looked at. Returns the
    counts, the largest key and the longest distance. Raises TableProofError.
    """
    if isinstance(kernel, TieredKernel):
        return _TieredVisit(table, kernel, progress, positions).run()
    return _Visit(table, kernel, progress).run()


class _Visit:
    """The visit of a game whose start is symmetric: all images of what it reaches are reached.

    Of wrong entries it names one of the last level, since a wrong entry spoils those before it.
    """

    chunk = CHUNK

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
        self.layout = tuple(np.uint64(number) for number in numbers)

    def run(self) -> tuple[dict[str, int], int, int]:
        """Check every entry and that there is no other; see `visit`."""
        total = self.table.layout.entries
        bucket = _check_order(self.arrays, total)
        if bucket >= 0:
            raise TableProofError(f"the entries of bucket {bucket} are not in order")
        seen = np.zeros(total, np.bool_)
        counts = dict.fromkeys(COUNTS, 0)
        level, top = self.kernel.start(start_key(self.table.game)), 0
        seen[_place(level[0], self.arrays, self.layout)] = True
        while len(level):
            top = max(top, int(level.max()))
            after = []
            for start in range(0, len(level), self.chunk):
                after.append(self._check(level[start : start + self.chunk], seen, counts))
            self.progress(counts["canonical"], total)
            level = np.concatenate(after)
        if self.wrong is not None:
            raise TableProofError(self.wrong)
        if counts["canonical"] != total:
            raise TableProofError(
                f"the table has {total:,} entries; it should have {counts['canonical']:,}"
            )
        self._finish(counts)
        values = np.abs(self.arrays[2].astype(np.int32, copy=False))
        plies = int(self.limit - values[values > 0].min(initial=self.limit))
        return counts, top, plies

    def _check(self, keys: np.ndarray, seen: np.ndarray, counts: dict[str, int]) -> np.ndarray:
        """Check entries, add them to the counts, and return the keys after that are new."""
        outcomes, children = self._expand(keys)
        claims = np.empty(len(keys), np.int16)
        fresh = np.empty(children.size, keys.dtype)
        found = np.zeros(4, np.int64)  # what is wrong, in which row, how many are new, which key
        _check_rows(
            (keys, outcomes, children), self.arrays, self.layout, seen, claims, fresh, found
        )
        wrong, row, new, key = found.tolist()
        if wrong == MISSING:
            raise TableProofError(self._why(wrong, int(keys[row]), int(claims[row]), key))
        if wrong:
            self.wrong = self._why(wrong, int(keys[row]), int(claims[row]), key)
        counts["canonical"] += len(keys)
        self._take(keys, (outcomes != OPEN, claims, children), counts)
        return fresh[:new]

    def _expand(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self.kernel.expand(keys)

    def _take(self, keys: np.ndarray, found: Rows, counts: dict[str, int]) -> None:
        """Take in what was found of some keys; in place of children it has their places."""
        ended, claims, _ = found
        _add(counts, self.kernel.orbits(keys), ended, claims)

    def _finish(self, counts: dict[str, int]) -> None:
        """Complete the counts when all is visited."""

    def _why(self, wrong: int, key: int, claim: int, other: int) -> str:
        game: Any = self.table.game
        text = game.text(game.position(key))
        if wrong == MISSING:
            child = game.text(game.position(other))
            return f"the entry of {child!r} is missing; a move from {text!r} leads to it"
        says, should = self._words(self.limit, claim), self._words(WIDE, other)
        return f"the entry of {text!r} says {says}; it should say {should}"

    def _words(self, limit: int, value: int) -> str:
        plies = limit - abs(value)
        return f"a {'win' if value > 0 else 'loss'} in {plies}" if value else "a draw"


class _TieredVisit(_Visit):
    """The visit of any game: of each move it is kept to which image of which entry it leads.

    When all is visited, the moves tell which images of the entries the start leads to.
    """

    kernel: TieredKernel
    chunk = CHUNK // 4  # their children take more room

    def __init__(
        self,
        table: MappedTable,
        kernel: TieredKernel,
        progress: Callable[[int, int], None],
        positions: Iterable[Any],
    ) -> None:
        super().__init__(table, kernel, progress)
        self._products = _products(table.game, positions)
        self._ways = np.empty(0, np.int8)  # of the moves that are being checked
        self._rows: list[tuple[np.ndarray, ...]] = []

    def _expand(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        outcomes, children = self.kernel.successors(keys)
        canonical, ways = self.kernel.orient(children.ravel())
        self._ways = ways[canonical >= 0]
        return outcomes, canonical.reshape(children.shape)

    def _take(self, keys: np.ndarray, found: Rows, counts: dict[str, int]) -> None:
        ended, claims, places = found
        legal = places >= 0
        fits = self.table.layout.entries < 1 << 32 - WAY
        moves = (places[legal] << WAY | self._ways).astype(np.uint32 if fits else np.int64)
        signs = np.sign(claims).astype(np.int8)
        self._rows.append((keys, ended, signs, legal.sum(axis=1, dtype=np.int32), moves))

    def _finish(self, counts: dict[str, int]) -> None:
        columns = list(zip(*self._rows, strict=True))
        self._rows.clear()
        moves = np.concatenate(columns.pop())
        keys, ended, signs, numbers = (np.concatenate(column) for column in columns)
        game: Any = self.table.game
        start, symmetries = game.initial(), game.symmetries
        first = game.position(int(keys[0]))
        reached = np.zeros(len(keys), np.uint8)
        reached[0] = sum(1 << i for i, s in enumerate(symmetries) if s.position(first) == start)
        rows = np.empty(len(keys), np.int64)  # by place
        _find_rows(keys, self.arrays, self.layout, rows)
        _follow(rows, numbers, moves, self._products, reached)
        sizes = np.array([n.bit_count() for n in range(256)], np.int64)[reached]
        for row in np.flatnonzero(self.kernel.orbits(keys) < len(symmetries)):
            p = game.position(int(keys[row]))  # some of its images are the same
            images = [s.position(p) for i, s in enumerate(symmetries) if reached[row] >> i & 1]
            sizes[row] = len(set(images))
        _add(counts, sizes, ended, signs)


def _add(counts: dict[str, int], sizes: np.ndarray, ended: np.ndarray, claims: np.ndarray) -> None:
    """Add entries to the counts: of how many positions each, whether over, and their values."""
    sizes = sizes.astype(np.int64)
    for name, sign in (("win", 1), ("draw", 0), ("loss", -1)):
        counts[name] += int(sizes[np.sign(claims) == sign].sum())
    counts["terminal"] += int(sizes[ended].sum())
    counts["positions"] += int(sizes.sum())


def _products(game: Any, positions: Iterable[Any]) -> np.ndarray:
    """Return a table: row t, column i has the symmetry that undoes t and then does i."""
    symmetries = [symmetry.position for symmetry in game.symmetries]
    for p in positions:
        images = [symmetry(p) for symmetry in symmetries]
        if len(set(images)) == len(images):
            undone = [next(q for q in images if symmetry(q) == p) for symmetry in symmetries]
            return np.array([[images.index(other(q)) for other in symmetries] for q in undone])
    raise TableProofError(f"{game.spec} has no position whose images all differ")


@njit(cache=True)
def _find_rows(keys, table, layout, rows):  # type: ignore[no-untyped-def]
    """Fill in for each place which key stands there."""
    for row in range(len(keys)):
        rows[_place(keys[row], table, layout)] = row


@njit(cache=True)
def _follow(rows, numbers, moves, products, reached):  # type: ignore[no-untyped-def]
    """Follow all moves, again and again, until they lead to no image that was not reached.

    `rows` is by place, the others by row: each has a number of moves.
    """
    waiting = reached.copy()  # images that have not been followed
    more = True
    while more:
        more = False
        end = 0
        for row in range(len(reached)):
            begin, end = end, end + numbers[row]
            images = waiting[row]
            if not images:
                continue
            waiting[row] = 0
            for move in moves[begin:end]:
                child, way = rows[move >> WAY], move & LAST_WAY
                new = 0
                for image in range(products.shape[1]):
                    if images >> image & 1:
                        new |= 1 << products[way, image]
                fresh = new & ~np.int64(reached[child])
                if fresh:
                    reached[child] |= fresh
                    waiting[child] |= fresh
                    more = True


@njit(cache=True)
def _place(key, table, layout):  # type: ignore[no-untyped-def]
    """Return the place of a key's entry, or -1."""
    offsets, remainders, _ = table
    multiplier, mask, width, low, _ = layout
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
def _check_rows(rows, table, layout, seen, claims, fresh, found):  # type: ignore[no-untyped-def]
    """Compare each row's entry with what it should be, and put places for the children.

    See `_Visit._check`. Values are compared on a scale so wide that no distance reaches 0, a draw.
    """
    keys, outcomes, children = rows
    values, lead = table[2], WIDE - np.int64(layout[4])
    new = 0
    for row in range(len(keys)):
        claim = np.int64(values[_place(keys[row], table, layout)])
        claims[row] = claim
        claim += np.sign(claim) * lead
        right = np.int64(outcomes[row]) * WIDE
        if outcomes[row] == OPEN:
            right = np.int64(-WIDE - 1)
            for column in range(children.shape[1]):
                child = children[row, column]
                if child < 0:
                    continue
                place = _place(child, table, layout)
                if place < 0:
                    found[0], found[1], found[3] = MISSING, row, child
                    return
                if not seen[place]:
                    seen[place] = True
                    fresh[new] = child
                    new += 1
                children[row, column] = place
                brings = -np.int64(values[place])
                right = max(right, brings + np.sign(brings) * (lead - 1))  # and one ply later
        if claim != right and found[0] == 0:
            found[0], found[1], found[3] = WRONG, row, right
    found[2] = new
