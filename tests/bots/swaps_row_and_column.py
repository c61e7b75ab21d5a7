"""Returns the column first."""


def move(rows, side):
    return next((c, r) for r in range(3) for c in range(3) if rows[r][c] is None)
