"""Konane on 4 columns and 6 rows, as texts.

A stone jumps over a neighbour of the other side onto the empty cell behind it, and may jump on in
the same direction; the stones that it jumped over are taken. Whoever cannot move loses. Two stones
in the middle are removed before the game starts. A game of Hawaii.
"""

from __future__ import annotations

from solver import Game, Outcome

OTHER = {"x": "o", "o": "x"}


class Konane(Game[tuple[str, str], tuple[int, int]]):
    """A position is the text of the cells, and the side to move."""

    columns, rows = 4, 6

    def initial(self) -> tuple[str, str]:
        """Return a chessboard of stones without two in the middle."""
        size = self.columns * self.rows
        cells = ["xo"[(i // self.columns + i % self.columns) % 2] for i in range(size)]
        middle = (self.rows - 1) // 2 * self.columns + (self.columns - 1) // 2
        cells[middle] = cells[middle + 1] = "."
        return "".join(cells), "x"

    def moves(self, p: tuple[str, str]) -> list[tuple[int, int]]:
        """Return pairs of cells."""
        cells, side = p
        found = []
        for start in range(self.columns * self.rows):
            if cells[start] == side:
                for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0)):
                    row, column = start // self.columns + 2 * down, start % self.columns + 2 * right
                    while 0 <= row < self.rows and 0 <= column < self.columns:
                        end = row * self.columns + column
                        over = end - down * self.columns - right
                        if cells[over] != OTHER[side] or cells[end] != ".":
                            break
                        found.append((start, end))
                        row, column = row + 2 * down, column + 2 * right
        return found

    def play(self, p: tuple[str, str], m: tuple[int, int]) -> tuple[str, str]:
        """Empty the cells from the start of the jump to its end."""
        cells, side = p
        start, end = m
        step = 1 if start // self.columns == end // self.columns else self.columns
        new = list(cells)
        for cell in range(min(start, end), max(start, end) + 1, step):
            new[cell] = "."
        new[end] = side
        return "".join(new), OTHER[side]

    def primitive(self, p: tuple[str, str]) -> Outcome | None:
        """Return whether the side to move has lost."""
        return None if self.moves(p) else Outcome.LOSS
