"""The steps of a solve in plain Python, for a game of any kind; see `solver.tiers` for them."""

from __future__ import annotations

import sys
from array import array
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from solver.errors import GameLawError, IntraTierMoveError, tier_too_large
from solver.rules.game import Game, walk
from solver.rules.mixing import mixer
from solver.rules.positions import children, orbits
from solver.solving.retrograde import solve_tier
from solver.startup import M, P, Typed
from solver.tables.format import COUNTS
from solver.tables.mapped_file import TYPES, TableLayout, arrange, choose_layout
from solver.value import LIMIT, distance, narrow, outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import Any

    Later = Collection[tuple[list[P], array[int]]]

SLOTS = 10  # bits of a slot's number
SPREAD = (1 << 61) - 1  # a prime, modulo which keys of any size differ
WALKED = 1000  # plies of random games that show whether moves stay in a tier


def lay_out(
    game: Game[P, M], scores: dict[P, int]
) -> tuple[dict[str, int], TableLayout, dict[str, memoryview]]:
    """Return the counts, the layout and the arrays of the table that these scores make."""
    entries = [(game.key(p), score) for p, score in scores.items()]
    plies = max(distance(score) or 0 for score in scores.values())
    layout = choose_layout(len(entries), max(key for key, _ in entries), plies)
    return count(game, scores), layout, arrange(entries, layout)


def count(game: Game[P, M], scores: dict[P, int]) -> dict[str, int]:
    """Return how many positions there are: distinct ones, but for `canonical`."""
    return tally(game, scores, orbits(game, scores))


def tally(game: Game[P, M], scores: dict[P, int], sizes: dict[P, int]) -> dict[str, int]:
    """Return how many positions there are, given how many each canonical one stands for."""
    counts = dict.fromkeys(COUNTS, 0)
    counts["canonical"] = len(scores)
    for p, score in scores.items():
        size = sizes[p]
        counts["positions"] += size
        counts[str(outcome(score))] += size
        if game.primitive(p) is not None:
            counts["terminal"] += size
    return counts


