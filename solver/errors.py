"""The errors that users meet.

Each subclasses the builtin that it refines, and its message says what was wrong,
where, and what would be right.
"""


class IllegalPositionError(ValueError):
    """The text or the board is not a position that can arise in the game."""


class UnknownPositionError(KeyError):
    """The position is not in the table, nor is any symmetric image of it."""

    def __str__(self) -> str:  # KeyError would print the message in quotes
        return str(self.args[0]) if self.args else ""


class IllegalMoveError(ValueError):
    """The text names no legal move of the position."""


class NoBoardError(ValueError):
    """The game has no board of cells that could be drawn."""


class UnknownGameError(ValueError):
    """No game has this name."""


class UnknownPlayerError(ValueError):
    """No player has this name, or the player does not fit the game."""


class InexactPlayerError(ValueError):
    """The player draws its moves by a chance that it does not tell, so no result is exact."""


class MatchTooLargeError(ValueError):
    """An exact match would pass through too many positions; it can be sampled."""


class MemoryLimitError(ValueError):
    """The work would take more memory than it was given."""


class LostFileError(OSError):
    """A file of unfinished work is missing or damaged; it can be made again."""

    def __init__(self, directory: str, name: str) -> None:
        super().__init__(directory, name)
        self.directory, self.name = directory, name

    def __str__(self) -> str:
        return (
            f"{self.directory}: the file {self.name} is lost or damaged; the same command makes it"
            " again"
        )


class IntraTierMoveError(ValueError):
    """A move stays in its tier, which must then be taken as a whole."""


class TableFormatError(ValueError):
    """The file is not a whole, unaltered table of a format that this version reads."""


class TableProofError(ValueError):
    """The table is readable, but the rules contradict what it says."""


class SearchDepthError(ValueError):
    """Depth-first search cannot finish: a line is too long, or comes back to a position."""


class KernelError(AssertionError):
    """A game's compiled rules contradict its rules in Python."""


class GameLawError(AssertionError):
    """The rules break one of the laws that every game keeps."""


def too_large(spec: str, what: str, memory: int) -> MemoryLimitError:
    """Return the error that says that a tier does not fit into memory."""
    return MemoryLimitError(
        f"{spec} has a tier of {what}, too many for {memory / 1e6:,.0f} MB of memory, and it cannot"
        " be cut into parts; perfectplay estimate tells what it takes"
    )


def printable(text: str, most: int = 300) -> str:
    """Return a foreign text as one line that any terminal, page or file can show, cut if long."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text[: most + 1])
    return line if len(line) <= most else line[: most - 3] + "..."
