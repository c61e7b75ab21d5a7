"""Brute force over all positions of a game, or of an oracle's rules; shares no code with solver."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

Value = tuple[int, int | None]  # outcome for the side to move, and plies to the end
Rules = Callable[[Any], int | list[Any]]
"""Gives the outcome for the side to move if the game is over, else the positions one move on."""
Graph = dict[Any, tuple[int | None, list[Any]]]
"""The outcome of each position, None if it is open, and what its moves lead to."""


def expand(rules: Rules, start: Any, most: float = float("inf")) -> Graph:
    """Return what a game can reach, or the first positions only if there are more than `most`."""
    found: Graph = {}
    waiting = [start]
    while waiting and len(found) <= most:
        p = waiting.pop()
        if p not in found:
            after = rules(p)
            found[p] = (after, []) if isinstance(after, int) else (None, after)
            waiting += found[p][1]
    return found


def brute(rules: Rules, start: Any) -> dict[Any, Value]:
    """Return outcome and distance of every position that a game can reach, ply by ply."""
    after = expand(rules, start)
    before: dict[Any, list[Any]] = defaultdict(list)
    for p, (_, children) in after.items():
        for q in children:
            before[q].append(p)
    left = {p: len(children) for p, (_, children) in after.items()}
    values: dict[Any, Value] = {p: (over, 0) for p, (over, _) in after.items() if over}
    settled, plies = [*values], 0
    while settled:
        plies, latest, settled = plies + 1, settled, []
        for q in latest:
            for p in before[q]:
                left[p] -= values[q][0] > 0
                if p not in values and (values[q][0] < 0 or left[p] == 0):
                    values[p] = (1 if values[q][0] < 0 else -1), plies
                    settled.append(p)
    return {p: values.get(p, (0, None)) for p in after}


def rules_of(game: Any) -> Rules:
    """Return the rules of a game of the package."""

    def rules(p: Any) -> int | list[Any]:
        over = game.primitive(p)
        return [game.play(p, m) for m in game.moves(p)] if over is None else int(over)

    return rules


def solve_by_force(game: Any) -> dict[Any, Value]:
    """Return outcome and distance of every position that a game of the package can reach."""
    return brute(rules_of(game), game.initial())
