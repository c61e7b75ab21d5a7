"""Estimating the later plies, which were not counted, for `solver.solving.estimate`.

`sample` samples positions evenly. Counting random lines of play does not work, since many of them
lead to the same position. Instead, let m(q) be the number of parents of a position q that the game
can reach, and let a move to q have the weight 1/m(q). All moves to q together then have the weight
1. So the number of positions in the next ply is that of this ply times the weight of all moves from
a position, averaged over the ply.
The average is estimated on a sample drawn evenly from the ply; moves drawn from it in proportion to
their weights lead to an even sample of the next ply. After Donald E. Knuth, "Estimating the
efficiency of backtrack programs", Mathematics of Computation 29 (1975), and Pang C. Chen,
"Heuristic sampling", SIAM Journal on Computing 21 (1992).

The weights are estimated as well: parents of q are drawn until a reachable one is drawn. The number
of draws divided by the number of all parents is 1/m(q) on average.

`extrapolate` continues the growth of the plies that were counted. It gives two numbers between
which the size of each later ply lies. The sizes of plies rise and fall like a bell: each ply is
larger than the one before by a factor, whose logarithm falls about evenly. If no position repeats
in random games, how fast it falls follows from where the bell ends: near the longest of them. Else
it falls as before.

A second way, where no position repeats: a ply has as many positions as there are beginnings of
games of this length, divided by how many of them meet in a position on average. Random games show
the former, in Knuth's way, and by what factor the latter grows with each ply rises about like the
logarithm of the ply.

The constants are such that the range holds the truth for nearly all beginnings of some games that
are counted whole. It remains a guess. The longer the game, the worse: connect4:7x6 has 12 times as
many positions as the upper end says, and a game whose plies stop growing has fewer than the lower.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import count as count_up
from itertools import pairwise, zip_longest
from math import exp, log
from statistics import fmean, linear_regression
from typing import Any

from solver.errors import GameLawError
from solver.rules.game import Game
from solver.rules.laws import random_length
from solver.rules.positions import one_move_on, successors
from solver.solving.estimate_count import EXAMPLES, Count, PlyCount, in_time
from solver.startup import M, P

DRAWN = 300  # moves per ply in each sample
MOST_WORK = 6_000_000  # moves and parents to list before no further sample is started
FEW = 20  # positions that may remain undecided in any case
PATIENCE = 5_000  # steps of a search for a way back to the start
SAMPLES = 8  # independent samples; their spread gives the error
FEWEST_SAMPLES = 3  # if more would take too long
FEWEST = 2  # plies after the start from which others are extrapolated
GAMES = 200  # random games
BEYOND = 1.3  # the longest game of all, relative to the longest of these
ENDING = (0.5, 2.0)  # factors on the smallest and the largest bell, if positions do not repeat
REPEATING = (0.3, 8.0)  # if they do
WINDOWS = (4, 5, 6, 8)  # the numbers of last plies that show how fast factors fall
STEADY = -0.01  # a slope of the logarithm that shows no end
MOST_PLIES = 10_000
BEGINNINGS = 300  # random games that show how many beginnings there are
SHOWN = 6  # plies that show how fast they meet
SLIGHT, VAGUE = 10**3, 10**9  # a range from below to above these times as many as counted
HIGHEST = 500.0  # logarithm of the largest size
HEAVIEST = 1e300  # beginnings for which one may stand: a float holds no more
EXTRAPOLATED = (
    "the range is a guess from the growth of the plies that were counted, and a poor one for a game"
    " of more than some 40 plies"
)

Weighted = tuple[Any, float]
"""A sampled position, and the number of positions that it represents."""


def sample(game: Game[Any, Any], count: Count, seed: int, most: int) -> tuple[Count, str]:
    """Return all plies, estimating those not counted; or the counted ones and why only these.

    The game defines `parents`, and the last ply that was counted is listed. If moves skip tiers,
    everything but the start is estimated, tier by tier.
    """
    start, plies = game.initial(), count.plies
    if min(count.steps) < 1:
        return count, "some moves do not raise the tier"
    last, unit = count.last, count.unit
    if count.steps != {1}:
        plies, last, unit = plies[:1], [start], "tier"
    base = game.tier(start) + len(plies) - 1
    sampler = Sampler(game, base, {*last}.__contains__)
    samples: list[dict[int, list[Weighted]]] = []
    while len(samples) < most and (len(samples) < FEWEST_SAMPLES or sampler.work < MOST_WORK):
        generator = random.Random(seed * SAMPLES + len(samples))
        drawn = [generator.choice(last) for _ in range(DRAWN)]
        samples.append(sampler.follow(drawn, plies[-1].positions[0], generator))
        if sampler.too_hard:
            return count, "it is unclear which positions it reaches"
        if sampler.work > 2 * MOST_WORK:
            return count, "sampling takes too long"
    tiers = range(base + 1, max(map(max, samples)) + 1)
    later = [_gather(game, [each.get(tier, []) for each in samples]) for tier in tiers]
    return count._replace(plies=plies + later, unit=unit), ""


def _gather(game: Game[Any, Any], samples: list[list[Weighted]]) -> PlyCount:
    """Return the estimates for a ply from several samples of it."""
    start = game.initial()
    images = [s.position for s in game.symmetries if s.position(start) == start]
    return PlyCount(
        [sum(n for _, n in pairs) for pairs in samples],
        [sum(n / len({image(p) for image in images}) for p, n in pairs) for pairs in samples],
        [p for pairs in samples for p, _ in pairs[:: DRAWN * SAMPLES // EXAMPLES]],
    )


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
        samples = {}
        while waiting and self.work < 2 * MOST_WORK and not self.too_hard:
            tier = min(waiting)
            # sorted by key, so that the moves drawn are more alike in all samples
            samples[tier] = sorted(waiting.pop(tier), key=lambda pair: game.key(pair[0]))
            for q, number in self._draw(samples[tier], generator):
                waiting.setdefault(game.tier(q), []).append((q, number))
        return samples

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


def extrapolate(game: Game[P, M], count: Count, seed: int) -> tuple[Count, str]:
    """Return all plies, extrapolating those not counted; or the count as it is, and why."""
    sizes = [ply.positions[0] for ply in count.plies]
    factors = [log(b / a) for a, b in pairwise(sizes)]
    seeds = range(seed * GAMES, (seed + 1) * GAMES)
    lengths = [random_length(game, number) for number in in_time(seeds)]
    longest, is_cyclic = max(length or 0 for length in lengths), None in lengths
    if len(factors) < (max(WINDOWS) if is_cyclic else FEWEST):
        return count, "too few plies were counted"
    if is_cyclic:
        ends = REPEATING
        fits = [linear_regression(range(1 - n, 1), factors[-n:]) for n in WINDOWS]
        if max(fit.slope for fit in fits) > STEADY:
            return count, "its plies grow as fast as before"
        bells = [_bell(sizes[-1], fit.intercept, fit.slope, MOST_PLIES) for fit in fits]
    else:
        ends, left = ENDING, longest - len(factors)
        bells = [_ending_bell(sizes[-1], min(factors[-2:]), left)]
        left = int(BEYOND * longest) + 1 - len(factors)
        bells.append(_ending_bell(sizes[-1], fmean(factors[-2:]), left))
        bells.append(_merged(sizes, _beginnings(game, seed)))
    least, most = min(bells, key=sum), max(bells, key=sum)
    is_vague = sum(least) < SLIGHT * sum(sizes) and sum(most) > VAGUE * sum(sizes)
    if is_vague or not most:
        return count, "its plies do not show where it ends"
    last, later = count.plies[-1], list[PlyCount]()
    share = last.canonical[0] / last.positions[0]
    for low, high in zip_longest(least, most, fillvalue=0.0):
        between = sorted((ends[0] * low, ends[1] * high))
        later.append(PlyCount(between, [share * n for n in between], last.examples))
    return count._replace(plies=count.plies + later, remark=EXTRAPOLATED), ""


def _ending_bell(size: float, factor: float, plies: int) -> list[float]:
    """Return the sizes of so many plies after one, if about one position is left in the last."""
    rise = log(size) + factor * plies
    return _bell(size, factor, min(0.0, -2 * rise / (plies * (plies + 1) or 1)), plies)


def _bell(size: float, factor: float, slope: float, plies: int) -> list[float]:
    """Return the sizes of at most so many plies after one, until there are no positions."""
    later, logarithm = list[float](), log(size)
    while logarithm >= 0 and len(later) < plies:
        factor += slope
        logarithm += factor
        later.append(exp(min(logarithm, HIGHEST)))
    return later


def _beginnings(game: Game[P, M], seed: int) -> list[float]:
    """Return about how many beginnings of games have each number of plies; none may be endless."""
    generator, counts = random.Random(seed), list[float]()
    for _ in in_time(range(BEGINNINGS)):
        weight, after = 1.0, [game.initial()]
        for ply in count_up():
            if not after or weight > HEAVIEST:
                break
            counts += [0.0] * (ply == len(counts))
            counts[ply] += weight / BEGINNINGS
            after = one_move_on(game, generator.choice(after))
            weight *= len(after)
    return counts


def _merged(sizes: list[float], beginnings: list[float]) -> list[float]:
    """Return the sizes of the plies after these, as the beginnings of games meet ever more."""
    meeting = [log(paths / size) for paths, size in zip(beginnings, sizes, strict=False)]
    steps = [b - a for a, b in pairwise(meeting)][1:][-SHOWN:]
    first = len(meeting) - len(steps)
    if len(steps) < 2:
        return []
    slope, start = linear_regression([log(first + n) for n in range(len(steps))], steps)
    logarithm, later = log(sizes[-1]), list[float]()
    for ply in range(len(sizes), len(beginnings)):
        growth = log(beginnings[ply] / beginnings[ply - 1])
        logarithm += growth - start - slope * log(ply)
        if logarithm < 0:
            break
        later.append(exp(min(logarithm, HIGHEST)))
    return later