class PythonSteps(Typed[P, M]):
    """Steps on lists of canonical positions and of scores; moves may stay within a tier."""

    weight, later_weight = 2000, 600
    slot = None

    memory = sys.maxsize
    """Bytes that a tier may take."""

    def __init__(self, game: Game[P, M]) -> None:
        self.game = game
        self._multiplier = mixer(64)
        tiers = [game.tier(p) for p in walk(game, WALKED)]
        self.splits = all(b > a or b == tiers[0] for a, b in pairwise(tiers)) and len({*tiers}) > 1

    def start(self) -> tuple[int, list[P]]:
        """Return the first tier's number and its positions."""
        p = self.game.canonical(self.game.initial())
        return self.game.tier(p), [p]

    def cut(self, positions: list[P]) -> list[tuple[int, int, int]]:
        """Return where positions of each slot start and stop."""
        return _runs(map(self._slot, positions))

    def grow(self, seeds: list[P], whole: bool) -> tuple[list[P], dict[int, list[P]]]:
        """Return a tier's positions, and those of later tiers that its moves lead to.

        Of a part of a tier, likewise; raises IntraTierMoveError if a move stays in the tier.
        """
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
                elif not whole:
                    raise IntraTierMoveError(f"a move stays in tier {tier}")
                elif child not in seen:
                    seen.add(child)
                    waiting.append(child)
            if len(seen) * self.later_weight > self.memory:
                raise tier_too_large(game.spec, f"at least {len(seen):,} positions", self.memory)
        keys = seeds if len(seen) == len(seeds) else sorted(seen, key=self._order)
        return keys, {number: sorted(found, key=self._order) for number, found in later.items()}

    def unite(self, sets: list[list[P]]) -> list[P]:
        """Return the positions that are in any set."""
        return sorted({p for some in sets for p in some}, key=self._order)

    def spans(self, positions: list[P]) -> list[tuple[int, int]]:
        """Return from which slot to below which other one later tiers are needed to resolve."""
        return [(0, 1 << SLOTS)]

    def resolve(self, positions: list[P], later: dict[int, Later[P]], whole: bool) -> array[int]:
        """Return the scores of a tier or a part of it, given later tiers."""
        game = self.game
        wanted = {child for p in positions for child in children(game, p)}
        scores: dict[P, int] = {}
        for pieces in later.values():
            for found, held in pieces:
                scores |= {p: s for p, s in zip(found, held, strict=True) if p in wanted}
        solve_tier(game, positions, scores)
        values = array("h", [scores[p] for p in positions])
        if 1 in values or -1 in values:
            raise ValueError(f"a game of {game.spec} can last longer than {LIMIT} plies: too long")
        return values

    def tally(self, positions: list[P], values: array[int]) -> dict[str, int]:
        """Return counts of positions, the largest canonical key, and the longest distance.

        Where the start is not symmetric, they count each canonical position once.
        """
        game = self.game
        scores = dict(zip(positions, values, strict=True))
        sizes = orbits(game, positions) if self.counts else dict.fromkeys(positions, 1)
        plies = max((distance(score) or 0 for score in values), default=0)
        top = max(map(game.key, positions), default=0)
        return tally(game, scores, sizes) | {"top": top, "plies": plies}

    @property
    def counts(self) -> bool:
        """Whether tallies count all positions: the start is its own image under every symmetry."""
        start = self.game.initial()
        return all(s.position(start) == start for s in self.game.symmetries)

    def start_score(self, positions: list[P], values: array[int]) -> int:
        """Return the score of the start, which is among the positions of the first tier."""
        return values[positions.index(self.game.canonical(self.game.initial()))]

    def scores(self, positions: list[P], values: array[int]) -> Iterable[tuple[P, int]]:
        """Return canonical positions with their scores."""
        return zip(positions, values, strict=True)

    def entries(
        self, positions: list[P], values: array[int], layout: TableLayout
    ) -> tuple[list[int], list[int]]:
        """Return the mixed keys of a table's entries, and their values as the table holds them."""
        mixed = [self.game.key(p) * layout.multiplier & layout.mask for p in positions]
        return mixed, [narrow(value, layout.limit) for value in values]

    def sort_entries(self, mixed: list[int], values: list[int]) -> tuple[list[int], list[int]]:
        """Return entries by ascending mixed keys."""
        pairs = sorted(zip(mixed, values, strict=True))
        return [key for key, _ in pairs], [value for _, value in pairs]

    def pack_entries(self, mixed: list[int], values: list[int]) -> tuple[memoryview, memoryview]:
        """Return entries as two buffers."""
        return _pack("Q", mixed), _pack("h", values)

    def unpack_entries(
        self, mixed: bytearray, values: bytearray, layout: TableLayout
    ) -> tuple[Any, Any]:
        """Return the entries in two buffers."""
        return _unpack("Q", mixed), _unpack("h", values)

    def cut_entries(self, mixed: list[int], width: int) -> list[tuple[int, int, int]]:
        """Return where the sorted entries start and stop that are alike but for `width` bits."""
        return _runs(key >> width for key in mixed)

    def fill(
        self,
        pieces: Callable[[], Iterable[tuple[list[int], list[int]]]],
        layout: TableLayout,
        buckets: tuple[int, int],
    ) -> tuple[int, list[memoryview]]:
        """Return how many entries buckets from one to below another hold, and their three arrays.

        `pieces` gives mixed keys and values, those of other buckets among them. Offsets count from
        the first entry here.
        """
        first, last = buckets
        low, high = first << layout.width, last << layout.width
        found = sorted(
            entry
            for columns in pieces()
            for entry in zip(*columns, strict=True)
            if low <= entry[0] < high
        )
        offsets = [0] * (last - first + 1)
        for key, _ in found:
            offsets[(key - low >> layout.width) + 1] += 1
        for bucket in range(last - first):
            offsets[bucket + 1] += offsets[bucket]
        columns = {
            "offsets": offsets[:-1],
            "remainders": [key & (1 << layout.width) - 1 for key, _ in found],
            "values": [value for _, value in found],
        }
        kinds = layout.arrays
        held = [_pack(TYPES[kinds[name][0]], columns[name]) for name in kinds]
        return len(found), held

    def shift(self, offsets: bytearray, base: int, layout: TableLayout) -> memoryview:
        """Return offsets that count from another entry."""
        code = TYPES[layout.arrays["offsets"][0]]
        return _pack(code, [offset + base for offset in _unpack(code, offsets)])

    def pack(self, positions: list[P]) -> bytes:
        """Return positions as a buffer: their keys, in hexadecimal, a line each."""
        return "".join([f"{self.game.key(p):x}\n" for p in positions]).encode()

    def unpack(self, data: bytearray) -> list[P]:
        """Return the positions in a buffer."""
        return [self.game.position(int(key, 16)) for key in data.split()]

    def pack_values(self, values: array[int]) -> memoryview:
        """Return scores as a buffer of 16-bit integers, the low byte first."""
        return _pack("h", values)

    def unpack_values(self, data: bytearray) -> array[int]:
        """Return the scores in a buffer."""
        return _unpack("h", data)

    def _order(self, p: P) -> tuple[int, int]:
        return self._slot(p), self.game.key(p)

    def _slot(self, p: P) -> int:
        """Return the slot of a position: of any range of slots, each has an even share."""
        mixed = self.game.key(p) % SPREAD * self._multiplier & (1 << 64) - 1
        return mixed >> 64 - SLOTS


def _runs(numbers: Iterable[int]) -> list[tuple[int, int, int]]:
    """Return each run of equal numbers: the number, where it starts and where it stops."""
    found, place = [], 0
    for number, group in groupby(numbers):
        size = sum(1 for _ in group)
        found.append((number, place, place + size))
        place += size
    return found


def _pack(code: str, numbers: Iterable[int]) -> memoryview:
    packed = array(code, numbers)
    if sys.byteorder == "big":
        packed.byteswap()
    return memoryview(packed).cast("B")


def _unpack(code: str, data: Any) -> array[int]:
    numbers = array(code, bytes(data))
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
