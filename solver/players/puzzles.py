"""Positions in which exactly one move keeps the outcome."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from itertools import islice
from typing import Any

from solver.agent.agent import TableAgent
from solver.agent.answers import Difficulty, Puzzle
from solver.players import Player, fits, load_player
from solver.rules.game import Game
from solver.tables.draws import draw_positions, stored
from solver.tables.json_table import Table
from solver.value import Outcome

DRAWS = 100  # random positions of a large table to try for each puzzle wanted
DIFFICULTIES: dict[Difficulty, tuple[float, float]] = {
    "easy": (1, 1),
    "medium": (2, 4),
    "hard": (5, math.inf),
}
"""The range of moves among which the player `winblock` would choose at random."""


def find_puzzles(
    agent: TableAgent, count: int, seed: int = 0, difficulty: str | None = None
) -> list[Puzzle]:
    """Return up to `count` puzzles drawn at random, no two of them symmetric.

    Only a random sample of a large table's positions is tried. Raises ValueError for an unknown
    difficulty.
    """
    if difficulty is not None and difficulty not in DIFFICULTIES:
        names = ", ".join(DIFFICULTIES)
        raise ValueError(f"the difficulty is {difficulty!r}; it must be one of {names}")
    rival = rival_in(agent)
    generator = random.Random(seed)
    positions: Iterable[Any]
    if agent.table.is_searched:
        positions = islice(draw_positions(agent.table, generator), DRAWS * count)
    else:
        number = agent.table.counts["canonical"]
        tried = number if isinstance(agent.table, Table) else min(DRAWS * count, number)
        positions = map(stored(agent.table), generator.sample(range(number), tried))
    puzzles = (_puzzle(agent, rival, p, generator) for p in positions)
    wanted = (z for z in puzzles if z is not None and difficulty in (None, z["difficulty"]))
    return [*islice(wanted, count)]


def rival_in(agent: TableAgent) -> Player:
    """Return the player that decides how difficult a puzzle is."""
    return load_player("winblock" if fits("winblock", agent) else "win", agent)


def _puzzle(
    agent: TableAgent, rival: Player, canonical: Any, generator: random.Random
) -> Puzzle | None:
    """Return the puzzle of a random image of a position, if it is one.

    `rival` decides its difficulty.
    """
    game = agent.game
    p = generator.choice(game.symmetries).position(canonical)
    scores = agent.scores_at(p)
    if len(scores) < 2 or scores[1].outcome == scores[0].outcome:
        return None
    return puzzle_at(game, rival, p, scores[0].move, scores[0].outcome)


def puzzle_at(game: Game[Any, Any], rival: Player, p: Any, move: Any, outcome: Outcome) -> Puzzle:
    """Return the puzzle of a position, given its good move and how that ends."""
    seat = game.turn(p)
    candidates = len(rival.distribution(game, p, seat))
    return {
        "position": game.text(p),
        "turn": seat,
        "task": "win" if outcome is Outcome.WIN else "draw",
        "move": game.code(move),
        "label": game.label(p, move),
        "candidates": candidates,
        "difficulty": next(
            d for d, (low, high) in DIFFICULTIES.items() if low <= candidates <= high
        ),
    }
