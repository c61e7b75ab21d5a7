r"""Pong hau k'i: two stones a side on five points; a side that cannot move loses.

A move slides a stone along a line to the only empty point. The top side of the square has no line.
X starts from there and moves first, O starts from the bottom:

    1   2     X   X     the top corners are bits 0 and 1, the centre is bit 2,
    |\ /|     |\ /|     the bottom corners are bits 3 and 4
    | 3 |     | 3 |
    |/ \|     |/ \|     X: bits 0 and 1, O: bits 3 and 4, X is to move,
    4---5     O---O     so the position is 0b00011_11000

A position is two bitboards in one integer, that of the side to move above that of the other side;
it does not contain whose turn it is. A move is the point, from 0, that a stone leaves.

The board and the start are Ludii's (after Culin, Korean Games, 1895); GamesCrafters has the same
board. The value is the same if the line is missing at the bottom instead. If a line at the left or
right is missing, as in the Korean umul gonu, X could win at once, which its rules forbid. Straffin
shows that neither side can force a win: Position Graphs for Pong Hau K'i and Mu Torere, Mathematics
Magazine 68, 1995.
"""

from __future__ import annotations

import re

from solver import boards
from solver.errors import IllegalPositionError
from solver.rules import grid
from solver.rules.game import Numbered, check_turn
from solver.value import Outcome

PATTERN = FORM = "ponghauki"
POINTS, STONES = 5, 2
FULL = (1 << POINTS) - 1
NEIGHBOURS = ((2, 3), (2, 4), (0, 1, 3, 4), (0, 2, 4), (1, 2, 3))  # along the lines
MIRROR = (1, 0, 2, 4, 3)
PICTURE = "{}   {}\n|\\ /|\n| {} |\n|/ \\|\n{}---{}"


class PongHauKi(Numbered[int]):
    """Two stones a side on five points; the side that cannot move loses."""

    title = "Pong hau k'i"
    about = (
        "Each side has two stones on five points. Slide one along a line to the free point; a side"
        " that cannot move loses."
    )
    cell_places = (0, 0), (2, 0), (1, 1), (0, 2), (2, 2)
    symmetries = grid.symmetry(tuple(range(POINTS))), grid.symmetry(MIRROR)

    @property
    def spec(self) -> str:
        return "ponghauki"

    def initial(self) -> int:
        return 0b00011_11000

    def moves(self, p: int) -> list[int]:
        return [point for point in NEIGHBOURS[_empty(p)] if p >> POINTS + point & 1]

    def play(self, p: int, m: int) -> int:
        return (p & FULL) << POINTS | p >> POINTS ^ 1 << m | 1 << _empty(p)

    def primitive(self, p: int) -> Outcome | None:
        return None if self.moves(p) else Outcome.LOSS

    def label(self, p: int, m: int) -> str:
        return f"{m + 1}-{_empty(p) + 1}"

    def cell(self, p: int, m: int) -> int:
        return _empty(p)

    def origin(self, p: int, m: int) -> int:
        return m

    def text(self, p: int, turn: str | None = None) -> str:
        mine, theirs = ("X", "O") if turn in (None, "X") else ("O", "X")
        return "".join(
            mine if p >> POINTS + point & 1 else theirs if p >> point & 1 else "."
            for point in range(POINTS)
        )

    def parse(self, text: str, turn: str | None = None) -> int:
        """Return the position of a text such as XX.OO, points 1 to 5 as `boards.read` reads them.

        X is to move unless `turn` is O. Raises IllegalPositionError if no game leads to the board.
        """
        check_turn(self, turn)
        if isinstance(text, str) and "\n" in text.strip("\n"):  # a drawing: points in reading order
            text = re.sub(r"[-|/\\\s]", "", text)
        x, o = boards.read(text, POINTS, 1)
        if x.bit_count() != STONES or o.bit_count() != STONES:
            raise IllegalPositionError(
                f"there are {x.bit_count()} X and {o.bit_count()} O, but each side has {STONES}"
            )
        mine, theirs = (o, x) if turn == "O" else (x, o)
        p = mine << POINTS | theirs
        if not any(theirs >> point & 1 for point in NEIGHBOURS[_empty(p)]):
            raise IllegalPositionError(
                f"no last move of {self.other(turn or 'X')} leads to {text!r}: its stones are not"
                " next to the empty point"
            )
        return p

    def render(self, p: int, turn: str | None = None) -> str:
        marks = enumerate(self.text(p, turn), 1)
        return PICTURE.format(*(number if mark == "." else mark for number, mark in marks))


def _empty(p: int) -> int:
    """Return the point without a stone."""
    return (~(p >> POINTS | p) & FULL).bit_length() - 1


load = PongHauKi
