"""The command line: data on stdout; progress and errors on stderr.

Exit status: 0 if all is well, 1 if a check failed, 2 for bad input, which gets one line that says
what would be right.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from typing import IO, Annotated

import typer

from solver.cli import contests, drawing, estimating, grading, positions, serving, tables, trees
from solver.cli.app import CheckFailedError, app
from solver.errors import GameLawError, KernelError, UnknownPositionError, printable
from solver.version import __version__

__all__ = [
    "contests",
    "drawing",
    "estimating",
    "grading",
    "main",
    "positions",
    "run",
    "serving",
    "tables",
    "trees",
]

BAD_INPUT = (
    ValueError,
    OSError,
    ImportError,
    MemoryError,
    GameLawError,
    KernelError,
    UnknownPositionError,
)
ABOUT_POSITIONS = ("best", "line", "explain", "render", "tree")
DASHED_BOARD = re.compile(r"-[-XxOo._ /|\r\n1-9]{8,}")
LONGEST = 1000  # characters of an error message


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    """Perfect play for small games, precomputed and proved."""
    if version:
        typer.echo(f"perfectplay {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run the command line and exit."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:  # closed by the shell, as in `perfectplay best >&-`
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line and return the exit status."""
    try:
        status = app(_undash(arguments), prog_name="perfectplay", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone, as in `perfectplay best | head -1`
        _mute(sys.stdout)
        return 1
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except CheckFailedError as error:
        return _complain(str(error), 1)
    except BAD_INPUT as error:
        ours = type(error).__module__.startswith("solver.")
        where = None if ours else _in_own_rules(error, arguments)
        return _complain(_describe(error) if where is None else _blame(where, error), 2)
    except Exception as error:
        return _complain(_misuse(error, arguments), 2)
    return int(status or 0)


def _misuse(error: Exception, arguments: list[str]) -> str:
    """Return what is to be said of an error if the user made it; raises it if it is ours."""
    where = _in_own_rules(error, arguments)
    if where is not None:
        return _blame(where, error)
    if not hasattr(error, "format_message"):  # how Typer reports a misused option
        raise error
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "perfectplay"
    return f"{error.format_message()} (see {command} --help)"


def _blame(where: str, error: BaseException) -> str:
    return f"{where} raised {type(error).__name__}: {error}"


def _in_own_rules(error: BaseException, arguments: list[str]) -> str | None:
    """Return the file and line of a user's own rules that raised an error, or None."""
    words = [a.partition("=")[2] if a.startswith("--") else a for a in arguments]
    places = [word.rpartition(":")[0] for word in words if ":" in word]
    own = {os.path.abspath(place) for place in places if place.endswith(".py")}
    own |= {getattr(sys.modules.get(place), "__file__", None) or "" for place in places} - {""}
    frames: list[traceback.FrameSummary] = []
    inner: BaseException | None = error
    while inner is not None:
        frames += traceback.extract_tb(inner.__traceback__)
        inner = inner.__cause__
    lines = [f"{f.filename}, line {f.lineno}," for f in frames if f.filename in own]
    return f"the rules in {lines[-1]}" if lines else None


def _describe(error: BaseException) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error) or type(error).__name__


def _complain(message: str, status: int) -> int:
    """Say in one line of printable characters what is wrong."""
    line = printable(" ".join(message.split()), LONGEST)
    try:
        print(f"perfectplay: {line}", file=sys.stderr, flush=True)
        sys.stdout.flush()
    except OSError:  # nobody can be told, but the status can
        _mute(sys.stderr)
        _mute(sys.stdout)
    return status


def _mute(stream: IO[str]) -> None:
    """Send what is still to be written nowhere, so that Python's exit does not fail on it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _undash(arguments: list[str]) -> list[str]:
    """Write a board that begins with a dash, and would be taken for an option, with dots."""
    if not arguments or arguments[0] not in ABOUT_POSITIONS or "--" in arguments:
        return arguments
    return [word.replace("-", ".") if DASHED_BOARD.fullmatch(word) else word for word in arguments]
