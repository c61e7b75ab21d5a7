"""Reads what the user names: tables, positions, players, sizes and pictures to write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from solver.agent.agent import TableAgent
from solver.agent.facts import read_position
from solver.errors import TableFormatError
from solver.files import check_writable
from solver.games import load_game
from solver.players import Player, closing, load_player
from solver.tables.open import open_table
from solver.tables.store import find_table

if TYPE_CHECKING:
    from contextlib import ExitStack

    from solver.rules.game import Game
    from solver.tables.json_table import Table
    from solver.tables.mapped_table import MappedTable

SIZES = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
SIZES |= {"KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40}


def open_agent(game: str, table: str | None) -> TableAgent:
    """Return the agent for a game that plays from a table file; by default, the installed one."""
    rules = load_game(game)
    return TableAgent(
        open_table_file(find_table(rules.spec, game) if table is None else table, rules)
    )


def open_table_file(path: str, game: Game[Any, Any] | None = None) -> Table | MappedTable:
    """Return the table in a file; raises OSError, and TableFormatError that names the file."""
    try:
        return open_table(path, game)
    except TableFormatError as error:
        raise TableFormatError(f"{path}: {error}") from error


def open_position(
    game: str, table: str | None, position: str | None, turn: str | None
) -> tuple[TableAgent, Any, str]:
    """Return the agent, the position that a text describes and the side to move there."""
    agent = open_agent(game, table)
    return agent, *read_position(agent.game, position, turn)


def open_player(
    stack: ExitStack,
    name: str,
    agent: TableAgent,
    convention: str,
    deterministic: bool,
    limit: float,
    seed: int,
) -> Player:
    """Return the player of a name, which is closed with the stack."""
    player = load_player(name, agent, convention, deterministic, limit, seed)
    stack.enter_context(closing(player))
    return player


def parse_size(text: str | None) -> int | None:
    """Return the bytes in a size such as 4GB or 512MiB, and None for None; raises ValueError."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,15}(?:\.\d{1,15})?) *([A-Z]*)", text.strip().upper(), re.ASCII)
    if match is None or match[2] not in SIZES or not float(match[1]):
        raise ValueError(f"{text!r} is not a size: write a number with MB or GB, such as 4GB")
    return int(float(match[1]) * SIZES[match[2]])


def check_svg_path(path: str | None, *others: str) -> None:
    """Raise ValueError unless a file's name ends in .svg, and OSError if it cannot be written.

    `others` are suffixes that the user may write instead.
    """
    if path is not None and not path.endswith(".svg"):
        suffixes = " or ".join((".svg", *others))
        raise ValueError(f"{path!r}: the name of the picture must end in {suffixes}")
    check_writable(path)
