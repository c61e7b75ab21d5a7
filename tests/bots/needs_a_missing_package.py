"""Imports what nobody has."""

missing = __import__("no_such_package_anywhere")


def move(rows, side):
    return missing.move(rows)
