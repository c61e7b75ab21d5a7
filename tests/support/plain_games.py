"""Oracles for breakthrough, clobber, domineering, dodgem, hexapawn and mu torere, on points.

They share no code with the package. A position is the points of the mover, those of the other side,
and the letter of the side to move; points are (column, row), and (0, 0) is the lower left one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from tests.support.brute import Rules
from tests.support.cyclic_games import SEATS, Men, Point, Position

BESIDE = ((1, 0), (-1, 0), (0, 1), (0, -1))
NONE: Men = frozenset()


def size(spec: str) -> tuple[int, int]:
    columns, rows = re.findall(r"\d", spec) or ("3", "3")
    return int(columns), int(rows)


def plus(a: Point, way: Point) -> Point:
    return a[0] + way[0], a[1] + way[1]


def board(spec: str) -> Men:
    """Return the points, (column, row), of which (0, 0) is the lower left one."""
    columns, rows = size(spec)
    return frozenset((x, y) for x in range(columns) for y in range(rows))


def clobber(_: Men) -> Rules:
    def rules(position: Position) -> int | list[Position]:
        mine, theirs, seat = position
        steps = [(a, plus(a, way)) for a in mine for way in BESIDE]
        found = [(theirs - {b}, mine - {a} | {b}, SEATS[seat]) for a, b in steps if b in theirs]
        return found or -1

    return rules


def domineering(points: Men) -> Rules:
    """Both sides share the first set, of covered points."""

    def rules(position: Position) -> int | list[Position]:
        covered, _, seat = position
        free = points - covered
        pairs = [{a, plus(a, (0, 1) if seat == "v" else (1, 0))} for a in free]
        return [(covered | pair, NONE, SEATS[seat]) for pair in pairs if pair <= free] or -1

    return rules


def pawns(points: Men, must_take: bool) -> Rules:
    """A pawn goes straight ahead to an empty cell, and diagonally, or only so as to capture."""
    last = max(y for _, y in points)

    def rules(position: Position) -> int | list[Position]:
        mine, theirs, seat = position
        up = 1 if seat == "w" else -1
        if not mine or any(y == (0 if seat == "w" else last) for _, y in theirs):
            return -1
        found = []
        for a in mine:
            for x in (-1, 0, 1):
                b = plus(a, (x, up))
                may_go = (x != 0) == (b in theirs) or (x != 0 and not must_take)
                if b in points and b not in mine and may_go:
                    found.append((theirs - {b}, mine - {a} | {b}, SEATS[seat]))
        return found or -1

    return rules


def dodgem(points: Men) -> Rules:
    def rules(position: Position) -> int | list[Position]:
        mine, theirs, seat = position
        ahead = (0, 1) if seat == "w" else (1, 0)
        ways = [way for way in BESIDE if way != (-ahead[0], -ahead[1])]
        if not theirs:
            return -1
        found = []
        for a in mine:
            for way in ways:
                b = plus(a, way)
                if b in points - mine - theirs:
                    found.append((theirs, mine - {a} | {b}, SEATS[seat]))
                elif way == ahead and b not in points:
                    found.append((theirs, mine - {a}, SEATS[seat]))
        return found or 1

    return rules


def mutorere(points: Men) -> Rules:
    centre = 1, 1

    def rules(position: Position) -> int | list[Position]:
        mine, theirs, seat = position
        (empty,) = points - mine - theirs
        found = []
        for a in mine:
            near = {plus(a, way) for way in BESIDE} - {centre}
            if a == centre or (near & theirs if empty == centre else empty in near):
                found.append((theirs, mine - {a} | {empty}, SEATS[seat]))
        return found or -1

    return rules


FAMILIES: dict[str, tuple[Callable[[Men], Rules], str]] = {
    "clobber": (clobber, "Wb"),
    "domineering": (domineering, "X"),
    "breakthrough": (partial(pawns, must_take=False), "Pp"),
    "hexapawn": (partial(pawns, must_take=True), "Pp"),
    "dodgem": (dodgem, "Wb"),
    "mutorere": (mutorere, "XO"),
}
STARTS = {
    "clobber:3x2": "WbW/bWb w",
    "clobber:3x3": "WbW/bWb/WbW w",
    "domineering:3x4": ".../.../.../... v",
    "domineering:4x3": "..../..../.... v",
    "domineering:4x4": "..../..../..../.... v",
    "breakthrough:2x4": "pp/pp/PP/PP w",
    "dodgem:3x3": "b../b../.WW w",
    "mutorere": "XXX/X.O/OOO x",
    "breakthrough:2x5": "pp/pp/../PP/PP w",
    "hexapawn:3x3": "ppp/.../PPP w",
    "hexapawn:2x3": "pp/../PP w",
    "hexapawn:3x4": "ppp/.../.../PPP w",
    "hexapawn:4x3": "pppp/..../PPPP w",
    "hexapawn:4x4": "pppp/..../..../PPPP w",
}


def written(spec: str, position: Position) -> str:
    """Return the text of a position of an oracle."""
    mine, theirs, seat = position
    columns, rows = size(spec)
    pieces = FAMILIES[spec.partition(":")[0]][1]
    first, second = (mine, theirs) if seat in "wvx" or pieces == "X" else (theirs, mine)
    marks = {**dict.fromkeys(first, pieces[0]), **dict.fromkeys(second, pieces[-1])}
    lines = ("".join(marks.get((x, y), ".") for x in range(columns)) for y in range(rows)[::-1])
    return f"{'/'.join(lines)} {seat}"


def read(spec: str, text: str) -> Position:
    """Return the position of an oracle with this text of a start, in which the first side moves."""
    columns, rows = size(spec)
    lines = text[:-2].split("/")[::-1]
    pieces = FAMILIES[spec.partition(":")[0]][1]
    men = [frozenset(p for p in board(spec) if lines[p[1]][p[0]] == piece) for piece in pieces]
    assert (len(lines[0]), len(lines)) == (columns, rows)
    return men[0], men[1] if len(men) == 2 else NONE, text[-1]


def rules_of(spec: str) -> Rules:
    return FAMILIES[spec.partition(":")[0]][0](board(spec))
