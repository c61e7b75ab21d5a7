"""Players by name: what makes a move in a position.

A name may carry an argument after a colon, as in `nstep:4` or `perfect-against:random`. A player
of one's own is `path/to/file.py:function` or `module:function`; see `solver.players.conventions`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.errors import UnknownPlayerError
from solver.players import from_table as optimal
from solver.players import heuristics as rules
from solver.players import lookahead
from solver.players.external import LIMIT, Outside, player_from_function
from solver.players.player import Choose, Player, PlayerFault, pick

__all__ = [
    "PLAYERS",
    "Player",
    "PlayerFault",
    "fits",
    "load_player",
    "opened",
    "own_seed",
    "pick",
    "player_from_function",
]

if TYPE_CHECKING:
    from solver.agent.agent import TableAgent
    from solver.rules.game import Game

Fits = tuple[str, Callable[["Game[Any, Any]"], bool]]

EVERY: Fits = ("every game", lambda game: True)
THREATS: Fits = (
    "games whose rules define `threats`",
    lambda g: g.threats(g.initial()) is not None,
)
BOARD: Fits = ("tictactoe", lambda g: g.spec == "tictactoe")


class Entry(NamedTuple):
    """A player of the list: its name, what it does, which games it fits, and how to make it."""

    name: str
    about: Any
    fits: Fits
    build: Callable[[TableAgent, str], Choose]


def _rule(name: str, choose: Callable[[Any, Any], Any], fits: Fits) -> Entry:
    """Return the entry of a player that is a function of game and position."""
    return Entry(name, choose, fits, lambda agent, _: lambda p, seat: choose(agent.game, p))


def _lookahead1(agent: TableAgent, variant: str) -> Choose:
    if variant not in ("", "printed"):
        raise UnknownPlayerError(f"lookahead1:{variant} is no player; there is lookahead1:printed")
    game: Any = agent.game
    return lambda p, _: lookahead.lookahead1(game, p, printed=variant == "printed")


def _nstep(agent: TableAgent, depth: str) -> Choose:
    if not (depth.isascii() and depth.isdigit() and 1 <= int(depth) <= 1000):
        raise UnknownPlayerError(
            f"nstep:{depth} is no player; give the plies to look, as in nstep:3"
        )
    return lookahead.NStep(agent.game, int(depth))


def _level(agent: TableAgent, skill: str) -> Choose:
    try:
        share = float(skill)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise UnknownPlayerError(
            f"level:{skill} is no player; give a number from 0 to 1: level:0.5"
        )
    return optimal.level(agent, share)


def _perfect_against(agent: TableAgent, opponent: str) -> Choose:
    if not opponent:
        raise UnknownPlayerError("perfect-against needs a player, as in perfect-against:winblock")
    return optimal.PerfectAgainst(agent, load_player(opponent, agent))


PLAYERS = (
    _rule("random", rules.random, EVERY),
    _rule("win", rules.win, EVERY),
    _rule("winblock", rules.winblock, THREATS),
    _rule("think1", rules.think1, EVERY),
    _rule("think2", rules.think2, THREATS),
    _rule("think3", rules.think3, THREATS),
    Entry("lookahead1[:printed]", lookahead.lookahead1, BOARD, _lookahead1),
    Entry("nstep:N", lookahead.NStep, EVERY, _nstep),
    _rule("center-first", rules.center_first, BOARD),
    _rule("corner-first", rules.corner_first, BOARD),
    Entry("minimax", optimal.minimax, EVERY, lambda agent, _: optimal.minimax(agent)),
    Entry("perfect", optimal.perfect, EVERY, lambda agent, _: optimal.perfect(agent)),
    Entry("perfect-against:PLAYER", optimal.PerfectAgainst, EVERY, _perfect_against),
    Entry("level:P", optimal.level, EVERY, _level),
)
"""All but `human`, which the terminal provides."""


def load_player(
    name: str,
    agent: TableAgent,
    convention: str = "rows",
    deterministic: bool = False,
    limit: float = LIMIT,
    seed: int = 0,
) -> Player:
    """Return the player of a name for the agent's game; close it after use.

    The other arguments are for a player of one's own: how it sees the board, whether it always
    makes the same move, how many seconds it has for a move, and the seed of its chance.

    Raises UnknownPlayerError, which lists the names or says what does not fit.
    """
    entry = _find(name)
    if entry is None and ":" in name:
        return Outside(name, agent.game, convention, deterministic, limit, seed)
    if entry is None:
        names = ", ".join(entry.name for entry in PLAYERS)
        terminal = "human plays at the terminal only, " if name == "human" else ""
        raise UnknownPlayerError(
            f"{terminal or f'there is no player {name!r}; '}the players are: human, {names},"
            " and your own as FILE.py:FUNCTION"
        )
    if not entry.fits[1](agent.game):
        raise UnknownPlayerError(f"{name} fits {entry.fits[0]}, not {agent.game.spec}")
    argument = name.partition(":")[2]
    if argument and ":" not in entry.name:
        raise UnknownPlayerError(f"{name!r} is no player; {entry.name} takes nothing after a colon")
    choose = entry.build(agent, argument)
    parts = (choose.opponent,) if isinstance(choose, optimal.PerfectAgainst) else ()
    return Player(name, choose, parts=parts)


def fits(name: str, agent: TableAgent) -> bool:
    """Return whether a player of the list fits the agent's game."""
    entry = _find(name)
    return entry is not None and entry.fits[1](agent.game)


def own_seed(seed: int, place: object) -> int:
    """Return a seed for the player at a place, so that no two draw the same numbers."""
    return random.Random(f"{seed} {place}").getrandbits(32)


@contextmanager
def opened(*players: Player) -> Iterator[None]:
    """Close the players in the end, however it comes."""
    try:
        yield
    finally:
        for player in players:
            player.close()


def _find(name: str) -> Entry | None:
    """Return the entry that a name with its argument belongs to."""
    stem = name.partition(":")[0]
    return next((e for e in PLAYERS if e.name.partition(":")[0].rstrip("[") == stem), None)
