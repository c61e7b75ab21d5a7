"""Matches between two players: exact results, and sampled ones where a player leaves no choice.

A result is a triple of probabilities, win, draw and loss, seen from the first-named player. A
player that gives no legal answer loses the game there and then; its faults are kept.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict, deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.arena.markov import visits
from solver.errors import MatchTooLargeError
from solver.players.player import FATAL, Player, PlayerFault
from solver.rules.playing import Playing
from solver.value import Outcome

if TYPE_CHECKING:
    from solver.arena.markov import Next
    from solver.players.player import Distribution
    from solver.rules.game import Game

BUDGET = 1_000_000  # positions that an exact match may pass through
ORDER = (Outcome.WIN, Outcome.DRAW, Outcome.LOSS)
Z = 1.959963984540054  # the normal distribution's 97.5th percentile, for intervals of 95 %


class Result(NamedTuple):
    """The probabilities, or in a sampled match the shares, of a player's results."""

    win: float
    draw: float
    loss: float

    @property
    def turned(self) -> Result:
        """The same result from the other side."""
        return Result(*reversed(self))

    @property
    def expected(self) -> float:
        """The mean result, with win 1, draw 0 and loss -1."""
        return self.win - self.loss


class Fault(NamedTuple):
    """A position in which a player gave no legal answer."""

    player: str
    position: str
    kind: str
    detail: str


class Match(NamedTuple):
    """The results of player a against player b, all from a's view."""

    a: str
    b: str
    method: str
    """'exact' or 'sampled'."""
    a_first: Result
    a_second: Result
    both: Result
    """The mean of the two, or the shares of all games if they were sampled."""
    games: int
    """How many games were sampled, half of them with a first; 0 for an exact match."""
    faults: list[Fault]
    repeats: bool
    """Whether positions can come again; in a sampled match, whether a game was drawn by that."""


class _Seats:
    """Two players at the seats of a game, and what came of it beside the results."""

    def __init__(self, game: Game[Any, Any], first: Player, second: Player) -> None:
        self.game = game
        self.players = dict(zip(game.seats, (first, second), strict=True))
        self.faults: list[Fault] = []
        self.repeated = False  # whether a game was drawn since a position came again
        self._noted: set[Any] = set()

    def note(self, p: Any, seat: str, fault: PlayerFault) -> None:
        """Keep a fault, once; of a player that is gone only the one that ended it."""
        name = self.players[seat].name
        key = (name,) if fault.fatal else (name, p, seat)
        if key not in self._noted:
            self._noted.add(key)
            self.faults.append(Fault(name, self.game.text(p, seat), fault.kind, fault.detail))


def play_exact(game: Game[Any, Any], a: Player, b: Player) -> Match:
    """Return the exact results of a against b, the error below 1e-12.

    A game that never ends is a draw; that a position comes for the third time ends none. Raises
    InexactPlayerError if a player does not tell its chances, and MatchTooLargeError if the match
    would pass through more than BUDGET positions or take too long.
    """
    there, back = first_against_second(game, a, b), first_against_second(game, b, a)
    as_first, as_second = there.result, back.result.turned
    both, faults = mean([as_first, as_second]), _once(there.faults + back.faults)
    repeats = there.repeats or back.repeats
    return Match(a.name, b.name, "exact", as_first, as_second, both, 0, faults, repeats)


class Exact(NamedTuple):
    """What becomes of all games of two players, from the view of the one that begins."""

    result: Result
    faults: list[Fault]
    repeats: bool
    """Whether positions can come again in them."""


