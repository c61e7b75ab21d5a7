"""What designers ask of a game: who wins, how often, how soon, and how hard it is.

Takes an agent; returns a Report. All numbers are exact, with an error below 1e-9, as far as the
positions can be followed in time: every position counts, each symmetric image separately. Matches
of games that are too large are sampled, and say so; what else follows from all positions is None.
"""

from __future__ import annotations

import random
from contextlib import suppress
from math import ceil, fsum, log10, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.agent.agent import MoveScore, TableAgent
from solver.arena.match import ORDER, Result, Z, interval, play_one
from solver.clock import thread_time
from solver.errors import PerfectplayError, needs_extra
from solver.players import load_player
from solver.players.from_table import all_levels
from solver.value import OPEN, Outcome, distance, outcome

with needs_extra("a report", "fast"):
    import numpy as np

    from solver.arena.columns import Columns, Played, TooLargeError

if TYPE_CHECKING:
    from collections.abc import Sequence

BUDGET = 60.0  # seconds of CPU
EXACT = 0.8  # the share of the budget after which the rest is sampled
GAMES = 1_000  # sampled for a match, if there is time
SEED = 0
HALF = 0.5  # the skill of easy where the game has no levels
SLACK = 1e-11  # above the error of every share
PAIRS = {
    "random": ("random", "random"),
    "easy": ("easy", "easy"),
    "perfect-random": ("perfect", "random"),
    "random-perfect": ("random", "perfect"),
}
"""The matches of a report: who moves first, and who second."""


class OutOfTimeError(PerfectplayError):
    """The time for exact results is spent."""


class Row(NamedTuple):
    """The positions of one ply: the fewest moves in which a game reaches them."""

    ply: int
    positions: int
    win: int
    """Outcomes are for the side to move."""
    draw: int
    loss: int
    over: int
    """The positions where the game is over."""
    moves: int
    """The legal moves of all positions."""
    most: int
    """The largest number of legal moves in one position."""
    choices: int
    """The positions with two or more moves."""
    single: int
    """Those of them in which exactly one move keeps the outcome."""

    @property
    def branching(self) -> float | None:
        """The average number of moves in a position where the game is not over."""
        return self.moves / (self.positions - self.over) if self.positions > self.over else None

    @property
    def share(self) -> float | None:
        """The share of positions with only one good move among those with a choice."""
        return self.single / self.choices if self.choices else None


class MatchUp(NamedTuple):
    """How games between two players end, for the one that moves first, and in how many plies."""

    first: str
    second: str
    result: Result
    mean: float | None
    """None for lengths that have no bound."""
    median: int | None
    p95: int | None
    """The plies within which 95 % of the games end."""
    longest: int | None
    games: int = 0
    """How many games were sampled; 0 for an exact match."""
    error: float = 0.0
    """Half the 95 % interval of a sampled mean."""

    def as_dict(self) -> dict[str, Any]:
        """Return the match as JSON."""
        shares = dict(zip(("first_wins", "draws", "second_wins"), self.result, strict=True))
        method = {"method": "sampled" if self.games else "exact", "games": self.games}
        names = self._asdict()
        lengths = {name: names[name] for name in ("mean", "median", "p95", "longest")}
        found = {"first": self.first, "second": self.second} | method | shares | lengths
        if self.games:
            found["intervals"] = [interval(share, self.games) for share in self.result]
            found["mean_error"] = self.error
        return found


