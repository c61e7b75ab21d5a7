"""What a worker does: the steps of a game on the files of a folder.

Takes names and numbers; reads and writes files; returns counts. Nothing else passes between the
process that plans a solve and those that work, so they share the folder and need not share memory.
Every task gives the same files whenever and wherever it is done, so it can be done again.

For part I of tier N there are `N.I.keys`, its positions, and `N.I.values`. `M.N.I.seeds` is what it
adds to a later tier M. Table entries in the order of the table are in `N.I.mixed` and `N.I.worth`;
`R.table` is a range of the table.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from solver.errors import LostFileError, MemoryLimitError
from solver.games import load_game
from solver.rules.check_kernel import find_kernel
from solver.rules.game import fingerprint
from solver.solving.checkpoint import LOCK, SlotFiles
from solver.solving.executors import gather
from solver.solving.steps_python import PythonSteps
from solver.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Executor

    from solver.solving.coordinator import Steps
    from solver.solving.executors import WorkerPool
    from solver.tables.mapped_file import TableLayout

START = "start.seeds"
PLENTY = 1 << 34  # bytes that a process may take where nothing tells how many there are
KNOWN: dict[tuple[Any, ...], Worker] = {}  # the shop that this process works in, by its names
MARGIN = 24 << 20  # bytes that a process takes on the way beside what is reckoned with


class Worker:
    """A folder, and the steps of one game; in another process it is made again from names.

    `name` is what workers load the game by. `room` is how many bytes a task may take.
    """

    def __init__(self, steps: Steps, name: str, directory: str, room: int = PLENTY) -> None:
        self.steps, self.folder, self.room = steps, SlotFiles(directory), room
        self.game = steps.game
        steps.memory = room
        rules, where = fingerprint(self.game), os.path.abspath(directory)
        self._names = name, isinstance(steps, PythonSteps), where, room, rules, __version__

    def tasks(
        self, executor: Executor | None, task: str, arguments: list[tuple[Any, ...]]
    ) -> Iterator[tuple[int, Any]]:
        """Do a task, a method here, for each of the arguments; yield their numbers and results.

        Raises what the task does, and OSError if the workers are gone.
        """
        if executor is None:
            return gather(None, [(getattr(self, task), *given) for given in arguments])
        KNOWN.clear()
        KNOWN[self._names] = self  # for processes that are copies of this one
        return gather(executor, [(do_task, self._names, task, *given) for given in arguments])

    def memory(self) -> int:
        """Return how many bytes of memory this machine has, or more than that if it hides it."""
        return installed() or PLENTY

    def resident(self) -> int:
        """Return how many bytes of memory this process takes, all that is compiled among them."""
        _, start = self.steps.start()
        self.steps.grow(start, True)
        return _resident()

    def begin(self) -> None:
        """Write the first tier's seeds."""
        _, start = self.steps.start()
        self._put(START, start)

    def unite(self, part: str, low: int, high: int, sources: list[str], whole: bool) -> int:
        """Gather a part of a tier from the slots of its seeds; return how many positions it has."""
        if whole and len(sources) == 1:
            try:
                self.folder.rename(sources[0], f"{part}.keys")
            except LostFileError:
                if not os.path.exists(self.folder.path(f"{part}.keys")):
                    raise
            return sum(slot.items for slot in self.folder.index(f"{part}.keys"))
        sets = [self.steps.unpack(self.folder.get(name, low, high)) for name in sources]
        codes = self.steps.unite(sets)
        self._put(f"{part}.keys", codes)
        return len(codes)

    def grow(self, part: str, whole: bool) -> tuple[int, dict[int, str]]:
        """Find what a part of a tier leads to; return its size, and the seeds of later tiers."""
        seeds = self._keys(part)
        if not len(seeds):
            return 0, {}
        codes, later = self.steps.grow(seeds, whole)
        if codes is not seeds:
            self._put(f"{part}.keys", codes)
        names = {tier: f"{tier}.{part}.seeds" for tier in sorted(later)}
        for tier, name in names.items():
            self._put(name, later[tier])
        return len(codes), names

    def resolve(
        self, part: str, later: dict[int, list[tuple[str, int, int]]], whole: bool
    ) -> dict[str, int]:
        """Find the values of a part of a tier, given the parts of later ones; return its tally.

        Of each of those, the slots from which to below which it reaches.
        """
        codes = self._keys(part)
        spans = self.steps.spans(codes) if len(codes) else []
        windows = {tier: _Windows(self, parts, spans) for tier, parts in later.items()}
        values = self.steps.resolve(codes, windows, whole)
        slots = [
            (number, stop - start, self.steps.pack_values(values[start:stop]))
            for number, start, stop in self.steps.cut(codes)
        ]
        self.folder.put(f"{part}.values", slots)
        return self.steps.tally(codes, values)

    def start_score(self, part: str) -> int:
        """Return the score of the start, which is in this part."""
        return self.steps.start_score(*self.solved(part))

    def scores(self, part: str) -> Iterable[tuple[Any, int]]:
        """Return the canonical positions of a part with their scores."""
        return self.steps.scores(*self.solved(part))

    def solved(self, part: str, low: int = 0, high: int | None = None) -> tuple[Any, Any]:
        """Return the positions of a part, or of some slots of it, and their values."""
        codes = self.folder.get(f"{part}.keys", low, high)
        values = self.folder.get(f"{part}.values", low, high)
        return self.steps.unpack(codes), self.steps.unpack_values(values)

    def spread(self, part: str, layout: TableLayout, width: int) -> None:
        """Write the table's entries of a part in the order of the table, in slots of 2**width."""
        steps = self.steps
        entries = steps.sort_entries(*steps.entries(*self.solved(part), layout))
        runs = steps.cut_entries(entries[0], width)
        cells = [(n, b - a, steps.pack_entries(*(e[a:b] for e in entries))) for n, a, b in runs]
        self.folder.put(f"{part}.mixed", [(n, size, mixed) for n, size, (mixed, _) in cells])
        self.folder.put(f"{part}.worth", [(n, size, worth) for n, size, (_, worth) in cells])

    def fill(
        self,
        name: str,
        layout: TableLayout,
        buckets: tuple[int, int],
        parts: list[str],
        width: int | None,
    ) -> int:
        """Write the buckets of a table from one to below another; return how many entries.

        `width` tells that the entries were spread, and in which slots.
        """
        steps = self.steps
        first, last = (bucket << layout.width for bucket in buckets)

        def pieces() -> Iterator[tuple[Any, Any]]:
            for part in parts:
                if width is not None:
                    low, high = _slots(first, last, width)
                    mixed = self.folder.get(f"{part}.mixed", low, high)
                    worth = self.folder.get(f"{part}.worth", low, high)
                    yield steps.unpack_entries(mixed, worth, layout)
                elif steps.slot is not None and layout.multiplier == 1:
                    slots = _slots(first, last, steps.slot)
                    yield steps.entries(*self.solved(part, *slots), layout)
                else:
                    yield steps.entries(*self.solved(part), layout)

        count, buffers = steps.fill(pieces, layout, buckets)
        self.folder.put(name, [(n, 1, buffer) for n, buffer in enumerate(buffers)])
        return count

    def _keys(self, part: str) -> Any:
        return self.steps.unpack(self.folder.get(f"{part}.keys"))

    def _put(self, name: str, codes: Any) -> None:
        cells = self.steps.cut(codes)
        pack = self.steps.pack
        self.folder.put(
            name, [(n, stop - start, pack(codes[start:stop])) for n, start, stop in cells]
        )


