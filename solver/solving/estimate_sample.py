"""Estimating the number of positions in each tier by sampling positions evenly.

Counting random lines of play does not work, since many of them lead to the same position. Instead,
let m(q) be the number of parents of a position q that the game can reach, and let a move to q have
the weight 1/m(q). All moves to q together then have the weight 1. So the number of positions in the
next ply is that of this ply times the weight of all moves from a position, averaged over the ply.
The average is estimated on a sample drawn evenly from the ply; moves drawn from it in proportion to
their weights lead to an even sample of the next ply. After Donald E. Knuth, "Estimating the
efficiency of backtrack programs", Mathematics of Computation 29 (1975), and Pang C. Chen,
"Heuristic sampling", SIAM Journal on Computing 21 (1992).

The weights are estimated as well: parents of q are drawn until a reachable one is drawn. The number
of draws divided by the number of all parents is 1/m(q) on average.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from solver.errors import GameLawError
from solver.rules.game import Game
from solver.rules.positions import successors

DRAWN = 300  # moves per ply in each sample
MOST_WORK = 6_000_000  # moves and parents to list before no further sample is started
FEW = 20  # positions that may remain undecided in any case
PATIENCE = 5_000  # steps of a search for a way back to the start

Weighted = tuple[Any, float]
"""A sampled position, and the number of positions that it represents."""


class Sampler:
    """Draws samples of later tiers from an even sample of one tier.

    `work` counts the moves and parents listed so far.
    """

    def __init__(self, game: Game[Any, Any], base: int, contains: Callable[[Any], bool]) -> None:
        """Start at the tier `base`, whose reachable positions are those that `contains` accepts."""
        self.game, self.base, self.contains = game, base, contains
        self.work = self._searches = self._undecided = 0
        self._unreachable: set[Any] = set()

    @property
    def too_hard(self) -> bool:
        """Whether it remained undecided for too many positions if the game can reach them."""
        return self._undecided > FEW and self._undecided * 50 > self._searches

    def follow(
        self, sample: list[Any], size: float, generator: random.Random
    ) -> dict[int, list[Weighted]]:
        """Return samples of all later tiers, given an even sample of the tier `base`.

        `size` is the number of positions in that tier.
        """
        game = self.game
        waiting = {self.base: [(p, size / len(sample)) for p in sample]}
        found = {}
        while waiting and self.work < 2 * MOST_WORK and not self.too_hard:
            tier = min(waiting)
            # sorted by key, so that the moves drawn are more alike in all samples
            found[tier] = sorted(waiting.pop(tier), key=lambda pair: game.key(pair[0]))
            for q, number in self._draw(found[tier], generator):
                waiting.setdefault(game.tier(q), []).append((q, number))
        return found

    def _draw(self, sample: list[Weighted], generator: random.Random) -> Iterator[Weighted]:
        """Yield positions that moves from a tier lead to, evenly distributed.

        The moves are laid end to end, each as long as the weight of its position. One move is drawn
        at random from each of DRAWN stretches of equal length.
        """
        moves = [(p, q, number) for p, number in sample for q in successors(self.game, p)]
        self.work += len(moves)
        stretch = sum(number for _, _, number in moves) / DRAWN
        drawn, point, end = 0, generator.random() * stretch, 0.0
        for p, q, number in moves:
            end += number
            while point < end and drawn < DRAWN:
                yield q, stretch * self._move_weight(p, q, generator)
                drawn += 1
                point = (drawn + generator.random()) * stretch

    def _move_weight(self, p: Any, q: Any, generator: random.Random) -> float:
        """Return a number that is 1/m(q) on average, given a move from `p` to `q`."""
        parents = list(dict.fromkeys(self._parents(q)))
        if p not in parents:
            text = self.game.text
            raise GameLawError(
                f"{self.game.spec}: a move leads from {text(p)} to {text(q)}, but the parents of"
                f" {text(q)} do not include {text(p)}"
            )
        draws = 1
        while (parent := generator.choice(parents)) != p and not self._reaches(parent, generator):
            draws += 1
        return draws / len(parents)

    def _reaches(self, p: Any, generator: random.Random) -> bool:
        """Return whether the game can reach `p`, or False if the search takes too long."""
        self._searches += 1
        waiting = [(p, False)]
        for _ in range(PATIENCE):
            if not waiting:
                return False
            p, tried = waiting.pop()
            if tried or p in self._unreachable:
                self._unreachable.add(p)
            elif self.game.tier(p) > self.base:
                before = self._parents(p)
                waiting.append((p, True))
                waiting += [(q, False) for q in generator.sample(before, len(before))]
            elif self.contains(p):
                return True
            else:
                self._unreachable.add(p)
        self._undecided += 1
        return False

    def _parents(self, p: Any) -> Sequence[Any]:
        parents = self.game.parents(p) or ()
        self.work += 1 + len(parents)
        return parents
