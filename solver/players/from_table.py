"""Players that read the table."""

from __future__ import annotations

import json
import math
import os
import re
from functools import cache
from typing import Any

from solver.agent.agent import TableAgent
from solver.errors import UnknownPlayerError
from solver.players.player import Choose, uniform
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
        levels: dict[str, dict[str, Any]] = json.load(file)
    return levels


def level(agent: TableAgent, share: str) -> Choose:
    """The table's choice with probability P, otherwise any move: a difficulty setting.

    In place of P, `easy`, `medium` and `hard` make `random`, first in half of the games, win 30 %,
    10 % and 2 % of the games, or as near to that as the game allows.
    """
    words = all_levels().get(agent.game.spec, {})
    if share in words:
        skill = float(words[share]["p"])
    elif re.fullmatch(r"0|1|[01]?\.\d+", share):
        skill = float(share)
    else:
        skill = math.inf
    if skill > 1:
        choices = f"{', '.join(words)} or " if words else ""
        raise UnknownPlayerError(
            f"level:{share} is not a player of {agent.game.spec}; give {choices}a number from 0 to"
            " 1, as in level:0.5"
        )

    def choose(p: Any, _: str) -> dict[Any, float]:
        moves = agent.game.moves(p)
        shares = dict.fromkeys(moves, (1 - skill) / len(moves))
        shares[agent.table.best(p)] += skill
        return shares

    return choose
