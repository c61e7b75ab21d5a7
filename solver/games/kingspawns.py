"""Kings and pawns: chess on 4x4 with a king and pawns a side, as proposed by Robert Heaton.

The rules are those of chess without double steps, en passant and castling. A pawn that reaches the
last rank becomes a queen, or wins at once with `promotion=wins`. Stalemate is a draw. So is a game
in which neither side can force a win, since it repeats.

A position is an integer, see `solver.games.kingspawns_board`. It is written as the ranks from the
top, with w or b for the side to move: k.../.ppp/PPP./...K w.

Source: Programming Projects for Advanced Beginners 3b: Tic-Tac-Toe AI, Robert Heaton.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import gt

from solver.boards.drawings import rows_of
from solver.errors import IllegalPositionError, quoted
from solver.games.kingspawns_board import (
    ALL,
    BETWEEN,
    KING,
    MARKS,
    NUMBERS,
    PUSH,
    QUEEN,
    SQUARES,
    TAKE,
    TURN,
    attacked,
    behind,
    bits_of,
    flip,
    in_check,
    mirror,
    promoted,
    read,
    squares_of,
    steps_ahead,
    text_of,
)
from solver.rules.game import IDENTITY, Numbered, Symmetry, check_text
from solver.rules.kernel import Kernel
from solver.value import Outcome

PATTERN = r"kingspawns(?::([^,]*))?(?:,promotion=(queen|wins))?"
FORM = (
    "kingspawns, or kingspawns:START with START such as ..k./.pp./.PP./.K.., optionally followed by"
    " ,promotion=wins or ,promotion=queen"
)
START = "k.../.ppp/PPP./...K"
MIRRORED, FLIPPED = str.maketrans("abcd", "dcba"), str.maketrans("1234", "4321")


def load(start: str | None, promotion: str | None) -> KingsPawns:
    """Return the game with this start, by default that of Heaton."""
    return KingsPawns(START if start is None else start, promotion == "wins")


class KingsPawns(Numbered[str]):
    """Kings and pawns on 4x4; a move is its two squares, such as a2a3, plus q for a promotion."""

    seats = "White", "Black"
    board = 4, 4
    symmetries = (  # left and right exchanged, the colours exchanged, and both
        IDENTITY,
        Symmetry(mirror, lambda m: m.translate(MIRRORED), None),
        Symmetry(flip, lambda m: m.translate(FLIPPED), None),
        Symmetry(lambda p: flip(mirror(p)), lambda m: m.translate(MIRRORED | FLIPPED), None),
    )

    def __init__(self, start: str = START, wins: bool = False) -> None:
        self.wins = wins
        self.about = (
            "Chess with kings and pawns: checkmate wins, and a side that has no legal move but is"
            " not in check draws. A pawn steps once, and on the last rank it "
            + ("wins at once." if wins else "becomes a queen.")
        )
        self._start = p = read(start)
        if "Q" in start.upper():
            raise ValueError(f"{quoted(start)} has a queen; a start has only kings and pawns")
        for seat, black in zip(self.seats, (0, 1), strict=True):
            if promoted(p, black):
                raise ValueError(f"{quoted(start)} has a {seat} pawn on the rank where it promotes")
        if in_check(flip(p)):
            raise ValueError(f"in {quoted(start)} Black is in check, and it is White's turn")
        self.pawns = tuple(text_of(p).count(mark) for mark in "Pp")
        many = ("no pawn", "a pawn", "two pawns", "three pawns", "four pawns")
        mine, theirs = (many[n] if n < len(many) else f"{n} pawns" for n in self.pawns)
        each = f"a king and {mine} a side" if mine == theirs else f"{mine} against {theirs}"
        self.title = f"Chess on 4x4, {each}" + ", promotion wins" * wins
        self.ahead = steps_ahead(p)

    @property
    def spec(self) -> str:
        start = text_of(self._start)
        return f"kingspawns{f':{start}' * (start != START)}{',promotion=wins' * self.wins}"

    def initial(self) -> int:
        return self._start

    def moves(self, p: int) -> list[str]:
        if p < TURN:
            steps = [(a, b, p >> a & 0x10001) for a, b in self._legal(p)]
        else:  # in the flipped position the ranks are upside down
            steps = [(a ^ 12, b ^ 12, p >> (a ^ 12) & 0x10001) for a, b in self._legal(flip(p))]
        return [
            SQUARES[a] + SQUARES[b] + "q" * (kind == 1 and b // 4 in (0, 3) and not self.wins)
            for a, b, kind in steps
        ]

    def _legal(self, p: int) -> Iterator[tuple[int, int]]:
        """Yield the legal moves of White, start and target, in ascending order."""
        low, high, black = p & ALL, p >> 16 & ALL, p >> 32 & ALL
        occupied = low | high
        white = occupied & ~black
        home = (low & high & white).bit_length() - 1
        for a in squares_of(white):
            if not high >> a & 1:
                targets = PUSH[a] & ~occupied | TAKE[a] & black
            else:
                targets = (KING if low >> a & 1 else QUEEN)[a] & ~white
            for b in squares_of(targets):
                if BETWEEN[a][b] & occupied:
                    continue
                after = occupied & ~(1 << a) | 1 << b
                if not attacked(b if a == home else home, low, high, black & ~(1 << b), after):
                    yield a, b

    def play(self, p: int, m: str) -> int:
        a, b = NUMBERS[m[:2]], NUMBERS[m[2:4]]
        moved = p >> a & 0x1_0001_0001
        if m[4:]:
            moved ^= 0x10001  # a pawn becomes a queen
        return p & ~(0x1_0001_0001 << a | 0x1_0001_0001 << b) ^ TURN | moved << b

    def primitive(self, p: int) -> Outcome | None:
        if self.wins and promoted(p, p < TURN):
            return Outcome.LOSS
        p = p if p < TURN else flip(p)
        if any(True for _ in self._legal(p)):
            return None
        return Outcome.LOSS if in_check(p) else Outcome.DRAW

    def tier(self, p: int) -> int:
        """Return by how many steps the pawns have advanced; promotions and captures count too."""
        return self.ahead - steps_ahead(p)

    def canonical(self, p: int) -> int:
        p = p if p < TURN else flip(p)
        return min(p, mirror(p))

    def threats(self, p: int) -> list[str]:
        """Return the moves that would win if it were the opponent's turn; none in check."""
        if in_check(p if p < TURN else flip(p)):
            return []
        p ^= TURN
        return [m for m in self.moves(p) if self.primitive(self.play(p, m)) is Outcome.LOSS]

    def kernel(self) -> Kernel:
        from solver.games.kingspawns_kernel import KingsPawnsKernel

        return KingsPawnsKernel(max(self.pawns), self.ahead, self.wins)

    def code(self, m: str) -> str:
        return m

    def label(self, p: int, m: str) -> str:
        """Return the move as chess players write it, such as axb4=Q#."""
        a, b = NUMBERS[m[:2]], NUMBERS[m[2:4]]
        p = p & ~TURN | (p >> 32 >> a & 1) * TURN  # the side whose piece moves
        kind = MARKS[bits_of(p, a) & 3]
        takes = "x" * (bits_of(p, b) > 0)
        if kind == "P":
            name = m[0] * bool(takes) + takes + m[2:4] + "=Q" * (m[4:] == "q")
        else:
            name = kind + self._which(p, m, a) + takes + m[2:]
        child = self.play(p, m)
        if not in_check(child if child < TURN else flip(child)):
            return name
        return name + ("#" if self.primitive(child) is Outcome.LOSS else "+")

    def _which(self, p: int, m: str, a: int) -> str:
        """Return what distinguishes a queen from others that can move to the same square."""
        starts = [n[:2] for n in self.moves(p) if n[2:] == m[2:]]
        others = [n for n in starts if n != m[:2] and bits_of(p, NUMBERS[n]) == bits_of(p, a)]
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
        return f"{text_of(p)} {'wb'[p >= TURN]}"

    def parse(self, text: str, turn: str | None = None) -> int:
        """Return the position of a text such as ..k./.pP./.P../.K.. b.

        It has the ranks from the top, in which a digit means that many empty squares, and w or b
        for the side to move; the space may be an underscore. The board may also be written as
        `drawings.cells_of` reads it. Raises IllegalPositionError if the pieces cannot be those of
        this game. Whether moves lead to the position is not checked.
        """
        check_text(self, text)
        if not re.fullmatch(r"[^\s|]+[ _][wb]", text):
            text = rows_of(text, 4, 4, "wb", turn)
        words = re.sub("_(?=[wb]$)", " ", text).split()  # URLs have an underscore for the space
        board, side = words if len(words) == 2 else (text, "")
        if side not in ("w", "b"):
            raise IllegalPositionError(
                f"{quoted(text)} does not end in w or b for the side to move, as"
                f" {self.text(self._start)!r} does"
            )
        p = read(board) | TURN * (side == "b")
        if turn not in (None, self.turn(p)):
            raise IllegalPositionError(f"{self.turn(p)} is to move in {quoted(text)}, not {turn}")
        self._check(p, text)
        return p

    def _check(self, p: int, text: str) -> None:
        """Raise IllegalPositionError if neither `p` nor its image with other colours can arise."""
        reason = self._why_illegal(p)
        if reason and self._why_illegal(flip(p)):
            raise IllegalPositionError(f"{quoted(text)} cannot arise: {reason}")
        if in_check(p if p >= TURN else flip(p)):
            raise IllegalPositionError(
                f"{self.other(self.turn(p))} is in check in {quoted(text)}, and it is"
                f" {self.turn(p)}'s turn"
            )

    def _why_illegal(self, p: int) -> str | None:
        """Return why no game leads to these pieces, or None if one might."""
        board = text_of(p)
        for black, seat in enumerate(self.seats):
            pawns, queens = board.count("Pp"[black]), board.count("Qq"[black])
            arrived = self.wins and black == (p < TURN) and not promoted(p, 1 - black)
            if pawns + queens > self.pawns[black]:
                return f"{seat} starts with {self.pawns[black]} pawns"
            if queens and self.wins:
                return f"{seat} has a queen, but pawns win instead of becoming queens"
            if promoted(p, black) and not arrived:
                return f"{seat} has a pawn on the last rank"
            if any(map(gt, behind(p, black), behind(self._start, black))):
                return f"{seat} has pawns further back than at the start"
        return None

    def render(self, p: int, turn: str | None = None) -> str:
        ranks = [f"{4 - i} {' '.join(rank)}" for i, rank in enumerate(text_of(p).split("/"))]
        return "\n".join([*ranks, "  a b c d"])
