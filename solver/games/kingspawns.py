"""Kings and pawns: chess on 4x4 with a king and pawns a side, which Robert Heaton proposes.

The rules of chess, without double step, capture in passing and castling. A pawn that reaches the
last rank becomes a queen, or wins at once with `promotion=wins`. Stalemate is a draw, and so is a
game in which nobody can force a win: it repeats.

Square a1 is bit 0, b1 is bit 1, and so on to d4, bit 15. A position is three sets of squares in one
integer, and on top of them a bit that is 1 if Black is to move:

    bits 0-15    pawns and kings     4 k . . .    12 13 14 15
    bits 16-31   queens and kings    3 . p p p     8  9 10 11
    bits 32-47   all black pieces    2 P P P .     4  5  6  7
    bit 48       Black is to move    1 . . . K     0  1  2  3
                                       a b c d

It is written as ranks from the top, and w or b for who is to move: k.../.ppp/PPP./...K w.

Source: Programming Projects for Advanced Beginners 3b: Tic-Tac-Toe AI, Robert Heaton.
"""

from __future__ import annotations

import re
from operator import gt
from typing import TYPE_CHECKING

from ..boards import cut
from ..errors import IllegalPositionError
from ..game import IDENTITY, Numbered, Symmetry
from ..value import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator
    from re import Match

    from ..kernel import Kernel

PATTERN = r"kingspawns(?::([^,]*))?(?:,promotion=(queen|wins))?"
FORM = (
    "kingspawns, or kingspawns:START with START as ..k./.pp./.PP./.K.., and each with or without"
    " ,promotion=wins or ,promotion=queen"
)
START = "k.../.ppp/PPP./...K"
ALL, RANK = 0xFFFF, 0xF
TURN = 1 << 48
MARKS = ".PQKxpqk"  # by a square's bits in the three sets; x is none
SQUARES = [file + rank for rank in "1234" for file in "abcd"]
NUMBERS = {name: square for square, name in enumerate(SQUARES)}
AROUND = [(up, aside) for up in (-1, 0, 1) for aside in (-1, 0, 1) if up or aside]


def load(match: Match[str]) -> KingsPawns:
    """Return the game of a name."""
    return KingsPawns(START if match[1] is None else match[1], match[2] == "wins")


def _ray(square: int, up: int, aside: int) -> list[int]:
    """Return the squares from a square to the edge of the board."""
    found, (rank, file) = [], divmod(square, 4)
    while 0 <= (rank := rank + up) < 4 and 0 <= (file := file + aside) < 4:
        found.append(4 * rank + file)
    return found


def _sets(steps: list[tuple[int, int]], reach: int) -> list[int]:
    """Return for each square the set of those that at most `reach` equal steps lead to."""
    rays = [[_ray(square, *step)[:reach] for step in steps] for square in range(16)]
    return [sum(1 << target for ray in found for target in ray) for found in rays]


def _between(start: int, target: int) -> int:
    """Return the set of squares between two on a line, nothing for others."""
    rays = [ray for step in AROUND if target in (ray := _ray(start, *step))]
    return sum(1 << square for ray in rays for square in ray[: ray.index(target)])


KING, QUEEN = _sets(AROUND, 1), _sets(AROUND, 3)
PUSH, TAKE = _sets([(1, 0)], 1), _sets([(1, -1), (1, 1)], 1)  # of a white pawn
BETWEEN = [[_between(start, target) for target in range(16)] for start in range(16)]


