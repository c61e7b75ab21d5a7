"""The games that a server answers about: opening their tables, and describing each game."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from solver.agent.agent import TableAgent
from solver.agent.facts import value_of
from solver.agent.installed import LazyTable, open_installed
from solver.errors import NoBoardError, SearchLimitError, TableFormatError, UnknownGameError
from solver.games import FAMILIES, load_built_in, load_game
from solver.games.catalogue import GAMES
from solver.games.catalogue import Listing as Entry
from solver.pictures.board_layout import layout_of
from solver.pictures.strategy_map import make_plan
from solver.players import players_of
from solver.players.from_table import all_levels
from solver.rules.descriptions import about_of, title_of
from solver.rules.game import Game, fingerprint, walk
from solver.rules.search import node_limit
from solver.tables.mapped_file import MOST_HEADER
from solver.tables.mapped_table import MappedTable
from solver.tables.open import table_of
from solver.tables.source import open_source
from solver.tables.store import MOST_BYTES, find_table, rules_of
from solver.web.answers import Listing
from solver.web.client_positions import Batches
from solver.web.messages import RequestError, etag_of, tag_of
from solver.web.whole_game import is_small

if TYPE_CHECKING:
    from anyio import CapacityLimiter

NODES = 60_000_000  # that the searches of one request may take: some ten seconds
THREADS = 4  # that run the rules of one custom game, or search
GUESSES = {"easy": 0.3, "medium": 0.65, "hard": 0.9}  # of the levels of games without measured ones
ALWAYS = "tictactoe"  # served: the page plays it without the server
SEARCHED = "connect4:7x6"  # offered, too, by a server without other games: its book is here
SOON = 2_000  # positions up to symmetry of the others that it offers: solved within half a second


class ServedGame:
    """A game with its table, and what follows from the table's checksum.

    A game that waits is solved when a request first needs its table; until then, it is described
    from its rules and from the list of games.
    """

    def __init__(self, agent: TableAgent) -> None:
        self._given, self.game, self.is_custom = agent, agent.game, agent.is_custom
        self.waits = isinstance(agent.table, LazyTable)
        self.sha256 = fingerprint(agent.game) if self.waits else agent.table.sha256
        self.tag = tag_of(self.sha256)
        self.etag = etag_of(self.tag)
        self.description = _describe(self)

    @cached_property
    def agent(self) -> TableAgent:
        """The answers about the game, which may take half a second to get ready."""
        return TableAgent(open_installed(self.game)) if self.waits else self._given

    @cached_property
    def batches(self) -> Batches:
        """The answers about many positions."""
        return Batches(self.agent)

    @cached_property
    def pool(self) -> CapacityLimiter | None:
        """The threads of a game that may hold up others, which only a server has."""
        from anyio import CapacityLimiter

        is_slow = self.is_custom or self.waits or self._given.table.is_searched
        return CapacityLimiter(THREADS) if is_slow else None


class Catalogue:
    """All games of a server, by name."""

    def __init__(self, agents: Sequence[TableAgent]) -> None:
        self.games = {agent.game.spec: ServedGame(agent) for agent in agents}

    def find(self, name: str) -> ServedGame:
        """Return a game; raises RequestError."""
        if name not in self.games and name in FAMILIES:  # as connect4 is connect4:7x6
            with suppress(UnknownGameError):
                name = load_built_in(name).spec
        if name not in self.games:
            names = ", ".join(self.games)
            raise RequestError(404, f"no game {name!r:.100} is served here; the games are: {names}")
        return self.games[name]


def open_agents(names: Sequence[str], files: Sequence[str]) -> list[TableAgent]:
    """Return the agents for games by name, then for tables by file, then tic-tac-toe.

    A game without a file among `files` gets the table found for it. Raises OSError,
    UnknownGameError, TableFormatError for a file that is damaged, altered or of other rules, and
    ValueError for two files of one game.
    """
    rules = {game.spec: (game, name) for name in names for game in (load_game(name),)}
    agents: dict[str, TableAgent] = {}
    for path in files:
        agent = _open(path, [game for game, _ in rules.values()])
        if agent.game.spec in agents:
            raise ValueError(f"{path} is a second table of {agent.game.spec}; give only one")
        agents[agent.game.spec] = agent
    for spec, (game, name) in {**rules, ALWAYS: (load_game(ALWAYS), ALWAYS)}.items():
        if spec not in agents:
            try:
                agents[spec] = _open(find_table(spec, name, rules_of(game)), [game])
            except FileNotFoundError:
                agents[spec] = TableAgent(open_installed(game, name))
    return [agents[spec] for spec in dict.fromkeys([*rules, *agents])]


def offered() -> list[TableAgent]:
    """Return the agents for the games that a server offers if it is told of none.

    They are tic-tac-toe, Connect 4 and all built-in games that are solved soon, which wait.
    """
    soon = [each.spec for each in GAMES if 0 < (each.canonical or 0) <= SOON]
    waiting = [LazyTable(load_built_in(spec), spec) for spec in soon if spec != ALWAYS]
    return [
        *open_agents([ALWAYS, SEARCHED], ()),
        *(TableAgent(cast("Any", table)) for table in waiting),
    ]


def _open(path: str, rules: Sequence[Game[Any, Any]]) -> TableAgent:
    """Return the agent for a table; its rules are among these or the built-in."""
    try:
        source = open_source(path, MOST_BYTES)  # what happens to a copied file does not matter
        head = source.read_at(0, min(MOST_HEADER + 8, source.size))
        stated = (game for game in rules if f'"game":"{game.spec}"'.encode() in head)
        table = table_of(source, next(stated, None))
        if isinstance(table, MappedTable):
            table.check_hash()
    except TableFormatError as error:
        raise TableFormatError(f"{path}: {error}") from error
    return TableAgent(table)


def _value(agent: TableAgent) -> dict[str, Any]:
    """Return the value of the start; no outcome if it takes a long search."""
    try:
        with node_limit(NODES):
            return {**value_of(agent.table.probe(agent.game.initial()))}
    except SearchLimitError:
        return {"outcome": None, "distance": None}


def _listed_value(listed: Entry) -> dict[str, Any]:
    """Return the value of the start that the list of games has."""
    words = listed.value.replace(",", "").split()
    outcomes = {"draw": "draw", "first": "win", "second": "loss"}
    plies = [int(word) for word in words if word.isdigit()]
    outcome = next(outcomes[word] for word in words if word in outcomes)
    return {"outcome": outcome, "distance": plies[0] if plies else None}


def _has_map(agent: TableAgent) -> bool:
    """Return whether the page shows a map of each side's perfect play."""
    try:
        return all(make_plan(agent, seat) for seat in agent.game.seats)
    except ValueError:
        return False


