"""How good a player's moves are: its rates and its blunders.

Takes a player's answers and an agent that knows the scores of all moves.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any

from solver.agent.agent import ties
from solver.arena.grade import Blunder, Rates
from solver.value import INFINITY, distance, outcome, regret

if TYPE_CHECKING:
    from solver.agent.agent import TableAgent
    from solver.arena.answers import Answers, Turn

MOST_BLUNDERS = 10_000  # blunders that a grade lists; the others are counted
EPSILON = 1e-14  # rounding error of a sum of a few probabilities


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