class _Windows(Collection[tuple[Any, Any]]):
    """A later tier within some slots, cut so that each piece fits into a third of the room."""

    def __init__(
        self, shop: Worker, parts: list[tuple[str, int, int]], spans: list[tuple[int, int]]
    ) -> None:
        self._shop = shop
        most = shop.room // 3 // max(1, shop.steps.later_weight)
        self._windows: list[list[tuple[str, int, int]]] = []
        held = most + 1
        for part, begin, end in parts:
            if not any(low < end and begin < high for low, high in spans):
                continue
            run = False  # whether the slot before this one is taken, too
            for slot in shop.folder.index(f"{part}.keys"):
                if not any(low <= slot.number < high for low, high in spans):
                    run = False
                    continue
                if held + slot.items > most:
                    self._windows.append([])
                    held, run = 0, False
                held += slot.items
                runs = self._windows[-1]
                first = runs.pop()[1] if run else slot.number
                runs.append((part, first, slot.number + 1))
                run = True

    def __len__(self) -> int:
        return len(self._windows)

    def __contains__(self, _: object) -> bool:
        raise TypeError("windows are only gone through")

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        steps, folder = self._shop.steps, self._shop.folder
        for runs in self._windows:
            codes, values = (
                _joined([folder.get(f"{part}.{kind}", low, high) for part, low, high in runs])
                for kind in ("keys", "values")
            )
            yield steps.unpack(codes), steps.unpack_values(values)


