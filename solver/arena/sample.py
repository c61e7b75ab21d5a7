"""An audit of positions drawn at random, for games too large to ask about every position.

Takes a player's answers; returns a Grade in which what it can reach and lose stays unknown.
"""

from __future__ import annotations

import random

from solver.agent.agent import TableAgent
from solver.arena.answers import Answers, Turn
from solver.arena.grade import Grade, empty_grade
from solver.arena.match import interval
from solver.arena.move_quality import MoveQuality
from solver.rules.game import Game
from solver.tables.json_table import Table

MOST_DRAWS = 1000  # for each position wanted: some are over, or the other side's


def grade_sample(
    agent: TableAgent, answers: Answers, seats: str, audited: list[str], count: int, seed: int
) -> Grade:
    """Return the grade of a player in `count` positions in which an audited seat is to move."""
    if count < 1:
        raise ValueError(f"a sample must have 1 or more positions, not {count}")
    drawn = draw_turns(agent, audited, count, random.Random(seed))
    distinct = [*dict.fromkeys(drawn)]
    answers.total = len(distinct)
    answers.ask_all(distinct, anyway=True)
    asked = [turn for turn in drawn if turn in answers]
    found = empty_grade(answers.player.name, agent.game.spec, seats)._replace(
        sample=count,
        method=answers.method,
        faults=answers.faults,
        not_asked=len(drawn) - len(asked),
        ended=answers.ended if len(asked) < len(drawn) else None,
    )
    if not asked:
        return found
    quality = MoveQuality(agent, answers)
    number, blunders = quality.blunders([*dict.fromkeys(asked)])
    rates = quality.rates(asked)
    names = "good_move_rate", "perfect_move_rate"
    bounds = {name: interval(getattr(rates, name), rates.choices) for name in names}
    return found._replace(all=rates, intervals=bounds, blunder_count=number, blunders=blunders)


def draw_turns(
    agent: TableAgent, audited: list[str], count: int, generator: random.Random
) -> list[Turn]:
    """Return positions that are not over, each image of one in the table equally likely."""
    game, table = agent.game, agent.table
    stored = [p for p, _ in table.positions()] if isinstance(table, Table) else []
    found: list[Turn] = []
    for _ in range(MOST_DRAWS * count):
        place = generator.randrange(table.counts["canonical"])
        p = stored[place] if isinstance(table, Table) else table.entry(place)[0]
        images = [symmetry.position(p) for symmetry in game.symmetries]
        if generator.random() * images.count(p) >= 1:  # as it has fewer images than others
            continue
        q = generator.choice(images)
        either = type(game).turn is Game.turn  # its positions do not say who is to move
        seat = generator.choice(audited) if either else game.turn(q)
        if seat in audited and game.primitive(q) is None:
            found.append((q, seat))
        if len(found) == count:
            break
    return found
