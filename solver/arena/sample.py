"""An audit of positions drawn at random, for games too large to ask about every position.

Takes a player's answers; returns the part of a Grade that they decide.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from solver.agent.agent import TableAgent
from solver.arena.answers import Answers, Turn
from solver.arena.grade import MoveQuality
from solver.arena.match import interval
from solver.rules.game import Game, legal_moves
from solver.tables.json_table import Table
from solver.tables.oracle import Oracle

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
    position_at = stored(table)
    while True:
        p = position_at(generator.randrange(table.counts["canonical"]))
        images = [symmetry.position(p) for symmetry in game.symmetries]
        if generator.random() * images.count(p) < 1:  # else it has fewer images than others
            yield generator.choice(images)


def stored(table: Any) -> Callable[[int], Any]:
    """Return a function that gives the canonical position at a place of a table."""
    if isinstance(table, Table):
        return [p for p, _ in table.positions()].__getitem__
    return lambda place: table.entry(place)[0]
