"""Finding every position that a game can reach.

Takes a game; returns its canonical positions by tier, or the number of distinct positions that each
canonical one stands for.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from solver.rules.game import Game, ended, legal_moves
from solver.startup import M, P


def children(game: Game[P, M], p: P) -> list[P]:
    """Return the canonical positions one move on, one for each move; none if the game is over."""
    if ended(game, p) is not None:
        return []
    return [game.canonical(game.play(p, m)) for m in legal_moves(game, p)]


def reachable(game: Game[P, M], most: float = math.inf) -> dict[int, list[P]]:
    """Return the canonical positions that a game can reach by tier, tiers in ascending order.

    Nothing if there are more than `most`.
    """
    start = game.canonical(game.initial())
    tiers: dict[int, list[P]] = {}
    seen, waiting = {start}, [start]
    while waiting:
        if len(seen) > most:
            return {}
        p = waiting.pop()
        tiers.setdefault(game.tier(p), []).append(p)
        fresh = set(children(game, p)) - seen
        seen |= fresh
        waiting += fresh
    return dict(sorted(tiers.items()))


def orbits(game: Game[P, M], positions: Iterable[P]) -> dict[P, int]:
    """Return how many distinct positions that a game can reach each canonical one stands for.

    If the start is its own image under every symmetry, all images of a reachable position are
    reachable and counted at once; otherwise the reachable ones are found one by one.
    """
    start = game.initial()
    if all(s.position(start) == start for s in game.symmetries):
        return {p: len({s.position(p) for s in game.symmetries}) for p in positions}
    counts = dict.fromkeys(positions, 0)
    for p in every_position(game):
        counts[game.canonical(p)] += 1
    return counts


def every_position(game: Game[P, M]) -> Iterator[P]:
    """Yield the distinct positions that a game can reach, those a move further after others."""
    seen = {game.initial(): None}
    level = list(seen)
    while level:
        yield from level
        open_ = [p for p in level if game.primitive(p) is None]
        level = list(dict.fromkeys(game.play(p, m) for p in open_ for m in game.moves(p)))
        level = [p for p in level if p not in seen]
        seen |= dict.fromkeys(level)
