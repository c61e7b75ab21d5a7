"""Counts rows and columns from 1."""


def move(rows, side):
    return next((r + 1, c + 1) for r in range(3) for c in range(3) if rows[r][c] is None)
