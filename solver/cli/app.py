"""What the commands share: options, opening a game, printing."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from solver.agent.agent import TableAgent
from solver.agent.facts import read_position
from solver.errors import TableFormatError
from solver.files import check_writable
from solver.games import load_game
from solver.games.catalogue import GAMES
from solver.players import PLAYERS
from solver.players.conventions import CONVENTIONS
from solver.tables.store import find_table
from solver.value import Outcome

app = typer.Typer(
    name="perfectplay",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
STYLES = {Outcome.WIN: "bold blue", Outcome.DRAW: "", Outcome.LOSS: "red"}


class CheckFailedError(Exception):
    """What was to be checked is wrong; the command ends with status 1."""


def complete_games() -> list[str]:
    """Return the names of the games, for the shell to complete."""
    return [listing.spec for listing in GAMES]


def complete_players() -> list[str]:
    """Return the names of the players, for the shell to complete."""
    return ["human", *(entry.stem for entry in PLAYERS)]


Position = Annotated[
    str | None,
    typer.Argument(
        help="A board cell by cell, such as X...O....: X and O in either case; . - _ a space or"
        " the cell's number for an empty cell; / or | between rows. In Connect 4 also columns in"
        " order of play, such as 4453. The start if left out.",
        show_default=False,
    ),
]
GameName = Annotated[
    str,
    typer.Option(
        "--game",
        help="The game: a name (see perfectplay games), or your own as FILE.py:CLASS.",
        autocompletion=complete_games,
    ),
]
TableFile = Annotated[
    str | None,
    typer.Option("--table", metavar="FILE", help="Use this table.", show_default=False),
]
Turn = Annotated[
    str | None,
    typer.Option(
        "--turn",
        metavar="X|O",
        help="Who is to move, if not the side that follows from the position.",
        autocompletion=lambda: "XO",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
File = Annotated[str, typer.Argument(metavar="FILE", help="A table.", show_default=False)]
PlayerName = Annotated[
    str,
    typer.Argument(
        metavar="PLAYER",
        help="A player's name (see perfectplay players), or your own as FILE.py:FUNCTION.",
        autocompletion=complete_players,
        show_default=False,
    ),
]
PlayerNames = Annotated[
    list[str],
    typer.Argument(
        metavar="PLAYER...",
        help="Players' names (see perfectplay players), or your own as FILE.py:FUNCTION.",
        autocompletion=complete_players,
        show_default=False,
    ),
]
ConventionName = Annotated[
    str,
    typer.Option(
        "--convention",
        metavar="|".join(CONVENTIONS),
        help="How a player of your own sees the board.",
        autocompletion=lambda: list(CONVENTIONS),
    ),
]
Deterministic = Annotated[
    bool, typer.Option("--deterministic", help="Your own players always answer alike.")
]
Limit = Annotated[
    float, typer.Option("--limit", metavar="SECONDS", min=0, help="What a player has for a move.")
]
Seed = Annotated[int, typer.Option("--seed", help="Makes what is random repeatable.")]


def open_agent(game: str, table: str | None) -> TableAgent:
    """Return the agent for a game, from the file named or else from where tables lie."""
    rules = load_game(game)
    path = find_table(rules.spec, game) if table is None else table
    try:
        return TableAgent.open(path, rules)
    except TableFormatError as error:
        raise TableFormatError(f"{path}: {error}") from error


def open_position(
    game: str, table: str | None, position: str | None, turn: str | None
) -> tuple[TableAgent, Any, str]:
    """Return the agent, the position asked about and the seat to move there."""
    agent = open_agent(game, table)
    return agent, *read_position(agent.game, position, turn)


def check_drawing(output: str | None, *others: str) -> None:
    """Raise ValueError unless a file's name ends in .svg, and OSError if it cannot be written.

    `others` are endings that the user may write instead.
    """
    if output is not None and not output.endswith(".svg"):
        endings = " or ".join((".svg", *others))
        raise ValueError(f"{output!r}: the name of the picture must end in {endings}")
    check_writable(output)


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    typer.echo(json.dumps(value))


def print_rows(
    rows: Sequence[Sequence[str]], outcomes: Sequence[Outcome | None] | None = None
) -> None:
    """Print rows in columns, each in the colour of its outcome on a terminal that takes colours."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row, outcome in zip(rows, outcomes or [None] * len(rows), strict=True):
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        print_styled("  ".join(cells).rstrip(), outcome)


def print_styled(text: str, outcome: Outcome | None) -> None:
    """Print a line, in the outcome's colour on a terminal that takes colours."""
    style = STYLES[outcome] if outcome is not None else ""
    Console(soft_wrap=True).print(Text(text, style=style))


SIZES = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
SIZES |= {"KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40}


def parse_size(text: str) -> int:
    """Return how many bytes a size such as 4GB or 512MiB is; raises ValueError."""
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{1,15})?) *([A-Z]*)", text.strip().upper(), re.ASCII)
    if match is None or match[2] not in SIZES or not float(match[1]):
        raise ValueError(f"{text!r} is no size; write a number with MB or GB, such as 4GB")
    return int(float(match[1]) * SIZES[match[2]])


def remark(text: str) -> None:
    """Print a remark for the user on standard error."""
    typer.echo(f"perfectplay: {text}", err=True)


@contextmanager
def stages() -> Iterator[Callable[[str, int, int | None], None]]:
    """Show on a terminal's standard error how far a solve is, and how fast it goes.

    What it gives is called with what is being done, how many positions are, and of how many.
    """
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[amount]} positions"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=None, amount="0", rate="")
        begun: dict[str, tuple[float, int]] = {}

        def show(what: str, done: int, total: int | None) -> None:
            if what not in begun:
                bar.reset(task, total=total, description=what)
                begun[what] = time.perf_counter(), done
            since, before = begun[what]
            rate = (done - before) / max(time.perf_counter() - since, 1e-9)
            amount = f"{done:,}" + (f" of {total:,}" if total is not None else "")
            speed = f"{rate:,.0f}/s" if done > before else ""
            bar.update(task, completed=done, total=total, amount=amount, rate=speed)

        yield show


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show progress on a terminal's standard error; what it gives is called with done and total."""
    console = Console(stderr=True)
    columns = (
        TextColumn(what, markup=False),
        BarColumn(),
        TextColumn("{task.completed:,.0f} of {task.total:,.0f}"),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("")
        yield lambda done, total: bar.update(task, completed=done, total=total)
