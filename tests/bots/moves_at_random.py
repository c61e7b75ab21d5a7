"""Takes any free cell."""

import random


def move(rows, side):
    return random.choice([(r, c) for r in range(3) for c in range(3) if rows[r][c] is None])
