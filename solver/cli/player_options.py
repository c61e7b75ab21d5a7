"""Arguments and options of the commands that take players, and opening the players named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Annotated, Any, TypeVar

import typer

from solver.agent.agent import TableAgent, open_agent
from solver.agent.installed import LazyTable
from solver.cli.options import choice, load_checked, option
from solver.errors import UnknownPlayerError
from solver.players import PLAYERS, Player, closing, derived_seed, load_player
from solver.players.conventions import CONVENTIONS, usual_convention
from solver.players.player import LATE, LIMIT, Choose, PlayerFault

Key = TypeVar("Key", int, str)  # a number in a list of players, or a side
PLAYER_NAME = "name listed by 'perfectplay players', or FILE.py:FUNCTION or command:PROGRAM."

USUAL = "rows, or text where moves are neither cells nor columns"


def complete_players() -> list[str]:
    """Return the names of the players, for shell completion."""
    return ["human", *(entry.stem for entry in PLAYERS)]


def player(metavar: str, help_text: str) -> Any:
    """Return an argument that takes a player, or several."""
    return typer.Argument(metavar=metavar, help=help_text, autocompletion=complete_players)


def player_option(name: str, help_text: str) -> Any:
    """Return an option that takes a player."""
    return option(name, "PLAYER", help_text, autocompletion=complete_players)


Players = Annotated[list[str], player("PLAYER", f"A {PLAYER_NAME}")]
Convention = Annotated[
    str | None,
    choice("--convention", CONVENTIONS, "Choose how custom players see the board.", USUAL),
]
Deterministic = Annotated[
    bool, typer.Option("--deterministic", help="Treat custom players as deterministic.")
]
Limit = Annotated[
    float,
    option("--limit", "SECONDS", "Allow custom players this many seconds for each move.", min=0),
]


def open_later(game: str, table: str | None) -> TableAgent:
    """Return what `open_agent` does, but open the installed table only when it is used."""
    if table is not None:
        return open_agent(game, table)
    later: Any = LazyTable(load_checked(game), game)
    return TableAgent(later)


@contextmanager
def open_players(
    names: Mapping[Key, str],
    agent: TableAgent,
    deterministic: bool = False,
    limit: float = LIMIT,
    seed: int = 0,
    ranked: bool = False,
    convention: str | None = None,
) -> Iterator[dict[Key, Player]]:
    """Give the player named for each key, with a seed of its own, and close them in the end.

    In place of one that hangs when it is loaded there is one that never answers, if it is `ranked`.
    """
    players = {}
    convention = convention or usual_convention(agent.game)
    with ExitStack() as stack:
        for key, name in names.items():
            chance = derived_seed(seed, key)
            try:
                players[key] = load_player(name, agent, convention, deterministic, limit, chance)
            except UnknownPlayerError as error:
                if not ranked or LATE not in str(error):
                    raise
                players[key] = Player(name, _never(str(error)))
            stack.enter_context(closing(players[key]))
        yield players


def _never(detail: str) -> Choose:
    """Return the choice of a player that was too slow to be loaded."""

    def choose(_: Any, __: str) -> Any:
        raise PlayerFault("too slow", detail, final=True)

    return choose
