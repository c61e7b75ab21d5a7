"""A grade: how well a player moves, how it can lose, and its results against others.

`MoveQuality` takes a player's answers, and an agent that knows the scores of all moves; it returns
rates and blunders.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from solver.agent.agent import TableAgent, ties
from solver.arena.answers import SPENT, Answers, Turn
from solver.arena.match import Fault, Result
from solver.json_bytes import plain_data
from solver.players.player import Changed
from solver.value import INFINITY, distance, outcome, regret

NOT_LOADED = "not loaded"  # a fault of a player that cannot be asked at all
MOST_BLUNDERS = 10_000  # blunders that a grade lists; the others are counted
EPSILON = 1e-14  # rounding error of a sum of a few probabilities
REQUIREMENTS = ("never-loses", "optimal")


class LineMove(NamedTuple):
    """A move in a line of play: who makes it, its code and label, and the position after it."""

    turn: str
    move: Any
    label: str
    position: str


class Blunder(NamedTuple):
    """A move that the player may make, and that worsens the outcome or misses a win in 1."""

    turn: str
    position: str
    move: Any
    label: str
    best: list[Any]
    best_labels: list[str]
    outcome_before: str
    outcome_after: str
    missed: str
    """What was thrown away, in words."""


class Rates(NamedTuple):
    """How well a player moves over a set of positions in which it is to move.

    A choice is a position in which some legal move scores lower than the best; symmetric images
    count separately. The rates and the regret are means over the choices; without one, 1 and 0.
    """

    positions: int
    choices: int
    good_move_rate: float
    """How often the move keeps the outcome."""
    perfect_move_rate: float
    """How often the move also keeps the distance."""
    mean_regret: float
    """How much of the outcome the move loses, with win 1, draw 0 and loss -1."""


class Grade(NamedTuple):
    """The results of an audit.

    If the audit ends early, what is not known is None. A player that gives no legal answer loses
    the game there; but if its answer is too slow, it is not known whether it loses.
    """

    player: str
    game: str
    seats: str
    """'first', 'second' or 'both'."""
    method: str = "exact"
    """'exact', or 'sampled' if probabilities are estimated by asking repeatedly, or 'partial' if
    the audit ended before a legal answer, or before all positions that the player can reach, or an
    answer was too slow."""
    times: int = 1
    """How often it was asked about each position; twice if no two answers differed."""
    asked_again: int = 0
    """About how many positions it was asked again, in another order."""
    changed: Changed | None = None
    """The answer that was another one then; without such an answer, None."""
    never_loses: bool | None = None
    optimal: bool | None = None
    losing_line: list[LineMove] | None = None
    """The shortest game that the player may lose, or None if it cannot lose."""
    losing_seat: str | None = None
    """The player's seat in that game."""
    losing_fault: bool | None = None
    """Whether that game is lost because the player gives no legal answer."""
    blunder_count: int = 0
    blunders: Sequence[Blunder] = ()
    """The worst first; of very many, only the worst."""
    reachable: Rates | None = None
    """In the positions that it can reach."""
    all: Rates | None = None
    """In all positions that it was asked about; if `sample` is set, in those drawn."""
    sample: int | None = None
    """How many positions were drawn at random; None if the player was asked about all of them."""
    intervals: dict[str, tuple[float, float]] | None = None
    """The 95 % Wilson intervals of the rates of a sample."""
    against: dict[str, Result] | None = None
    left_out: Sequence[str] = ()
    """Opponents against which an exact result would take too long."""
    repeats: bool | None = None
    """Whether positions can repeat in those games; only a game that never ends is then a draw."""
    faults: Sequence[Fault] = ()
    not_asked: int = 0
    """In how many positions it was not asked, because the audit ended early."""
    ended: str | None = None
    """Why the audit ended early, and what would help."""

    def __repr__(self) -> str:
        return (
            f"<Grade of {self.player} at {self.game}: never_loses={self.never_loses},"
            f" optimal={self.optimal}, blunder_count={self.blunder_count}>"
        )

    @property
    def is_unloaded(self) -> bool:
        """Whether there is no grade, since the player could not be loaded."""
        return any(fault.kind == NOT_LOADED for fault in self.faults)

    @property
    def is_graded(self) -> bool:
        """Whether the player was asked, answered, and did not misunderstand what to return."""
        kinds = {fault.kind for fault in self.faults}
        if self.all is None or "not a move" in kinds:
            return False
        is_hung = kinds == {"too slow"} and len(self.faults) == self.all.positions
        return not is_hung

    @property
    def hangs(self) -> bool:
        """Whether an answer was too slow."""
        return any(fault.kind == "too slow" for fault in self.faults)

    @property
    def is_partial(self) -> bool:
        """Whether the player did not answer in all positions that it can reach, or was too slow."""
        is_cut = self.reachable is None and self.sample is None
        return self.method == "partial" or is_cut or self.hangs

    @property
    def basis(self) -> str:
        """What the rates rest on, in a word: a sample of positions, or the method, or part of it.

        Empty if the player is not graded.
        """
        if not self.is_graded:
            return ""
        if self.sample:
            return "sample"
        if self.is_partial:
            return "partial"
        return "twice" if self.method == "sampled" and self.times == 2 else self.method

    @property
    def needs_time(self) -> bool:
        """Whether the audit ended because its time was spent."""
        return self.ended is not None and self.ended.startswith(SPENT)

    def as_dict(self) -> dict[str, Any]:
        """Return the grade as the JSON object that `perfectplay grade --json` prints."""
        data: dict[str, Any] = plain_data(self)
        return data

    def meets(self, requirement: str) -> bool:
        """Return whether the player is shown to meet one of the REQUIREMENTS.

        A sample of its moves shows neither. Raises KeyError for another requirement.
        """
        shown = {"never-loses": self.never_loses, "optimal": self.optimal}[requirement]
        return self.method == "exact" and shown is True


