"""The L game on 4x4, as tuples; a game need not end.

A side moves its L of four cells to another place, and may then move one of two neutral stones.
Whoever cannot move its L loses. Invented by E. de Bono: The Five-Day Course in Thinking, 1967. It
is a draw. Of the 2,296 positions up to symmetry, the side to move has lost in 15, and will lose in
14 more: Wikipedia, L game.
"""

from __future__ import annotations

from solver import Game, Outcome

CELLS = range(16)


def pieces() -> list[int]:
    """Return the 48 places of an L as sets of cells, cell i as bit i."""
    found = []
    for corner in CELLS:
        row, column = divmod(corner, 4)
        for down in (-1, 1):
            for right in (-1, 1):
                long = [(row, column), (row + down, column), (row, column + right)]
                for end in ((row + 2 * down, column), (row, column + 2 * right)):
                    cells = [*long, end]
                    if all(0 <= r < 4 and 0 <= c < 4 for r, c in cells):
                        found.append(sum(1 << 4 * r + c for r, c in cells))
    return found


PIECES = pieces()


class LGame(Game[tuple[int, int, int], tuple[int, int]]):
    """A position is three sets of cells: the L of the mover, that of the other, the neutral stones.

    A move is the new places of the L and of the neutral stones.
    """

    def initial(self) -> tuple[int, int, int]:
        """Return the position with the neutral stones in corners."""
        return 0b0000_0100_0100_0110, 0b0110_0010_0010_0000, 0b1000_0000_0000_0001

    def moves(self, p: tuple[int, int, int]) -> list[tuple[int, int]]:
        """Return new places of the L, each with the old and with all new places of a stone."""
        mine, theirs, stones = p
        found = []
        for piece in PIECES:
            if piece != mine and not piece & (theirs | stones):
                found.append((piece, stones))
                for stone in CELLS:
                    for end in CELLS:
                        if stones >> stone & 1 and not (piece | theirs | stones) >> end & 1:
                            found.append((piece, stones ^ 1 << stone ^ 1 << end))
        return found

    def play(self, p: tuple[int, int, int], m: tuple[int, int]) -> tuple[int, int, int]:
        """Place the L and the stones, and exchange the sides."""
        return p[1], m[0], m[1]

    def primitive(self, p: tuple[int, int, int]) -> Outcome | None:
        """Return whether the side to move has lost."""
        mine, theirs, stones = p
        for piece in PIECES:
            if piece != mine and not piece & (theirs | stones):
                return None
        return Outcome.LOSS
