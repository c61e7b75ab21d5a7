"""Oracles for examples/games, on sets of points; they share no code with the package.

Rules give the outcome if the game is over, else the positions one move on. Points are (column,
row), row 0 at the top. A position says which points are the mover's and which the other side's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from itertools import cycle, islice, product
from typing import Any

from tests.support.brute import Rules
from tests.support.cyclic_games import SEATS
from tests.support.plain_games import BESIDE, plus

AROUND = [*BESIDE, (1, 1), (1, -1), (-1, 1), (-1, -1)]


def board(columns: int, rows: int) -> frozenset[tuple[int, int]]:
    return frozenset(product(range(columns), range(rows)))


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def othello(side: int) -> Rules:
    points = board(side, side)

    def enclosed(mine: Any, theirs: Any, at: Any) -> set[Any]:
        found = set()
        for way in AROUND:
            line = [at]
            while plus(line[-1], way) in theirs:
                line.append(plus(line[-1], way))
            found |= set(line[1:]) if plus(line[-1], way) in mine else set()
        return found

    def options(mine: Any, theirs: Any) -> dict[Any, set[Any]]:
        found = {at: enclosed(mine, theirs, at) for at in points - mine - theirs}
        return {at: turned for at, turned in found.items() if turned}

    def rules(position: Any) -> int | list[Any]:
        mine, theirs, seat = position
        if steps := options(mine, theirs):
            return [(theirs - f, mine | f | {at}, SEATS[seat]) for at, f in steps.items()]
        if options(theirs, mine):
            return [(theirs, mine, SEATS[seat])]
        return sign(len(mine) - len(theirs))

    return rules


def konane(columns: int, rows: int) -> Rules:
    points = board(columns, rows)

    def rules(position: Any) -> int | list[Any]:
        mine, theirs, seat = position
        found = []
        for start, way in product(mine, BESIDE):
            end, taken = start, set()
            while plus(end, way) in theirs:
                taken.add(plus(end, way))
                end = plus(plus(end, way), way)
                if end not in points - mine - theirs:
                    break
                found.append((theirs - taken, mine - {start} | {end}, SEATS[seat]))
        return found or -1

    return rules


def four_in_a_row(side: int) -> Rules:
    points = board(side, side)

    def row(men: Any) -> bool:
        def from_here(point: Any, way: Any) -> int:
            return 1 + from_here(plus(point, way), way) if point in men else 0

        return any(from_here(point, way) >= 4 for point in men for way in AROUND)

    def rules(position: Any) -> int | list[Any]:
        mine, theirs = position
        if row(theirs):
            return -1
        return [(theirs, mine | {point}) for point in points - mine - theirs] or 0

    return rules


def cram(columns: int, rows: int) -> Rules:
    """A position is the set of the free cells."""

    def rules(free: Any) -> int | list[Any]:
        pairs = [{point, plus(point, way)} for point in free for way in ((1, 0), (0, 1))]
        return [free - pair for pair in pairs if pair <= free] or -1

    return rules


def dots_and_boxes(columns: int, rows: int) -> Rules:
    """A position: the lines that are not drawn, the mover's lead, and whether it must pass."""
    boxes = [sides(box) for box in board(columns, rows)]

    def rules(position: Any) -> int | list[Any]:
        free, lead, must_pass = position
        if must_pass:
            return [(free, -lead, False)]
        if not free:
            return sign(lead)
        found = []
        for line in free:
            closed = sum(box & free == {line} for box in boxes)
            found.append((free - {line}, -lead - closed, closed > 0 and len(free) > 1))
        return found

    return rules


def sides(box: tuple[int, int]) -> frozenset[Any]:
    """Return the lines around a box; a line is the set of its ends."""
    corners = [plus(box, way) for way in ((0, 0), (1, 0), (1, 1), (0, 1))]
    return frozenset(frozenset((corners[i - 1], corners[i])) for i in range(4))


def kalah(pits: int) -> Rules:
    """A position: pits of the mover, of the other, both stores, and whether the mover must pass."""
    ring = [("mine", i) for i in range(pits)] + [("store", 0)]
    ring += [("theirs", i) for i in range(pits)]

    def rules(position: Any) -> int | list[Any]:
        mine, theirs, store, other, must_pass = position
        if must_pass:
            return [(theirs, mine, other, store, False)]
        if not sum(mine) + sum(theirs):
            return sign(store - other)
        return [sown(position, pit) for pit in range(pits) if mine[pit]]

    def sown(position: Any, pit: int) -> Any:
        mine, theirs, store, other, _ = position
        path = list(islice(cycle(ring), pit + 1, pit + 1 + mine[pit]))
        more = Counter(path)
        left = [(0 if i == pit else seeds) + more["mine", i] for i, seeds in enumerate(mine)]
        right = [seeds + more["theirs", i] for i, seeds in enumerate(theirs)]
        store += more["store", 0]
        where, last = path[-1]
        if where == "mine" and left[last] == 1 and right[pits - 1 - last]:
            store += 1 + right[pits - 1 - last]
            left[last] = right[pits - 1 - last] = 0
        if not sum(left) or not sum(right):
            return (0,) * pits, (0,) * pits, other + sum(right), store + sum(left), False
        return tuple(right), tuple(left), other, store, where == "store"

    return rules


def bits(number: int, columns: int) -> frozenset[tuple[int, int]]:
    """Return the points of a set of cells, cell i as bit i."""
    return frozenset((i % columns, i // columns) for i in range(30) if number >> i & 1)


def marks(cells: Iterable[Any], mark: Any, columns: int) -> frozenset[tuple[int, int]]:
    found = (i for i, value in enumerate(cells) if value == mark)
    return frozenset((i % columns, i // columns) for i in found)


def of_texts(p: Any, columns: int) -> Hashable:
    cells, seat = p
    return marks(cells, seat, columns), marks(cells, SEATS[seat], columns), seat


def of_clobber_tuple(p: Any) -> Hashable:
    return marks(p[:15], p[15], 5), marks(p[:15], 3 - p[15], 5), "xo"[p[15] - 1]


def of_clobber_number(p: Any) -> Hashable:
    mine, theirs = bits(p & 0x7FFF, 5), bits(p >> 15, 5)
    return mine, theirs, "xo"[(15 - len(mine | theirs)) % 2]  # a stone less after every move


def of_dots(p: Any, columns: int, rows: int) -> Hashable:
    drawn, lead, must_pass = p
    across = [((x, y), (x + 1, y)) for y in range(rows + 1) for x in range(columns)]
    upright = [((x, y), (x, y + 1)) for y in range(rows) for x in range(columns + 1)]
    lines = [frozenset(ends) for ends in (*across, *upright)]
    return frozenset(line for line, on in zip(lines, drawn, strict=True) if not on), lead, must_pass


def of_kalah(p: Any, pits: int) -> Hashable:
    return p[:pits], p[pits + 1 : -2], p[pits], p[-2], bool(p[-1])
