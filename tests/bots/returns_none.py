"""Forgets to return its move."""


def move(rows, side):
    [(r, c) for r in range(3) for c in range(3) if rows[r][c] is None].sort()