def _slots(first: int, last: int, width: int) -> tuple[int, int]:
    """Return the slots that hold the numbers from one to below another, without `width` bits."""
    return first >> width, (last - 1 >> width) + 1


def _joined(pieces: list[bytearray]) -> bytearray:
    return pieces[0] if len(pieces) == 1 else bytearray().join(pieces)


def do_task(names: tuple[Any, ...], task: str, *given: Any) -> Any:
    """Do a task of the shop of these names, in another process than that which made it."""
    return getattr(_again(*names), task)(*given)


def _again(*names: Any) -> Worker:
    """Return the shop of these names, made again if this process does not have it."""
    shop = KNOWN.get(names)
    if shop is None:
        KNOWN.clear()
        shop = KNOWN[names] = _made(*names)
    return shop


def _made(name: str, plain: bool, directory: str, room: int, rules: str, version: str) -> Worker:
    """Return a new shop in another process, which has to have the same rules."""
    if version != __version__:
        raise ValueError(
            f"a worker has perfectplay {__version__}, the command {version}: install the same"
        )
    if not os.path.exists(os.path.join(directory, LOCK)):
        raise OSError(
            f"{directory}: a worker does not see this folder; it must lie on a file system that all"
            " workers share"
        )
    game = load_game(name)
    if fingerprint(game) != rules:
        raise ValueError(
            f"the rules of {name} that a worker loads are others than those of the command: give"
            " all of them the same file"
        )
    if plain:
        return Worker(PythonSteps(game), name, directory, room)
    from solver.solving.steps_tiered import steps_of

    kernel, remark = find_kernel(game)
    if kernel is None:
        raise ValueError(f"a worker has no kernel of {game.spec}: {remark}")
    return Worker(steps_of(game, kernel), name, directory, room)


def _resident() -> int:
    """Return how many bytes of memory this process takes."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        import resource
        import sys

        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most if sys.platform == "darwin" else most << 10


def room_for(shop: Worker, crew: WorkerPool, limit: int | None) -> int:
    """Return how many bytes a task may take; raises MemoryLimitError if there are too few.

    Without a limit the workers share half of what a machine has.
    """
    if limit is None:
        least: int = min(found for _, found in shop.tasks(crew.executor, "memory", [()]))
        return least // 2 // crew.workers
    resident = max(found for _, found in shop.tasks(crew.executor, "resident", [()]))
    room: int = (limit - resident - MARGIN) // crew.threads
    if room < MARGIN:
        least = (resident + (1 + crew.threads) * MARGIN) // 10**6 + 1
        raise MemoryLimitError(
            f"a process that solves {shop.game.spec} takes {least:,} MB before its first position,"
            f" more than the limit of {limit / 1e6:,.0f} MB"
        )
    return room


def installed() -> int | None:
    """Return how many bytes of memory the machine has, or None if it does not tell."""
    if not hasattr(os, "sysconf"):
        return None
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
