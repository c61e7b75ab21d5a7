"""Fails every other time."""

import random


def move(rows, side):
    if random.random() < 0.5:
        raise RuntimeError("stage fright")
    return next((r, c) for r in range(3) for c in range(3) if rows[r][c] is None)
