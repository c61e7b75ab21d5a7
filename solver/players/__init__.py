"""Players: each chooses a move in a position. Takes a name or a function; returns a Player.

A name may have an argument after a colon, as in `nstep:4`. A custom player is
`path/to/file.py:function`, `package.module:function` or `python:module:function`, where the
function may be a method of an object, as in `file.py:bot.move` (see `solver.players.conventions`),
or `command:PROGRAM ARGUMENTS` (see `solver.players.external`).

Read `solver/players/player.py` first.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from solver.agent.agent import TableAgent
from solver.errors import UnknownPlayerError
from solver.games.custom import PREFIX, is_custom
from solver.players import from_table
from solver.players.heuristics import HEURISTICS
from solver.players.player import COMMAND, EVERY_GAME, LIMIT, ListedPlayer
from solver.players.player import Player as Player
from solver.players.player import PlayerFault as PlayerFault
from solver.players.player import pick as pick
from solver.rules.game import Game

PLAYERS = (
    *HEURISTICS,
    ListedPlayer("minimax", from_table.minimax, EVERY_GAME, from_table.minimax),
    ListedPlayer("perfect", from_table.perfect, EVERY_GAME, from_table.perfect),
    ListedPlayer("level:P", from_table.level, EVERY_GAME, from_table.level),
)
"""All built-in players but `human`, which the terminal provides."""


def load_player(
    name: str,
    agent: TableAgent,
    convention: str = "rows",
    deterministic: bool = False,
    limit: float = LIMIT,
    seed: int = 0,
    show_output: bool = False,
    deadline: float = math.inf,
) -> Player:
    """Return the player of a name for the agent's game; close it after use.

    The other arguments apply to a custom player: how it sees the board, whether it always makes the
    same move in a position, its time limit in seconds for an answer, its random seed, whether what
    it prints appears on standard error, and by when it must be loaded (see `Player.deadline`).

    Raises UnknownPlayerError if there is no such player or it does not fit the game, and
    FileNotFoundError if it needs a table that there is not.
    """
    listed = _find(name)
    is_python = is_custom(name) or name.endswith(".py")
    if listed is None and (name.startswith(COMMAND) or is_python):
        from solver.players.external import CommandPlayer, PythonPlayer

        settings = deterministic, limit, show_output, deadline
        if name.startswith(COMMAND):
            return CommandPlayer(name, agent.game, *settings)
        return PythonPlayer(name, agent.game, convention, seed, *settings)
    if listed is None:
        raise UnknownPlayerError(_suggestion(name))
    if not listed.games.include(agent.game):
        raise UnknownPlayerError(f"{name} fits {listed.games.label}, not {agent.game.spec}")
    argument = name.partition(":")[2]
    if argument and ":" not in listed.name:
        raise UnknownPlayerError(
            f"{name!r} is not a player; {listed.name} takes nothing after a colon"
        )
    if listed not in HEURISTICS:
        agent.table.probe(agent.game.initial())  # raises here if there is no table
    return Player(name, listed.build(agent, argument))


def fits(name: str, agent: TableAgent) -> bool:
    """Return whether a built-in player fits the agent's game."""
    listed = _find(name)
    return listed is not None and listed.games.include(agent.game)


def searches(name: str) -> bool:
    """Return whether a built-in player looks ahead as far as its argument says."""
    listed = _find(name)
    return listed is not None and listed.name.endswith(":N")


def players_of(game: Game[Any, Any]) -> list[str]:
    """Return the names of the built-in players that fit a game."""
    return [player.name for player in PLAYERS if player.games.include(game)]


def derived_seed(seed: int, key: object) -> int:
    """Return a seed for the player of a side, or with a number, so that no two draw the same."""
    return random.Random(f"{seed} {key}").getrandbits(32)


@contextmanager
def closing(*players: Player) -> Iterator[None]:
    """Close the players when the block ends."""
    try:
        yield
    finally:
        for player in players:
            player.close()


def _suggestion(name: str) -> str:
    """Return what to write in place of a name that is not a player's."""
    names = ", ".join(player.name for player in PLAYERS)
    custom = "FILE.py, FILE.py:FUNCTION, python:MODULE:FUNCTION or command:PROGRAM"
    listed = f"the players are: human, {names}, and custom ones as {custom}"
    if name == "human":
        return f"human plays at the terminal only, {listed}"
    stems = [player.stem for player in PLAYERS]
    prefix, colon, _ = name.partition(":")
    close = get_close_matches(prefix.lower(), stems, 1, cutoff=0.7)
    question = f"write {PREFIX}{name} for a function of a module; " * bool(colon)
    question = f"did you mean {close[0]}? " if close else question
    return f"there is no player {name!r}; {question}{listed}"


def _find(name: str) -> ListedPlayer | None:
    """Return the built-in player that a name with its argument belongs to."""
    stem = name.partition(":")[0]
    return next((listed for listed in PLAYERS if listed.stem == stem), None)
