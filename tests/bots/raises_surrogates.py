"""Raises an exception that cannot be encoded."""


def move(rows, side):
    raise ValueError("\ud800\x1b[31m")
