"""Solving from the end: one tier after the other, positions in order of distance.

Takes a game; returns the same scores as `search`, also for games in which positions repeat. Within
a tier, wins and losses are settled in order of their distance, so the first score that settles a
position is its best one. The positions that remain are draws, by repetition or by the rules.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import partial

from solver.errors import GameLawError
from solver.rules.game import Game
from solver.rules.positions import children, reachable
from solver.startup import M, P
from solver.value import INFINITY, back, distance, score


def retrograde(
    game: Game[P, M],
    tiers: dict[int, list[P]] | None = None,
    following: Callable[[P], list[P]] | None = None,
) -> dict[P, int]:
    """Return the exact score of every canonical position that a game can reach.

    `tiers` is the result of `solver.rules.positions.reachable` if it is already known, and
    `following` returns what `children` does.
    """
    scores: dict[P, int] = {}
    for positions in reversed((tiers or reachable(game)).values()):
        solve_tier(game, positions, scores, following)
    return scores


def solve_tier(
    game: Game[P, M],
    positions: list[P],
    scores: dict[P, int],
    following: Callable[[P], list[P]] | None = None,
) -> None:
    """Add the scores of one tier to `scores`, which has those of all later tiers."""
    following = following or partial(children, game)
    best: dict[P, int] = {}  # the highest score of a move so far
    unsettled: dict[P, int] = {}  # the number of children within the tier without a score
    parents: dict[P, list[P]] = defaultdict(list)
    queues: dict[int, list[P]] = defaultdict(list)  # by distance: the positions to settle

    def enqueue_if_decided(p: P) -> None:
        """Queue `p` if a move wins, or if all moves lose."""
        plies = distance(best[p])
        if plies is not None and (best[p] > 0 or not unsettled[p]):
            queues[plies].append(p)

    for p in positions:
        over = game.primitive(p)
        best[p], unsettled[p] = -INFINITY if over is None else score(over), 0
        for child in set(following(p)):
            if child in scores:
                best[p] = max(best[p], back(scores[child]))
            else:
                unsettled[p] += 1
                parents[child].append(p)
        enqueue_if_decided(p)

    earlier = parents.keys() - best.keys()
    if earlier:
        raise GameLawError(
            f"{game.spec}: a move to {game.text(next(iter(earlier)))} lowers the tier"
        )
    settled: dict[P, int] = {}
    while queues:
        for child in queues.pop(min(queues)):
            if child in settled:
                continue
            settled[child] = best[child]
            for p in parents[child]:
                unsettled[p] -= 1
                if p not in settled:
                    best[p] = max(best[p], back(best[child]))
                    enqueue_if_decided(p)
    scores.update((p, settled.get(p, 0)) for p in positions)
