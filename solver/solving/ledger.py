"""The ledger of a solve: what there is to do, what is done, and which files hold it.

A tier is divided into parts, and the table into ranges. A task does one step for one of them, and
returns what the ledger records of it: `grow` the `count` and the `later` tiers of a part, `resolve`
its `tally`, and `fill` the `entries` of a range. What is None is not done. All that a solve needs
to resume is here and in the files that the parts and ranges name.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Self

from solver.solving.slot_files import END


@dataclass
class Part:
    """A part of a tier: the slots from `low` to below `high`. Its files are named after it."""

    tier: int
    number: int
    low: int
    high: int
    count: int | None = None
    """How many positions it has; None until its seeds are united."""
    later: list[int] | None = None
    """The tiers that its moves lead to; None until it is grown."""
    tally: dict[str, int] | None = None
    """Counts by outcome, the largest key and the longest distance; None until it is resolved."""

    @property
    def size(self) -> int:
        """How many positions it is known to have."""
        return self.count or 0

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole tier."""
        return self.low == 0 and self.high == END

    @property
    def keys(self) -> str:
        """The file of its positions."""
        return f"{self.tier}.{self.number}.keys"

    @property
    def moves(self) -> str:
        """The file of the moves from them, if the steps keep moves."""
        return f"{self.tier}.{self.number}.moves"

    @property
    def values(self) -> str:
        """The file of their values."""
        return f"{self.tier}.{self.number}.values"

    def seeds(self, later: int) -> str:
        """Return the file of the positions in a later tier that its moves lead to."""
        return f"{later}.{self.tier}.{self.number}.seeds"


@dataclass
class Range:
    """A range of the table: its buckets from `start` to below `stop`."""

    number: int
    start: int
    stop: int
    entries: int | None = None
    """How many entries it has; None until it is filled."""

    @property
    def size(self) -> int:
        """How many entries it is known to have."""
        return self.entries or 0

    @property
    def file(self) -> str:
        """The file of its arrays."""
        return f"{self.number}.table"


@dataclass
class Ledger:
    """What is recorded of a solve, which `about` identifies."""

    about: dict[str, Any]
    parts: list[Part] = field(default_factory=list)
    """Those of all tiers found so far, tier by tier."""
    ranges: list[Range] = field(default_factory=list)
    """Those of the table, if it is filled in ranges."""
    part_size: int = 0
    """The most positions that a part was to have; one of a single slot may have more."""
    is_unsplit: bool = False
    """Whether tiers are not divided, since moves turned out to stay in one."""

    @classmethod
    def decode(cls, stated: dict[str, Any]) -> Self:
        """Return the ledger that `encode` wrote."""
        ledger = cls(**stated)
        ledger.parts = [Part(**part) for part in stated.get("parts", ())]
        ledger.ranges = [Range(**span) for span in stated.get("ranges", ())]
        return ledger

    def encode(self) -> bytes:
        """Return the ledger as JSON."""
        return json.dumps(vars(self), default=vars).encode()

    def tier(self, number: int) -> list[Part]:
        """Return the parts of a tier."""
        return [part for part in self.parts if part.tier == number]

    def divide(self, number: int, parts: list[Part]) -> list[Part]:
        """Record that a tier has these parts, of which nothing is done; return them."""
        parts = [part for part in self.parts if part.tier != number] + parts
        self.parts = sorted(parts, key=lambda part: (part.tier, part.number))
        return self.tier(number)

    def sources(self, tier: int) -> list[str]:
        """Return the files of seeds of a tier."""
        return [part.seeds(tier) for part in self.parts if tier in (part.later or ())]

    @property
    def grown_tiers(self) -> int:
        """How many tiers have all their positions."""
        unfinished = {part.tier for part in self.parts if part.later is None}
        return len({part.tier for part in self.parts} - unfinished)

    def forget(self, name: str) -> None:
        """Mark what a lost file held as not done, and what made it if that is needed again."""
        for span in self.ranges:
            if name == span.file:
                span.entries = None
        for part in self.parts:
            if name == part.values:
                part.tally = None
            elif name in (part.moves, *map(part.seeds, part.later or ())):
                part.later = None
            elif name == part.keys:
                part.count = part.later = None  # growing adds positions within the tier
                for other in self.parts:
                    if part.tier in (other.later or ()):
                        other.later = None
