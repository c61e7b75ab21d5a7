"""From rules to table: solve a game and write down what each position is worth.

A small game is solved in memory, its table is JSON. A large one is solved tier by tier, by its
kernel if it can, and leaves what is finished in a folder; its table is mapped.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
from contextlib import ExitStack
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.files import atomic_write, check_writable
from solver.games import load_game
from solver.rules.check_kernel import find_kernel
from solver.rules.game import Game, fingerprint, walk
from solver.rules.laws import check_game
from solver.rules.positions import children, reachable
from solver.solving.assemble import assemble
from solver.solving.checkpoint import Checkpoint
from solver.solving.coordinator import Coordinator, TooManyError
from solver.solving.executors import ENGINES, WorkerPool, check_engine, started
from solver.solving.retrograde import retrograde
from solver.solving.search import search
from solver.solving.steps_python import PythonSteps, count, lay_out
from solver.solving.worker import Worker, room_for
from solver.startup import M, P
from solver.tables.format import MOST_JSON, SMALL
from solver.tables.json_table import Table
from solver.tables.mapped_file import WIDEST, MappedFile
from solver.tables.mapped_table import MappedTable
from solver.tables.store import MOST_BYTES, SUFFIXES, read_file, user_path
from solver.value import LIMIT, back, distance, outcome, trap
from solver.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Self

    from solver.rules.kernel import LayeredKernel, TieredKernel
    from solver.solving.coordinator import Progress, Steps

METHODS = ("retrograde", "search")
FEW = 2_000  # canonical positions, up to which a kernel takes longer to load than it saves
WIDER = (
    f"a large table needs the suffix {SUFFIXES[1]}, and rules that define key and position with at"
    f" most {WIDEST} bits"
)


def _silent(what: str, done: int, total: int | None) -> None:
    pass


def _quiet(remark: str) -> None:
    pass


class SolveOptions(NamedTuple):
    """How to solve, and whom to tell."""

    method: str = METHODS[0]
    workers: int = 1
    memory: int | None = None
    """Bytes that each worker may take."""
    engine: str = ENGINES[0]
    scheduler: str | None = None
    """The address of a Dask cluster."""
    workdir: str | None = None
    """The folder for unfinished work, if not one beside the table."""
    name: str | None = None
    """What workers in other processes load the game by, if not by its spec."""
    progress: Progress = _silent
    report: Callable[[str], None] = _quiet
    """Hears remarks for the user."""


def solve(game: Game[P, M], method: str = "retrograde", workers: int = 1) -> Table | MappedTable:
    """Return the table of every position that a game can reach.

    Both methods give the same table. `search` goes depth first and raises SearchDepthError where
    a position can come twice in one game; `retrograde` works back from the ends of the game, and
    for a large game uses its kernel if it can. With several workers, other processes load the game,
    so a script needs the usual `if __name__ == "__main__"`. Raises GameLawError where the rules
    break a law (see `solver.game`), KernelError where a kernel contradicts them, and ValueError for
    an unknown method or a game of more plies than a score can hold.
    """
    with tempfile.TemporaryDirectory() as directory, _WorkFolder(directory) as folder:
        found = _solve(game, folder, None, SolveOptions(method, workers))
        return found if isinstance(found, Table) else MappedTable(b"".join(found), game)


def solve_file(game: Game[P, M], path: str | None, options: SolveOptions) -> str:
    """Solve a game, write its table to a file and return the file's path.

    Without a path the table goes where `solver.store.find_table` looks for it. A large game leaves
    what it has done in a folder beside the file until that is written: the same call goes on there.

    Raises what `solve` does, OSError, and MemoryLimitError if the limit is too small.
    """
    if path is None:
        place = user_path(game.spec, "")
        os.makedirs(os.path.dirname(place), exist_ok=True)
    else:
        place = path
        check_writable(path)
    suffix = os.path.splitext(place)[1]
    mapped = suffix == SUFFIXES[1] if path is not None and suffix in SUFFIXES else None
    with _WorkFolder(options.workdir or place + ".work") as folder:
        found = _solve(game, folder, mapped, options)
        target = path or user_path(game.spec, SUFFIXES[not isinstance(found, Table)])
        parts = [found.encode()] if isinstance(found, Table) else found
        if isinstance(parts, list) and len(parts[0]) > MOST_BYTES:
            raise ValueError(f"{len(parts[0]):,} bytes are too many for a JSON table; {WIDER}")
        with atomic_write(target) as file:
            for part in parts:
                file.write(part)
        folder.clear()
    return target


class _WorkFolder:
    """Where a large game is solved; it is taken when it is needed, and held to the end."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._stack = ExitStack()
        self._work: Checkpoint | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def take(self, game: Game[P, M], steps: str, options: SolveOptions) -> Checkpoint:
        """Return the folder, for solving a game by such steps."""
        about = {"game": game.spec, "steps": steps, "version": __version__}
        about |= {"rules": fingerprint(game), "source": _source(game)}
        self._work = self._stack.enter_context(Checkpoint(self.path, about))
        tiers = self._work.ledger.get("tiers", {}).values()
        done = sum(len(tier["grown"]) == len(tier["cuts"]) for tier in tiers)
        if done:
            options.report(
                f"going on in {self.path}, where the positions of {done} tiers are found"
            )
        return self._work

    def clear(self) -> None:
        """Delete what was left there, if it was taken."""
        if self._work is not None:
            self._work.clear()


def _source(game: Game[P, M]) -> str:
    """Return a hash of the file that the rules stand in; nothing for rules typed by hand."""
    path = getattr(sys.modules.get(type(game).__module__), "__file__", None)
    return "" if path is None else sha256(read_file(path)).hexdigest()


