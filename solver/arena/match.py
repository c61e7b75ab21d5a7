"""Matches: exact results, or sampled ones where probabilities are unknown.

Takes a game and two players; returns a Match. A result is the probabilities of a win, a draw and a
loss, from the first-named player's view. A player that gives no legal answer loses the game at
once, and its fault is recorded.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any, NamedTuple

from solver.arena.again import ask_again
from solver.arena.markov import Transitions, visits
from solver.errors import InexactPlayerError, MatchTooLargeError
from solver.players.player import Changed, Distribution, Player, PlayerFault
from solver.rules.game import Game
from solver.rules.playing import Playing
from solver.value import Outcome

BUDGET = 1_000_000  # positions that an exact match may pass through
ORDER = (Outcome.WIN, Outcome.DRAW, Outcome.LOSS)
Z = 1.959963984540054  # the normal distribution's 97.5th percentile, for intervals of 95 %


class Result(NamedTuple):
    """The probabilities of a player's results, or their shares in a sampled match."""

    win: float
    draw: float
    loss: float

    @property
    def turned(self) -> Result:
        """The same result from the other player's view."""
        return Result(*reversed(self))

    @property
    def expected(self) -> float:
        """The expected result, with win 1, draw 0 and loss -1."""
        return self.win - self.loss


class Fault(NamedTuple):
    """A position in which a player gave no legal answer."""

    player: str
    position: str
    kind: str
    detail: str
    hint: str = ""
    """What would make the answer legal, if that is likely."""
    given: str = ""
    """What the player was given, in words; a grade has it for its first fault only."""


class Match(NamedTuple):
    """The results of player a against player b, from a's view."""

    a: str
    b: str
    method: str
    """'exact' or 'sampled'."""
    a_first: Result
    a_second: Result
    both: Result
    """The mean of the two, or the shares of all sampled games."""
    games: int
    """How many games were sampled, a first in every other one; 0 for an exact match."""
    faults: list[Fault]
    repeats: bool
    """Whether positions can repeat; in a sampled match, whether a game was drawn by repetition."""
    changed: Sequence[Changed] = ()
    """The players that gave two answers about a position, so that the match is sampled."""


Faults = dict[Any, Fault]


def _record(
    faults: Faults, game: Game[Any, Any], player: Player, p: Any, seat: str, fault: PlayerFault
) -> None:
    """Record a fault once per position, or once per player if it is not asked again."""
    key = (player.name,) if fault.final else (player.name, p, seat)
    if key not in faults:
        faults[key] = fault_at(game, player, p, seat, fault)


def fault_at(game: Game[Any, Any], player: Player, p: Any, seat: str, fault: PlayerFault) -> Fault:
    """Return a fault with its player and position."""
    text = game.text(p, seat)
    return Fault(player.name, text, fault.kind, fault.detail, fault.hint, fault.given)


def play_exact(game: Game[Any, Any], a: Player, b: Player) -> Match:
    """Return the exact results of a against b, with an error below 1e-12.

    A game that never ends is a draw; there is no draw by threefold repetition. Raises
    InexactPlayerError if a player's probabilities are unknown, or if it answers otherwise when it
    is asked again (see `solver.arena.again`), and MatchTooLargeError if the match would pass
    through more than BUDGET positions or take too long.
    """
    started = monotonic()
    match = play_unchecked(game, a, b)
    for player in (a, b):
        ask_again(game, player, monotonic() - started)
        if player.changed is not None:
            raise InexactPlayerError(f"{player.changed}: it has no exact results")
    return match


def play_unchecked(game: Game[Any, Any], a: Player, b: Player) -> Match:
    """Return the exact results as the answers say, without asking again."""
    faults: Faults = {}
    as_first, first_repeats = first_against_second(game, a, b, faults)
    turned, second_repeats = first_against_second(game, b, a, faults)
    as_second = turned.turned
    both, repeats = mean([as_first, as_second]), first_repeats or second_repeats
    return Match(a.name, b.name, "exact", as_first, as_second, both, 0, [*faults.values()], repeats)


