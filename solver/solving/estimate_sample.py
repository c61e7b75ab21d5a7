"""Drawing positions evenly from each tier of a game, to tell how many there are.

To count paths will not do, for many paths lead to one position. A position q has m(q) parents that
the game can reach; a move to q counts as 1/m(q), so that all moves to q count as one together. What
the moves from a position count together, on average over a ply, is how many times as many positions
the next ply has. The average is taken over positions drawn evenly from a ply; moves drawn from it
in proportion to 1/m(q) lead to positions drawn evenly from the next one. After Donald E. Knuth,
"Estimating the efficiency of backtrack programs", Mathematics of Computation 29 (1975), and Pang C.
Chen, "Heuristic sampling", SIAM Journal on Computing 21 (1992).

Nor is m(q) counted: parents of q are drawn until one can be reached, and the number of draws over
the number of all parents is 1/m(q) on average.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.errors import GameLawError
from solver.rules.positions import successors

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Sequence

    from solver.rules.game import Game

DRAWN = 300  # moves from each ply in a group
MOST_WORK = 6_000_000  # moves and parents that are listed before no further group is begun
FEW = 20  # positions of which it may stay open whether they can be reached
PATIENCE = 5_000  # steps of a search for a way back to the start


class Sampler:
    """Goes from positions drawn evenly from a tier to such positions of all later tiers."""

    def __init__(self, game: Game[Any, Any], base: int, holds: Callable[[Any], bool]) -> None:
        """Begin after the tier `base`, of which `holds` tells the positions that can be reached."""
        self.game, self.base, self.holds = game, base, holds
        self.work = self.asked = self.unsure = 0
        self._lost: set[Any] = set()  # positions that cannot be reached

    @property
    def hard(self) -> bool:
        """Whether for too many positions it was not seen if the game can reach them."""
        return self.unsure > FEW and self.unsure * 50 > self.asked

    def follow(
        self, ply: list[Any], mass: float, generator: random.Random
    ) -> dict[int, list[tuple[Any, float]]]:
        """Return positions of later tiers, each with how many it stands for.

        `mass` is how many positions those in `ply` stand for together.
        """
        game = self.game
        waiting = {self.base: [(p, mass / len(ply)) for p in ply]}
        found = {}
        while waiting and self.work < 2 * MOST_WORK and not self.hard:
            tier = min(waiting)
            # in the order of their keys the moves that are drawn are more alike in all groups
            found[tier] = sorted(waiting.pop(tier), key=lambda pair: game.key(pair[0]))
            for q, number in self._draw(found[tier], generator):
                waiting.setdefault(game.tier(q), []).append((q, number))
        return found

    def _draw(
        self, ply: list[tuple[Any, float]], generator: random.Random
    ) -> Iterator[tuple[Any, float]]:
        """Yield where moves from a tier lead, each with how many positions it stands for.

        All moves stand in a row, each as long as its position stands for; one is drawn from each of
        DRAWN equal stretches.
        """
        moves = [(p, q, number) for p, number in ply for q in successors(self.game, p)]
        self.work += len(moves)
        stretch = sum(number for _, _, number in moves) / DRAWN
        drawn, place, end = 0, generator.random() * stretch, 0.0
        for p, q, number in moves:
            end += number
            while place < end and drawn < DRAWN:
                yield q, stretch * self._share(p, q, generator)
                drawn += 1
                place = (drawn + generator.random()) * stretch

    def _share(self, p: Any, q: Any, generator: random.Random) -> float:
        """Return a number that is 1/m(q) on average, given that a move leads from `p` to `q`."""
        parents = list(dict.fromkeys(self._parents(q)))
        if p not in parents:
            text = self.game.text
            raise GameLawError(
                f"{self.game.spec}: a move leads from {text(p)} to {text(q)}, but its parents do"
                " not tell"
            )
        draws = 1
        while (parent := generator.choice(parents)) != p and not self._reached(parent, generator):
            draws += 1
        return draws / len(parents)

    def _reached(self, p: Any, generator: random.Random) -> bool:
        """Return whether the game can reach `p`; wrong, and unsure, only by saying no."""
        self.asked += 1
        waiting = [(p, False)]
        for _ in range(PATIENCE):
            if not waiting:
                return False
            p, tried = waiting.pop()
            if tried or p in self._lost:
                self._lost.add(p)
            elif self.game.tier(p) > self.base:
                before = self._parents(p)
                waiting.append((p, True))
                waiting += [(q, False) for q in generator.sample(before, len(before))]
            elif self.holds(p):
                return True
            else:
                self._lost.add(p)
        self.unsure += 1
        return False

    def _parents(self, p: Any) -> Sequence[Any]:
        parents = self.game.parents(p) or ()
        self.work += 1 + len(parents)
        return parents
