"""From rules to a table: solve a game and write the score of every position.

Read this file from top to bottom. A small game is solved in memory; a large one tier by tier, with
its kernel if it has one, on files in a folder from which an interrupted solve resumes.
`_small_table` decides whether the table is JSON or mapped.
"""

from __future__ import annotations

import os
import shlex
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from solver.compiling.find import find_kernel
from solver.errors import (
    BrokenTierError,
    GameLawError,
    KernelError,
    OverflowedKeyError,
    SolveTooLargeError,
    UnpackedPositionError,
)
from solver.files import atomic_write, check_writable, remove_drafts
from solver.games import built_in_name, by_hand, copy_game, load_game
from solver.rules.default_keys import key_width, keys_state, restore_keys, with_keys
from solver.rules.game import Game, checked_key, fingerprint, require_workers
from solver.rules.laws import check_game
from solver.rules.positions import check_position, reachable
from solver.rules.rule_files import RuleFiles, has_changed
from solver.solving.assemble import assemble, json_table, mapped_table
from solver.solving.check_entries import SHARE, check_entries, cpu_time
from solver.solving.checkpoint import LEDGER, Checkpoint
from solver.solving.coordinator import COUNTING, Coordinator
from solver.solving.executors import WorkerPool, start_workers
from solver.solving.limits import LARGE, DiskGuard, Limits
from solver.solving.memory import room_for_task
from solver.solving.options import METHODS, Progress, SolveOptions
from solver.solving.retrograde import retrograde
from solver.solving.search import search
from solver.solving.steps import COMPILED, LAYERS, PYTHON, Steps, check_length
from solver.solving.steps_python import steps_for
from solver.solving.worker import Worker
from solver.startup import M, P
from solver.tables.format import MOST_JSON, SMALL
from solver.tables.json_table import Table
from solver.tables.mapped_file import WIDEST, MappedFile
from solver.tables.mapped_table import MappedTable
from solver.tables.open import open_table
from solver.tables.store import MOST_BYTES, SUFFIXES, WORK, rules_of, user_path
from solver.version import __version__

__all__ = ["METHODS", "SolveOptions", "solve", "solve_file"]

FEW = 2_000  # canonical positions up to which loading a kernel takes longer than it saves
# (up to SMALL, if it must be compiled, up to
OWN = 3  # times SMALL with rules of one's own, and fewer with more than
USUAL = 4  # symmetries)
MOST_KEPT = 1 << 28  # bytes of files that stay in memory, or a 16th of a task's if that is less
MANY = 20_000  # canonical positions found of a game with wide keys before its size is estimated
JSON, MAPPED = SUFFIXES
Solved = Table | MappedFile


def solve(
    game: Game[P, M], method: str = METHODS[0], workers: int = 1, force: bool = False
) -> Table | MappedTable:
    """Return the table of every position that a game can reach.

    Both methods give the same table. `search` goes depth first and raises SearchDepthError if a
    position can repeat within a game; `retrograde` works back from the ends of the game, and for a
    large game uses its kernel if it has one. With several workers, other processes load the game,
    so a script needs the usual `if __name__ == "__main__"`. Raises GameLawError if the rules break
    a law (see `solver.rules.game`), KernelError if the game's own kernel contradicts them,
    SolveTooLargeError unless `force` if the machine has too little disk, memory or time, and
    ValueError for an unknown method or a game that lasts more plies than a score can hold.
    """
    options, started = SolveOptions(method, workers, force=force), cpu_time()
    with tempfile.TemporaryDirectory() as folder:

        def opened(table: Solved, checked: bool) -> Table | MappedTable:
            result = table if isinstance(table, Table) else MappedTable(b"".join(table), game)
            if checked:
                check_entries(result, (cpu_time() - started) / SHARE)
            return result

        result: Table | MappedTable = _solved(game, None, folder, folder, options, opened)
        return result


