"""Returns probabilities that are not numbers."""


def move(rows, side):
    return dict.fromkeys(range(9), float("nan"))
