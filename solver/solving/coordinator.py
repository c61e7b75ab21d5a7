"""Solving tier by tier: forward to find every position, backward for what each is worth.

Takes a shop, which does the work on files, and a folder's ledger; leaves there the positions and
values of every part of every tier. What is finished is kept, so the same solve goes on where it was
stopped, however that came, and a file that is lost or damaged is made again.

The ledger tells of each tier how it is cut into parts, ranges of slots, and of each part how many
positions it has, to which later tiers it leads, and what its values add up to.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from solver.errors import IntraTierMoveError, LostFileError, MemoryLimitError
from solver.solving.worker import START

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from solver.solving.checkpoint import Checkpoint
    from solver.solving.executors import WorkerPool
    from solver.solving.worker import Worker
    from solver.tables.mapped_file import TableLayout

    Progress = Callable[[str, int, int | None], None]
    """Hears what is being done, how many positions are done, and of how many if that is known."""

BETWEEN = 0.2  # seconds of work that a sudden end may cost, beside the tasks at hand
COUNTING, SOLVING, WRITING = "counting", "solving", "writing"
WORTH = 1 << 16  # positions from which on it is worth to give several workers a part of a tier
MOST_LOST = 3  # times that one file is made again


class TooManyError(ValueError):
    """There are more positions than the table can hold."""


class Steps(Protocol):
    """What solving does with the parts of a game's tiers; pure functions of what they are given.

    Positions come in the order of their slots, so that a part of a tier is a range of slots.
    """

    game: Any
    memory: int
    """Bytes that a tier may take, if it cannot be cut."""

    @property
    def splits(self) -> bool:
        """Whether a tier may be cut: a move from it never stays there."""

    @property
    def slot(self) -> int | None:
        """How many of a key's lowest bits do not tell its slot; None if slots are not of keys."""

    @property
    def counts(self) -> bool:
        """Whether tallies count all positions, and not just canonical ones."""

    @property
    def weight(self) -> int:
        """Bytes that a position takes, about, while its part is grown or resolved."""

    @property
    def later_weight(self) -> int:
        """Bytes that a position of a later tier takes meanwhile."""

    def start(self) -> tuple[int, Any]:
        """Return the first tier's number and its positions."""

    def cut(self, positions: Any) -> list[tuple[int, int, int]]:
        """Return the slots of positions, and where in them each starts and stops."""

    def grow(self, positions: Any, whole: bool) -> tuple[Any, dict[int, Any]]:
        """Return a part's positions, all of its tier if it is `whole`, and what it leads to."""

    def unite(self, sets: list[Any]) -> Any:
        """Return the positions that are in any set."""

    def spans(self, positions: Any) -> list[tuple[int, int]]:
        """Return from which slot to below which others later tiers are needed to resolve these."""

    def resolve(self, positions: Any, later: dict[int, Any], whole: bool) -> Any:
        """Return a part's values, given pieces of the later tiers it leads to."""

    def tally(self, positions: Any, values: Any) -> dict[str, int]:
        """Return counts of positions, the largest canonical key, and the longest distance."""

    def start_score(self, positions: Any, values: Any) -> int:
        """Return the score of the start."""

    def scores(self, positions: Any, values: Any) -> Iterable[tuple[Any, int]]:
        """Return canonical positions with their scores."""

    def entries(self, positions: Any, values: Any, layout: TableLayout) -> tuple[Any, Any]:
        """Return mixed keys and values of a table's entries; see `solver.mapped`."""

    def sort_entries(self, mixed: Any, values: Any) -> tuple[Any, Any]:
        """Return entries by ascending mixed keys."""

    def cut_entries(self, mixed: Any, width: int) -> list[tuple[int, int, int]]:
        """Return where entries start and stop that are alike but for their lowest bits."""

    def fill(
        self, pieces: Any, layout: TableLayout, buckets: tuple[int, int]
    ) -> tuple[int, list[Any]]:
        """Return how many entries buckets from one to below another hold, and their arrays."""

    def shift(self, offsets: bytearray, base: int, layout: TableLayout) -> Any:
        """Return offsets that count from another entry."""

    def pack(self, positions: Any) -> Any:
        """Return positions as a buffer."""

    def unpack(self, data: bytearray) -> Any:
        """Return the positions in a buffer."""

    def pack_values(self, values: Any) -> Any:
        """Return values as a buffer."""

    def unpack_values(self, data: bytearray) -> Any:
        """Return the values in a buffer."""

    def pack_entries(self, mixed: Any, values: Any) -> tuple[Any, Any]:
        """Return entries as two buffers."""

    def unpack_entries(
        self, mixed: bytearray, values: bytearray, layout: TableLayout
    ) -> tuple[Any, Any]:
        """Return the entries in two buffers."""


