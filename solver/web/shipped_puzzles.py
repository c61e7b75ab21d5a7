"""The puzzles that ship with the page, for games where finding one takes a search.

page/daily.json has two lines for each game: the moves that lead to each position, and its good
move, with "=" where that draws.
"""

from __future__ import annotations

import json
import random
from itertools import islice
from pathlib import Path
from typing import Any

from solver.agent.agent import TableAgent
from solver.agent.answers import Puzzle
from solver.players.puzzles import puzzle_at, rival_in
from solver.rules.game import Game
from solver.rules.notation import find_move, replay
from solver.value import Outcome

DAILY = Path(__file__).parent / "page" / "daily.json"


def shipped_rows(game: Game[Any, Any]) -> list[tuple[str, str, str]]:
    """Return the moves, the good move and the outcome of each puzzle of a game that ships."""
    lines: dict[str, str] = json.loads(DAILY.read_bytes())
    moves, good = (lines.get(name, "").split() for name in (game.spec, f"{game.spec} good"))
    return [
        (played, move.rstrip("="), "draw" if "=" in move else "win")
        for played, move in zip(moves, good, strict=True)
    ]


def shipped_position(game: Game[Any, Any], moves: str) -> Any:
    """Return the position after the moves of a puzzle."""
    p, m = replay(game, game.initial(), moves)[-1]
    return game.play(p, m)


def shipped_puzzles(
    agent: TableAgent, count: int, seed: int, difficulty: str | None
) -> list[Puzzle]:
    """Return up to `count` of a game's puzzles in an order that the seed decides."""
    game, rows, rival = agent.game, shipped_rows(agent.game), rival_in(agent)

    def puzzle(row: tuple[str, str, str]) -> Puzzle:
        p = shipped_position(game, row[0])
        return puzzle_at(game, rival, p, find_move(game, p, row[1]), Outcome[row[2].upper()])

    puzzles = map(puzzle, random.Random(seed).sample(rows, len(rows)))
    return [*islice((z for z in puzzles if difficulty in (None, z["difficulty"])), count)]
