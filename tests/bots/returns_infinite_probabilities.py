"""Returns an infinite probability."""


def move(rows, side):
    return {0: float("inf")}