class Tier(NamedTuple):
    """What the ledger tells of a tier; the parts have their numbers as text, as JSON has it."""

    cuts: list[list[int]]
    """For each part from which slot to below which other one it reaches."""
    counts: dict[str, int]
    grown: dict[str, dict[str, str]]
    """For each part the later tiers that it leads to, and the files of their seeds."""
    tallies: dict[str, dict[str, int]]

    @property
    def whole(self) -> bool:
        """Whether it is in one part."""
        return len(self.cuts) == 1

    @property
    def later(self) -> set[int]:
        """The later tiers that it leads to."""
        return {int(number) for seeds in self.grown.values() for number in seeds}


class Coordinator:
    """One solve from the start to the last value; see `solve`."""

    def __init__(
        self,
        work: Checkpoint,
        shop: Worker,
        crew: WorkerPool,
        progress: Progress,
        most: float = math.inf,
    ) -> None:
        self.work, self.shop, self.crew = work, shop, crew
        self.progress, self.most = progress, most
        self.size = max(1, shop.room // 2 // max(1, shop.steps.weight))
        self.first = shop.steps.start()[0]
        known = work.ledger.setdefault("tiers", {})
        self.tiers = {int(number): Tier(**entry) for number, entry in known.items()}
        self._noted = 0.0
        largest = max((n for t in self.tiers.values() for n in t.counts.values()), default=0)
        begun = work.ledger.get("size", 0)  # a part may be larger, of one slot
        work.ledger["size"] = max(begun, self.size)
        if self._splits and largest > 2 * self.size < 2 * begun:
            raise MemoryLimitError(
                f"{work.directory} was begun with more memory for a worker than now: give as much,"
                " or delete that folder"
            )

    def run(self, finish: Callable[[], Any]) -> Any:
        """Do all that is not done, and return what `finish` does; raises TooManyError.

        A file that turns out to be lost or damaged is made again, a few times at most.
        """
        lost: Counter[str] = Counter()
        try:
            while True:
                try:
                    self._grow()
                    self._resolve()
                    return finish()
                except LostFileError as error:
                    lost[error.name] += 1
                    if lost[error.name] > MOST_LOST:
                        raise
                    self._forget(error.name)
                except IntraTierMoveError:
                    self.work.ledger["whole"] = True
        finally:
            self.note()

    def do(self, task: str, arguments: list[tuple[Any, ...]]) -> Iterable[tuple[int, Any]]:
        """Let the crew do a task of the shop for each of the arguments; see `Worker.tasks`."""
        return self.shop.tasks(self.crew.executor, task, arguments)

    def note(self) -> None:
        """Keep the ledger as it is now."""
        self.work.ledger["tiers"] = {str(n): tier._asdict() for n, tier in self.tiers.items()}
        self.work.note()
        self._noted = time.monotonic()

    @property
    def parts(self) -> list[str]:
        """The names of all parts of all tiers."""
        return [part for number in sorted(self.tiers) for part in self._parts(number)]

    @property
    def _splits(self) -> bool:
        return self.shop.steps.splits and not self.work.ledger.get("whole")

    def _parts(self, number: int) -> list[str]:
        return [f"{number}.{i}" for i in range(len(self.tiers[number].cuts))]

    def _note(self) -> None:
        if time.monotonic() - self._noted > BETWEEN:
            self.note()

    def _grow(self) -> None:
        """Find the positions of every tier, the earliest first."""
        number: int | None = self.first
        done = 0
        while number is not None:
            if done > self.most:
                raise TooManyError(f"it has more than {self.most:,} positions")
            done = self._grow_tier(number, done)
            numbers = {n for tier in self.tiers.values() for n in tier.later}
            number = min((n for n in numbers if n > number), default=None)

    def _grow_tier(self, number: int, done: int) -> int:
        """Find the positions of a tier and what they lead to; return how many there are by then."""
        sources = [
            name
            for tier in self.tiers.values()
            for seeds in tier.grown.values()
            if (name := seeds.get(str(number)))
        ]
        if number == self.first:
            sources = [START]
            if number not in self.tiers or len(self.tiers[number].counts) < 1:
                self.shop.begin()
        if number not in self.tiers or (not self._splits and not self.tiers[number].whole):
            self.tiers[number] = Tier(self._cut(sources), {}, {}, {})
        tier, parts = self.tiers[number], self._parts(number)
        missing = [i for i in range(len(parts)) if str(i) not in tier.counts]
        if missing:
            self.progress(COUNTING, done, None)
            calls = [(parts[i], *tier.cuts[i], sources, tier.whole) for i in missing]
            for i, count in self.do("unite", calls):
                tier.counts[str(missing[i])] = count
                self._note()
        missing = [i for i in range(len(parts)) if str(i) not in tier.grown]
        if missing:
            self.progress(COUNTING, done, None)
            for i, (count, seeds) in self.do("grow", [(parts[i], tier.whole) for i in missing]):
                part = str(missing[i])
                tier.counts[part] = count
                tier.grown[part] = {str(later): name for later, name in seeds.items()}
                done += count
                self.progress(COUNTING, done, None)
                self._note()
        for name in sources:
            self.work.drop(name)
        return done + sum(n for i, n in tier.counts.items() if int(i) not in missing)

    def _cut(self, sources: list[str]) -> list[list[int]]:
        """Return how a tier is best cut: for each part the slots from one to below another."""
        counts: Counter[int] = Counter()
        for name in sources:
            for slot in self.work.index(name):
                counts[slot.number] += slot.items
        total, last = sum(counts.values()), max(counts) + 1
        wanted = math.ceil(total / self.size)
        wanted = max(wanted, min(self.crew.workers, total // WORTH))
        if wanted < 2 or not self._splits:
            return [[0, last]]
        cuts, low, held = [], 0, 0
        for number in sorted(counts):
            if held and held + counts[number] / 2 > total / wanted:
                cuts.append([low, number])
                low, held = number, 0
            held += counts[number]
        heaviest = max(counts.values())
        if heaviest * self.shop.steps.weight > self.shop.room:
            raise MemoryLimitError(
                f"{self.shop.game.spec} has a tier that cannot be cut finely enough: a worker would"
                f" have to take {heaviest:,} positions at once; give more memory"
            )
        return [*cuts, [low, last]]

    def _resolve(self) -> None:
        """Find the values of every tier, the last one first."""
        total = sum(n for tier in self.tiers.values() for n in tier.counts.values())
        done = 0
        for number in sorted(self.tiers, reverse=True):
            tier, parts = self.tiers[number], self._parts(number)
            later = {
                n: [
                    (part, *cut)
                    for part, cut in zip(self._parts(n), self.tiers[n].cuts, strict=True)
                ]
                for n in sorted(tier.later)
            }
            missing = [i for i in range(len(parts)) if str(i) not in tier.tallies]
            done += sum(tier.counts[str(i)] for i in range(len(parts)) if i not in missing)
            if not missing:
                continue
            self.progress(SOLVING, done, total)
            calls = [(parts[i], later, tier.whole) for i in missing]
            for i, tally in self.do("resolve", calls):
                tier.tallies[str(missing[i])] = tally
                done += tier.counts[str(missing[i])]
                self.progress(SOLVING, done, total)
                self._note()
        self.progress(SOLVING, total, total)

    def _forget(self, name: str) -> None:
        """Take what a lost file held as not done, and what leads to it if that is needed anew."""
        *place, kind = name.split(".")
        if kind == "values":
            self.tiers[int(place[0])].tallies.pop(place[1], None)
        elif kind == "seeds" and name != START:
            self.tiers[int(place[1])].grown.pop(place[2], None)
        elif kind == "keys":
            number = int(place[0])
            self.tiers[number].counts.pop(place[1], None)
            self.tiers[number].grown.pop(place[1], None)  # which adds what moves stay in the tier
            for tier in self.tiers.values():
                if number in tier.later:
                    tier.grown.clear()
        elif kind in ("mixed", "worth"):
            self.work.ledger.pop("spread", None)
        elif kind == "table":
            self.work.ledger.pop("filled", None)
