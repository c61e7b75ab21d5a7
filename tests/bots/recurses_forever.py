"""Calls itself."""


def move(rows, side):
    return move(rows, side)