def solve_file(game: Game[P, M], path: str | None, options: SolveOptions) -> str:
    """Solve a game, write its table to a file and return the file's path.

    Without a path the table goes where `solver.tables.store.find_table` looks for it. The suffix of
    a path decides the form of the table. A large game keeps unfinished work in a folder beside the
    file until that is written; the same call resumes from there.

    Raises what `solve` does, OSError, and MemoryLimitError if the limit is too small.
    """
    if path is None:
        folder, suffix = user_path(game.spec, WORK, rules_of(game)), ""
        os.makedirs(os.path.dirname(folder), exist_ok=True)
    else:
        check_writable(path)
        folder, suffix = path + WORK, os.path.splitext(path)[1]
    if options.workdir is not None:
        folder = options.workdir
    target = path or user_path(game.spec, MAPPED, rules_of(game))
    remove_drafts(target)
    started = cpu_time()

    def written(table: Solved, checked: bool) -> str:
        is_json = path is None and isinstance(table, Table)
        place = user_path(game.spec, JSON, rules_of(game)) if is_json else target
        _write(table, place, game, options, started if checked else None)
        return place

    ending = suffix if suffix in SUFFIXES else None
    solved_path: str = _solved(game, ending, folder, target, options, written)
    return solved_path


def _write(
    table: Solved, path: str, game: Game[P, M], options: SolveOptions, started: float | None
) -> None:
    """Write a table to a file, which appears only after it has been opened and checked.

    If the processor time is given at which the solve `started`, entries are compared with the rules
    in Python: raises KernelError if one differs, and ValueError if the table is too large for JSON.
    """
    parts = table if isinstance(table, MappedFile) else [table.encode()]
    if isinstance(parts, list) and len(parts[0]) > MOST_BYTES:
        raise ValueError(
            f"{len(parts[0]):,} bytes are too many for a JSON table: name a file that ends in"
            f" {MAPPED}"
        )
    disk = DiskGuard(os.path.dirname(os.path.realpath(path)))
    with atomic_write(path) as file:
        for part in parts:
            disk.write(file, part)
        file.flush()
        if started is not None:
            written = open_table(file.name, game)
            options.checked(check_entries(written, (cpu_time() - started) / SHARE))
        elif built_in_name(game) is None:
            open_table(file.name, game)


def _small_tiers(game: Game[P, M], suffix: str | None, progress: Progress) -> dict[int, list[P]]:
    """Return the positions of a game by tier; none if it is not solved in memory.

    Beyond SMALL canonical positions it goes on only while the game grows so slowly that its next
    ply is expected to fit, too.
    """
    if suffix == JSON:
        most = SMALL
    elif by_hand(game, "kernel"):
        most = FEW if suffix == MAPPED else SMALL
    else:
        most = SMALL if built_in_name(game) else OWN * SMALL
        most = most * USUAL // max(USUAL, len(game.symmetries))
    counts = [0, 1]

    def go_on(count: int) -> bool:
        before, last = counts[-2:]
        counts.append(count)
        growth = (count - last) ** 2 // max(1, last - before)
        if is_small := count <= most and (count <= SMALL or count + growth <= most):
            progress(COUNTING, count, None)
        return is_small

    return reachable(game, go_on)


def _solved(
    game: Game[P, M],
    suffix: str | None,
    folder: str,
    target: str,
    options: SolveOptions,
    finish: Callable[[Solved, bool], Any],
) -> Any:
    """Solve a game, in memory if it is small, and return what `finish` returns.

    This is called with its table, and with whether to check it: compiled rules have made it, or
    earlier work, since when data that the rules read may have changed.
    """
    if options.method not in METHODS:
        raise ValueError(f"unknown method {options.method!r}; expected one of {', '.join(METHODS)}")
    if options.workers < 1:
        raise ValueError(f"a solve needs at least 1 worker, not {options.workers}")
    require_workers(game, options.workers + (options.scheduler is not None))
    if options.workdir == "":
        raise ValueError("the name of the folder for unfinished work is empty")
    check_game(game, walks=3)
    files = RuleFiles(game)
    game = copy_game(game)  # which gets keys
    limits = Limits(game, folder, target, options)
    if options.method == "search":
        limits.check(0)
        scores = search(game, limits.check)
    elif tiers := _small_tiers(game, suffix, options.progress):
        scores = retrograde(game, tiers)
    else:
        return _Attempt(game, suffix, folder, options, limits, files).run(finish)
    return finish(_small_table(game, scores, suffix, files), False)


