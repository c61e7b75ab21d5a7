"""Positions in which exactly one move keeps the outcome."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Any

from solver.arena.sample import draw_positions
from solver.players import Player, fits, load_player
from solver.tables.json_table import Table
from solver.tables.oracle import Oracle
from solver.value import Outcome

if TYPE_CHECKING:
    from solver.agent.agent import TableAgent
    from solver.agent.answers import Difficulty, Puzzle

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
    wanted = (z for z in puzzles if z is not None and difficulty in (None, z["difficulty"]))
    if isinstance(table, Oracle):  # whose positions take time
        chosen = [*islice(wanted, count)]
    else:
        pool = list(wanted)
        chosen = generator.sample(pool, min(count, len(pool)))
    return [_turned(agent, puzzle, generator) for puzzle in chosen]


def _puzzle(agent: TableAgent, rival: Player, p: Any) -> Puzzle | None:
    """Return the puzzle of a position, if it is one; `rival` decides its difficulty."""
    game = agent.game
    scores = agent.scores_at(p)
    if len(scores) < 2 or scores[1].outcome == scores[0].outcome:
        return None
    seat = game.turn(p)
    candidates = len(rival.distribution(game, p, seat))
    difficulty: Difficulty = next(
        name for name, (low, high) in DIFFICULTIES.items() if low <= candidates <= high
    )
    return _describe(agent, p, candidates, difficulty)


def _describe(agent: TableAgent, p: Any, candidates: int, difficulty: Difficulty) -> Puzzle:
    game, best = agent.game, agent.scores_at(p)[0]
    return {
        "position": game.text(p),
        "turn": game.turn(p),
        "task": "win" if best.outcome is Outcome.WIN else "draw",
        "move": game.code(best.move),
        "label": best.label,
        "candidates": candidates,
        "difficulty": difficulty,
    }


def _turned(agent: TableAgent, puzzle: Puzzle, generator: random.Random) -> Puzzle:
    """Return a random symmetric image of a puzzle, for variety."""
    game = agent.game
    image = generator.choice(game.symmetries).position(game.parse(puzzle["position"]))
    return _describe(agent, image, puzzle["candidates"], puzzle["difficulty"])