def ungraded(player: str, game: str, seats: str, reason: str) -> Grade:
    """Return the grade of a player that could not be loaded."""
    fault = Fault(player, "", NOT_LOADED, reason)
    return Grade(player, game, seats, faults=[fault], ended="it cannot be loaded")


class MoveQuality:
    """A player's answers, compared with the scores of the moves."""

    def __init__(self, agent: TableAgent, answers: Answers) -> None:
        self.agent, self.game, self.ask = agent, agent.game, answers.ask
        self._scores = cache(lambda p: dict(agent.table.move_scores(p)))
        self._ranked = cache(agent.scores_at)

    def is_optimal(self, positions: list[Turn]) -> bool:
        """Return whether every move that the player may make is a best one."""
        for p, seat in positions:
            scores, answer = self._scores(p), self.ask(p, seat)
            best = max(scores.values())
            if answer is None or any(scores[m] != best for m in answer):
                return False
        return True

    def rates(self, positions: list[Turn]) -> Rates:
        """Return how well the player moves in these positions."""
        good, perfect, lost = [], [], []
        for p, seat in positions:
            scores = self._scores(p)
            best = max(scores.values())
            if min(scores.values()) == best:
                continue
            answer = self.ask(p, seat) or {}
            shares = [(answer.get(m, 0.0), score) for m, score in scores.items()]
            good.append(_share(x for x, score in shares if not regret(best, score)))
            perfect.append(_share(x for x, score in shares if score == best))
            mean = math.fsum(x * outcome(score) for x, score in shares)
            lost.append(max(0.0, outcome(best) - mean) if answer else regret(best, -INFINITY))
        return Rates(
            len(positions), len(good), _mean(good, 1.0), _mean(perfect, 1.0), _mean(lost, 0.0)
        )

    def blunders(self, positions: list[Turn]) -> dict[str, Any]:
        """Return how many blunders the player may make in these positions, and the worst ones.

        They are fields of a Grade.
        """
        candidates: list[tuple[Any, ...]] = []
        for p, seat in positions:
            scores = self._scores(p)
            best = max(scores.values())
            chosen = self.ask(p, seat) or {}
            for m in sorted((m for m in scores if m in chosen), key=lambda m: -scores[m]):
                lost = regret(best, scores[m])
                if lost or (scores[m] != best and distance(best) == 1):
                    quick = distance(best) or math.inf
                    candidates.append((-lost, quick, -chosen[m], len(candidates), p, seat, m))
        worst = heapq.nsmallest(MOST_BLUNDERS, candidates)
        blunders = [self._blunder(p, seat, m) for *_, p, seat, m in worst]
        return {"blunder_count": len(candidates), "blunders": blunders}

    def _blunder(self, p: Any, seat: str, m: Any) -> Blunder:
        game = self.game
        ranked = self._ranked(p)
        best, made = ties(ranked), next(s for s in ranked if s.move == m)
        before, after = ranked[0].outcome, made.outcome
        return Blunder(
            seat,
            game.text(p, seat),
            game.code(m),
            made.label,
            [game.code(s.move) for s in best],
            [s.label for s in best],
            str(before),
            str(after),
            f"threw a {before} away" if after < before else "missed a win in 1",
        )


def _share(parts: Iterable[float]) -> float:
    """Return the sum of probabilities, 1.0 where it differs from 1 only by rounding."""
    total = math.fsum(parts)
    return 1.0 if abs(total - 1) < EPSILON else total


def _mean(values: list[float], default: float) -> float:
    return math.fsum(values) / len(values) if values else default