def _small_table(
    game: Game[P, M], scores: dict[P, int], suffix: str | None, files: RuleFiles
) -> Solved:
    """Return the table of a game that was solved in memory.

    It has the form that its suffix says; else it is mapped if it is large and its keys fit.
    """
    if built_in_name(game) is None:
        for p in scores:
            check_position(game, p)
    check_length(game.spec, scores.values())
    files.update()
    is_large = len(scores) > SMALL
    if suffix == JSON or (suffix is None and not is_large):
        return json_table(game, scores, files.stated)
    top = with_keys(game, lambda: max(checked_key(game, p) for p in scores))
    is_mapped = suffix == MAPPED or top.bit_length() <= WIDEST
    make: Callable[..., Solved] = mapped_table if is_mapped else json_table
    return make(game, scores, files.stated)


class _Attempt:
    """The solve of a large game tier by tier, on files in a folder.

    It takes compiled rules if there are any. Samples show whether these agree with the rules in
    Python, and whether their tiers are layers; where that proves to be wrong, it starts again
    without.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        suffix: str | None,
        folder: str,
        options: SolveOptions,
        limits: Limits,
        files: RuleFiles,
    ) -> None:
        self.game, self.suffix, self.folder = game, suffix, folder
        self.options, self.limits = options, limits
        self.kind = PYTHON if options.plain else LAYERS
        self.resumed = False
        self.files = files
        work = Checkpoint.find(folder) if os.path.isdir(folder) else None
        about = {} if work is None else work.about
        if about.get("version") == __version__ and self._has_files(about.get("source")):
            restore_keys(game, about["keys"])  # those of the unfinished work
            self.kind = min(self.kind, about["kind"])

    def _has_files(self, stated: Any) -> bool:
        """Return whether the rules' files are those of unfinished work; then take its list."""
        if not isinstance(stated, dict):
            return bool(stated == self.files.stated)  # no list
        is_same = not has_changed(self.game, stated)
        if is_same:
            self.files = RuleFiles(self.game, stated["files"])
        return is_same

    def run(self, finish: Callable[[Solved, bool], Any]) -> Any:
        """Solve the game and return what `finish` returns for its table."""
        while True:
            try:
                return with_keys(self.game, lambda: self._solve(finish), self.options.report)
            except BrokenTierError as error:
                self.kind = COMPILED
                self.options.report(f"starting again without layers: {error}")
            except (KernelError, OverflowedKeyError) as error:
                if self.kind == PYTHON or by_hand(self.game, "kernel"):
                    raise
                self.kind = PYTHON
                self.options.report(f"starting again in plain Python: {error}")

    def _solve(self, finish: Callable[[Solved, bool], Any]) -> Any:
        options, limits = self.options, self.limits
        if key_width(self.game) > WIDEST:
            if os.path.isdir(self.folder):  # of a start with other keys
                with Checkpoint(self.folder, {"game": self.game.spec}) as checkpoint:
                    checkpoint.clear()
            return finish(self._wide_table(), False)
        if self.suffix == JSON:
            raise ValueError(
                f"{self.game.spec} has more than {SMALL:,} positions up to symmetry, too many for a"
                f" JSON table: name a file that ends in {MAPPED}"
            )
        kernel, remark = None, ""
        if self.kind != PYTHON:
            kernel, remark = find_kernel(self.game, self.kind == LAYERS)
        if remark:
            options.report(remark)
        limits.find = lambda _: (kernel, remark)
        limits.check(0)
        steps = steps_for(self.game, kernel)
        steps.check = limits.check
        with (
            Checkpoint(self.folder, self._about(steps), self.files) as checkpoint,
            _stop_reported(checkpoint, options.report),
        ):
            try:
                result = self._go_on(steps, kernel, checkpoint, finish)
            except (GameLawError, KernelError, LookupError) as error:
                if not self.resumed or isinstance(error, UnpackedPositionError):
                    raise
                options.report(f"starting again without the unfinished work: {error}")
                result = None
            checkpoint.clear()
        return self._solve(finish) if result is None else result

    def _go_on(
        self,
        steps: Steps,
        kernel: Any,
        checkpoint: Checkpoint,
        finish: Callable[[Solved, bool], Any],
    ) -> Any:
        """Solve what is left, and return what `finish` returns."""
        options, limits = self.options, self.limits
        where = options.workers, options.scheduler
        with start_workers(*where, compiled=kernel is not None) as pool:
            worker = _worker(steps, self.folder, pool, options, self.files)
            coordinator = Coordinator(worker, pool, checkpoint, options.progress, limits.check)
            tiers = coordinator.grown_tiers
            self.resumed = tiers > 0
            options.report(
                f"resuming from {self.folder}, which has the positions of {tiers} tiers"
                if tiers
                else f"storing unfinished work in {self.folder} until the table is written"
            )
            try:
                table = coordinator.solve(lambda: assemble(coordinator))
            except (SolveTooLargeError, GameLawError):  # what was solved is of no use
                if not tiers:
                    checkpoint.clear()
                raise
        count = getattr(kernel, "asked", 0)
        if count:
            options.report(
                f"{count:,} positions were expanded in plain Python, where compiled rules fail"
            )
        is_compiled = kernel is not None and built_in_name(self.game) is None
        return finish(table, is_compiled or self.resumed)

    def _wide_table(self) -> Solved:
        """Return the JSON table of a game whose keys do not fit a mapped one."""

        def go_on(count: int) -> bool:
            self.options.progress(COUNTING, count, None)
            if count > MANY:
                self.limits.check(LARGE)
            return count <= MOST_JSON

        tiers = {} if self.suffix == MAPPED else reachable(self.game, go_on)
        if not tiers:
            raise ValueError(
                f"keys of {self.game.spec} have more than {WIDEST} bits, so its table is a JSON"
                f" file of up to {MOST_JSON:,} positions: define key and position with fewer bits"
            )
        return _small_table(self.game, retrograde(self.game, tiers), JSON, self.files)

    def _about(self, steps: Steps) -> dict[str, Any]:
        """Return what must be the same for a solve to resume."""
        game = self.game
        start = {"start": time.time_ns()} if game.one_process else {}  # which never resumes
        return start | {
            "game": game.spec,
            "kind": steps.kind,
            "slots": steps.slot_width,
            "version": __version__,
            "rules": fingerprint(game),
            "source": self.files.stated,
            "keys": keys_state(game),
        }


