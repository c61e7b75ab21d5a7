"""Imports what nobody has."""

__import__("no_such_package_anywhere")