def _solve(
    game: Game[P, M], folder: _WorkFolder, mapped: bool | None, options: SolveOptions
) -> Table | MappedFile:
    """Return a JSON table, or the parts of a mapped one; None for `mapped` takes what is usual."""
    if options.method not in METHODS:
        raise ValueError(
            f"the method is {options.method!r}; it must be one of {', '.join(METHODS)}"
        )
    check_engine(options.engine, options.scheduler)
    if options.workdir == "":
        raise ValueError("the name of the folder for unfinished work is empty")
    check_game(game, walks=3)
    if options.method == "search":
        scores = search(game)
    else:
        tiers = reachable(game, FEW)
        if not tiers:
            kernel, remark = find_kernel(game)
            tiers = {} if kernel is not None else reachable(game, SMALL)
            if not tiers:
                options.report(remark) if remark else None
                return _solve_tiers(game, kernel, folder, mapped, options)
        scores = retrograde(game, tiers)
    return _table(game, scores, mapped)


def _table(game: Game[P, M], scores: dict[P, int], mapped: bool | None) -> Table | MappedFile:
    """Return the table that the exact scores of all canonical positions make."""
    if 1 in scores.values() or -1 in scores.values():
        raise ValueError(f"a game of {game.spec} can last longer than {LIMIT} plies: too long")
    if mapped is None:
        mapped = len(scores) > SMALL and max(map(game.key, scores)).bit_length() <= WIDEST
    if mapped:
        score = scores[game.canonical(game.initial())]
        counts, layout, buffers = lay_out(game, scores)
        facts = {"game": game.spec, "rules": fingerprint(game), **counts}
        facts |= {"outcome": outcome(score), "distance": distance(score)}
        return MappedFile(facts, layout, lambda name: [buffers[name]])
    return tabulate(game, scores)


def _solve_tiers(
    game: Game[P, M],
    kernel: LayeredKernel | TieredKernel | None,
    folder: _WorkFolder,
    mapped: bool | None,
    options: SolveOptions,
) -> Table | MappedFile:
    """Solve a large game tier by tier; raise ValueError where no table can hold it."""
    narrow = kernel is not None or all(game.key(p).bit_length() <= WIDEST for p in walk(game, 1000))
    if mapped and not narrow:
        raise ValueError(f"keys of {game.spec} have more than {WIDEST} bits; {WIDER}")
    as_json = mapped is False or not narrow
    most = MOST_JSON * (1 if kernel is None else len(game.symmetries)) if as_json else math.inf
    steps = _steps(game, kernel)
    work = folder.take(game, "plain" if kernel is None else "compiled", options)
    with started(options.engine, options.workers, options.scheduler, options.report) as crew:
        shop = _shop(steps, work, crew, options)
        course = Coordinator(work, shop, crew, options.progress, most)
        try:
            found: Any = course.run(lambda: _scores(course) if as_json else _file(course))
        except TooManyError as error:
            raise ValueError(f"{error}, too many for a JSON table; {WIDER}") from error
    if as_json:
        return _table(game, found, mapped)
    if mapped is None and found.layout.entries <= SMALL:
        return _table(game, _scores(course), mapped)
    table: MappedFile = found
    return table


def _steps(game: Game[P, M], kernel: LayeredKernel | TieredKernel | None) -> Steps:
    """Return the steps of a game."""
    if kernel is None:
        return PythonSteps(game)
    from solver.solving.steps_tiered import steps_of

    return steps_of(game, kernel)


def _shop(steps: Steps, work: Checkpoint, crew: WorkerPool, options: SolveOptions) -> Worker:
    """Return what does the work, with the room that workers have for it."""
    game, name = steps.game, options.name or steps.game.spec
    place, _, last = name.rpartition(":")
    if place.endswith(".py"):
        name = f"{os.path.abspath(place)}:{last}"
    if crew.executor is not None:
        try:
            alike = fingerprint(load_game(name)) == fingerprint(game)
        except (ValueError, ImportError):
            alike = False
        if not alike:
            raise ValueError(
                f"{game.spec} cannot be given to other processes: write its rules into a file and"
                " name it as FILE.py:CLASS"
            )
    room = room_for(Worker(steps, name, work.directory), crew, options.memory)
    return Worker(steps, name, work.directory, room)


def _file(course: Coordinator) -> MappedFile:
    """Return the table's file; of a game that does not begin alike all images, count positions."""
    if course.shop.steps.counts:
        return assemble(course)
    return assemble(course, count(course.shop.game, _scores(course)))


def _scores(course: Coordinator) -> dict[Any, int]:
    """Return the scores of all canonical positions, which have to fit into memory."""
    return {p: score for part in course.parts for p, score in course.shop.scores(part)}


def tabulate(game: Game[P, M], scores: dict[P, int]) -> Table:
    """Return the table that the exact scores of all canonical positions make."""
    moved = {p: children(game, p) for p in scores}
    replies = {p: [back(scores[child]) for child in moved[p]] for p in scores}
    traps = {p: trap(replies[p], scores[p]) for p in scores}
    entries = {}
    for p, held in scores.items():
        codes = [game.code(m) for m in game.moves(p)] if moved[p] else []
        worth = list(zip(codes, replies[p], moved[p], strict=True))
        entries[game.text(p)] = [
            int(outcome(held)),
            distance(held),
            [code for code, reply, _ in worth if reply == held],
            [[code, int(outcome(s)), distance(s), traps[child]] for code, s, child in worth],
        ]
    return Table(game, count(game, scores), entries)
