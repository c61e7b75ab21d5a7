"""Players that read the table."""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any

from solver.agent.agent import TableAgent, ties
from solver.errors import UnknownPlayerError
from solver.players.player import Choose, Player, uniform
from solver.tables.store import shipped_directory


def minimax(agent: TableAgent, _: str = "") -> Choose:
    """Any of the best moves by outcome and distance.

    Source: Programming Projects for Advanced Beginners 3b: Tic-Tac-Toe AI, Robert Heaton.
    """

    def choose(p: Any, _: str) -> dict[Any, float]:
        scores = agent.table.move_scores(p)
        best = max(score for _, score in scores)
        return uniform([m for m, score in scores if score == best])

    return choose


def perfect(agent: TableAgent, _: str = "") -> Choose:
    """The table's choice: by outcome, then distance, then the street-smart tie-break.

    Source: Programming Projects for Advanced Beginners 3b: Tic-Tac-Toe AI, Robert Heaton, whose
    first extension suggests it.
    """
    return lambda p, _: agent.table.best(p)


@cache
def all_levels() -> dict[str, dict[str, Any]]:
    """Return what `scripts/levels.py` found: by game and word `p`, and how often `random` wins."""
    with open(os.path.join(shipped_directory(), "levels.json"), encoding="utf-8") as file:
        found: dict[str, dict[str, Any]] = json.load(file)
    return found


def level(agent: TableAgent, share: str) -> Choose:
    """The table's choice with probability P, otherwise any move: a difficulty setting.

    In place of P, `easy`, `medium` and `hard` make `random`, first in half of the games, win 30 %,
    10 % and 2 % of the games, or as near to that as the game allows.
    """
    words = all_levels().get(agent.game.spec, {})
    try:
        skill = float(words[share]["p"] if share in words else share)
    except ValueError:
        skill = -1.0
    if not 0 <= skill <= 1:
        known = f"{', '.join(words)} or " if words else ""
        raise UnknownPlayerError(
            f"level:{share} is not a player of {agent.game.spec}; give {known}a number from 0 to"
            " 1, as in level:0.5"
        )

    def choose(p: Any, _: str) -> dict[Any, float]:
        moves = agent.game.moves(p)
        shares = dict.fromkeys(moves, (1 - skill) / len(moves))
        shares[agent.table.best(p)] += skill
        return shares

    return choose


class PerfectAgainst:
    """Street-smart against one opponent.

    Among the best moves by outcome and distance, the one with the highest exact expected result
    (win 1, draw 0, loss -1) against that opponent; of equal ones, the table's first. Raises
    UnknownPlayerError where a position can repeat before the end of the game.
    """

    def __init__(self, agent: TableAgent, opponent: Player) -> None:
        self.agent, self.opponent = agent, opponent
        self._known: dict[tuple[Any, str], float] = {}
        self._pending: set[tuple[Any, str]] = set()  # on the line of play being followed

    def __call__(self, p: Any, seat: str) -> Any:
        """Return the player's move."""
        return max(_best(self.agent, p), key=lambda m: self._after(p, m, seat))

    def _after(self, p: Any, m: Any, seat: str) -> float:
        """Return the expected result for `seat` after its move."""
        game = self.agent.game
        child = game.play(p, m)
        key = child, seat
        if key in self._pending:
            raise UnknownPlayerError(
                f"perfect-against does not fit {game.spec}: its positions can repeat"
            )
        if key not in self._known:
            self._pending.add(key)
            over = game.primitive(child)
            if over is None:
                shares = self.opponent.distribution(game, child, game.other(seat)).items()
                replies = ((share, game.play(child, reply)) for reply, share in shares)
                self._known[key] = sum(share * self._expected(q, seat) for share, q in replies)
            else:
                self._known[key] = float(-over)
            self._pending.remove(key)
        return self._known[key]

    def _expected(self, p: Any, seat: str) -> float:
        """Return the expected result for `seat`, which is to move."""
        over = self.agent.game.primitive(p)
        if over is not None:
            return float(over)
        return max(self._after(p, m, seat) for m in _best(self.agent, p))


def _best(agent: TableAgent, p: Any) -> list[Any]:
    """Return the best moves by outcome and distance, the table's choice first."""
    return [s.move for s in ties(agent.scores_at(p))]
