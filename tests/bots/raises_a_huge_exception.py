"""Raises an exception of a hundred million characters."""


def move(rows, side):
    raise ValueError("x" * 100_000_000)
