"""Cram on 5x5, as numbers: Domineering in which both sides lay dominoes in either direction.

Whoever cannot lay one loses. Boards with two even sides are lost, and boards with one are won, by
symmetry; M. Gardner, Mathematical Games, Scientific American, February 1974.
"""

from __future__ import annotations

from solver import Game, Outcome


class Cram(Game[int, int]):
    """A position is the set of the covered cells as a number."""

    columns, rows = 5, 5

    def initial(self) -> int:
        """Return the empty board."""
        return 0

    def moves(self, p: int) -> list[int]:
        """Return dominoes as sets of two cells."""
        found = []
        for cell in range(self.columns * self.rows):
            across, upright = 0b11 << cell, 1 << cell | 1 << cell + self.columns
            if cell % self.columns < self.columns - 1 and not p & across:
                found.append(across)
            if cell // self.columns < self.rows - 1 and not p & upright:
                found.append(upright)
        return found

    def play(self, p: int, m: int) -> int:
        """Cover two cells."""
        return p | m

    def primitive(self, p: int) -> Outcome | None:
        """Return whether the side to move has lost."""
        return None if self.moves(p) else Outcome.LOSS
