"""What designers ask of a game: who wins, how often, how soon, and how hard it is.

Takes an agent; returns a Report. All numbers are exact, with an error below 1e-9, as far as the
positions can be followed in time: every position counts, each symmetric image separately. Matches
of games that are too large are sampled, and say so; what else follows from all positions is None.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from itertools import accumulate
from math import ceil, fsum, log10, sqrt
from statistics import fmean, stdev
from typing import Any, NamedTuple

from solver.agent.agent import TableAgent
from solver.arena.columns import Columns, Played, TooLargeError
from solver.arena.match import ORDER, Result, Z, interval, play_one
from solver.clock import thread_time
from solver.errors import PerfectplayError
from solver.players import load_player
from solver.players.from_table import all_levels
from solver.value import Outcome, distance, outcome

BUDGET = 60.0  # seconds of CPU
KNOWN = 10.0  # of them at most to find what a player must know
EXACT = 0.8  # the share of the budget after which the rest is sampled
GAMES = 1_000  # sampled for a match, if there is time
ENOUGH = 30  # of them, from which on their mean has an interval
SEED = 0
HALF = 0.5  # the skill of easy where the game has no levels
SLACK = 1e-11  # above the error of every share
LARGEST = 1 << 53  # of the integers of JSON
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
    choices: int
    """The positions with two or more moves."""
    at_stake: int
    """Those of them in which some move is worse than another."""
    single: int
    """Those of them in which exactly one move keeps the outcome."""
    most: int
    """The largest number of legal moves in one position."""

    @property
    def branching(self) -> float | None:
        """The average number of moves in a position where the game is not over."""
        return self.moves / (self.positions - self.over) if self.positions > self.over else None

    @property
    def share(self) -> float | None:
        """The share of positions with only one good move among those with a choice."""
        return self.single / self.choices if self.choices else None

    @property
    def share_at_stake(self) -> float | None:
        """The same share among those in which something can be lost."""
        return self.single / self.at_stake if self.at_stake else None


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
    intervals: Sequence[tuple[float, float]] = ()
    """Of a sample: the 95 % intervals of the shares of the result."""
    error: float | None = None
    """Half the 95 % interval of a mean of ENOUGH sampled games or more."""


class Report(NamedTuple):
    """The report on a game."""

    game: str
    outcome: str
    """With best play, for the side that moves first."""
    distance: int | None
    first_moves: dict[str, str]
    """The outcome of each first move for the side that makes it, the best first."""
    matches: dict[str, MatchUp]
    easy: float
    """The probability with which the level easy makes the perfect move."""
    plies: Sequence[Row] = ()
    total: Row | None = None
    """The sum of the rows."""
    one_good_move: float | None = None
    one_good_move_at_stake: float | None = None
    branching: float | None = None
    longest: int | None = None
    """The plies of the longest game; None if positions can repeat."""
    games: Sequence[int] | None = None
    """How many games the first player wins, draws and loses."""
    games_by_length: Sequence[Sequence[int]] | None = None
    tree: int | None = None
    """The number of all beginnings of games."""
    slips: float | None = None
    """The share of random moves of a side that could win that give the win away."""
    decided: int | None = None
    """The ply from which no move changes the outcome any more, in half of all random games."""
    must_know: tuple[str, int] | None = None
    """A side that does not lose, and in how many positions it has to know the move at most."""
    seconds: float = 0.0
    """What the report took, in seconds of CPU."""

    @property
    def fair(self) -> list[str]:
        """The first moves after which the game is a draw."""
        return [label for label, outcome in self.first_moves.items() if outcome == "draw"]


def in_digits(count: int) -> str:
    """Return a number in digits, or its order of magnitude if it has thousands of them."""
    return f"{count:,}" if count < 10**4000 else f"about 10^{int(count.bit_length() * log10(2))}"


def make_report(agent: TableAgent, budget: float = BUDGET) -> Report:
    """Return the report on the game of an agent with a table, in about so many seconds of CPU."""
    game, started = agent.game, thread_time()
    columns, facts, matches = None, dict[str, Any](), dict[str, MatchUp]()
    easy = facts["easy"] = all_levels().get(game.spec, {}).get("easy", {"p": HALF})["p"]
    skills = {"random": 0.0, "easy": easy, "perfect": 1.0}

    def check() -> None:
        if thread_time() - started > EXACT * budget:
            raise OutOfTimeError

    with suppress(TooLargeError, OutOfTimeError):
        columns = Columns(agent.table, check)
        facts |= _counted(columns)
    for name, pair in PAIRS.items():
        first, second = (skills[player] for player in pair)
        with suppress(OutOfTimeError):
            if columns is not None:
                played = columns.play(first, second)
                matches[name] = MatchUp(*pair, *_measured(played))
                facts |= _errors(columns, played) if name == "random" else {}
        if name not in matches:
            seconds = (1 - EXACT) * budget / len(PAIRS)
            matches[name] = MatchUp(*pair, *_sampled(agent, (first, second), seconds))
    with suppress(OutOfTimeError):
        random_match = matches["random"]
        facts["longest"] = None if random_match.games else random_match.longest
        if columns is not None and facts["longest"] is not None:
            games = columns.count_games()
            facts["games_by_length"] = [row[:3] for row in games]
            *facts["games"], facts["tree"] = map(sum, zip(*games, strict=True))
    start = agent.table.probe(game.initial())
    moves = {m.label: str(m.outcome) for m in agent.scores_at(game.initial())}
    facts["seconds"] = round(thread_time() - started, 2)
    facts["must_know"] = _must_know(agent.table, min(KNOWN, budget - facts["seconds"]))
    return Report(game.spec, str(outcome(start)), distance(start), moves, matches, **facts)


def _must_know(table: Any, seconds: float) -> tuple[str, int] | None:
    """Return what a player must know, if that is found in time among few enough positions."""
    from solver.strategy.candidates import few_decisions, find_candidates

    ended = thread_time() + seconds

    def check(done: int, total: int) -> None:
        if thread_time() > ended:
            raise OutOfTimeError

    with suppress(OutOfTimeError, ValueError):
        side, candidates = find_candidates(table, None, "decisions", check)
        return side, few_decisions(candidates)
    return None


def _counted(columns: Columns) -> dict[str, Any]:
    """Return what the positions show, ply by ply and in all."""
    counts = [[ply, *[0] * 10] for ply in range(columns.plies[-1] + 1)]
    each = columns.plies, columns.signs, columns.degrees, columns.good
    for ply, sign, degree, good in zip(*each, strict=True):
        row = counts[ply]
        row[1] += 1
        row[3 - sign] += 1
        row[5] += degree == 0
        row[6] += degree
        row[7] += degree > 1
        row[8] += good < degree
        row[9] += degree > 1 and good == 1
        row[10] = max(row[10], degree)
    rows = [*map(Row._make, counts)]
    _, *sums, _ = map(sum, zip(*rows, strict=True))
    total = Row._make((rows[-1].ply, *sums, max(row.most for row in rows)))
    facts = {"plies": rows, "total": total, "branching": total.branching}
    return facts | {"one_good_move": total.share, "one_good_move_at_stake": total.share_at_stake}


def _errors(columns: Columns, played: Played) -> dict[str, Any]:
    """Return how often random play gives a win away, and by when the last error is made."""
    could = gave = 0.0
    each = played.times, columns.signs, columns.degrees, columns.good
    for times, sign, degree, good in zip(*each, strict=True):
        if sign > 0 and degree:
            could += times
            gave += times * (1 - good / degree)
    return {"slips": gave / could if could else None, "decided": _first(played.decided, 0.5)}


def _measured(played: Played) -> tuple[Any, ...]:
    """Return the results and lengths of an exact match; those without a bound are None."""
    wins, draws, losses = map(fsum, zip(*played.ends, strict=True))
    total = wins + draws + losses + played.endless
    result = Result(wins / total, (draws + played.endless) / total, losses / total)
    lengths = [*map(sum, played.ends)]
    mean = fsum(plies * share for plies, share in enumerate(lengths))
    median, p95 = (_first(lengths, share) for share in (0.5, 0.95))
    longest = len(lengths) - 1 if played.bounded and not played.endless else None
    known = None if played.endless > SLACK else mean
    return result, known, median, p95, longest


def _first(shares: Sequence[float], least: float) -> int | None:
    """Return the first place at which the sum of shares is so large; None if it never is."""
    return next((n for n, s in enumerate(accumulate(shares)) if s >= least - SLACK), None)


def _sampled(agent: TableAgent, skills: tuple[float, float], seconds: float) -> tuple[Any, ...]:
    """Return the same of a thousand games, or of as many as the time allows, and its errors."""
    ended, generator = thread_time() + seconds, random.Random(SEED)
    first, second = (load_player(f"level:{skill:g}", agent) for skill in skills)
    outcomes, lengths = list[Outcome](), list[int]()
    while not lengths or (len(lengths) < GAMES and thread_time() < ended):
        result, playing = play_one(agent.game, (first, second), {}, generator)
        outcomes.append(result)
        lengths.append(len(playing.move_stack))
    lengths.sort()
    games = len(lengths)
    shares = Result(*(outcomes.count(outcome) / games for outcome in ORDER))
    median, p95 = (lengths[ceil(share * games) - 1] for share in (0.5, 0.95))
    ends = fmean(lengths), median, p95, lengths[-1]
    error = Z * stdev(lengths) / sqrt(games) if games >= ENOUGH else None
    bounds = [interval(share, games) for share in shares]
    return shares, *ends, games, bounds, error
