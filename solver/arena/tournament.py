"""Round-robin tournaments: a cross-table of exact results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from solver.arena.match import Fault, Match, Result, mean, play_exact, play_sampled
from solver.errors import InexactPlayerError, MatchTooLargeError

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.players import Player
    from solver.rules.game import Game


class Standing(NamedTuple):
    """A player's place."""

    rank: int
    player: str
    points: float
    """The mean over all opponents of win + draw / 2."""
    result: Result
    """The mean result over all opponents, moving first in half of the games."""


class Tournament(NamedTuple):
    """Standings, best first, and every match."""

    standings: list[Standing]
    matches: list[Match]

    def match(self, a: str, b: str) -> Match:
        """Return the match of a against b, from a's view."""
        for match in self.matches:
            if (match.a, match.b) == (a, b):
                return match
            if (match.a, match.b) == (b, a):
                return turned(match)
        raise KeyError(f"{a} did not play {b}")

    @property
    def faults(self) -> list[Fault]:
        """All faults of all players."""
        return list(dict.fromkeys(fault for match in self.matches for fault in match.faults))


def turned(match: Match) -> Match:
    """Return the same match from b's view."""
    return match._replace(
        a=match.b,
        b=match.a,
        a_first=match.a_second.turned,
        a_second=match.a_first.turned,
        both=match.both.turned,
    )


def play_tournament(
    game: Game[Any, Any],
    players: list[Player],
    games: int = 1000,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda played, total: None,
) -> Tournament:
    """Return the cross-table of all players.

    A match without an exact result, or too large for one, is sampled with `games` and `seed`.
    `progress` is called with the number of matches played and their total. Raises ValueError for
    fewer than two players or two of the same name.
    """
    names = [player.name for player in players]
    if len(names) < 2 or len(set(names)) < len(names):
        raise ValueError("a tournament needs two or more players, each of them once")
    pairs = [(a, b) for i, a in enumerate(players) for b in players[i + 1 :]]
    matches = []
    for number, (a, b) in enumerate(pairs, 1):
        try:
            matches.append(play_match(game, a, b, games, seed))
        except MatchTooLargeError:
            matches.append(play_sampled(game, a, b, games, seed))
        progress(number, len(pairs))
    table = Tournament([], matches)
    results = {a: mean([table.match(a, b).both for b in names if b != a]) for a in names}
    points = {a: result.win + result.draw / 2 for a, result in results.items()}
    order = sorted(names, key=lambda a: (-points[a], names.index(a)))
    standings = [Standing(i, a, points[a], results[a]) for i, a in enumerate(order, 1)]
    return Tournament(standings, matches)


def play_match(
    game: Game[Any, Any],
    a: Player,
    b: Player,
    games: int,
    seed: int,
    progress: Callable[[int], None] = lambda played: None,
) -> Match:
    """Return the exact match, or a sampled one if a player's probabilities are unknown.

    Raises MatchTooLargeError if an exact match would be too large.
    """
    try:
        return play_exact(game, a, b)
    except InexactPlayerError:
        return play_sampled(game, a, b, games, seed, progress)
