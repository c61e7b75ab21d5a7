"""An audit of positions drawn at random, for games too large to ask about every position.

Takes a player's answers; returns a Grade in which what it can reach and lose stays unknown.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

from solver.agent.agent import TableAgent
from solver.arena.answers import Answers, Turn
from solver.arena.grade import Grade, empty_grade
from solver.arena.match import interval
from solver.arena.move_quality import MoveQuality
from solver.rules.game import Game, legal_moves
from solver.tables.json_table import Table
from solver.tables.oracle import Oracle

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
    turns = [turn for turn in drawn if turn in answers]
    result = empty_grade(answers.player.name, agent.game.spec, seats)._replace(
        sample=count,
        method=answers.method,
        faults=answers.faults,
        not_asked=len(drawn) - len(turns),
        ended=answers.ended if len(turns) < len(drawn) else None,
    )
    if not turns:
        return result
    quality = MoveQuality(agent, answers)
    number, blunders = quality.blunders([*dict.fromkeys(turns)])
    rates = quality.rates(turns)
    names = "good_move_rate", "perfect_move_rate"
    bounds = {name: interval(getattr(rates, name), rates.choices) for name in names}
    return result._replace(all=rates, intervals=bounds, blunder_count=number, blunders=blunders)


def draw_turns(
    agent: TableAgent, audited: list[str], count: int, generator: random.Random
) -> list[Turn]:
    """Return positions that are not over, as `draw_positions` draws them, and the seat to move."""
    game = agent.game
    turns: list[Turn] = []
    for q in islice(draw_positions(agent, generator), MOST_DRAWS * count):
        either = type(game).turn is Game.turn  # its positions do not say who is to move
        seat = generator.choice(audited) if either else game.turn(q)
        if seat in audited and game.primitive(q) is None:
            turns.append((q, seat))
        if len(turns) == count:
            break
    return turns


def draw_positions(agent: TableAgent, generator: random.Random) -> Iterator[Any]:
    """Yield random positions without end: each position of the table is equally likely.

    Where there is no table, they come from games of random moves, one position of each game.
    """
    game, table = agent.game, agent.table
    if isinstance(table, Oracle):
        while True:
            p = game.initial()
            played = [p]
            while game.primitive(p) is None:
                p = game.play(p, generator.choice(legal_moves(game, p)))
                played.append(p)
            yield generator.choice(played[:-1] or played)
    stored = [p for p, _ in table.positions()] if isinstance(table, Table) else []
    while True:
        place = generator.randrange(table.counts["canonical"])
        p = stored[place] if isinstance(table, Table) else table.entry(place)[0]
        images = [symmetry.position(p) for symmetry in game.symmetries]
        if generator.random() * images.count(p) < 1:  # else it has fewer images than others
            yield generator.choice(images)
