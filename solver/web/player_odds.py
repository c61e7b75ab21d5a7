"""The exact chances of a player by name: with which probability it makes each move."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from solver.agent.agent import TableAgent
from solver.errors import UnknownPlayerError, printable
from solver.players import PLAYERS, fits, load_player
from solver.tables.json_table import Table

if TYPE_CHECKING:
    from solver.rules.game import Game

LONGEST = 100  # characters of a name
PATIENCE = 3.0  # seconds
NESTING = "perfect-against:"


class TooLongError(ValueError):
    """A player thinks longer than a server has time for."""


class Timed:
    """The rules of a game, in which play is refused once the time is up."""

    def __init__(self, game: Game[Any, Any], seconds: float) -> None:
        self._game, self._end = game, time.monotonic() + seconds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def play(self, p: Any, m: Any) -> Any:
        """Return the position after a move; raises TooLongError."""
        if time.monotonic() > self._end:
            raise TooLongError(
                f"the player thinks longer than {PATIENCE:g} s in {self._game.spec}; ask for one"
                " that looks less far ahead"
            )
        return self._game.play(p, m)


def chances(agent: TableAgent, name: str, p: Any, seat: str) -> dict[str, Any]:
    """Return the moves that a player makes in a position, with their probabilities.

    Raises UnknownPlayerError for a name that is none of the list: nobody's own code is run for a
    stranger. Raises TooLongError.
    """
    check_name(agent, name)
    game = agent.game
    timed: Any = Timed(game, PATIENCE)
    asked = TableAgent(agent.table)
    asked.game = timed
    over = game.primitive(p) is not None
    try:
        shares = {} if over else load_player(name, asked).distribution(timed, p, seat)
    except RecursionError:
        raise TooLongError(f"{name} looks too far ahead in {game.spec}") from None
    return {
        "game": game.spec,
        "position": game.text(p, seat),
        "turn": seat,
        "player": name,
        "moves": [
            {"move": game.code(m), "label": game.label(p, m), "probability": shares[m]}
            for m in (() if over else game.moves(p))
            if shares.get(m)
        ],
    }


def fitting(agent: TableAgent) -> list[str]:
    """Return the names of the players that fit an agent's game, and can answer in time."""
    small = isinstance(agent.table, Table)  # who plays against a player follows all its games
    fit = [entry.name for entry in PLAYERS if entry.games.include(agent.game)]
    return [name for name in fit if small or not name.startswith(NESTING)]


def check_name(agent: TableAgent, name: str) -> None:
    """Raise UnknownPlayerError unless a player of the list has this name and fits the game."""
    rest = name
    while rest.startswith(NESTING):
        rest = rest.removeprefix(NESTING)
    if len(name) > LONGEST or not fits(rest, agent):
        raise UnknownPlayerError(
            f"no player that fits {agent.game.spec} has the name {printable(repr(name), 60)}; they"
            f" are: {', '.join(fitting(agent))}"
        )
