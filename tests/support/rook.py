"""King and rook against king, up to symmetry: positions of chess, written for one published value.

A position is the number of the side to move, and the squares of the white king, the rook and the
black king, from 0 for a1 by rows; a rook that is lost stands on square 64.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from solver import Game, Outcome

Position = tuple[int, int, int, int]
ANY, WHITE, BLACK = range(3)  # ANY moves to every position that Black can have
GONE = 64
LINES = (-1, 0), (1, 0), (0, -1), (0, 1)
IMAGES = [
    [*(a + 8 * b if straight else b + 8 * a for a, b in product(across, up)), GONE]
    for straight in (True, False)
    for across in (range(8), range(7, -1, -1))
    for up in (range(8), range(7, -1, -1))
]
"""The images of squares by columns: square 8 * column + row stands at that place."""


@cache
def near(square: int) -> frozenset[int]:
    """Return the squares beside one."""
    column, row = divmod(square, 8)
    columns, rows = (range(max(0, n - 1), min(8, n + 2)) for n in (column, row))
    return frozenset(8 * a + b for a, b in product(columns, rows)) - {square}


@cache
def reached(rook: int, king: int) -> frozenset[int]:
    """Return the squares that a rook reaches or attacks past a king of its colour."""
    found = set[int]()
    for across, up in LINES if rook != GONE else ():
        column, row = rook // 8 + across, rook % 8 + up
        while 0 <= column < 8 and 0 <= row < 8 and 8 * column + row != king:
            found.add(8 * column + row)
            column, row = column + across, row + up
    return frozenset(found)


def canonical(p: Position) -> Position:
    return min((p[0], image[p[1]], image[p[2]], image[p[3]]) for image in IMAGES)


class RookEnding(Game[Position, int]):
    """A lost rook, and a king that cannot move but is safe, are draws."""

    def initial(self) -> Position:
        return ANY, 0, 0, 0

    @cache  # noqa: B019 -- of a game that lives as long as its test
    def after(self, p: Position) -> list[Position]:
        turn, king, rook, other = p
        if turn == ANY:
            squares = range(GONE)
            legal = (p for p in product([BLACK], squares, squares, squares) if is_legal(p))
            moved = {*map(canonical, legal)}
        elif turn == WHITE:
            kings = near(king) - near(other) - {rook}
            moved = {canonical((BLACK, k, rook, other)) for k in kings}
            moved |= {canonical((BLACK, king, r, other)) for r in reached(rook, king)}
        else:
            free = near(other) - near(king) - reached(rook, king)
            moved = {canonical((WHITE, king, GONE if k == rook else rook, k)) for k in free}
        return sorted(moved)

    def moves(self, p: Position) -> range:
        return range(len(self.after(p)))

    def play(self, p: Position, m: int) -> Position:
        return self.after(p)[m]

    def primitive(self, p: Position) -> Outcome | None:
        turn, king, rook, other = p
        if rook == GONE:
            return Outcome.DRAW
        if turn != BLACK or self.after(p):
            return None
        return Outcome.LOSS if other in reached(rook, king) else Outcome.DRAW


def is_legal(p: tuple[int, ...]) -> bool:
    """Return whether pieces stand on different squares and the kings apart."""
    _, king, rook, other = p
    return len({king, rook, other}) == 3 and other not in near(king)
