"""The errors that users meet.

Each subclasses the builtin that it refines, and its message says what was wrong,
where, and what would be right.
"""


class IllegalPositionError(ValueError):
    """The text or the board is not a position that can arise in the game."""


class IllegalMoveError(ValueError):
    """The move cannot be played in the position."""


class UnknownPositionError(KeyError):
    """The position is not in the table, nor is any symmetric image of it."""

    def __str__(self) -> str:  # KeyError would print the message in quotes
        return str(self.args[0]) if self.args else ""


class UnknownGameError(ValueError):
    """No game has this name."""


class TableFormatError(ValueError):
    """The file is not a whole, unaltered table of a format that this version reads."""


class TableProofError(ValueError):
    """The table is readable, but the rules contradict what it says."""


class CyclicGameError(ValueError):
    """Depth-first search came back to a position on its own path."""


class GameLawError(AssertionError):
    """The rules break one of the laws that every game keeps."""
