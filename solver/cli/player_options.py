"""Arguments and options of the commands that take players, and opening the players named."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Annotated, Any, TypeVar

import typer

from solver.agent.agent import TableAgent
from solver.cli.options import choice, option
from solver.players import PLAYERS, Player, closing, derived_seed, load_player
from solver.players.conventions import CONVENTIONS

Place = TypeVar("Place", int, str)  # a number in a list of players, or a side
PLAYER_NAME = "name listed by 'perfectplay players', or FILE.py:FUNCTION or command:PROGRAM."


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
    str, choice("--convention", CONVENTIONS, "Choose how custom players see the board.")
]
Deterministic = Annotated[
    bool, typer.Option("--deterministic", help="Treat custom players as deterministic.")
]
Limit = Annotated[
    float,
    option("--limit", "SECONDS", "Allow custom players this much CPU time for each move.", min=0),
]


@contextmanager
def open_players(
    names: Mapping[Place, str],
    agent: TableAgent,
    convention: str,
    deterministic: bool,
    limit: float,
    seed: int,
) -> Iterator[dict[Place, Player]]:
    """Give the player named for each place, with a seed of its own, and close them in the end."""
    players = {}
    with ExitStack() as stack:
        for place, name in names.items():
            chance = derived_seed(seed, place)
            players[place] = load_player(name, agent, convention, deterministic, limit, chance)
            stack.enter_context(closing(players[place]))
        yield players