def sample_position(game: Game[Any, Any]) -> Any:
    """Return a position that shows what a game with a board looks like.

    It is the start if there are pieces, and otherwise one with half of the cells taken.
    """
    p = game.initial()
    empty = game.marks(game.text(p))
    for q in walk(game, 1 + len(empty) // 2) if set(empty) == {"."} else ():
        if game.primitive(q) is not None:
            break
        p = q
    return p


def _describe(served: ServedGame) -> Listing:
    """Return the entry of a game in `GET /api/v1/games`."""
    game = served.game
    start = game.initial()
    measured = all_levels().get(game.spec, {})
    levels: Any = {word: measured.get(word, {"p": guess})["p"] for word, guess in GUESSES.items()}
    style: Any
    try:
        layout = layout_of(game)
        style, joined = {"cells": "grid"}.get(layout.style, layout.style), sorted(layout.joined)
        places = [*layout.places]
    except NoBoardError:
        style, joined, places = None, [], []
    listing: Any = {
        "game": game.spec,
        "title": title_of(game),
        "about": about_of(game),
        "seats": game.seats,
        "board": game.board,
        "style": style,
        "joined": joined,
        "places": places,
        "start": game.text(start),
        "marks": game.marks(game.text(start)) if game.has_cells else None,
        "sample": game.marks(game.text(sample_position(game))) if game.has_cells else None,
        "players": players_of(game),
        "levels": levels,
        "sha256": served.sha256,
        "tag": served.tag,
    }
    known = _known(game, listing) if served.waits else _found(served.agent)
    described: Listing = listing | known
    return described


def _found(agent: TableAgent) -> dict[str, Any]:
    """Return the part of a game's entry that follows from its table."""
    table: Any = agent.table
    whole, searched = is_small(agent), table.is_searched
    listed = {each.spec: each for each in GAMES if searched}.get(agent.game.spec)
    value = _listed_value(listed) if listed and table.book else _value(agent)
    found = {
        "positions": table.counts.get("positions", listed and listed.positions),
        "canonical": table.counts.get("canonical"),
        **value,
        "published": listed and listed.value,
        "searched": searched,
        "whole": whole,
        "map": whole and _has_map(agent),
    }
    return found | ({"rules_changed": True} if table.rules_changed else {})


def _known(game: Game[Any, Any], listing: Any) -> dict[str, Any]:
    """Return that part for a small game that has no table yet, from the list of games."""
    listed = next(each for each in GAMES if each.spec == game.spec)
    return {
        "positions": listed.positions,
        "canonical": listed.canonical,
        **_listed_value(listed),
        "published": None,
        "searched": False,
        "whole": True,
        "map": listing["style"] == "grid" and game.board == (3, 3),
    }
