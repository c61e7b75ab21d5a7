"""The board of kings and pawns: squares, pieces and their moves, symmetric images, and texts.

Square a1 is bit 0, b1 is bit 1, and so on to d4, bit 15. A position is three sets of squares in one
integer, below a bit that is 1 if Black is to move:

    bits 0-15    pawns and kings     4 k . . .    12 13 14 15
    bits 16-31   queens and kings    3 . p p p     8  9 10 11
    bits 32-47   all black pieces    2 P P P .     4  5  6  7
    bit 48       Black is to move    1 . . . K     0  1  2  3
                                       a b c d
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from solver.errors import IllegalPositionError, quoted

ALL, RANK = 0xFFFF, 0xF
TURN = 1 << 48
MARKS = ".PQKxpqk"  # by the bits of a square in the three sets; x does not occur
SQUARES = [file + rank for rank in "1234" for file in "abcd"]
NUMBERS = {name: square for square, name in enumerate(SQUARES)}
DIRECTIONS = [(up, right) for up in (-1, 0, 1) for right in (-1, 0, 1) if up or right]


def _ray(square: int, up: int, right: int) -> list[int]:
    """Return the squares from a square to the edge of the board in one direction."""
    squares, (rank, file) = [], divmod(square, 4)
    while 0 <= (rank := rank + up) < 4 and 0 <= (file := file + right) < 4:
        squares.append(4 * rank + file)
    return squares


def _sets(directions: list[tuple[int, int]], reach: int) -> list[int]:
    """Return for each square the set of squares at most `reach` steps away in the directions."""
    rays = [[_ray(square, *way)[:reach] for way in directions] for square in range(16)]
    return [sum(1 << target for ray in rays_of for target in ray) for rays_of in rays]


def _between(start: int, target: int) -> int:
    """Return the set of squares between two squares on a line, else the empty set."""
    rays = [ray for way in DIRECTIONS if target in (ray := _ray(start, *way))]
    return sum(1 << square for ray in rays for square in ray[: ray.index(target)])


KING, QUEEN = _sets(DIRECTIONS, 1), _sets(DIRECTIONS, 3)
PUSH, TAKE = _sets([(1, 0)], 1), _sets([(1, -1), (1, 1)], 1)  # of a white pawn
BETWEEN = [[_between(start, target) for target in range(16)] for start in range(16)]


def squares_of(board: int) -> Iterator[int]:
    """Yield the squares of a set in ascending order."""
    while board:
        yield (board & -board).bit_length() - 1
        board &= board - 1


def bits_of(p: int, square: int) -> int:
    """Return the bits of a square in the three sets, that in the first set lowest."""
    return p >> square & 1 | p >> square + 15 & 2 | p >> square + 30 & 4


def attacked(square: int, low: int, high: int, black: int, occupied: int) -> bool:
    """Return whether a black piece attacks a square, given the sets and all occupied squares."""
    if KING[square] & low & high & black or TAKE[square] & low & ~high & black:
        return True
    queens = squares_of(QUEEN[square] & high & ~low & black)
    return any(not BETWEEN[square][queen] & occupied for queen in queens)


def in_check(p: int) -> bool:
    """Return whether the white king is attacked."""
    low, high, black = p & ALL, p >> 16 & ALL, p >> 32 & ALL
    return attacked((low & high & ~black).bit_length() - 1, low, high, black, low | high)


def promoted(p: int, black: int) -> bool:
    """Return whether a side has a pawn on the rank where it promotes."""
    pawns = p & ~(p >> 16) & (p >> 32 if black else ~(p >> 32))
    return pawns & (RANK if black else RANK << 12) != 0


def steps_ahead(p: int) -> int:
    """Return the number of steps that all pawns have left; a queen counts as one step left."""
    low, high, black = p & ALL, p >> 16 & ALL, p >> 32 & ALL
    pawns = low & ~high
    white = sum((4 - rank) * (pawns & ~black & RANK << 4 * rank).bit_count() for rank in range(4))
    others = sum((1 + rank) * (pawns & black & RANK << 4 * rank).bit_count() for rank in range(4))
    return white + others + (high & ~low).bit_count()


def behind(p: int, black: int) -> list[int]:
    """Return the number of pawns of a side on its first rank, on its first two and first three."""
    p = flip(p) if black else p
    pawns = p & ~(p >> 16 | p >> 32)
    return [(pawns & (1 << 4 * ranks) - 1).bit_count() for ranks in (1, 2, 3)]


def mirror(p: int) -> int:
    """Return the position with left and right exchanged."""
    p = p & TURN | p >> 1 & 0x5555_5555_5555 | (p & 0x5555_5555_5555) << 1
    return p & TURN | p >> 2 & 0x3333_3333_3333 | (p & 0x3333_3333_3333) << 2


def flip(p: int) -> int:
    """Return the position with the colours exchanged, the board upside down."""
    upside = p >> 4 & 0x0F0F_0F0F_0F0F | (p & 0x0F0F_0F0F_0F0F) << 4
    upside = upside >> 8 & 0x00FF_00FF_00FF | (upside & 0x00FF_00FF_00FF) << 8
    return upside ^ ((upside | upside >> 16) & ALL) << 32 | ~p & TURN


def text_of(p: int) -> str:
    """Return the ranks from the top."""
    marks = [MARKS[bits_of(p, square)] for square in range(16)]
    return "/".join("".join(marks[rank : rank + 4]) for rank in (12, 8, 4, 0))


def read(text: str) -> int:
    """Return the position with these ranks, from the top, and White to move.

    Raises IllegalPositionError unless there are four ranks of four squares and one king a side.
    """
    ranks = [re.sub("[1-4]", lambda digit: "." * int(digit[0]), rank) for rank in text.split("/")]
    if not re.fullmatch("[.PQKpqk]{4}(/[.PQKpqk]{4}){3}", "/".join(ranks)):
        raise IllegalPositionError(
            f"{quoted(text)} is not a board: write 4 ranks of 4 squares from the top, with /"
            f" between them, each square P, Q, K, p, q, k or a dot, as in ..k./.pp./.PP./.K.."
        )
    for king in "Kk":
        if text.count(king) != 1:
            raise IllegalPositionError(
                f"{quoted(text)} has {text.count(king)} {king}; each side has one king"
            )
    p = 0
    for square, mark in enumerate("".join(reversed(ranks))):
        kind = 0 if mark == "." else MARKS.index(mark)
        p |= (kind & 1 | (kind & 2) << 15 | (kind & 4) << 30) << square
    return p
