"""The answers of a player under audit, with the faults it makes.

Takes a player; returns its distribution for each position that it is asked about. It stops asking
when its time is spent or the player cannot answer, and says why.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Timer
from time import monotonic
from typing import Any

from solver.arena.again import ask_again
from solver.arena.match import Fault, fault_at
from solver.errors import InexactPlayerError, PerfectplayError
from solver.players.external import MOST_SLOW
from solver.players.player import Distribution, Player, PlayerFault
from solver.rules.game import Game
from solver.units import format_duration

Turn = tuple[Any, str]  # a position and the seat to move
Progress = Callable[[int, int], None]
WAIT = 10.0  # seconds without a first answer, until that is reported
FEW, SOON = 1, 2.0  # positions and seconds, after the first position, from which a forecast follows


SPENT = "the total of"  # how the reason begins why a player without time is not asked any more


class NotAskedError(PerfectplayError):
    """The player is not asked about a position, nor about any other from now on."""


class AnswersDifferError(PerfectplayError):
    """Two answers about one position differ: all answers are forgotten, and asked for again."""


class Clock:
    """The time that a player has for all its answers, and the pace of the answers so far.

    The first answer does not count for the pace, since the player may start for it.
    """

    def __init__(self, seconds: float) -> None:
        if not seconds >= 0:
            raise ValueError(f"the total is {seconds!r}; it must be a number of seconds from 0")
        self.seconds, self.spent, self._first = seconds, 0.0, 0.0

    @property
    def is_over(self) -> bool:
        """Whether all the time is spent."""
        return self.spent > self.seconds

    @contextmanager
    def running(self) -> Iterator[float]:
        """Count the time until the block ends; give the deadline, as `monotonic` tells time."""
        started = monotonic()
        try:
            yield started + self.seconds - self.spent
        finally:
            self.spent += monotonic() - started
            self._first = self._first or self.spent

    def restart(self) -> None:
        """Forget the pace."""
        self._first = self.spent

    def needed(self, count: int, total: int) -> float:
        """Return how many seconds `total` answers take at the pace of `count`; 0 without a pace."""
        spent = self.spent - self._first
        if count <= FEW or spent < SOON:
            return 0.0
        return self.spent + spent / (count - 1) * (total - count)


@dataclass
class Answers:
    """A player's answers; it is asked once about each position.

    A player with unknown probabilities is asked twice, and once two answers have differed `repeats`
    times; its probabilities are then estimated. It has `seconds` for all answers, by the clock.
    `progress` is called with how many positions it has been asked about, and `total`; `report` with
    a forecast if time is too short. `reached` are the positions that games of the player can reach.
    """

    game: Game[Any, Any]
    player: Player
    repeats: int
    seconds: float
    progress: Progress
    report: Callable[[str], None]
    total: int = 0
    method: str = "exact"
    faults: list[Fault] = field(default_factory=list)
    slow: set[Turn] = field(default_factory=set)
    reached: set[Turn] = field(default_factory=set)
    times: int = 1
    asked_again: int = 0
    too_short: bool = False
    ended: str | None = None

    def __post_init__(self) -> None:
        if self.repeats < 1:
            raise ValueError(f"a player cannot be asked {self.repeats} times about a position")
        self._clock = Clock(self.seconds)
        self._known: dict[Turn, Distribution | None] = {}

    def ask_all(self, turns: Iterable[Turn], to_the_end: bool = False) -> None:
        """Ask about positions until `ended`; by default only while the time seems to suffice."""
        with suppress(NotAskedError):
            for turn in turns:
                if self.too_short and not to_the_end:
                    break
                self.ask(*turn)

    def ask(self, p: Any, seat: str) -> Distribution | None:
        """Return the player's distribution, or None where it gives no legal answer.

        Raises NotAskedError if `ended`, which then says why, and AnswersDifferError.
        """
        if (p, seat) not in self._known:
            if self._clock.is_over:
                self._end_of_time()
            if self.ended is not None:
                raise NotAskedError
            self._ask(p, seat)
            if not self.too_short:
                self._forecast()
            self.progress(len(self._known), self.total)
        return self._known[p, seat]

    def _ask(self, p: Any, seat: str) -> None:
        waiting = Timer(WAIT, self.report, [f"{self.player.name} has not answered for {WAIT:g} s"])
        waiting.daemon = True
        if not self._known:
            waiting.start()
        with self._clock.running() as deadline:
            self.player.deadline, started = deadline, monotonic()
            try:
                self._known[p, seat] = self._distribution(p, seat)
            except PlayerFault as fault:
                if fault.kind == "too slow" and monotonic() >= deadline:
                    self._end_of_time("" if self._known else f"; {fault.detail}")
                    if monotonic() - started < self.player.limit:  # who knows what it would do
                        raise NotAskedError from fault
                self._known[p, seat] = None
                self._record(p, seat, fault)
            finally:
                waiting.cancel()
                self.player.deadline = math.inf

    def hold_again(self) -> bool:
        """Ask again, in another order; return whether the answers are the same.

        If not, all are forgotten, and the next ones count as samples; if there can be no next ones,
        these do. Raises InexactPlayerError if the player is declared deterministic.
        """
        if self.method == "sampled":
            return True
        most = self.seconds / 4
        self.asked_again = ask_again(self.game, self.player, self._clock.spent, self.reached, most)
        if self.player.changed is None:
            return True
        if self.player.deterministic:
            raise InexactPlayerError(
                f"{self.player.changed}: it is not deterministic, so do not declare that"
            )
        self.method = "sampled"
        if self.ended is not None:
            return True
        self._ask_oftener()
        return False

    def _ask_oftener(self) -> None:
        """Forget all answers, and ask as often as whoever changes them is asked from now on."""
        self.times = self.repeats
        self._known.clear()
        self.faults.clear()
        self.slow.clear()
        self._clock.restart()

    def _end_of_time(self, detail: str = "") -> None:
        self.end(f"{SPENT} {self.seconds:.3g} s is spent; --total allows more{detail}")

    def __contains__(self, turn: Turn) -> bool:
        return turn in self._known

    def end(self, reason: str) -> None:
        """Ask about no other position; an earlier reason stays."""
        self.ended = self.ended or reason

    @property
    def any_legal(self) -> bool:
        """Whether the player has given a legal answer."""
        return len(self.faults) < len(self._known)

    def _forecast(self) -> None:
        """Report if the time is too short at the pace so far."""
        needed = self._clock.needed(len(self._known), self.total)
        self.too_short = needed > self.seconds
        if self.too_short:
            sentence = (
                f"{self.player.name} would take {format_duration(needed)} for {self.total:,}"
                f" positions; --total allows {self.seconds:.3g} s"
            )
            if self.method == "sampled":
                sentence += ". --deterministic is faster, if it always answers alike"
            self.report(sentence)

    def replayed(self) -> Player:
        """Return a player that gives the same answers again."""

        def choose(p: Any, seat: str) -> Distribution:
            answer = self.ask(p, seat)
            if answer is None:
                raise PlayerFault("illegal move", "no legal answer")
            return answer

        return Player(self.player.name, choose)

    def _distribution(self, p: Any, seat: str) -> Distribution:
        if self.times == 1:
            try:
                return self.player.distribution(self.game, p, seat)
            except InexactPlayerError:
                self.times = min(2, self.repeats)
        answers: list[Any] = []
        try:
            for _ in range(self.times):
                answers.append(self.player.answer(self.game, p, seat))
        except PlayerFault as fault:
            if answers and not fault.fatal:
                self._note_difference()
            raise
        if not all(isinstance(answer, dict) for answer in answers):
            self.method = "sampled"
        if any(answer != answers[0] for answer in answers):
            self._note_difference()
        return _mean(answers)

    def _note_difference(self) -> None:
        """Raise AnswersDifferError, unless the player is asked often enough already."""
        if self.times < self.repeats:
            self._ask_oftener()
            raise AnswersDifferError

    def _record(self, p: Any, seat: str, fault: PlayerFault) -> None:
        given = "" if self.faults else fault.given  # which is enough to see once
        self.faults.append(fault_at(self.game, self.player, p, seat, fault)._replace(given=given))
        if fault.kind == "not a move":
            self.end("it does not return moves")
        elif fault.kind == "too slow":
            self.slow.add((p, seat))
            if len(self._known) == 1:
                self.end("its first answer was too slow; --limit allows longer ones")
            elif fault.final or len(self.slow) >= MOST_SLOW:
                self.end(f"{MOST_SLOW} answers were too slow")
        elif fault.final:
            self.end("it cannot be started again")


def _mean(answers: list[Any]) -> Distribution:
    """Return the mean of several answers, which are moves or distributions."""
    shares: Distribution = {}
    for answer in answers:
        chances = answer if isinstance(answer, dict) else {answer: 1.0}
        for m, share in chances.items():
            shares[m] = shares.get(m, 0.0) + share / len(answers)
    return shares
