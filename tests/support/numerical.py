"""Numerical tic-tac-toe, by R. Graham: odd numbers against even ones, and a line of 15 wins."""

from __future__ import annotations

from solver import Game, Outcome, rearrange, symmetry_group

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Numerical(Game[tuple[int, ...], tuple[int, int]]):
    """A position has nine numbers, 0 for an empty cell; a move is a cell and a number."""

    symmetries = symmetry_group(
        rearrange((0, 3, 6, 1, 4, 7, 2, 5, 8)), rearrange((6, 7, 8, 3, 4, 5, 0, 1, 2))
    )

    def initial(self) -> tuple[int, ...]:
        return (0,) * 9

    def moves(self, p: tuple[int, ...]) -> list[tuple[int, int]]:
        first = 1 + (9 - p.count(0)) % 2  # odd numbers move first
        left = [n for n in range(first, 10, 2) if n not in p]
        return [(cell, n) for cell in range(9) if p[cell] == 0 for n in left]

    def play(self, p: tuple[int, ...], m: tuple[int, int]) -> tuple[int, ...]:
        return (*p[: m[0]], m[1], *p[m[0] + 1 :])

    def primitive(self, p: tuple[int, ...]) -> Outcome | None:
        for a, b, c in LINES:
            if p[a] and p[b] and p[c] and p[a] + p[b] + p[c] == 15:
                return Outcome.LOSS
        return None if 0 in p else Outcome.DRAW

    def tier(self, p: tuple[int, ...]) -> int:
        return -p.count(0)

    def code(self, m: tuple[int, int]) -> int:
        return 10 * m[0] + m[1]
