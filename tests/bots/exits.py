"""Calls sys.exit where the centre is taken."""

import sys


def move(rows, side):
    if rows[1][1] is not None:
        sys.exit(3)
    return next((r, c) for r in range(3) for c in range(3) if rows[r][c] is None)
