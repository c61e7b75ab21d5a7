"""The probabilities of the moves of a player, given the player's name."""

from __future__ import annotations

import time
from typing import Any

from solver.agent.agent import TableAgent
from solver.agent.answers import Chances
from solver.errors import UnknownPlayerError, printable
from solver.players import PLAYERS, fits, load_player
from solver.rules.game import Game

LONGEST = 100  # characters of a name
TIME_LIMIT = 3.0  # seconds


class Timed:
    """The rules of a game, except that `play` raises an error after a time limit."""

    def __init__(self, game: Game[Any, Any], seconds: float) -> None:
        self._game, self._end = game, time.monotonic() + seconds

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def play(self, p: Any, m: Any) -> Any:
        """Return the position after a move; raises ValueError after the time limit."""
        if time.monotonic() > self._end:
            raise ValueError(
                f"the player needs more than {TIME_LIMIT:g} s in {self._game.spec}; try one that"
                " looks less far ahead"
            )
        return self._game.play(p, m)


def move_odds(agent: TableAgent, name: str, p: Any, seat: str) -> Chances:
    """Return the moves that a player makes in a position, and what it thinks of them.

    Only the players in `PLAYERS` are allowed: user code is never run for remote clients. Raises
    UnknownPlayerError, and ValueError if the player takes too long.
    """
    game = agent.game
    if len(name) > LONGEST or not fits(name, agent):
        raise UnknownPlayerError(
            f"no player of {game.spec} is called {printable(repr(name), 60)}; the players are:"
            f" {', '.join(supported_players(agent))}"
        )
    timed: Any = Timed(game, TIME_LIMIT)
    timed_agent = TableAgent(agent.table)
    timed_agent.game = timed
    try:
        return load_player(name, timed_agent).hand(timed, p, seat)
    except RecursionError:
        raise ValueError(f"{name} looks too far ahead in {game.spec}") from None


def supported_players(agent: TableAgent) -> list[str]:
    """Return the names of the players that fit an agent's game."""
    return [entry.name for entry in PLAYERS if entry.games.include(agent.game)]
