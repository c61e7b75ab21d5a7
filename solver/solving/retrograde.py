"""Solving from the end: tier by tier, decisive scores in order of distance, the rest a draw.

Takes a game; returns its scores, the same as `search`. Positions may repeat within a
tier: a win or a loss is settled only when its distance has come, so the first score that settles
a position is its best, and what never settles is a draw, by repetition or by rule.
"""

from __future__ import annotations

from collections import defaultdict

from solver.errors import GameLawError
from solver.rules.game import Game
from solver.rules.positions import children, reachable
from solver.startup import M, P
from solver.value import INFINITY, back, distance, score


def retrograde(game: Game[P, M], tiers: dict[int, list[P]] | None = None) -> dict[P, int]:
    """Return the exact score of every canonical position that a game can reach.

    `tiers` are these positions, if they are known, as `solver.enumeration.reachable` finds them.
    """
    scores: dict[P, int] = {}
    for positions in reversed((tiers or reachable(game)).values()):
        solve_tier(game, positions, scores)
    return scores


def solve_tier(game: Game[P, M], positions: list[P], scores: dict[P, int]) -> None:
    """Add the scores of one tier to `scores`, which holds those of all later tiers."""
    best: dict[P, int] = {}  # the best of the scores that the moves are known to bring
    unsettled: dict[P, int] = {}  # how many children within the tier have no score yet
    parents: dict[P, list[P]] = defaultdict(list)
    buckets: dict[int, list[P]] = defaultdict(list)  # by distance: what settles there

    def offer(p: P) -> None:
        """Queue `p` if it wins, or loses whatever it does."""
        plies = distance(best[p])
        if plies is not None and (best[p] > 0 or not unsettled[p]):
            buckets[plies].append(p)

    for p in positions:
        over = game.primitive(p)
        best[p], unsettled[p] = -INFINITY if over is None else score(over), 0
        for child in set(children(game, p)):
            if child in scores:
                best[p] = max(best[p], back(scores[child]))
            else:
                unsettled[p] += 1
                parents[child].append(p)
        offer(p)

    earlier = parents.keys() - best.keys()
    if earlier:
        raise GameLawError(
            f"{game.spec}: the tier falls by a move to {game.text(next(iter(earlier)))}"
        )
    settled: dict[P, int] = {}
    while buckets:
        for child in buckets.pop(min(buckets)):
            if child in settled:
                continue
            settled[child] = best[child]
            for p in parents[child]:
                unsettled[p] -= 1
                if p not in settled:
                    best[p] = max(best[p], back(best[child]))
                    offer(p)
    scores.update((p, settled.get(p, 0)) for p in positions)