@contextmanager
def _stop_reported(checkpoint: Checkpoint, report: Callable[[str], None]) -> Iterator[None]:
    """Report, if a solve stops early, what to do with its unfinished work."""
    try:
        yield
    except (BrokenTierError, KernelError, OverflowedKeyError, UnpackedPositionError):
        raise  # it starts again
    except BaseException:
        if os.path.exists(checkpoint.path(LEDGER)):
            report(
                "stopped: run the same command to resume, or delete the folder of unfinished work,"
                f" {shlex.quote(checkpoint.directory)}"
            )
        raise


def _worker(
    steps: Steps, folder: str, pool: WorkerPool, options: SolveOptions, files: RuleFiles
) -> Worker:
    """Return the worker of this process; raise ValueError if others cannot load its game."""
    game, name = steps.game, options.name or steps.game.spec
    file, _, class_name = name.rpartition(":")
    if file.endswith(".py"):
        name = f"{os.path.abspath(file)}:{class_name}"
    if not pool.is_here:
        try:
            is_same = fingerprint(load_game(name)) == fingerprint(game)
        except (ValueError, ImportError):
            is_same = False
        if not is_same:
            raise ValueError(
                f"other processes cannot load {game.spec}: write its rules into a file and name it"
                " as FILE.py:CLASS"
            )
    worker = Worker(steps, name, folder, files)
    loaded = partial(worker.run, pool, Worker.memory_loaded)
    worker.room = room_for_task(game.spec, pool, options.memory, loaded)
    worker.files.room = min(worker.room // 16, MOST_KEPT) if pool.is_here else 0
    return worker
