"""Solving tier by tier: forward to find every position, backward for what each is worth.

Takes the steps of a game, on arrays where it has a kernel (`compiled`) and on lists of positions
elsewhere (`plain`), and a folder; leaves there every tier's positions and values. A tier that is
finished is kept, so the same solve goes on where it was stopped, however that came.

In the folder, for tier N: `N.seeds`, what earlier tiers lead to; `N.keys`, all its positions; and
`N.values`. The ledger tells which tiers are grown, and to which later ones their moves lead.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from .work import Work

    Progress = Callable[[str, int, int | None], None]
    """Hears what is being done, how many positions are done, and of how many if that is known."""

BETWEEN = 0.2  # seconds of work that a sudden end may cost, beside the tier at hand
COUNTING, SOLVING = "counting", "solving"


class TooManyError(ValueError):
    """There are more positions than the table can hold."""


class Steps(Protocol):
    """What solving does with the tiers of one game; pure functions of whole tiers."""

    def start(self) -> tuple[int, Any]:
        """Return the first tier's number and seeds."""

    def grow(self, seeds: Any) -> tuple[Any, dict[int, Any]]:
        """Return a tier's positions, and those of later tiers that its moves lead to."""

    def unite(self, some: Any, more: Any) -> Any:
        """Return the seeds that are among either."""

    def resolve(self, keys: Any, later: dict[int, tuple[Any, Any]]) -> Any:
        """Return a tier's values, given the positions and values of the later tiers it leads to."""

    def pack(self, keys: Any) -> Any:
        """Return positions as a buffer."""

    def unpack(self, data: bytearray) -> Any:
        """Return the positions in a buffer."""

    def pack_values(self, values: Any) -> Any:
        """Return values as a buffer."""

    def unpack_values(self, data: bytearray) -> Any:
        """Return the values in a buffer."""


def load(steps: Steps, work: Work, tier: int) -> tuple[Any, Any]:
    """Return the positions and the values of a solved tier; raises OSError if they are lost."""
    return steps.unpack(_need(work, f"{tier}.keys")), steps.unpack_values(
        _need(work, f"{tier}.values")
    )


def _need(work: Work, name: str) -> bytearray:
    data = work.get(name)
    if data is None:
        raise OSError(
            f"{work.directory}: the file {name} was lost or damaged while it was needed; the same"
            " command makes it again"
        )
    return data


def grow(steps: Steps, work: Work, progress: Progress, most: float = math.inf) -> None:
    """Find the positions of every tier; raises TooManyError if there are more than `most`."""
    grown: dict[str, Any] = work.ledger.setdefault("grown", {})
    pending = _pending(steps, work, grown)
    done = sum(entry["size"] for entry in grown.values())
    noted = 0.0
    try:
        while pending:
            if done > most:
                raise TooManyError(f"it has more than {most:,} positions")
            tier = min(pending)
            progress(COUNTING, done, None)
            done += _grow_tier(steps, work, tier, pending, grown)
            if time.monotonic() - noted > BETWEEN:
                work.note()
                noted = time.monotonic()
    finally:
        work.note()


def _grow_tier(
    steps: Steps, work: Work, tier: int, pending: dict[int, Any], grown: dict[str, Any]
) -> int:
    """Find the positions of a tier, add to the seeds of later ones, and return how many."""
    seeds = pending[tier]
    keys, later = steps.grow(seeds)
    for number, found in sorted(later.items()):
        known = pending.get(number)
        pending[number] = found if known is None else steps.unite(known, found)
        work.put(f"{number}.seeds", steps.pack(pending[number]))
    if keys is seeds and work.has(f"{tier}.seeds"):
        work.rename(f"{tier}.seeds", f"{tier}.keys")
    else:
        work.put(f"{tier}.keys", steps.pack(keys))
        work.drop(f"{tier}.seeds")
    grown[str(tier)] = {"size": len(keys), "later": sorted(later)}
    del pending[tier]
    return len(keys)


def _pending(steps: Steps, work: Work, grown: dict[str, Any]) -> dict[int, Any]:
    """Return the seeds of the tiers that are still to be grown.

    Where a file is lost or damaged, the tiers that lead to it are grown anew, and all later ones.
    """
    first, seeds = steps.start()
    numbers = {first, *map(int, grown), *(n for entry in grown.values() for n in entry["later"])}

    def kept(number: int) -> bytearray | None:
        names = (
            [f"{number}.keys"] if str(number) in grown else [f"{number}.seeds", f"{number}.keys"]
        )
        return next((data for data in map(work.get, names) if data is not None), None)

    damaged = {n for n in numbers if kept(n) is None}
    if damaged:
        leading = (int(t) for t, entry in grown.items() if damaged.intersection(entry["later"]))
        again = min(leading, default=first) if first not in damaged else first
        for number in [n for n in grown if int(n) >= again]:
            del grown[number]
            work.drop(f"{number}.values")
    waiting = ((n, kept(n)) for n in sorted(numbers) if str(n) not in grown)
    pending = {n: steps.unpack(data) for n, data in waiting if data is not None}
    return pending if str(first) in grown else pending | {first: seeds}


def resolve(steps: Steps, work: Work, progress: Progress) -> list[int]:
    """Find the values of every tier, the last one first; return the tiers' numbers, ascending."""
    grown = work.ledger["grown"]
    tiers = sorted(map(int, grown))
    total = sum(entry["size"] for entry in grown.values())
    done = 0
    held: dict[int, tuple[Any, Any]] = {}
    until: dict[int, int] = {}  # the first tier that leads to each tier
    for tier in reversed(tiers):
        until |= dict.fromkeys(grown[str(tier)]["later"], tier)
    for tier in reversed(tiers):
        before, done = done, done + grown[str(tier)]["size"]
        if work.get(f"{tier}.values") is not None:
            continue
        progress(SOLVING, before, total)
        later = grown[str(tier)]["later"]
        wanted = {n: held[n] if n in held else load(steps, work, n) for n in later}
        keys = steps.unpack(_need(work, f"{tier}.keys"))
        values = steps.resolve(keys, wanted)
        work.put(f"{tier}.values", steps.pack_values(values))
        known = wanted | {tier: (keys, values)}
        held = {n: pair for n, pair in known.items() if until.get(n, tier) < tier}
    progress(SOLVING, total, total)
    return tiers
