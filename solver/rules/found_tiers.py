"""Tiers of games that do not define any: sums over the places of a position that no move lowers.

A tier adds a weight for each literal, a place with its value (see `solver.rules.packing`; a
number's places are its bits). First come counts of values, such as that of empty cells, which a
stone placed or a piece captured changes; then a weight for every literal, as a perceptron learns it
from moves that have to raise the sum.

Samples prove nothing: a solve stops at a move that lowers a tier, and starts again without it. The
rules and the seed alone decide the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from operator import mul
from typing import Any, NamedTuple

from solver.errors import BrokenTierError, GameLawError
from solver.rules.default_keys import has_fixed_places
from solver.rules.game import Game
from solver.rules.packing import Packing, key_places
from solver.rules.patterns import SAMPLED, Sample

MOST_VALUES = 5  # of which all counts are tried
MOST_TRIALS = 200_000  # of weights on moves
MOST_TIERS = 64  # more would only take more files

Weights = list[list[int]]  # for each place, of each digit
Change = tuple[tuple[int, int, int], ...]
"""The places that a move changes, but for those that every move does, with the digits before and
after."""


class FoundTier(NamedTuple):
    """The tier is (base + the sum of the weights) // divisor."""

    base: int
    divisor: int
    weights: tuple[tuple[int, ...], ...]
    """For each place the weight of each digit."""


def find_tier(game: Game[Any, Any], seed: int = 0) -> FoundTier | None:
    """Return a tier that no move of sampled games lowers; None if there is none to be found."""
    if type(game).tier is not Game.tier or not has_fixed_places(game):
        return None
    sample = Sample(game, seed, SAMPLED[0])
    keys = {p: game.key(p) for p in sample.positions}
    bits = max(max(keys.values()).bit_length(), *map(len, game.key_maps), 0)
    steps, radices = key_places(game.keys, bits)
    digits = {
        p: [key // step % radix for step, radix in zip(steps, radices, strict=True)]
        for p, key in keys.items()
    }
    pairs = [(digits[p], digits[q]) for p, (_, after) in sample.expanded.items() for q in after]
    turns = [all(p[c] != q[c] for p, q in pairs) for c in range(len(radices))]
    lasting = [c for c, turn in enumerate(turns) if not turn]
    changes = Counter(tuple([(c, p[c], q[c]) for c in lasting if p[c] != q[c]]) for p, q in pairs)
    weights = _counted(game, radices, turns, changes)
    if weights is None or any(not _gain(weights, change) for change in changes if change):
        weights = _learned(radices, changes) or weights
    if weights is None:
        return None
    weights = _symmetric(game, weights)
    lowest, highest = (sum(map(pick, weights)) for pick in (min, max))
    gains = {_gain(weights, change) for change in changes}
    if not any(gains):
        return None
    divisor = gains.pop() if len(gains) == 1 else (highest - lowest) // MOST_TIERS + 1
    tier = FoundTier(-lowest, divisor, tuple(map(tuple, weights)))
    number = _number(game, tier)
    images = ((p, s.position(p)) for p in sample.tested for s in game.symmetries)
    return tier if all(number(p) == number(image) for p, image in images) else None


def use_tier(game: Game[Any, Any], tier: FoundTier | None) -> None:
    """Give a game a tier that was found, or take it away."""
    if game.found_tier is not None:
        del game.tier
    game.found_tier = tier
    if tier is not None:
        game.tier = _number(game, tier)  # type: ignore[assignment,method-assign]


def lowered(game: Game[Any, Any], message: str) -> GameLawError | BrokenTierError:
    """Return the error for a move that lowers the tier."""
    return GameLawError(message) if game.found_tier is None else BrokenTierError(message)


def _number(game: Game[Any, Any], tier: FoundTier) -> Callable[[Any], int]:
    """Return what gives the number of a position's tier."""
    steps, radices = key_places(game.keys, len(tier.weights))
    columns = [*zip(steps, radices, tier.weights, strict=True)]

    def number(p: Any) -> int:
        key = game.key(p)
        found = sum([some[key // step % radix] for step, radix, some in columns])
        return (tier.base + found) // tier.divisor

    return number


def _counted(
    game: Game[Any, Any], radices: list[int], turns: list[bool], changes: Counter[Change]
) -> Weights | None:
    """Return weights of values, -1, 0 or 1, with a sum that most moves raise and none lowers.

    What all moves change, such as the side to move, has no weight.
    """
    keys = game.keys
    places = keys.values if isinstance(keys, Packing) else [(0, 1)] * len(radices)
    values = [*dict.fromkeys(v for some in places for v in some)]
    if len(values) > MOST_VALUES:
        return None
    best: tuple[int, tuple[int, ...]] = 0, ()
    gains: Counter[tuple[int, ...]] = Counter()
    for change, n in changes.items():
        after = Counter(places[c][b] for c, _, b in change)
        after.subtract(places[c][a] for c, a, _ in change)
        gains[tuple(after[v] for v in values)] += n
    for signs in product((-1, 0, 1), repeat=len(values)):
        sums = {gain: sum(map(mul, signs, gain)) for gain in gains}
        raised = sum(n for gain, n in gains.items() if sums[gain])
        if min(sums.values()) >= 0 and raised > best[0]:
            best = raised, signs
    if not best[0]:
        return None
    of_value = dict(zip(values, best[1], strict=True))
    return [
        [0 if turn else of_value[v] for v in some] for some, turn in zip(places, turns, strict=True)
    ]


def _learned(radices: list[int], changes: Counter[Change]) -> Weights | None:
    """Return weights of literals that all moves raise; None if that takes too many trials."""
    weights = [[0] * radix for radix in radices]
    kinds = [change for change in changes if change]
    for _ in range(MOST_TRIALS // max(1, len(kinds))):
        wrong = [change for change in kinds if _gain(weights, change) <= 0]
        if not wrong:
            return weights
        for change in wrong:
            if _gain(weights, change) <= 0:
                for place, before, after in change:
                    weights[place][before] -= 1
                    weights[place][after] += 1
    return None


def _symmetric(game: Game[Any, Any], weights: Weights) -> Weights:
    """Return the sum of the weights' images under symmetries that were found."""
    if not game.generators:
        return weights
    found = [[0] * len(some) for some in weights]
    for one in game.key_maps:
        for place, (target, digits) in enumerate(one):
            for before, after in enumerate(digits):
                found[place][before] += weights[target][after]
    return found


def _gain(weights: Weights, change: Change) -> int:
    """Return what a move adds to the sum."""
    return sum([weights[place][after] - weights[place][before] for place, before, after in change])
