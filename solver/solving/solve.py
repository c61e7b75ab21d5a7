"""From rules to a table: solve a game and write the score of every position.

Both `solve` and `solve_file` take a game through the same stages:

    rules checked -> keys chosen -> steps chosen -> solved -> table written -> table checked

`choose_steps` decides how: in memory (`solver.solving.in_memory`) if the game is small, by
alpha-beta search or by retrograde analysis; else tier by tier on files (`solver.solving.on_files`),
by a kernel if there is one and in plain Python otherwise. Samples show whether compiled rules agree
with those in Python, and whether keys have room for all positions. Where that proves to be wrong, a
stage returns a `Retry`, and the stages from the keys on are done again without what was wrong.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from typing import TypeVar

from solver.errors import (
    GameLawError,
    KernelError,
    OverflowedKeyError,
    UnpackedPositionError,
)
from solver.files import atomic_write, check_writable, remove_drafts
from solver.games import built_in_name, by_hand, copy_game
from solver.kernels import find_kernel
from solver.rules.default_keys import key_width, widen_keys
from solver.rules.game import Game, require_workers
from solver.rules.laws import check_game
from solver.rules.rule_files import RuleFiles
from solver.solving.check_entries import SHARE, check_entries, cpu_time
from solver.solving.coordinator import COUNTING
from solver.solving.in_memory import JSON, MAPPED, small_tiers, solve_in_memory, wide_tiers
from solver.solving.job import KERNEL, KEYS, UNFINISHED, Job, Retry, Solution, Way
from solver.solving.limits import DiskGuard, Guard
from solver.solving.on_files import opened_work, solve_on_files, take_up_work
from solver.solving.options import METHODS, SolveOptions
from solver.solving.steps_python import steps_for
from solver.startup import M, P
from solver.tables.format import SMALL
from solver.tables.json_table import Table
from solver.tables.mapped_file import WIDEST, MappedFile
from solver.tables.mapped_table import MappedTable
from solver.tables.open import open_table
from solver.tables.store import MOST_BYTES, SUFFIXES, WORK, rules_of, user_path

__all__ = ["METHODS", "SolveOptions", "solve", "solve_file"]

Result = TypeVar("Result")


def solve(
    game: Game[P, M], method: str = METHODS[0], workers: int = 1, force: bool = False
) -> Table | MappedTable:
    """Return the table of every position that a game can reach.

    Both methods give the same table. `search` goes depth first and raises SearchDepthError if a
    position can repeat within a game; `retrograde` works back from the ends of the game, and for a
    large game uses its kernel if it has one. With several workers, other processes load the game,
    so a script needs the usual `if __name__ == "__main__"`. Raises GameLawError if the rules break
    a law (see `solver.rules.game`), KernelError if the game's own kernel contradicts them,
    SolveTooLargeError unless `force` if the machine has far too little disk or memory, and
    ValueError for an unknown method or a game that lasts more plies than a score can hold.
    """
    options, started = SolveOptions(method, workers, force=force), cpu_time()
    with tempfile.TemporaryDirectory() as folder:

        def opened(solution: Solution) -> Table | MappedTable:
            table, is_trusted = solution
            result = table if isinstance(table, Table) else MappedTable(b"".join(table), game)
            if not is_trusted:
                check_entries(result, (cpu_time() - started) / SHARE)
            return result

        return _solved(_job(game, None, folder, folder, options), opened)


def solve_file(game: Game[P, M], path: str | None, options: SolveOptions) -> str:
    """Solve a game, write its table to a file and return the file's path.

    Without a path the table goes where `solver.tables.store.find_table` looks for it. The suffix of
    a path decides the form of the table. A large game keeps unfinished work in a folder beside the
    file until that is written; the same call resumes from there.

    Raises what `solve` does, OSError, and MemoryLimitError if the limit is too small.
    """
    started = cpu_time()
    if path is None:
        folder, suffix = user_path(game.spec, WORK, rules_of(game)), None
        os.makedirs(os.path.dirname(folder), exist_ok=True)
    else:
        check_writable(path)
        folder, suffix = path + WORK, os.path.splitext(path)[1]
    target = path or user_path(game.spec, MAPPED, rules_of(game))
    remove_drafts(target)

    def written(solution: Solution) -> str:
        is_json = path is None and isinstance(solution.table, Table)
        written = user_path(game.spec, JSON, rules_of(game)) if is_json else target
        _write(solution, written, game, options, started)
        return written

    ending = suffix if suffix in SUFFIXES else None
    return _solved(_job(game, ending, options.workdir or folder, target, options), written)


def _job(
    game: Game[P, M], suffix: str | None, folder: str, target: str, options: SolveOptions
) -> Job:
    """Return a job for a game whose rules have been checked; raises ValueError and GameLawError."""
    if options.method not in METHODS:
        raise ValueError(f"unknown method {options.method!r}; expected one of {', '.join(METHODS)}")
    if options.workers < 1:
        raise ValueError(f"a solve needs at least 1 worker, not {options.workers}")
    require_workers(game, options.workers + (options.scheduler is not None))
    if options.workdir == "":
        raise ValueError("the name of the folder for unfinished work is empty")
    check_game(game, walks=3)
    files, game = RuleFiles(game), copy_game(game)
    guard = Guard(game, folder, target, options)
    return Job(game, suffix, folder, target, options, guard, files, [game.initial()])


def _solved(job: Job, store: Callable[[Solution], Result]) -> Result:
    """Do the stages from the keys on; return what `store` returns for the checked table."""
    without = take_up_work(job)
    while isinstance(done := _attempt(job, without, store), Retry):
        job.options.report(done.reason)
        without.add(done.without)
        if done.without == KEYS:
            widen_keys(job.game, job.starts, done.position)
    return done


def _attempt(job: Job, without: set[str], store: Callable[[Solution], Result]) -> Result | Retry:
    """Do the stages from the keys on once."""
    way = _or_retry(lambda: choose_steps(job, without), job, without)
    if isinstance(way, Retry):
        return way

    def solved() -> Result:
        solution = solve_in_memory(job, way) if work is None else solve_on_files(job, way, work)
        return store(solution)

    with opened_work(job, way) as work:
        done = _or_retry(solved, job, without, lambda: work is not None and work.is_resumed)
        if work is not None:
            work.clear()
    return done


def choose_steps(job: Job, without: set[str]) -> Way:
    """Return how a game is solved, and report why not with compiled rules, if it is large.

    Raises ValueError if its table cannot have the form that was asked for.
    """
    game, options = job.game, job.options
    if options.method == "search":
        return Way()
    if not without:
        if tiers := small_tiers(job):
            return Way(tiers)
        job.guard.check_growth()
    if key_width(game) > WIDEST:
        return Way(wide_tiers(job), is_wide=True)
    if job.suffix == JSON:
        raise ValueError(
            f"{game.spec} has more than {SMALL:,} positions up to symmetry, too many for a JSON"
            f" table: name a file that ends in {MAPPED}"
        )
    kernel, remark = None, ""
    if not options.plain and KERNEL not in without:
        kernel, remark = find_kernel(game)
    if remark:
        options.report(remark)
    job.guard.start(kernel)
    steps = steps_for(game, kernel)
    most = 0

    def check(found: int) -> None:
        nonlocal most
        job.guard.check(found)
        if found > most:  # of the tier that grows
            most = found
            options.progress(COUNTING, found, None)

    steps.check = check
    return Way(steps=steps, kernel=kernel)


def _or_retry(
    call: Callable[[], Result],
    job: Job,
    without: set[str],
    is_resumed: Callable[[], bool] = lambda: False,
) -> Result | Retry:
    """Return what a stage returns, or how to do without what has failed in it."""
    try:
        return call()
    except UnpackedPositionError as error:
        return Retry(f"starting again: {error}", KEYS, error.position)
    except (GameLawError, KernelError, LookupError, OverflowedKeyError) as error:
        is_plain = job.options.plain or KERNEL in without or by_hand(job.game, "kernel")
        if is_resumed() and isinstance(error, GameLawError | KernelError | LookupError):
            return Retry(f"starting again without the unfinished work: {error}", UNFINISHED)
        if isinstance(error, KernelError | OverflowedKeyError) and not is_plain:
            return Retry(f"starting again in plain Python: {error}", KERNEL)
        raise


def _write(
    solution: Solution, path: str, game: Game[P, M], options: SolveOptions, started: float
) -> None:
    """Write a table to a file, which appears only after it has been opened and checked.

    Entries of a table that is not trusted are compared with the rules in Python, for a share of the
    processor time since the solve `started`: raises KernelError if one differs. Raises ValueError
    if the table is too large for JSON.
    """
    table = solution.table
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
        if not solution.is_trusted:
            written = open_table(file.name, game)
            options.checked(check_entries(written, (cpu_time() - started) / SHARE))
        elif built_in_name(game) is None:
            open_table(file.name, game)
