"""The files of a solve, with the arrays that were written or read last kept in memory.

What is kept is not read again. A file may also be deferred: it is written only when there is no
more room for its array, so one that is deleted before then is never written. Threads may share it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from itertools import accumulate
from threading import Lock
from typing import Any, NamedTuple

from solver.solving.checkpoint import END, Slot, SlotFiles

Slots = list[tuple[int, int, int]]
"""The number of each slot, and where its items start and stop in an array."""
Pack = Callable[[Any, Slots], Iterable[Any]]
"""Returns what is in each slot as a buffer, given the array."""


class KeptArray(NamedTuple):
    """All that a file has."""

    slots: Slots
    data: Any
    pack: Pack | None = None
    """How to write the file, if that is deferred."""


class KeptFiles(SlotFiles):
    """Files of slots; up to `keep` bytes of their arrays stay in memory."""

    def __init__(self, directory: str) -> None:
        super().__init__(directory)
        self.keep = 0
        self._kept: dict[str, KeptArray] = {}
        self._lock = Lock()

    def store(self, name: str, slots: Slots, data: Any, pack: Pack) -> None:
        """Write an array, given its slots and how to pack them."""
        self._write(name, KeptArray(slots, data, pack))
        self._remember(name, KeptArray(slots, data))

    def defer(self, name: str, slots: Slots, data: Any, pack: Pack) -> None:
        """Keep an array and write it later if there is no room for it; else write it now."""
        if self.keep:
            self._remember(name, KeptArray(slots, data, pack))
        else:
            self.store(name, slots, data, pack)

    def load(
        self,
        name: str,
        unpack: Callable[[list[Slot], memoryview], Any],
        low: int = 0,
        high: int = END,
        is_whole: bool = True,
    ) -> Any:
        """Return what is in the slots from `low` to below `high`, or the part of it that is kept.

        `is_whole` says whether these are all that the file has. Raises LostFileError.
        """
        kept = self._kept.get(name)
        if kept is None:
            found, packed = self.read(name, low, high)
            data = unpack(found, packed)
            if not is_whole:
                return data
            stops = accumulate(slot.items for slot in found)
            slots = [(n, stop - items, stop) for (n, items), stop in zip(found, stops, strict=True)]
            kept = KeptArray(slots, data)
        self._remember(name, kept)
        edges = [*(start for _, start, _ in kept.slots), len(kept.data)]
        first, last = (bisect_left(kept.slots, (number,)) for number in (low, high))
        return kept.data[edges[first] : edges[last]]

    def index(self, name: str) -> list[Slot]:
        kept = self._kept.get(name)
        if kept is None:
            return super().index(name)
        return [Slot(number, stop - start) for number, start, stop in kept.slots]

    def rename(self, old: str, new: str) -> None:
        with self._lock:
            kept = self._kept.pop(old, None)
            self._kept.pop(new, None)
        if kept is not None and kept.pack is not None:
            self.store(new, kept.slots, kept.data, kept.pack)
            return
        super().rename(old, new)
        if kept is not None:
            self._remember(new, kept)

    def drop(self, name: str) -> None:
        with self._lock:
            self._kept.pop(name, None)
        super().drop(name)

    def _remember(self, name: str, kept: KeptArray) -> None:
        """Keep an array, and as many of those used before it as there is room for."""
        if not self.keep:
            return
        with self._lock:
            self._kept.pop(name, None)
            if kept.data.nbytes > self.keep:
                self._write(name, kept)
                return
            self._kept[name] = kept
            while sum(kept.data.nbytes for kept in self._kept.values()) > self.keep:
                oldest = next(iter(self._kept))
                self._write(oldest, self._kept[oldest])
                del self._kept[oldest]

    def _write(self, name: str, kept: KeptArray) -> None:
        """Write an array, unless it is written."""
        if kept.pack is not None:
            rows = zip(kept.slots, kept.pack(kept.data, kept.slots), strict=True)
            self.put(name, [(n, stop - start, data) for (n, start, stop), data in rows])
