"""Positions in which exactly one move keeps the outcome."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.arena.sample import draw_positions
from solver.players import Player, fits, load_player
from solver.tables.json_table import Table
from solver.tables.oracle import Oracle

if TYPE_CHECKING:
    from solver.agent.agent import TableAgent

DRAWS = 100  # random positions of a large table to try for each puzzle wanted
DIFFICULTIES = {"easy": (1, 1), "medium": (2, 4), "hard": (5, math.inf)}
"""The range of moves among which the player `winblock` would choose at random."""


class Puzzle(NamedTuple):
    """A position in which exactly one move keeps the outcome."""

    position: str
    turn: str
    task: str
    """'win' or 'draw': the outcome to keep."""
    move: Any
    label: str
    candidates: int
    """How many moves `winblock` chooses from."""
    difficulty: str


def find_puzzles(
    agent: TableAgent, count: int, seed: int = 0, difficulty: str | None = None
) -> list[Puzzle]:
    """Return up to `count` puzzles drawn at random, no two of them symmetric.

    Only a random sample of a large table's positions is tried. Raises ValueError for an unknown
    difficulty.
    """
    if difficulty is not None and difficulty not in DIFFICULTIES:
        known = ", ".join(DIFFICULTIES)
        raise ValueError(f"the difficulty is {difficulty!r}; it must be one of {known}")
    rival = load_player("winblock" if fits("winblock", agent) else "win", agent)
    generator = random.Random(seed)
    table = agent.table
    positions: Iterable[Any]
    if isinstance(table, Table):
        positions = [p for p, _ in table.positions()]
    elif isinstance(table, Oracle):
        positions = islice(draw_positions(agent, generator), DRAWS * count)
    else:
        draws = min(DRAWS * count, table.counts["canonical"])
        places = generator.sample(range(table.counts["canonical"]), draws)
        positions = [table.entry(place)[0] for place in places]
    puzzles = (_puzzle(agent, rival, p) for p in positions)
    wanted = (z for z in puzzles if z is not None and difficulty in (None, z.difficulty))
    if isinstance(table, Oracle):  # whose positions take time
        chosen = [*islice(wanted, count)]
    else:
        found = list(wanted)
        chosen = generator.sample(found, min(count, len(found)))
    return [_turned(agent, puzzle, generator) for puzzle in chosen]


def _puzzle(agent: TableAgent, rival: Player, p: Any) -> Puzzle | None:
    """Return the puzzle of a position, if it is one; `rival` decides its difficulty."""
    game = agent.game
    scores = agent.scores_at(p)
    if len(scores) < 2 or scores[1].outcome == scores[0].outcome:
        return None
    seat = game.turn(p)
    candidates = len(rival.distribution(game, p, seat))
    difficulty = next(
        name for name, (low, high) in DIFFICULTIES.items() if low <= candidates <= high
    )
    best = scores[0]
    return Puzzle(
        game.text(p),
        seat,
        str(best.outcome),
        game.code(best.move),
        best.label,
        candidates,
        difficulty,
    )


def _turned(agent: TableAgent, puzzle: Puzzle, generator: random.Random) -> Puzzle:
    """Return a random symmetric image of a puzzle, for variety."""
    game = agent.game
    image = generator.choice(game.symmetries).position(game.parse(puzzle.position))
    best = agent.scores_at(image)[0]
    return puzzle._replace(
        position=game.text(image),
        turn=game.turn(image),  # a symmetry may exchange the sides
        move=game.code(best.move),
        label=best.label,
    )
