"""The steps of a solve in plain Python, for any game: on lists of canonical positions."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import Any

from solver.errors import GameLawError, IntraTierMoveError
from solver.games import built_in_name
from solver.rules.game import Game, checked_key, checked_tier, walk
from solver.rules.kernel import Kernel, Later, LayeredKernel, TieredKernel
from solver.rules.packing import mixer
from solver.rules.positions import (
    check_position,
    check_types,
    children,
    explore,
    orbits,
    reaches_images,
)
from solver.solving.from_scores import count_positions, table_entries
from solver.solving.memory import tier_too_large
from solver.solving.retrograde import solve_tier
from solver.solving.steps import Steps, check_length
from solver.tables.mapped_file import TableLayout
from solver.value import distance

BYTES = 600  # approximate memory for a position in a set or a dict
SLOT_BITS = 10  # of a slot number
PRIME = (1 << 61) - 1  # keys of any size are spread by their remainders
WALKED = 1000  # plies of random games that show whether moves stay in a tier


class PythonSteps(Steps):
    """Steps on lists of canonical positions and arrays of scores; moves may stay in a tier."""

    compiled = False
    position_bytes, later_bytes = 2000, BYTES

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self._multiplier = mixer(64)
        tiers = [game.tier(p) for p in walk(game, WALKED)]
        rises = all(b > a or b == tiers[0] for a, b in pairwise(tiers))  # or the next game starts
        self.can_split = rises and len({*tiers}) > 1
        self.counts_all = reaches_images(game)
        self._checks_laws = built_in_name(game) is None

    def start(self) -> tuple[int, list[Any]]:
        p = self.game.canonical(self.game.initial())
        return self.game.tier(p), [p]

    def slots(self, positions: list[Any]) -> list[tuple[int, int, int]]:
        slots, start = [], 0
        for number, group in groupby(map(self._slot, positions)):
            stop = start + sum(1 for _ in group)
            slots.append((number, start, stop))
            start = stop
        return slots

    def unite(self, sets: list[list[Any]]) -> list[Any]:
        return self._sorted({p for positions in sets for p in positions})

    def grow(
        self, seeds: list[Any], whole: bool, memory: int
    ) -> tuple[list[Any], dict[int, list[Any]], None]:
        game = self.game
        tier = game.tier(seeds[0])
        later: dict[int, set[Any]] = {}

        def children_in_tier(p: Any) -> list[Any]:
            if self._checks_laws:
                check_position(game, p)
            members = []
            for child in children(game, p):
                if self._checks_laws:  # before its key forgets its types
                    check_types(game, child)
                number = checked_tier(game, child)
                if number < tier:
                    raise GameLawError(
                        f"{game.spec}: a move to {game.text(child)} lowers the tier from {tier} to"
                        f" {number}"
                    )
                if number > tier:
                    later.setdefault(number, set()).add(child)
                elif not whole:
                    raise IntraTierMoveError(f"a move stays in tier {tier}")
                else:
                    members.append(child)
            return members

        reached: list[Any] = []
        for level in explore(seeds, children_in_tier):
            reached += level
            self.check(len(reached))
            if len(reached) * BYTES > memory:
                raise tier_too_large(game.spec, len(reached), memory)
        positions = seeds if len(reached) == len(seeds) else self._sorted(reached)
        return positions, {number: self._sorted(members) for number, members in later.items()}, None

    def resolve(self, positions: list[Any], moves: None, later: Later, memory: int) -> array[int]:
        game = self.game
        wanted = {child for p in positions for child in children(game, p)}
        scores: dict[Any, int] = {}
        for read in later:
            scores |= {p: score for p, score in zip(*read(), strict=True) if p in wanted}
        solve_tier(game, positions, scores)
        values = array("h", [scores[p] for p in positions])
        check_length(game.spec, values)
        return values

    def tally(self, positions: list[Any], values: array[int]) -> dict[str, int]:
        game = self.game
        scores = dict(zip(positions, values, strict=True))
        sizes = orbits(game, positions) if self.counts_all else dict.fromkeys(positions, 1)
        plies = max(distance(score) or 0 for score in values)
        top = max(checked_key(game, p) for p in positions)
        return count_positions(game, scores, sizes) | {"top": top, "plies": plies}

    def entries(
        self, positions: list[Any], values: array[int], layout: TableLayout
    ) -> tuple[array[int], array[int]]:
        return table_entries(self.game, positions, values, layout)

    def join(self, pieces: list[Any]) -> list[Any]:
        return [item for piece in pieces for item in piece]

    def pack(self, positions: list[Any]) -> memoryview:
        """Return keys in hexadecimal, one per line, since they may be of any size."""
        keys = [f"{checked_key(self.game, p):x}\n" for p in positions]
        width = max(map(len, keys))
        lines = "".join([key.zfill(width) for key in keys]).encode()
        return memoryview(lines).cast("B", (len(keys), width))

    def unpack(self, slots: Sequence[tuple[int, int]], data: memoryview) -> list[Any]:
        return [self.game.position(int(key, 16)) for key in bytes(data).split()]

    def unpack_values(self, data: memoryview) -> memoryview:
        return data.cast("h")

    def _sorted(self, positions: Iterable[Any]) -> list[Any]:
        return sorted(positions, key=lambda p: (self._slot(p), checked_key(self.game, p)))

    def _slot(self, p: Any) -> int:
        """Return the slot of a position; every range of slots has an even share of a tier."""
        mixed: int = checked_key(self.game, p) % PRIME * self._multiplier & (1 << 64) - 1
        return mixed >> 64 - SLOT_BITS


def steps_for(game: Game[Any, Any], kernel: Kernel | None) -> Steps:
    """Return the steps for a game with this kernel, or without one."""
    if kernel is None:
        return PythonSteps(game)
    from solver.solving.steps_layered import LayeredSteps
    from solver.solving.steps_tiered import TieredSteps

    kernel.checks_images = built_in_name(game) is None
    if isinstance(kernel, LayeredKernel):
        return LayeredSteps(game, kernel)
    assert isinstance(kernel, TieredKernel)
    return TieredSteps(game, kernel)
