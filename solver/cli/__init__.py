"""The command line: results on standard output, progress and errors on standard error.

The exit status is 0 on success, 1 if a check failed and 2 for bad input, which is reported in one
line that says what would be right. Start with `COMMANDS`, which names the function of each command.
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from itertools import pairwise
from typing import IO, Annotated, Any

import typer
from typer.core import TyperGroup

from solver.agent.installed import keeping_tables
from solver.cli import output
from solver.cli.coercion import PlainCommand, with_plain_coercion
from solver.cli.commands import COMMANDS, GROUPS
from solver.cli.output import (
    CheckFailedError,
    changed_rules_reported,
    slow_rules_reported,
    still_searching,
)
from solver.errors import (
    IllegalPositionError,
    PerfectplayError,
    described,
    frames_of,
    is_interrupt,
    missing_part,
    printable,
)
from solver.files import working_directory
from solver.rules.search import watching
from solver.version import __version__

__all__ = ["main", "run"]

BAD_INPUT = (PerfectplayError, ValueError, OSError, ImportError, MemoryError)
CHECKED = ("check", "solve", "verify")  # commands that rely on no rules they have not checked
TAKE_POSITIONS = ("best", "line", "explain", "render")
DASHED_BOARD = r"-[-XxOo._ /|\r\n1-9]{8,}"
PRINTERS = {"cli", "click", "rich", "typer"}  # packages that write to standard output
INTERRUPTED = 130  # the status after Ctrl-C
LONGEST = 1000  # characters of an error message
SETTINGS: dict[str, Any] = {
    "pretty_exceptions_enable": False,
    "rich_markup_mode": None,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}


class CommandGroup(TyperGroup):
    """The commands, each imported when it is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; None if there is none of this name."""
        if cmd_name not in COMMANDS:
            names: dict[str, Any] = dict.fromkeys(COMMANDS)
            self.commands.update(names)  # so that Typer suggests one
            return None
        about = COMMANDS[cmd_name]
        examples = "\n".join(f"  perfectplay {example}" for example in about.examples)
        one = typer.Typer(add_completion=False, **SETTINGS)
        settings: Any = {"cls": PlainCommand, "epilog": f"Examples:\n\n\b\n{examples}"}
        one.command(cmd_name, **settings)(about.load())
        return typer.main.get_command(one)

    def invoke(self, ctx: Any) -> Any:
        """Call a command; Ctrl-C keeps the line where it came, which Typer would forget."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as error:
            raise typer.Abort from error

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, with the option --help."""
        return with_plain_coercion(super().get_params(ctx))

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the commands in their groups."""
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:10}", about.summary) for name, about in group.items()])


app = typer.Typer(name="perfectplay", cls=CommandGroup, invoke_without_command=True, **SETTINGS)


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    """Play small games perfectly, from tables that are solved and proved."""
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
        with (
            keeping_tables(output.report),  # `report` is a module
            watching(still_searching()),
            slow_rules_reported(),
            changed_rules_reported(),
        ):
            status = app(
                _dots_for_dashes(arguments), prog_name="perfectplay", standalone_mode=False
            )
        sys.stdout.flush()
        if status == INTERRUPTED:  # what Typer returns
            raise KeyboardInterrupt
    except BrokenPipeError:  # the reader stopped reading, as in `perfectplay best | head -1`
        _mute(sys.stdout)
        return 1
    except CheckFailedError as error:
        return _fail(str(error), 1)
    except SystemExit as error:
        if (line := _line_of_custom_code(error, arguments)) is None:
            raise
        return _fail(f"the rules in {line}, end the program", 2)
    except (Exception, KeyboardInterrupt) as error:
        if is_interrupt(error) or isinstance(error, typer.Abort):
            return _fail(*_interrupted(error, arguments))
        return _fail(_describe(error, arguments), 2)
    return int(status or 0)


def _interrupted(error: BaseException, arguments: list[str]) -> tuple[str, int]:
    """Return the message and the status after Ctrl-C, or after the end of the input."""
    line = _line_of_custom_code(error, arguments)
    if line and isinstance(error.__cause__, EOFError):
        return f"the rules in {line}, read from standard input, which has ended", 2
    return f"interrupted in the rules in {line}" if line else "interrupted", INTERRUPTED


