"""Returns probabilities, but fails on the empty board."""


def move(rows, side):
    free = [(r, c) for r in range(3) for c in range(3) if rows[r][c] is None]
    if len(free) == 9:
        raise RuntimeError("stage fright")
    return dict.fromkeys(free, 1 / len(free))