def first_against_second(game: Game[Any, Any], first: Player, second: Player) -> Exact:
    """Return the exact result of the player that begins, and the faults that both make.

    The positions with their seats to move are the states of a Markov chain. A game that never ends
    is a draw. Raises as `play_exact` does.
    """
    seats = _Seats(game, first, second)
    start = game.initial(), game.seats[0]
    numbers = {start: 0}
    waiting = deque(numbers)
    following: Next = []
    ends: dict[int, Outcome] = {}
    while waiting:
        p, seat = waiting.popleft()
        sign = 1 if seat == game.seats[0] else -1
        chosen: Distribution = {}
        over = game.primitive(p)
        if over is None:
            try:
                chosen = seats.players[seat].distribution(game, p, seat)
            except PlayerFault as fault:
                seats.note(p, seat, fault)
                over = Outcome.LOSS
        if over is not None:
            ends[len(following)] = Outcome(sign * over)
        after: defaultdict[int, float] = defaultdict(float)
        other = game.other(seat)
        for m, chance in chosen.items():
            state = game.play(p, m), other
            if state not in numbers:
                numbers[state] = len(numbers)
                waiting.append(state)
            after[numbers[state]] += chance
        following.append(after)
        if len(numbers) > BUDGET:
            raise _too_large(game, f"would pass through more than {BUDGET:,} positions")
    try:
        found = visits(following)
    except MatchTooLargeError as error:
        raise _too_large(game, f"would take too long: {error}") from error
    shares: dict[Outcome, list[float]] = {outcome: [] for outcome in Outcome}
    shares[Outcome.DRAW].append(found.endless)
    for number, outcome in ends.items():
        shares[outcome].append(found.times[number])
    result = Result(*(math.fsum(shares[outcome]) for outcome in ORDER))
    return Exact(result, seats.faults, found.repeats)


def _too_large(game: Game[Any, Any], why: str) -> MatchTooLargeError:
    return MatchTooLargeError(f"an exact match of {game.spec} {why}; sample it with --games 1000")


def play_sampled(
    game: Game[Any, Any],
    a: Player,
    b: Player,
    games: int,
    seed: int,
    progress: Callable[[int], None] = lambda played: None,
) -> Match:
    """Return the shares of results in `games` games, a first in every other one.

    The same seed gives the same games. `progress` hears of the games played.
    """
    generator = random.Random(seed)
    tables = _Seats(game, a, b), _Seats(game, b, a)
    counts = [dict.fromkeys(Outcome, 0), dict.fromkeys(Outcome, 0)]
    for number in range(games):
        second = number % 2
        outcome = _play_one(tables[second], generator)
        counts[second][Outcome(-outcome if second else outcome)] += 1
        progress(number + 1)
    as_first, as_second = (_shares(count) for count in counts)
    both = _shares({outcome: counts[0][outcome] + counts[1][outcome] for outcome in Outcome})
    faults = _once(tables[0].faults + tables[1].faults)
    repeats = tables[0].repeated or tables[1].repeated
    return Match(a.name, b.name, "sampled", as_first, as_second, both, games, faults, repeats)


def _play_one(seats: _Seats, generator: random.Random) -> Outcome:
    """Return the outcome of one game for the first seat; a position's third time is a draw."""
    game = seats.game
    playing = Playing(game)
    while (over := playing.outcome()) is None:
        p, seat = playing.p, playing.seat
        try:
            playing.play(seats.players[seat].sample(game, p, seat, generator))
        except PlayerFault as fault:
            seats.note(p, seat, fault)
            over = Outcome.LOSS
            break
    seats.repeated |= playing.repeated
    return over if playing.seat == game.seats[0] else Outcome(-over)


def interval(share: float, games: int) -> tuple[float, float]:
    """Return the Wilson interval of 95 % for a share of `games` games.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
    1927.
    """
    if games == 0:
        return 0.0, 1.0
    middle = (share + Z * Z / (2 * games)) / (1 + Z * Z / games)
    spread = Z / (1 + Z * Z / games)
    reach = spread * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def mean(results: list[Result]) -> Result:
    """Return the mean of several results."""
    return Result(*(math.fsum(column) / len(results) for column in zip(*results, strict=True)))


def _once(faults: list[Fault]) -> list[Fault]:
    """Return faults without repetition; a player goes only once."""
    known = {(f.player, f.kind) if f.kind in FATAL else f: f for f in reversed(faults)}
    return list(known.values())[::-1]


def _shares(count: dict[Outcome, int]) -> Result:
    total = sum(count.values()) or 1
    return Result(*(count[outcome] / total for outcome in ORDER))
