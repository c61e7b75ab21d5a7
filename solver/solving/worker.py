"""A worker: does the tasks of a solve on the files in a folder.

Tasks take parts and numbers, read and write files, and return counts: processes exchange nothing
else, so workers need to share the folder with the coordinator, but no memory. A task gives the same
files wherever and however often it runs, so it can be repeated. See
`solver.solving.ledger` for the files, and for what the tasks return.
"""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from solver.games import copy_game, load_game
from solver.kernels import find_kernel
from solver.rules.default_keys import keys_state, restore_keys
from solver.rules.game import Game, fingerprint, start_key
from solver.rules.kernel import Kernel, Later
from solver.rules.rule_files import RuleFiles, has_changed
from solver.solving.checkpoint import LOCK
from solver.solving.ledger import Part, Range
from solver.solving.memory import PLENTY, resident
from solver.solving.pool import WorkerPool
from solver.solving.slot_files import END, SlotFiles
from solver.solving.steps import Steps
from solver.solving.steps_python import steps_for
from solver.tables.buckets import Entries, fill_buckets, select_entries
from solver.tables.mapped_file import TableLayout
from solver.value import widen
from solver.version import __version__

Run = tuple[Part, int, int]
"""A range of slots of a part's files."""

Result = TypeVar("Result")


class WorkerSpec(NamedTuple):
    """What another process needs to make an equivalent worker."""

    game: str
    """The name by which `load_game` loads the game."""
    directory: str
    about: str
    """What `about_solve` returns, as JSON."""


def about_solve(steps: Steps, sources: RuleFiles) -> dict[str, Any]:
    """Return what identifies a solve: it is the same in all its workers, and when it resumes."""
    game = steps.game
    start = {"start": time.time_ns()} if game.one_process else {}  # which never resumes
    return start | {
        "game": game.spec,
        "compiled": steps.compiled,
        "slots": steps.slot_width,
        "version": __version__,
        "rules": fingerprint(game),
        "source": sources.stated,
        "keys": keys_state(game),
    }


# the worker of this process, if any; a process that is forked from it inherits the worker
_CURRENT: dict[WorkerSpec, Worker] = {}


class Worker:
    """The tasks of one solve.

    `name` is the name by which other processes load the game, `room` how many bytes a task may
    take. Several threads may do its tasks. `sources` are the files of the rules.
    """

    def __init__(
        self, steps: Steps, name: str, directory: str, sources: RuleFiles, room: int = PLENTY
    ) -> None:
        self.steps, self.files, self.room = steps, SlotFiles(directory), room
        self.sources = sources
        about = json.dumps(about_solve(steps, sources))
        self.spec = WorkerSpec(name, os.path.abspath(directory), about)
        _CURRENT.clear()
        _CURRENT[self.spec] = self

    @property
    def holds_tables(self) -> bool:
        """Whether no other process reads the files, so that memory may hold a table."""
        return self.files.room > 0

    def run(
        self, pool: WorkerPool, method: Callable[..., Result], calls: Sequence[tuple[Any, ...]]
    ) -> Iterator[tuple[int, Result]]:
        """Call a method of this class in a pool with each of some arguments; see `WorkerPool.run`.

        The files of the rules that other processes load meanwhile are those of this worker, too.
        """
        for index, result in pool.run(_Task(self, method), calls):
            value: Any = result
            if isinstance(value, Returned):
                self.sources.hashes = value.hashes | self.sources.hashes
                value = value.result
            yield index, value

    def memory_loaded(self) -> int:
        """Return how many bytes of memory this process takes with the game loaded and compiled."""
        self.steps.grow(self.steps.start()[1], True, PLENTY)
        return resident()

    def grow(self, part: Part, sources: list[str]) -> dict[str, Any]:
        """Follow a part's moves; return its number of positions, and the tiers that they lead to.

        It has the positions that it had before, or if it has no `count` those in files of seeds,
        or the start if there are none. Moves within the tier may add to a part that is the whole
        tier.
        """
        is_new = part.count is None
        if not is_new:
            seeds = self._load(part.keys)
        else:
            sets = [self._load(name, part.low, part.high) for name in sources]
            seeds = self.steps.unite(sets or [self.steps.start()[1]])
        positions, later, moves = self.steps.grow(seeds, part.is_whole, self.room)
        if moves is not None:
            self.files.put(part.moves, [(i, len(array), array) for i, array in enumerate(moves)])
        for tier, children in later.items():
            self._store(part.seeds(tier), children, self.steps.pack(children))
        if is_new and len(sources) == 1 and part.is_whole and positions is seeds:
            # last, since a task that is begun again needs it where it was
            self.files.rename(sources[0], part.keys)
        elif is_new or positions is not seeds:
            self._store(part.keys, positions, self.steps.pack(positions))
        return {"count": len(positions), "later": sorted(later)}

    def resolve(self, part: Part, later: list[Part]) -> dict[str, Any]:
        """Find a part's values, given all parts of the tiers that it leads to; return its tally."""
        positions = self._load(part.keys)
        moves = self.files.take(part.moves) if self.steps.keeps_moves else None
        values = self.steps.resolve(positions, moves, self._pieces(later), self.room)
        self._store(part.values, positions, values)
        return {"tally": self.steps.tally(positions, values)}

    def start_score(self, part: Part, layout: TableLayout) -> int:
        """Return the score of the start, which is in this part."""
        mixed, values = self.steps.entries(*self.solved(part), layout)
        start = start_key(self.steps.game) * layout.multiplier & layout.mask
        is_array = self.steps.compiled
        index = (mixed == start).nonzero()[0][0] if is_array else mixed.index(start)
        return widen(int(values[index]), layout.limit)

    def fill(self, span: Range, layout: TableLayout, parts: list[Part]) -> dict[str, Any]:
        """Write a range of the table to its file; return how many entries it has.

        One that is the whole table is only held in memory, if this process has all tasks: it is
        written at once.
        """
        steps, buckets = self.steps, (span.start, span.stop)

        def entries(part: Part) -> Entries:
            run = part.low, part.high
            if steps.slot_width is not None and layout.multiplier == 1:  # slots are in order
                low, high = (bucket << layout.width for bucket in buckets)
                run = low >> steps.slot_width, -(-high >> steps.slot_width)  # rounded up
            some = steps.entries(*self._read([(part, *run)]), layout)
            if buckets == (0, layout.buckets):
                return some
            return select_entries(some, layout, *buckets, steps.compiled)

        pieces = [*map(entries, parts)]
        arrays = fill_buckets(pieces, layout, *buckets, steps.compiled)
        rows = [(i, 1, array) for i, array in enumerate(arrays.values())]
        if self.holds_tables and buckets == (0, layout.buckets):
            self.files.hold(span.file, rows)
        else:
            self.files.put(span.file, rows, arrays.values())
        return {"entries": len(arrays["values"])}

    def _pieces(self, later: list[Part]) -> Later:
        """Divide the later parts' slots into pieces of half of the room each."""
        most = self.room // 2 // max(1, self.steps.later_bytes)
        pieces: list[list[Run]] = []
        size = math.inf  # so that the first slot begins a piece
        for part in later:
            low = part.low
            for i, slot in enumerate(self.files.index(part.keys)):
                if size + slot.items > most:
                    if i:
                        pieces[-1].append((part, low, slot.number))
                        low = slot.number
                    pieces.append([])
                    size = 0
                size += slot.items
            pieces[-1].append((part, low, part.high))
        return [partial(self._read, runs) for runs in pieces]

    def _read(self, runs: list[Run]) -> tuple[Any, Any]:
        """Return the positions in some slots, and their values."""
        positions, values = [], []
        for part, low, high in runs:
            positions.append(self._load(part.keys, low, high))
            values.append(self.steps.unpack_values(self.files.read(part.values, low, high)[1]))
        if len(runs) == 1:
            return positions[0], values[0]
        return self.steps.join(positions), self.steps.join(values)

    def solved(self, part: Part) -> tuple[Any, Any]:
        """Return the positions of a part, and their values."""
        return self._read([(part, part.low, part.high)])

    def _load(self, name: str, low: int = 0, high: int = END) -> Any:
        """Return the positions in some slots of a file."""
        return self.steps.unpack(*self.files.read(name, low, high))

    def _store(self, name: str, positions: Any, items: Any) -> None:
        """Write a buffer to a file; its items are those of the positions."""
        slots = self.steps.slots(positions)
        rows = [(n, stop - start, items[start:stop]) for n, start, stop in slots]
        self.files.put(name, rows, [items])