class KingsPawns(Numbered[str]):
    """Kings and pawns on 4x4; a move is written as its two squares, with q for a new queen."""

    seats = "White", "Black"
    board = 4, 4

    def __init__(self, start: str = START, wins: bool = False) -> None:
        self.wins = wins
        self._start = p = _read(start)
        if "Q" in start.upper():
            raise ValueError(f"{cut(start)!r} has a queen; a start has kings and pawns alone")
        for seat, black in zip(self.seats, (0, 1), strict=True):
            if _promoted(p, black):
                raise ValueError(f"{cut(start)!r} has a {seat} pawn on the rank where it promotes")
        if _in_check(_flip(p)):
            raise ValueError(f"in {cut(start)!r} Black is in check, and it is White's turn")
        self.pawns = tuple(_text(p).count(mark) for mark in "Pp")
        self.ahead = _ahead(p)

    @property
    def spec(self) -> str:
        start = _text(self._start)
        return f"kingspawns{f':{start}' * (start != START)}{',promotion=wins' * self.wins}"

    def initial(self) -> int:
        return self._start

    def moves(self, p: int) -> list[str]:
        if p < TURN:
            found = [(a, b, p >> a & 0x10001) for a, b in self._legal(p)]
        else:  # from where Black sits the ranks are the other way up
            found = [(a ^ 12, b ^ 12, p >> (a ^ 12) & 0x10001) for a, b in self._legal(_flip(p))]
        return [
            SQUARES[a] + SQUARES[b] + "q" * (kind == 1 and b // 4 in (0, 3) and not self.wins)
            for a, b, kind in found
        ]

    def _legal(self, p: int) -> Iterator[tuple[int, int]]:
        """Yield the legal moves of White, from and to, in ascending order."""
        low, high, black = p & ALL, p >> 16 & ALL, p >> 32 & ALL
        taken = low | high
        own = taken & ~black
        home = (low & high & own).bit_length() - 1
        for a in _squares(own):
            if not high >> a & 1:
                targets = PUSH[a] & ~taken | TAKE[a] & black
            else:
                targets = (KING if low >> a & 1 else QUEEN)[a] & ~own
            for b in _squares(targets):
                if BETWEEN[a][b] & taken:
                    continue
                after = taken & ~(1 << a) | 1 << b
                if not _attacked(b if a == home else home, low, high, black & ~(1 << b), after):
                    yield a, b

    def play(self, p: int, m: str) -> int:
        a, b = NUMBERS[m[:2]], NUMBERS[m[2:4]]
        moved = p >> a & 0x1_0001_0001
        if m[4:]:
            moved ^= 0x10001  # a pawn becomes a queen
        return p & ~(0x1_0001_0001 << a | 0x1_0001_0001 << b) ^ TURN | moved << b

    def primitive(self, p: int) -> Outcome | None:
        if self.wins and _promoted(p, p < TURN):
            return Outcome.LOSS
        p = p if p < TURN else _flip(p)
        if any(True for _ in self._legal(p)):
            return None
        return Outcome.LOSS if _in_check(p) else Outcome.DRAW

    def tier(self, p: int) -> int:
        """Return how many steps pawns have gone, a capture counting as the last one."""
        return self.ahead - _ahead(p)

    @property
    def symmetries(self) -> tuple[Symmetry, ...]:  # type: ignore[override]
        """The board as it is, its mirror image, the colours exchanged, and both."""
        return (
            IDENTITY,
            Symmetry(_mirror, _mirror_move, None),
            Symmetry(_flip, _flip_move, None),
            Symmetry(_flip_mirror, _flip_mirror_move, None),
        )

    def canonical(self, p: int) -> int:
        p = p if p < TURN else _flip(p)
        return min(p, _mirror(p))

    def threats(self, p: int) -> list[str]:
        """Return the moves that would win if it were the other side's turn; none out of a check."""
        if _in_check(p if p < TURN else _flip(p)):
            return []
        p ^= TURN
        return [m for m in self.moves(p) if self.primitive(self.play(p, m)) is Outcome.LOSS]

    def kernel(self) -> Kernel:
        from .kingspawns_kernel import KingsPawnsKernel

        return KingsPawnsKernel(self)

    def code(self, m: str) -> str:
        return m

    def label(self, p: int, m: str) -> str:
        """Return the move as chess players write it, such as axb4=Q#."""
        a, b = NUMBERS[m[:2]], NUMBERS[m[2:4]]
        p = p & ~TURN | (p >> 32 >> a & 1) * TURN  # the side whose piece it is
        kind = MARKS[_bits(p, a) & 3]
        takes = "x" * (_bits(p, b) > 0)
        if kind == "P":
            name = m[0] * bool(takes) + takes + m[2:4] + "=Q" * (m[4:] == "q")
        else:
            name = kind + self._which(p, m, a) + takes + m[2:]
        child = self.play(p, m)
        if not _in_check(child if child < TURN else _flip(child)):
            return name
        return name + ("#" if self.primitive(child) is Outcome.LOSS else "+")

    def _which(self, p: int, m: str, a: int) -> str:
        """Return what tells a queen from others that can go to the same square."""
        alike = [n[:2] for n in self.moves(p) if n[2:] == m[2:]]
        others = [n for n in alike if n != m[:2] and _bits(p, NUMBERS[n]) == _bits(p, a)]
        if not others:
            return ""
        if m[0] not in [n[0] for n in others]:
            return m[0]
        return m[1] if m[1] not in [n[1] for n in others] else m[:2]

    def cell(self, p: int, m: str) -> int:
        return NUMBERS[m[2:4]] ^ 12

    def origin(self, p: int, m: str) -> int:
        return NUMBERS[m[:2]] ^ 12

    def marks(self, text: str) -> str:
        return text[:-2].replace("/", "")

    def turn(self, p: int) -> str:
        return self.seats[p >= TURN]

    def text(self, p: int, turn: str | None = None) -> str:
        return f"{_text(p)} {'wb'[p >= TURN]}"

    def parse(self, text: str, turn: str | None = None) -> int:
        """Return the position that a text such as ..k./.pP./.P../.K.. b shows.

        Ranks from the top, where a digit stands for so many empty squares, and w or b for who is to
        move. Raises IllegalPositionError, which names the reason, if no position of this game is
        like that; whether moves lead to it, only a table tells.
        """
        if not isinstance(text, str):
            raise TypeError(f"a position is written as text, not as {type(text).__name__}")
        board, _, side = text.strip().partition(" ")
        if side not in ("w", "b"):
            raise IllegalPositionError(
                f"{cut(text)!r} does not end in w or b for who is to move, as"
                f" {self.text(self._start)!r} does"
            )
        p = _read(board) | TURN * (side == "b")
        if turn not in (None, self.turn(p)):
            raise IllegalPositionError(f"{self.turn(p)} is to move in {cut(text)!r}, not {turn}")
        self._check(p, text)
        return p

    def _check(self, p: int, text: str) -> None:
        """Raise IllegalPositionError if neither these pieces nor their image can stand like that.

        In the image the colours are exchanged, and it stands for the same in a table.
        """
        reason = self._why_not(p)
        if reason and self._why_not(_flip(p)):
            raise IllegalPositionError(f"{cut(text)!r} cannot be: {reason}")
        if _in_check(p if p >= TURN else _flip(p)):
            raise IllegalPositionError(
                f"{self.other(self.turn(p))} is in check in {cut(text)!r}, and it is"
                f" {self.turn(p)}'s turn"
            )

    def _why_not(self, p: int) -> str | None:
        """Return why no game can have these pieces, or None."""
        board = _text(p)
        for black, seat in enumerate(self.seats):
            pawns, queens = board.count("Pp"[black]), board.count("Qq"[black])
            arrived = self.wins and black == (p < TURN) and not _promoted(p, 1 - black)
            if pawns + queens > self.pawns[black]:
                return f"{seat} began with {self.pawns[black]} pawns"
            if queens and self.wins:
                return f"{seat} has a queen, but a pawn that would become one wins"
            if _promoted(p, black) and not arrived:
                return f"{seat} has a pawn on the last rank"
            if any(map(gt, _behind(p, black), _behind(self._start, black))):
                return f"{seat} has pawns further back than at the start"
        return None

    def render(self, p: int, turn: str | None = None) -> str:
        ranks = [f"{4 - i} {' '.join(rank)}" for i, rank in enumerate(_text(p).split("/"))]
        return "\n".join([*ranks, "  a b c d"])


def _squares(board: int) -> Iterator[int]:
    """Yield the squares of a set, ascending."""
    while board:
        yield (board & -board).bit_length() - 1
        board &= board - 1


def _bits(p: int, square: int) -> int:
    """Return a square's bits in the three sets, the first set's lowest."""
    return p >> square & 1 | p >> square + 15 & 2 | p >> square + 30 & 4


def _attacked(square: int, low: int, high: int, black: int, taken: int) -> bool:
    """Return whether a black piece attacks a square, given the sets and all taken squares."""
    if KING[square] & low & high & black or TAKE[square] & low & ~high & black:
        return True
    queens = _squares(QUEEN[square] & high & ~low & black)
    return any(not BETWEEN[square][queen] & taken for queen in queens)


def _in_check(p: int) -> bool:
    """Return whether the white king is attacked."""
    low, high, black = p & ALL, p >> 16 & ALL, p >> 32 & ALL
    return _attacked((low & high & ~black).bit_length() - 1, low, high, black, low | high)


def _promoted(p: int, black: int) -> bool:
    """Return whether a side has a pawn on the rank where it promotes."""
    pawns = p & ~(p >> 16) & (p >> 32 if black else ~(p >> 32))
    return pawns & (RANK if black else RANK << 12) != 0


def _ahead(p: int) -> int:
    """Return how many steps all pawns have ahead of them; a queen, or a capture, counts as one."""
    low, high, black = p & ALL, p >> 16 & ALL, p >> 32 & ALL
    pawns = low & ~high
    white = sum((4 - rank) * (pawns & ~black & RANK << 4 * rank).bit_count() for rank in range(4))
    others = sum((1 + rank) * (pawns & black & RANK << 4 * rank).bit_count() for rank in range(4))
    return white + others + (high & ~low).bit_count()


def _behind(p: int, black: int) -> list[int]:
    """Return how many pawns of a side stand on its first rank, on the first two, on three."""
    p = _flip(p) if black else p
    pawns = p & ~(p >> 16 | p >> 32)
    return [(pawns & (1 << 4 * ranks) - 1).bit_count() for ranks in (1, 2, 3)]


def _mirror(p: int) -> int:
    """Return the position with left and right exchanged."""
    p = p & TURN | p >> 1 & 0x5555_5555_5555 | (p & 0x5555_5555_5555) << 1
    return p & TURN | p >> 2 & 0x3333_3333_3333 | (p & 0x3333_3333_3333) << 2


def _flip(p: int) -> int:
    """Return the position with the colours exchanged, the board upside down."""
    upside = p >> 4 & 0x0F0F_0F0F_0F0F | (p & 0x0F0F_0F0F_0F0F) << 4
    upside = upside >> 8 & 0x00FF_00FF_00FF | (upside & 0x00FF_00FF_00FF) << 8
    return upside ^ ((upside | upside >> 16) & ALL) << 32 | ~p & TURN


def _flip_mirror(p: int) -> int:
    return _flip(_mirror(p))


def _mirror_move(m: str) -> str:
    return m.translate(MIRRORED)


def _flip_move(m: str) -> str:
    return m.translate(FLIPPED)


def _flip_mirror_move(m: str) -> str:
    return _flip_move(_mirror_move(m))


MIRRORED, FLIPPED = str.maketrans("abcd", "dcba"), str.maketrans("1234", "4321")


def _text(p: int) -> str:
    """Return the ranks from the top."""
    marks = [MARKS[_bits(p, square)] for square in range(16)]
    return "/".join("".join(marks[rank : rank + 4]) for rank in (12, 8, 4, 0))


def _read(text: str) -> int:
    """Return the position that ranks from the top show, White to move.

    Raises IllegalPositionError unless they are four of four squares, with one king each.
    """
    ranks = [re.sub("[1-4]", lambda digit: "." * int(digit[0]), rank) for rank in text.split("/")]
    if not re.fullmatch("[.PQKpqk]{4}(/[.PQKpqk]{4}){3}", "/".join(ranks)):
        raise IllegalPositionError(
            f"{cut(text)!r} is no board: it takes 4 ranks of 4 squares, from the top and with /"
            f" between them, each square P, Q, K, p, q, k or a dot, as in {START}"
        )
    for king in "Kk":
        if text.count(king) != 1:
            raise IllegalPositionError(
                f"{cut(text)!r} has {text.count(king)} {king}; each side has one king"
            )
    p = 0
    for square, mark in enumerate("".join(reversed(ranks))):
        kind = 0 if mark == "." else MARKS.index(mark)
        p |= (kind & 1 | (kind & 2) << 15 | (kind & 4) << 30) << square
    return p
