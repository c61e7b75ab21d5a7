"""The steps of a solve in plain Python, for a game of any kind."""

from __future__ import annotations

import sys
from array import array

from .enumeration import children, orbits
from .errors import GameLawError
from .game import Game, M, P, Typed
from .mapped import Layout, arrange, layout
from .retrograde import solve_tier
from .table import COUNTS
from .value import distance, outcome


def lay_out(
    game: Game[P, M], scores: dict[P, int]
) -> tuple[dict[str, int], Layout, dict[str, memoryview]]:
    """Return the counts, the layout and the arrays of the table that these scores make."""
    entries = [(game.key(p), score) for p, score in scores.items()]
    plies = max(distance(score) or 0 for score in scores.values())
    cut = layout(len(entries), max(key for key, _ in entries), plies)
    return count(game, scores), cut, arrange(entries, cut)


def count(game: Game[P, M], scores: dict[P, int]) -> dict[str, int]:
    """Return how many positions there are: distinct ones, but for `canonical`."""
    sizes = orbits(game, scores)
    counts = dict.fromkeys(COUNTS, 0)
    counts["canonical"] = len(scores)
    for p, size in sizes.items():
        counts["positions"] += size
        counts[str(outcome(scores[p]))] += size
        if game.primitive(p) is not None:
            counts["terminal"] += size
    return counts


class Plain(Typed[P, M]):
    """Steps on lists of canonical positions and of scores; moves may stay within a tier."""

    def __init__(self, game: Game[P, M]) -> None:
        self.game = game

    def start(self) -> tuple[int, list[P]]:
        """Return the first tier's number and seeds."""
        p = self.game.canonical(self.game.initial())
        return self.game.tier(p), [p]

    def grow(self, seeds: list[P]) -> tuple[list[P], dict[int, list[P]]]:
        """Return a tier's positions, and those of later tiers that its moves lead to."""
        game = self.game
        tier = game.tier(seeds[0])
        seen, waiting = set(seeds), list(seeds)
        later: dict[int, set[P]] = {}
        while waiting:
            for child in children(game, waiting.pop()):
                number = game.tier(child)
                if number < tier:
                    raise GameLawError(
                        f"{game.spec}: the tier falls from {tier} to {number} by a move to"
                        f" {game.text(child)}"
                    )
                if number != tier:
                    later.setdefault(number, set()).add(child)
                elif child not in seen:
                    seen.add(child)
                    waiting.append(child)
        keys = seeds if len(seen) == len(seeds) else sorted(seen, key=game.key)
        return keys, {number: sorted(found, key=game.key) for number, found in later.items()}

    def unite(self, some: list[P], more: list[P]) -> list[P]:
        """Return the positions that are among either."""
        return sorted({*some, *more}, key=self.game.key)

    def resolve(self, keys: list[P], later: dict[int, tuple[list[P], array[int]]]) -> array[int]:
        """Return a tier's scores, given the positions and scores of the later tiers."""
        scores = {p: score for pair in later.values() for p, score in zip(*pair, strict=True)}
        solve_tier(self.game, keys, scores)
        return array("h", [scores[p] for p in keys])

    def pack(self, keys: list[P]) -> bytes:
        """Return positions as a buffer: their keys, in hexadecimal, a line each."""
        return "\n".join([f"{self.game.key(p):x}" for p in keys]).encode()

    def unpack(self, data: bytearray) -> list[P]:
        """Return the positions in a buffer."""
        return [self.game.position(int(key, 16)) for key in data.split()]

    def pack_values(self, values: array[int]) -> bytes:
        """Return scores as a buffer of 16-bit integers, the low byte first."""
        values = values[:]
        if sys.byteorder == "big":
            values.byteswap()
        return values.tobytes()

    def unpack_values(self, data: bytearray) -> array[int]:
        """Return the scores in a buffer."""
        values = array("h", bytes(data))
        if sys.byteorder == "big":
            values.byteswap()
        return values
