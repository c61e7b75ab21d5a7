"""Tournaments: every player against every other. Takes a game and players; returns a Tournament."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from time import monotonic
from typing import Any, NamedTuple

from solver.arena.again import ask_again
from solver.arena.match import Match, Result, mean, play_sampled, play_unchecked
from solver.errors import InexactPlayerError, MatchTooLargeError
from solver.players.player import Player
from solver.rules.game import Game


class Standing(NamedTuple):
    """A player's place in a tournament."""

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

    @property
    def results(self) -> dict[tuple[str, str], Result]:
        """The mean result of every player, named first, against every other."""
        one_way = {(match.a, match.b): match.both for match in self.matches}
        return one_way | {(b, a): result.turned for (a, b), result in one_way.items()}


def play_tournament(
    game: Game[Any, Any],
    players: list[Player],
    games: int = 1000,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda played, total: None,
) -> Tournament:
    """Return the cross-table of all players.

    A match without an exact result, or too large for one, is sampled with `games` and `seed`. So
    are all matches of a player that answers otherwise when it is asked again after them.
    `progress` is called with the number of matches played, at first 0, and their total. Raises
    ValueError for fewer than two players or two of the same name.
    """
    names = [player.name for player in players]
    if len(names) < 2 or len(set(names)) < len(names):
        raise ValueError("a tournament needs two or more players, each of them once")
    started = monotonic()
    pairs = [*combinations(players, 2)]
    matches = []
    progress(0, len(pairs))
    for number, (a, b) in enumerate(pairs, 1):
        matches.append(_play(game, a, b, games, seed))
        progress(number, len(pairs))
    for player in players:
        ask_again(game, player, monotonic() - started)
    for number, (a, b) in enumerate(pairs):  # a player may have changed its answers since
        if matches[number].method == "exact" and (a.changed or b.changed):
            matches[number] = play_sampled(game, a, b, games, seed)
    results = Tournament([], matches).results
    means = {a: mean([results[a, b] for b in names if b != a]) for a in names}
    points = {a: result.win + result.draw / 2 for a, result in means.items()}
    order = sorted(names, key=lambda a: (-points[a], names.index(a)))
    standings = [Standing(i, a, points[a], means[a]) for i, a in enumerate(order, 1)]
    return Tournament(standings, matches)


def _play(game: Game[Any, Any], a: Player, b: Player, games: int, seed: int) -> Match:
    """Return the match of two players, exact as far as their first answers show."""
    try:
        return play_unchecked(game, a, b)
    except (InexactPlayerError, MatchTooLargeError):
        return play_sampled(game, a, b, games, seed)
