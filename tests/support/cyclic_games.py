"""An oracle for the games on points whose positions can repeat, on sets of points.

It shares no code with the package.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

from solver import Game
from tests.support.brute import Rules

Point = tuple[int, int]
Men = frozenset[Point]
Position = tuple[Men, Men, str]  # of the side to move, of the other, and its seat

SEATS = {"w": "b", "b": "w", "v": "h", "h": "v", "x": "o", "o": "x", "X": "O", "O": "X"}
NINE: list[Point] = [(x, y) for y in (1, 0, -1) for x in (-1, 0, 1)]
FIVE: list[Point] = [(-1, 1), (1, 1), (0, 0), (-1, -1), (1, -1)]


def row(men: Men) -> bool:
    """Three in a row: one of them is midway between the two others."""
    return any(
        a[0] + b[0] == 2 * c[0] and a[1] + b[1] == 2 * c[1]
        for a, b in combinations(men, 2)
        for c in men - {a, b}
    )


def drawn(a: Point, b: Point) -> bool:
    """The lines of morris: between neighbours in a row or column, and to the centre."""
    far = abs(a[0] - b[0]), abs(a[1] - b[1])
    return far in ((0, 1), (1, 0)) or (far == (1, 1) and (0, 0) in (a, b))


def near(a: Point, b: Point) -> bool:
    return a != b and max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1


def side_or_centre(a: Point, b: Point) -> bool:
    """The lines of pong hau k'i: to the centre, and the sides except for the top one."""
    return (0, 0) in (a, b) or a[0] == b[0] or a[1] == b[1] == -1


def slides(
    position: Position, points: list[Point], joined: Callable[[Point, Point], bool]
) -> list[Position]:
    mine, theirs, seat = position
    free = [point for point in points if point not in mine | theirs]
    pairs = [(a, b) for a in mine for b in free if joined(a, b)]
    return [(theirs, mine - {a} | {b}, SEATS[seat]) for a, b in pairs]


def morris(men: int, joined: Callable[[Point, Point], bool]) -> Rules:
    """Return rules that give the outcome if the game is over, else the positions one move on."""

    def rules(position: Position) -> int | list[Position]:
        mine, theirs, seat = position
        if row(theirs):
            return -1
        if len(mine) < men:
            free = (point for point in NINE if point not in mine | theirs)
            return [(theirs, mine | {point}, SEATS[seat]) for point in free]
        return slides(position, NINE, joined) or -1

    return rules


def ponghauki(position: Position) -> int | list[Position]:
    return slides(position, FIVE, side_or_centre) or -1


EMPTY: Position = (frozenset(), frozenset(), "X")
ORACLES: dict[str, tuple[Rules, Position]] = {
    "morris": (morris(3, drawn), EMPTY),
    "morris:any": (morris(3, near), EMPTY),
    "achi": (morris(4, drawn), EMPTY),
    "ponghauki": (ponghauki, (frozenset(FIVE[:2]), frozenset(FIVE[3:]), "X")),
}


def read(game: Game[Any, Any], position: Position) -> Any:
    """Return the game's position for one of the oracle."""
    points = FIVE if game.spec == "ponghauki" else NINE
    mine, theirs, seat = position
    marks = {**dict.fromkeys(mine, seat), **dict.fromkeys(theirs, SEATS[seat])}
    return game.parse("".join(marks.get(point, ".") for point in points), seat)