def first_against_second(
    game: Game[Any, Any], first: Player, second: Player, faults: Faults
) -> tuple[Result, bool]:
    """Return the exact result of the player that moves first, and whether positions can repeat.

    The states of the Markov chain are the positions with their seats to move. A game that never
    ends is a draw. The faults of both players are added to `faults`. Raises the same errors as
    `play_exact`.
    """
    players = dict(zip(game.seats, (first, second), strict=True))
    queue = [(game.initial(), game.seats[0])]
    numbers = {queue[0]: 0}
    transitions: Transitions = []
    ends: dict[int, Outcome] = {}
    for p, seat in queue:
        sign = 1 if seat == game.seats[0] else -1
        chosen: Distribution = {}
        over = game.primitive(p)
        if over is None:
            try:
                chosen = players[seat].distribution(game, p, seat)
            except PlayerFault as fault:
                _record(faults, game, players[seat], p, seat, fault)
                over = Outcome.LOSS
        if over is not None:
            ends[len(transitions)] = Outcome(sign * over)
        after: defaultdict[int, float] = defaultdict(float)
        other = game.other(seat)
        for m, probability in chosen.items():
            state = game.play(p, m), other
            if state not in numbers:
                numbers[state] = len(numbers)
                queue.append(state)
            after[numbers[state]] += probability
        transitions.append(after)
        if len(numbers) > BUDGET:
            raise _too_large(game, f"would pass through more than {BUDGET:,} positions")
    try:
        chain = visits(transitions)
    except MatchTooLargeError as error:
        raise _too_large(game, f"would take too long: {error}") from error
    shares = [(Outcome.DRAW, chain.endless), *((end, chain.times[n]) for n, end in ends.items())]
    sums = [math.fsum(share for end, share in shares if end is outcome) for outcome in ORDER]
    return Result(*(part / math.fsum(sums) for part in sums)), chain.repeats


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

    A game is drawn when a position occurs for the third time. The same seed gives the same games.
    `progress` is called with the number of games played.
    """
    generator = random.Random(seed)
    faults: tuple[Faults, Faults] = {}, {}
    repeats = False
    outcomes: tuple[list[Outcome], list[Outcome]] = [], []
    for number in range(games):
        second = number % 2
        players = (b, a) if second else (a, b)
        outcome, playing = play_one(game, players, faults[second], generator)
        repeats = repeats or playing.repeated
        outcomes[second].append(Outcome(-outcome if second else outcome))
        progress(number + 1)
    as_first, as_second, both = map(_shares, (*outcomes, outcomes[0] + outcomes[1]))
    distinct = [*{**faults[0], **faults[1], **faults[0]}.values()]  # of equal keys, the first
    changed = [player.changed for player in (a, b) if player.changed is not None]
    results = as_first, as_second, both, games, distinct, repeats, changed
    return Match(a.name, b.name, "sampled", *results)


def play_one(
    game: Game[Any, Any],
    players: tuple[Player, Player],
    faults: Faults,
    generator: random.Random,
) -> tuple[Outcome, Playing[Any, Any]]:
    """Return the outcome of one game for the first player, and the game as it was played."""
    seats = dict(zip(game.seats, players, strict=True))
    playing = Playing(game)
    while (over := playing.outcome()) is None:
        p, seat = playing.position, playing.turn
        try:
            playing.play(seats[seat].sample(game, p, seat, generator))
        except PlayerFault as fault:
            _record(faults, game, seats[seat], p, seat, fault)
            over = Outcome.LOSS
            break
    return over if playing.turn == game.seats[0] else Outcome(-over), playing


def interval(share: float, games: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval for a share of `games` games.

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


def _shares(outcomes: list[Outcome]) -> Result:
    return Result(*(outcomes.count(outcome) / (len(outcomes) or 1) for outcome in ORDER))


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
