"""Solve a large game tier by tier, on files in a folder from which an interrupted solve resumes."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from solver.errors import GameLawError, SolveTooLargeError
from solver.games import built_in_name, load_game
from solver.rules.default_keys import restore_keys
from solver.rules.game import fingerprint
from solver.rules.rule_files import RuleFiles, has_changed
from solver.solving.assemble import assemble
from solver.solving.checkpoint import LEDGER, Checkpoint
from solver.solving.coordinator import Coordinator
from solver.solving.executors import start_workers
from solver.solving.job import KERNEL, Job, Solution, Way
from solver.solving.memory import room_for_task
from solver.solving.pool import WorkerPool
from solver.solving.steps import Steps
from solver.solving.worker import Worker, about_solve
from solver.version import __version__

MOST_KEPT = 1 << 28  # bytes of files that stay in memory, or a 16th of a task's if that is less


def take_up_work(job: Job) -> set[str]:
    """Give a job the keys and the files of unfinished work; return what that does without.

    Nothing changes unless this version has begun it with the same rules.
    """
    work = Checkpoint.find(job.folder) if os.path.isdir(job.folder) else None
    about = {} if work is None else work.about
    stated = about.get("source")
    if about.get("version") != __version__:
        return set()
    if not isinstance(stated, dict):  # rules without files
        if stated != job.files.stated:
            return set()
    elif has_changed(job.game, stated):
        return set()
    else:
        job.files = RuleFiles(job.game, stated["files"])
    restore_keys(job.game, about["keys"])
    return {KERNEL} if about.get("compiled") is False else set()


@contextmanager
def opened_work(job: Job, way: Way) -> Iterator[Checkpoint | None]:
    """Give the locked folder of unfinished work; None for a game that is solved in memory.

    Reports, if the solve stops early, what to do with the folder.
    """
    if way.steps is None:
        if way.is_wide and os.path.isdir(job.folder):  # of a start with other keys
            with Checkpoint(job.folder, {"game": job.game.spec}) as work:
                work.clear()
        yield None
        return
    with Checkpoint(job.folder, about_solve(way.steps, job.files), job.files) as work:
        try:
            yield work
        except BaseException:
            if os.path.exists(work.path(LEDGER)):
                job.options.report(
                    "stopped: run the same command to resume, or delete the folder of unfinished"
                    f" work, {shlex.quote(work.directory)}"
                )
            raise


def solve_on_files(job: Job, way: Way, work: Checkpoint) -> Solution:
    """Solve what is left, and return the table, which is read from the files as it is written."""
    options, steps = job.options, way.steps
    assert steps is not None
    is_compiled = way.kernel is not None
    with start_workers(options.workers, options.scheduler, compiled=is_compiled) as pool:
        worker = _worker(job, steps, pool)
        coordinator = Coordinator(worker, pool, work, options.progress, job.guard.check)
        tiers = work.ledger.grown_tiers
        work.is_resumed = tiers > 0
        options.report(
            f"resuming from {job.folder}, which has the positions of {tiers} tiers"
            if tiers
            else f"storing unfinished work in {job.folder} until the table is written"
        )
        try:
            table = coordinator.solve(lambda: assemble(coordinator))
        except (SolveTooLargeError, GameLawError):  # what was solved is of no use
            if not tiers:
                work.clear()
            raise
    if count := getattr(way.kernel, "asked", 0):
        options.report(
            f"{count:,} positions were expanded in plain Python, where compiled rules fail"
        )
    is_own = is_compiled and built_in_name(job.game) is None
    return Solution(table, is_trusted=not is_own and not work.is_resumed)


def _worker(job: Job, steps: Steps, pool: WorkerPool) -> Worker:
    """Return the worker of this process; raise ValueError if others cannot load its game."""
    game, name = job.game, job.options.name or job.game.spec
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
    worker = Worker(steps, name, job.folder, job.files)
    loaded = partial(worker.run, pool, Worker.memory_loaded)
    worker.room = room_for_task(game.spec, pool, job.options.memory, loaded)
    worker.files.room = min(worker.room // 16, MOST_KEPT) if pool.is_here else 0
    return worker
