"""Arguments and options that several commands share, and functions that make others."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from solver.files import check_writable

SIDES = ("first", "second")
GAME_NAME = "name listed by 'perfectplay games', or FILE.py:CLASS for a custom game."


def complete_games() -> list[str]:
    """Return the names of the games, for shell completion."""
    from solver.games.catalogue import GAMES

    return [listing.spec for listing in GAMES]


def load_checked(spec: str) -> Any:
    """Return the game of a name; raises GameLawError if a custom one breaks a law in a few games.

    The error says what is wrong, where results would be wrong, too, or a later error less clear.
    """
    from solver.games import load_game
    from solver.games.custom import is_custom
    from solver.rules.laws import check_game

    game = load_game(spec)
    if is_custom(spec):
        check_game(game, walks=1)
    return game


def check_output(path: str | None, what: str, *endings: str) -> None:
    """Raise ValueError or OSError unless a file with one of these endings can be written."""
    if path is not None and not path.lower().endswith(endings):
        raise ValueError(f"{path!r:.80}: the name of {what} must end in {' or '.join(endings)}")
    check_writable(path)


def option(
    name: str, metavar: str, help_text: str, default: str | bool = True, **settings: Any
) -> Any:
    """Return an option; `default` is shown in the help if the default value is None."""
    return typer.Option(name, metavar=metavar, help=help_text, show_default=default, **settings)


def choice(name: str, choices: Iterable[str], help_text: str, default: str | bool = True) -> Any:
    """Return an option that takes one of several words, and refuses others."""
    words = list(choices)

    def check(value: str | None) -> str | None:
        if value not in (None, *words):
            raise ValueError(f"{name} is {' or '.join(words)}, not {value!r}")
        return value

    settings = {"autocompletion": lambda: words, "callback": check}
    return option(name, "|".join(words), help_text, default, **settings)


def output(metavar: str, help_text: str, default: str | bool = True) -> Any:
    """Return the option that takes the file to write."""
    return typer.Option("-o", "--output", metavar=metavar, help=help_text, show_default=default)


def side(name: str, help_text: str, default: str) -> Any:
    """Return an option that takes a side of the game."""
    return option(name, "SIDE", help_text, default, autocompletion=lambda: "XO")


def game(help_text: str, default: str | bool = True) -> Any:
    """Return the option that takes a game."""
    return option("--game", "GAME", help_text, default, autocompletion=complete_games)


BOARD = (
    "A board, cell by cell, such as X...O....: write an empty cell as . - _, a space or its number,"
    " and separate rows with / or | if you like. Connect 4 also takes the columns in order of play,"
    " such as 4453."
)
Position = Annotated[
    str | None,
    typer.Argument(metavar="POSITION", help=BOARD, show_default="the starting position"),
]
Positions = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="POSITION",
        help=f"{BOARD} Several positions, or - for one in each line of standard input, are answered"
        " with a line of JSON each.",
        show_default="the starting position",
    ),
]
Game = Annotated[str, game(f"Choose the game: a {GAME_NAME}")]
StrategyGame = Annotated[str | None, game(f"Choose the game: a {GAME_NAME}", "tictactoe")]
"""None for the game that a strategy file names, as far as there is one."""
GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help=f"A {GAME_NAME}", autocompletion=complete_games)
]
Rules = Annotated[
    str | None,
    game("Use the rules of this game, such as FILE.py:CLASS.", "the game that the table names"),
]
Table = Annotated[
    str | None, option("--table", "FILE", "Use this table.", "the game's solved or shipped table")
]
TableArgument = Annotated[
    str | None, typer.Argument(metavar="FILE", help="A table.", show_default="that of --game")
]
Turn = Annotated[
    str | None,
    side("--turn", "Set the side to move, such as O.", "the side that the position implies"),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Workers = Annotated[
    int, option("--workers", "N", "Share the work among N workers.", min=1, max=10_000)
]
Memory = Annotated[
    str | None,
    option(
        "--memory",
        "SIZE",
        "Limit the memory of each worker, such as 4GB; the rest stays on disk.",
        "half of the machine's memory, shared by the workers",
    ),
]
