"""Asks for an exbibyte."""


def move(rows, side):
    return len(bytearray(1 << 60))
