"""Extrapolating the sizes of later plies from the growth of those that were counted.

Takes plies from the start; returns them and all others, each of these as two numbers between which
its size lies. The sizes of plies rise and fall like a bell: each ply is larger than the one before
by a factor, whose logarithm falls about evenly. If no position repeats in random games, how fast it
falls follows from where the bell ends: near the longest of them. Else it falls as before.

A second way, where no position repeats: a ply has as many positions as there are beginnings of
games of this length, divided by how many of them meet in a position on average. Random games show
the former (see `estimate_sample` for Knuth's way), and by what factor the latter grows with each
ply rises about like the logarithm of the ply.

The constants are such that the range holds the truth for nearly all beginnings of some games that
are counted whole. It remains a guess. The longer the game, the worse: connect4:7x6 has 12 times as
many positions as the upper end says, and a game whose plies stop growing has fewer than the lower.
"""

from __future__ import annotations

import random
from itertools import count as count_up
from itertools import pairwise, zip_longest
from math import exp, log
from statistics import fmean, linear_regression

from solver.rules.game import Game
from solver.rules.laws import random_length
from solver.rules.positions import one_move_on
from solver.solving.estimate_count import Count, PlyCount, in_time
from solver.startup import M, P

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
