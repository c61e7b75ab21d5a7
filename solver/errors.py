"""The errors that users see, and the shortening of user input quoted in their messages.

Each error is a PerfectplayError and also subclasses the builtin that it refines. Its message states
what is wrong, where, and what would be right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from traceback import FrameSummary


class PerfectplayError(Exception):
    """The base of every error that perfectplay defines."""


class RulesChangedWarning(PerfectplayError, UserWarning):
    """The files of a game's rules are not those that its table was made from."""


class IllegalPositionError(PerfectplayError, ValueError):
    """The text or board is not a position that can arise in the game."""


class UnknownPositionError(PerfectplayError, KeyError):
    """The table has neither the position nor any symmetric image of it."""

    def __str__(self) -> str:  # KeyError would print the message in quotes
        return str(self.args[0]) if self.args else ""


class UnpackedPositionError(PerfectplayError, KeyError):
    """The position has no key, since a sample of positions had no such value or shape."""

    @property
    def position(self) -> object:
        """The position."""
        return self.args[0]

    def __str__(self) -> str:
        return f"the position {self.position!r:.200} has a value that no sampled one had"


class IllegalMoveError(PerfectplayError, ValueError):
    """The move is not legal in the position, or the text names no legal move of it.

    `played` says how many moves of a record are legal before it.
    """

    def __init__(self, message: str = "", played: int = 0) -> None:
        super().__init__(message)
        self.played: int = played


class NoBoardError(PerfectplayError, ValueError):
    """The game has no board of cells to draw."""


class UnknownGameError(PerfectplayError, ValueError):
    """There is no game of this name."""


class UnknownPlayerError(PerfectplayError, ValueError):
    """There is no player of this name, or the player does not support the game."""


class InexactPlayerError(PerfectplayError, ValueError):
    """The player does not report the probabilities of its moves, so no result is exact."""


class MatchTooLargeError(PerfectplayError, ValueError):
    """An exact match would visit too many positions; a sampled match is possible."""


class MemoryLimitError(PerfectplayError, ValueError):
    """The computation would exceed its memory limit."""


class SolveTooLargeError(PerfectplayError, ValueError):
    """Solving the game needs far more disk or memory than there is."""


class SearchLimitError(PerfectplayError, ValueError):
    """The search of a position would take more nodes than it may."""

    known: Mapping[str, int] = {}
    """The outcomes of the position's moves, as far as they are known, by their labels."""


class OverflowedKeyError(PerfectplayError, ValueError):
    """A position has a key with more bits than compiled rules take."""


class LostFileError(PerfectplayError, OSError):
    """A file of an unfinished solve is missing or damaged; solving again recreates it."""

    def __init__(self, directory: str, name: str) -> None:
        super().__init__(directory, name)
        self.directory, self.name = directory, name

    def __str__(self) -> str:
        return (
            f"{self.directory}: the file {self.name} is missing or damaged; run the same command"
            " again to recreate it"
        )


class IntraTierMoveError(PerfectplayError, ValueError):
    """A move stays within its tier, so the tier cannot be split into parts."""


class TableFormatError(PerfectplayError, ValueError):
    """The file is not a complete, unaltered table in a format that this version reads."""


class TableProofError(PerfectplayError, ValueError):
    """The table is readable, but the rules contradict its contents."""


class StrategyError(PerfectplayError, ValueError):
    """The file is not a strategy, or the rules contradict a line of it."""


class SearchDepthError(PerfectplayError, ValueError):
    """Depth-first search cannot finish: a line of play is too long or repeats a position."""


class KernelError(PerfectplayError, AssertionError):
    """A game's compiled rules contradict its Python rules."""


class NotCompiledError(PerfectplayError, ValueError):
    """Why rules stay in plain Python, in words for their author.

    `location` is the user's file and line, or empty if the reason has none; `others` has the
    locations and reasons beside the first.
    """

    def __init__(self, reason: str, location: str = "", others: tuple[str, ...] = ()) -> None:
        super().__init__(reason, location, others)
        self.reason, self.location, self.others = reason, location, others

    def __str__(self) -> str:
        first = f"{self.location}: {self.reason}" if self.location else self.reason
        return f"{first}; {len(self.others)} more: see check" if self.others else first

    def in_full(self) -> str:
        """Return all reasons, a line for each."""
        first = NotCompiledError(self.reason, self.location)
        return "\n".join([str(first), *self.others])


class GameLawError(PerfectplayError, AssertionError):
    """The rules break a law that every game must obey; see `solver.rules.game`."""


PACKAGE = f"{__name__.partition('.')[0]}."

EXTRAS = {
    "fast": "numba numpy",
    "exact": "scipy",
    "rl": "gymnasium pettingzoo",
    "pictures": "pillow resvg-py",
    "cluster": "dask distributed",
    "openspiel": "open_spiel",
    "web": "anyio httptools starlette uvicorn",
}
"""The packages of each optional extra, which any installation of this package can add."""


def missing_extra(what: str, extra: str) -> ImportError:
    """Return the error that says how to install the packages of an extra."""
    return ImportError(
        f"{what} needs the extra '{extra}': run python -m pip install {EXTRAS[extra]}"
    )


@contextmanager
def needs_extra(what: str, extra: str) -> Iterator[None]:
    """Raise the error that names an extra if an import in the block fails."""
    try:
        yield
    except ImportError as error:
        raise missing_part(error) or missing_extra(what, extra) from error


def missing_part(error: BaseException) -> ImportError | None:
    """Return the error that names a part of this package that is not installed, or None.

    `error` is what an import raised; docs/architecture.md lists the parts that can be deleted.
    """
    name = getattr(error, "name", None) or ""
    if not isinstance(error, ModuleNotFoundError) or not name.startswith(PACKAGE):
        return None
    part = name.removeprefix(PACKAGE).replace(".", "/")
    return ImportError(f"this installation lacks the part '{part}'")


def is_interrupt(error: BaseException | None) -> bool:
    """Return whether Ctrl-C caused an error, as when it makes the import of a library fail."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def frames_of(error: BaseException) -> list[FrameSummary]:
    """Return the lines of code that an error came through, then those of its causes."""
    from traceback import extract_tb

    frames: list[FrameSummary] = []
    inner: BaseException | None = error
    while inner is not None:
        frames += extract_tb(inner.__traceback__)
        inner = inner.__cause__
    return frames


def described(error: BaseException) -> str:
    """Return an exception's type and message, or only its type if `str` fails on it.

    If it is a package of an extra that is missing, what installs it follows.
    """
    name = type(error).__name__[:100]
    missing = str(getattr(error, "name", "")).partition(".")[0]
    for extra, packages in EXTRAS.items() if isinstance(error, ModuleNotFoundError) else ():
        if missing in packages.split():
            return f"{name}: {missing_extra(f'importing {missing}', extra)}"
    with suppress(BaseException):
        return f"{name}: {error}"[:300].removesuffix(": ")
    return name


def shorten(text: str, most: int = 40) -> str:
    """Return `text`, truncated to `most` characters."""
    return text if len(text) <= most else text[: most - 3] + "..."


def quoted(text: str) -> str:
    """Return user input in quotes, truncated to 40 characters."""
    return repr(shorten(text))


def one_line(text: str) -> str:
    """Return untrusted text as one line of printable characters: others are escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def printable(text: str, most: int = 300) -> str:
    """Return untrusted text as one line of printable characters, truncated to `most`."""
    return shorten(one_line(text[: most + 1]), most)
