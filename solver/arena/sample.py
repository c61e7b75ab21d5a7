"""An audit of positions drawn at random, for games too large to ask about every position.

Takes a player's answers; returns the part of a Grade that they decide.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice
from typing import Any

from solver.agent.agent import TableAgent
from solver.arena.answers import Answers, Turn
from solver.arena.grade import MoveQuality
from solver.arena.match import interval
from solver.rules.game import Game
from solver.tables.draws import draw_positions

MOST_DRAWS = 1000  # for each position wanted: some are over, or the other side's


def grade_sample(
    agent: TableAgent, answers: Answers, audited: Sequence[str], count: int, seed: int
) -> tuple[list[Turn], dict[str, Any]]:
    """Return `count` positions in which an audited seat is to move, and the grade in them."""
    if count < 1:
        raise ValueError(f"a sample must have 1 or more positions, not {count}")
    drawn = draw_turns(agent, audited, count, random.Random(seed))
    distinct = [*dict.fromkeys(drawn)]
    answers.total = len(distinct)
    answers.reached.update(distinct)
    answers.ask_all(distinct, to_the_end=True)
    turns = [turn for turn in drawn if turn in answers]
    facts: dict[str, Any] = {"sample": count}
    if turns:
        quality = MoveQuality(agent, answers)
        facts |= quality.blunders([*dict.fromkeys(turns)])
        facts["all"] = rates = quality.rates(turns)
        names = "good_move_rate", "perfect_move_rate"
        facts["intervals"] = {n: interval(getattr(rates, n), rates.choices) for n in names}
    return drawn, facts


def draw_turns(
    agent: TableAgent, audited: Sequence[str], count: int, generator: random.Random
) -> list[Turn]:
    """Return positions that are not over, as `draw_positions` draws them, and the seat to move."""
    game = agent.game
    turns: list[Turn] = []
    for q in islice(draw_positions(agent.table, generator), MOST_DRAWS * count):
        either = type(game).turn is Game.turn  # its positions do not say who is to move
        seat = generator.choice(audited) if either else game.turn(q)
        if seat in audited and game.primitive(q) is None:
            turns.append((q, seat))
        if len(turns) == count:
            break
    return turns
