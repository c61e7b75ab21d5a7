"""Raises an exception that `except Exception` does not catch."""


class Rare(BaseException):
    pass


def move(rows, side):
    raise Rare("surprise")