class _Task(Generic[Result]):
    """A worker with one of its methods. Pickled, it is the worker's spec with the method.

    So an error in making the worker elsewhere is one of the task, which every executor reports.
    """

    def __init__(self, worker: Worker, method: Callable[..., Result]) -> None:
        self.worker, self.method = worker, method

    def __call__(self, *arguments: Any) -> Result:
        return self.method(self.worker, *arguments)

    def __reduce__(self) -> tuple[Any, ...]:
        worker = self.worker
        return partial, (_call, worker.spec, worker.room, self.method)


class Returned(NamedTuple):
    """What a task in another process returns."""

    result: Any
    hashes: dict[str, str]
    """The files of the rules that this process has loaded, with their hashes."""


def _call(spec: WorkerSpec, room: int, method: Callable[..., Any], *arguments: Any) -> Returned:
    worker = worker_for(spec, room)
    result = method(worker, *arguments)
    worker.sources.update()
    return Returned(result, worker.sources.hashes)


def worker_for(spec: WorkerSpec, room: int) -> Worker:
    """Return this process's worker for a solve, made if there is none yet."""
    worker = _CURRENT.get(spec)
    if worker is None:
        about = json.loads(spec.about)
        game, kernel = _load(spec, about)
        sources = RuleFiles(game, (about["source"] or {"files": ()})["files"])
        worker = Worker(steps_for(game, kernel), spec.game, spec.directory, sources)
    worker.room = room
    return worker


def _load(spec: WorkerSpec, about: dict[str, Any]) -> tuple[Game[Any, Any], Kernel | None]:
    """Load the game and the kernel of a solve that another process has started."""
    if about["version"] != __version__:
        raise ValueError(
            f"a worker has perfectplay {__version__}, but the command has"
            f" {about['version']}: install the same version"
        )
    if not os.path.exists(os.path.join(spec.directory, LOCK)):
        raise OSError(
            f"{spec.directory}: a worker does not see this folder; it must be on a file system that"
            " all workers share"
        )
    game = copy_game(load_game(spec.game))
    source = about["source"]
    if fingerprint(game) != about["rules"] or (source is not None and has_changed(game, source)):
        raise ValueError(
            f"a worker has different rules for {spec.game} than the command: give all of them the"
            " same files"
        )
    restore_keys(game, about["keys"])
    if not about["compiled"]:
        return game, None
    kernel, remark = find_kernel(game)
    if kernel is None:
        raise ValueError(f"a worker has no kernel for {game.spec}: {remark}")
    return game, kernel