def _describe(error: BaseException, arguments: list[str]) -> str:
    """Return a message about an error in the user's input; raise the error if it is a bug."""
    raised_here = type(error).__module__.startswith("solver.")
    if not raised_here and (line := _line_of_custom_code(error, arguments)):
        return f"the rules in {line}, raised {described(error)}"
    if isinstance(error, OSError) and error.filename is not None:
        hint = _hint(arguments, error.filename) if error.filename in arguments else ""
        return f"{error.filename or repr('')}: {error.strerror}{hint}"
    if isinstance(error, OSError) and error.errno is not None:
        return _describe_unnamed(error)
    if isinstance(error, BAD_INPUT):
        is_position = isinstance(error, IllegalPositionError)
        hint = _hint(arguments, *arguments[1:]) if is_position else ""
        return f"{missing_part(error) or error}{hint}" or type(error).__name__
    if format_message := getattr(error, "format_message", None):  # Typer's report of misuse
        command = " ".join(["perfectplay", *(name for name in arguments[:1] if name in COMMANDS)])
        message = format_message().rstrip(".")
        if re.match(r"No such option: -\d", message):
            message += (
                "; after all options, write -- and then a position that begins with -, as in"
                " perfectplay best --json -- -1,0,0,0,1,0,0,0,0"
            )
        return f"{message} (see {command} --help)"
    if isinstance(error, TypeError | AttributeError) and (game := _unchecked_game(arguments)):
        return (
            f"the rules do not fit: {described(error)}; perfectplay check {game} says what breaks"
        )
    raise error


def _unchecked_game(arguments: list[str]) -> str | None:
    """Return the custom game of a command that does not check its rules, or None."""
    from solver.games.custom import is_custom

    words = [part for word in arguments for part in word.split("=", 1)]
    options = "--game", "estimate"
    named = [name for option, name in pairwise(words) if option in options and is_custom(name)]
    return named[0] if named and arguments[0] not in CHECKED else None


def _hint(arguments: list[str], *words: str) -> str:
    """Return what to write if one of the words, a position or a file, is the name of a game."""
    from solver.games import is_built_in
    from solver.games.custom import is_custom

    if any(word.startswith("--game") for word in arguments):
        return ""
    games = [word for word in words if is_built_in(word) or is_custom(word)]
    return f"; did you mean --game {games[0]}?" if games else ""


def _describe_unnamed(error: OSError) -> str:
    """Return a message about an error that names no file."""
    try:
        working_directory()
    except OSError as gone:
        return str(gone)
    last = traceback.extract_tb(error.__traceback__)[-1].filename
    where = "standard output: " if PRINTERS & set(last.split(os.sep)) else ""
    return f"{where}{error.strerror}"


def _line_of_custom_code(error: BaseException, arguments: list[str]) -> str | None:
    """Return the file and line of a custom game that raised an error, or None."""
    from solver.games.custom import PREFIX

    words = [a.partition("=")[2] if a.startswith("--") else a for a in arguments]
    sources = [word.removeprefix(PREFIX).rpartition(":")[0] for word in words if ":" in word]
    try:
        files = {os.path.abspath(source) for source in sources if source.endswith(".py")}
    except OSError:  # the working directory has been deleted
        return None
    files |= {getattr(sys.modules.get(source), "__file__", None) or "" for source in sources} - {""}
    frames = frames_of(error)
    lines = [f for f in frames if f.filename in files]
    if files and not lines:  # in a file that the rules import
        libraries = (os.path.dirname(os.path.dirname(__file__)), sys.prefix, sys.base_prefix, "<")
        lines = [f for f in frames if not f.filename.startswith(libraries)]
    return f"{lines[-1].filename}, line {lines[-1].lineno}" if lines else None


def _fail(message: str, status: int) -> int:
    """Print an error as one line of printable characters and return the exit status."""
    line = printable(" ".join(message.split()), LONGEST)
    try:
        print(f"perfectplay: {line}", file=sys.stderr, flush=True)
        sys.stdout.flush()
    except OSError:  # the message is lost, but not the status
        _mute(sys.stderr)
        _mute(sys.stdout)
    return status


def _mute(stream: IO[str]) -> None:
    """Discard what is left to write, so that Python does not fail on it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _dots_for_dashes(arguments: list[str]) -> list[str]:
    """Replace dashes by dots in a board that starts with one and would be taken for an option."""
    if not arguments or arguments[0] not in TAKE_POSITIONS or "--" in arguments:
        return arguments
    return [w.replace("-", ".") if re.fullmatch(DASHED_BOARD, w) else w for w in arguments]
