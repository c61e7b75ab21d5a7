"""Raises an exception whose text cannot be had."""


class UnprintableError(Exception):
    def __str__(self):
        raise SystemExit


def move(rows, side):
    raise UnprintableError