class Report(NamedTuple):
    """The report on a game."""

    game: str
    outcome: Outcome
    """With best play, for the side that moves first."""
    distance: int | None
    moves: list[MoveScore]
    """The first moves, the best first."""
    matches: dict[str, MatchUp]
    cost: dict[str, Any]
    rows: Sequence[Row] = ()
    longest: int | None = None
    """The plies of the longest game."""
    games: list[list[int]] | None = None
    """How many games the first player wins, draws and loses in each number of plies."""
    tree: int | None = None
    """The number of all beginnings of games."""
    slips: float | None = None
    """The share of random moves of a side that could win that give the win away."""
    decided: int | None = None
    """The ply from which no move changes the outcome any more, in half of all random games."""

    @property
    def total(self) -> Row | None:
        """The sum of the rows, the most of all moves; None if there are none."""
        if not self.rows:
            return None
        sums = Row(*map(sum, zip(*self.rows, strict=True)))
        return sums._replace(ply=len(self.rows) - 1, most=max(row.most for row in self.rows))

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON; numbers that are not known are null."""
        total, games = self.total, None if self.games is None else sum(map(sum, self.games))
        named = ("label", "outcome", "distance")
        moves = [(m.label, str(m.outcome), m.distance) for m in self.moves]
        return {
            "game": self.game,
            "outcome": str(self.outcome),
            "distance": self.distance,
            "first_moves": [dict(zip(named, m, strict=True)) for m in moves],
            "fair_first_moves": self.fair,
            "matches": {name: m.as_dict() for name, m in self.matches.items()},
            "slips": self.slips,
            "decided": self.decided,
            "one_good_move": total and total.share,
            "branching": total and total.branching,
            "positions": total and total.positions,
            "plies": [row._asdict() for row in self.rows],
            "longest": self.longest,
            "games": for_json(games),
            "games_by_length": self.games and [[*map(for_json, row)] for row in self.games],
            "tree": for_json(self.tree),
            "cost": self.cost,
        }

    @property
    def fair(self) -> list[str]:
        """The first moves after which the game is a draw."""
        return [m.label for m in self.moves if m.outcome is Outcome.DRAW]


def for_json(count: int | None) -> int | str | None:
    """Return a count, as text if it is too large for the integers of JSON."""
    return count if count is None or count < 1 << 53 else in_digits(count).replace(",", "")


def in_digits(count: int) -> str:
    """Return a number in digits, or its order of magnitude if it has thousands of them."""
    return f"{count:,}" if count < 10**4000 else f"about 10^{int(count.bit_length() * log10(2))}"


def make_report(agent: TableAgent, budget: float = BUDGET) -> Report:
    """Return the report on the game of an agent with a table, in about so many seconds of CPU."""
    game, started = agent.game, thread_time()
    start = agent.table.probe(game.initial())

    def check() -> None:
        if thread_time() - started > EXACT * budget:
            raise OutOfTimeError

    facts: dict[str, Any] = {}
    columns, matches = None, dict[str, MatchUp]()
    easy = all_levels().get(game.spec, {}).get("easy", {"p": HALF})["p"]
    skills = {"random": 0.0, "easy": easy, "perfect": 1.0}
    with suppress(TooLargeError, OutOfTimeError):
        columns = Columns(agent.table, check)
        facts = {"rows": _rows(columns), "longest": columns.longest}
    for name, pair in PAIRS.items():
        named = [f"level:{easy:g}" if player == "easy" else player for player in pair]
        with suppress(OutOfTimeError):
            if columns is not None:
                played = columns.play(*(skills[player] for player in pair))
                matches[name] = _measured(named, played)
                facts |= _errors(columns, played) if name == "random" else {}
        if name not in matches:
            matches[name] = _sampled(agent, named, (1 - EXACT) * budget / len(PAIRS))
    with suppress(OutOfTimeError):
        facts |= {} if columns is None else _counts(columns)
    cost: dict[str, Any] = {"cpu_seconds": round(thread_time() - started, 2)}
    if columns is not None:
        cost |= {"positions": len(columns.plies), "moves": len(columns.children)}
    moves = agent.scores_at(game.initial())
    return Report(game.spec, outcome(start), distance(start), moves, matches, cost, **facts)


def _errors(columns: Columns, played: Played) -> dict[str, Any]:
    """Return how often random play gives a win away, and by when the last error is made."""
    times = played.times * ((columns.signs > 0) & (columns.degrees > 0))
    slips = 1 - columns.good / np.maximum(columns.degrees, 1)
    share = float(times @ slips / times.sum()) if times.any() else None
    return {"slips": share, "decided": _first(np.cumsum(played.decided), 0.5)}


def _counts(columns: Columns) -> dict[str, Any]:
    """Return the numbers of different games, if they are finite."""
    counts = columns.count_games()
    if counts is None:
        return {}
    return {"games": [row[:3] for row in counts], "tree": sum(row[3] for row in counts)}


def _rows(columns: Columns) -> list[Row]:
    """Return the positions of each ply."""
    degrees, signs, plies = columns.degrees, columns.signs, columns.plies
    ones = np.ones(len(plies), np.int64)
    choices = degrees > 1
    summed = [ones, signs > 0, signs == 0, signs < 0, columns.over != OPEN, degrees]
    counts = [np.bincount(plies, column).astype(np.int64) for column in summed]
    most = np.maximum.reduceat(degrees, np.searchsorted(plies, np.arange(plies[-1] + 1)))
    single = choices & (columns.good == 1)
    counts += [most, *(np.bincount(plies, column).astype(np.int64) for column in (choices, single))]
    return [Row(ply, *map(int, row)) for ply, row in enumerate(zip(*counts, strict=True))]


def _measured(players: list[str], played: Played) -> MatchUp:
    """Return an exact match; lengths that it has no bound for are None."""
    wins, draws, losses = (fsum(column) for column in played.ends.T)
    total = wins + draws + losses + played.endless
    result = Result(wins / total, (draws + played.endless) / total, losses / total)
    lengths = played.ends.sum(axis=1)
    mean = None if played.endless > SLACK else fsum(lengths * np.arange(len(lengths)))
    median, p95 = (_first(np.cumsum(lengths), share) for share in (0.5, 0.95))
    longest = len(lengths) - 1 if played.bounded and not played.endless else None
    return MatchUp(players[0], players[1], result, mean, median, p95, longest)


def _first(shares: np.ndarray, least: float) -> int | None:
    """Return the first place at which growing shares are so large; None if they never are."""
    place = int(np.searchsorted(shares, least - SLACK))
    return place if place < len(shares) else None


def _sampled(agent: TableAgent, players: list[str], seconds: float) -> MatchUp:
    """Return a match of a thousand games, or of as many as the time allows."""
    game, ended = agent.game, thread_time() + seconds
    pair = load_player(players[0], agent), load_player(players[1], agent)
    generator = random.Random(SEED)
    outcomes, lengths = list[Outcome](), list[int]()
    while not lengths or (len(lengths) < GAMES and thread_time() < ended):
        result, playing = play_one(game, pair, {}, generator)
        outcomes.append(result)
        lengths.append(len(playing.move_stack))
    lengths.sort()
    games = len(lengths)
    mean = sum(lengths) / games
    spread = sqrt(sum((length - mean) ** 2 for length in lengths) / max(1, games - 1))
    shares = Result(*(outcomes.count(outcome) / games for outcome in ORDER))
    median, p95 = (lengths[ceil(share * games) - 1] for share in (0.5, 0.95))
    error = Z * spread / sqrt(games)
    return MatchUp(players[0], players[1], shares, mean, median, p95, lengths[-1], games, error)
