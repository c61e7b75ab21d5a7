"""Dots and boxes on 2 by 3 boxes, as tuples, in which the same side often moves again.

Whoever draws the fourth side of a box owns it and draws again; whoever owns more boxes at the end
wins. The first player wins with 2 by 2 boxes, and the second with 2 by 3: E. Berlekamp, The
Dots-and-Boxes Game, 2000.
"""

from __future__ import annotations

from typing import Any

from solver import Game, Outcome

PASS = -1


class DotsAndBoxes(Game[Any, int]):
    """A position: a bool for each line, the lead of the side to move, whether it has to pass."""

    columns, rows = 2, 3

    def lines(self, box: int) -> tuple[int, int, int, int]:
        """Return the lines above, below, left and right of a box; those across come first."""
        row, column = divmod(box, self.columns)
        left = self.columns * (self.rows + 1) + row * (self.columns + 1) + column
        return box, box + self.columns, left, left + 1

    def initial(self) -> Any:
        """Return no lines."""
        count = self.columns * (self.rows + 1) + (self.columns + 1) * self.rows
        return (False,) * count, 0, False

    def moves(self, p: Any) -> list[int]:
        """Return the lines that are not drawn yet, or a pass."""
        drawn, _, must_pass = p
        return [PASS] if must_pass else [i for i in range(len(drawn)) if not drawn[i]]

    def label(self, p: Any, m: int) -> str:
        """Return the number of a line, or pass."""
        return "pass" if m == PASS else str(m)

    def play(self, p: Any, m: int) -> Any:
        """Draw a line, or pass after a side has closed a box."""
        drawn, lead, _ = p
        if m == PASS:
            return drawn, -lead, False
        new = list(drawn)
        new[m] = True
        closed = 0
        for box in range(self.columns * self.rows):
            lines = self.lines(box)
            if m in lines and all(new[i] for i in lines):
                closed += 1
        return tuple(new), -lead - closed, closed > 0 and not all(new)

    def primitive(self, p: Any) -> Outcome | None:
        """Compare the boxes when all lines are drawn."""
        drawn, lead, _ = p
        if not all(drawn):
            return None
        return Outcome.WIN if lead > 0 else Outcome.LOSS if lead < 0 else Outcome.DRAW
