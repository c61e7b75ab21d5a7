"""The games that a server answers about: which tables, and what is told of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from solver.agent.agent import TableAgent
from solver.errors import NoBoardError, TableFormatError
from solver.games import load_game
from solver.games.catalogue import GAMES
from solver.pictures.board_layout import layout_of
from solver.tables.mapped_file import MOST_HEADER
from solver.tables.mapped_table import MappedTable
from solver.tables.open import table_of
from solver.tables.store import find_table, read_table
from solver.version import __version__
from solver.web.player_odds import fitting

if TYPE_CHECKING:
    from collections.abc import Sequence

    from solver.rules.game import Game

FIRST = "tictactoe"  # always served: the page plays it without asking
TITLES = {listing.spec: listing.title for listing in GAMES}


class Served(NamedTuple):
    """A game with its table, the table's checksum and the tag of answers that follow from it."""

    agent: TableAgent
    sha256: str
    tag: str


def serve(agent: TableAgent) -> Served:
    """Return a game as it is served."""
    digest = agent.table.sha256
    return Served(agent, digest, tag(digest))


def tag(digest: str) -> str:
    """Return the tag of what follows from bytes with this checksum, by this version."""
    return f"{digest[:32]}-{__version__}"


def etag_of(tag: str) -> str:
    """Return the header for a tag; it is weak, for an answer may be sent compressed or not."""
    return f'W/"{tag}"'


def open_agents(names: Sequence[str], files: Sequence[str]) -> list[TableAgent]:
    """Return the agents for tables by file and for games by name, tic-tac-toe first.

    A game that has no file among `files` gets the table found for it. Raises OSError,
    UnknownGameError, and TableFormatError for a table that is damaged, altered or of other rules,
    and ValueError for two tables of one game.
    """
    rules = {game.spec: (game, name) for name in names for game in (load_game(name),)}
    agents: dict[str, TableAgent] = {}
    for path in files:
        agent = _open(path, [game for game, _ in rules.values()])
        if agent.game.spec in agents:
            raise ValueError(f"{path} is a second table of {agent.game.spec}: name one")
        agents[agent.game.spec] = agent
    for spec, (game, name) in {FIRST: (load_game(FIRST), FIRST), **rules}.items():
        if spec not in agents:
            agents[spec] = _open(find_table(spec, name), [game])
    return [agents.pop(FIRST), *agents.values()]


def _open(path: str, rules: Sequence[Game[Any, Any]]) -> TableAgent:
    """Return the agent for a table, by those of the rules that it names, or the built-in ones."""
    data = read_table(path)
    head = bytes(data[: MOST_HEADER + 8])
    named = (game for game in rules if f'"game":"{game.spec}"'.encode() in head)
    try:
        table = table_of(data, next(named, None))
        if isinstance(table, MappedTable):
            table.check_hash()
    except TableFormatError as error:
        raise TableFormatError(f"{path}: {error}") from error
    return TableAgent(table)


def facts(served: Served) -> dict[str, Any]:
    """Return what `GET /api/v1/games` tells of a game."""
    agent = served.agent
    game, table = agent.game, agent.table
    start = game.initial()
    try:
        plan = layout_of(game)
        style, joined = {"cells": "grid"}.get(plan.style, plan.style), sorted(plan.joined)
    except NoBoardError:
        style, joined = None, []
    return {
        "game": game.spec,
        "title": TITLES.get(game.spec, game.spec),
        "seats": list(game.seats),
        "board": None if game.board is None else list(game.board),
        "style": style,
        "joined": joined,
        "start": game.text(start),
        "positions": table.counts["positions"],
        "canonical": table.counts["canonical"],
        "outcome": str(agent.outcome(start)),
        "distance": agent.distance(start),
        "players": fitting(agent),
        "sha256": served.sha256,
        "tag": served.tag,
    }
