"""Where the tasks of a solve are done: here, in processes of this machine, or on a Dask cluster."""

from __future__ import annotations

import importlib.util
import logging
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    ProcessPoolExecutor,
    as_completed,
)
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.errors import IntraTierMoveError, LostFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ENGINES = ("local", "dask")
AGAIN = "the same command goes on from what is finished"
LEAN = {  # of Dask's settings: giving memory back after each array takes time, and watching, too
    "distributed.nanny.pre-spawn-environ": {"OMP_NUM_THREADS": 1},
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
}
PATIENCE = 30  # seconds to wait for a scheduler and its first worker


class WorkerPool(NamedTuple):
    """Who does the tasks of a solve."""

    executor: Executor | None
    """As `concurrent.futures` has them; None stands for this process."""
    workers: int
    """How many tasks are done at once."""
    threads: int = 1
    """How many of them share the memory of one worker."""


def gather(executor: Executor | None, calls: list[tuple[Any, ...]]) -> Iterator[tuple[int, Any]]:
    """Yield the number of each call, a function and its arguments, with its result, as they come.

    Raises what a call raises, and OSError if the workers are gone. That a file is lost or that a
    move stays in its tier is raised when all others have ended: none of them meets what comes next.
    """
    if executor is None:
        for number, (function, *arguments) in enumerate(calls):
            yield number, function(*arguments)
        return
    late: Exception | None = None
    try:
        futures = {executor.submit(*call): number for number, call in enumerate(calls)}
        try:
            for future in as_completed(futures):
                try:
                    result = future.result()
                except (LostFileError, IntraTierMoveError) as error:
                    late = late or error
                else:
                    yield futures[future], result
        finally:
            for future in futures:
                future.cancel()
    except CancelledError:
        raise OSError(f"the cluster is gone; {AGAIN}") from None
    except BrokenExecutor:
        raise OSError(
            f"a worker process has ended suddenly, perhaps for want of memory; {AGAIN}"
        ) from None
    if late is not None:
        raise late


def check_engine(engine: str, scheduler: str | None) -> None:
    """Raise ValueError for another engine, and for a scheduler that it does not take."""
    if engine not in ENGINES:
        raise ValueError(f"the engine is {engine!r}; it must be one of {', '.join(ENGINES)}")
    if scheduler is not None and engine != "dask":
        raise ValueError(f"a scheduler is for the engine dask, not for {engine}")


@contextmanager
def started(
    engine: str, workers: int, scheduler: str | None, report: Callable[[str], None]
) -> Iterator[WorkerPool]:
    """Give so many workers; they are stopped in the end.

    `scheduler` is the address of a Dask cluster, whose workers are taken as they are. Raises
    OSError if there is no such cluster, and ImportError without Dask.
    """
    if engine == "dask":
        with _cluster(workers, scheduler, report) as crew:
            yield crew
    elif workers == 1:
        yield WorkerPool(None, 1)
    else:
        with _pool(workers) as crew:
            yield crew


@contextmanager
def _pool(workers: int) -> Iterator[WorkerPool]:
    """Give processes of this machine."""
    # on Linux they are copies of this process, which has loaded and compiled what they need
    copied = sys.platform == "linux"
    context = multiprocessing.get_context("fork" if copied else "spawn")
    others = multiprocessing.active_children()
    pool = ProcessPoolExecutor(workers, context, _begin)
    try:
        yield WorkerPool(pool, workers)
    except BaseException:
        for process in multiprocessing.active_children():
            if process not in others:
                process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _begin() -> None:
    """Leave Ctrl-C to the process that planned the work, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _cluster(
    workers: int, scheduler: str | None, report: Callable[[str], None]
) -> Iterator[WorkerPool]:
    """Give the workers of the Dask cluster at an address, or of one that is started here."""
    try:
        import dask
        from distributed import Client, KilledWorker, LocalCluster
        from distributed.comm.core import CommClosedError
    except ImportError as error:
        raise ImportError(
            "the engine dask needs distributed: install perfectplay's extra 'cluster'"
        ) from error
    for name in [*logging.root.manager.loggerDict]:
        if name.partition(".")[0] == "distributed":  # what ends a solve is told in one line
            logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        if scheduler is None:
            stack.enter_context(dask.config.set(LEAN))
            drawn = importlib.util.find_spec("bokeh") is not None
            with _uninterrupted():
                local = LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    memory_limit=0,  # the tasks keep to their own limit
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            client = stack.enter_context(Client(stack.enter_context(local)))
        else:
            client = stack.enter_context(_client_at(scheduler))
            drawn = "dashboard" in client.scheduler_info(-1)["services"]
        if drawn and client.dashboard_link:
            report(f"Dask's dashboard: {client.dashboard_link}")
        threads = [worker["nthreads"] for worker in client.scheduler_info(-1)["workers"].values()]
        try:
            yield WorkerPool(client.get_executor(), sum(threads), max(threads))
        except KilledWorker as error:
            raise OSError(
                f"a task has ended several workers, perhaps for want of memory; {AGAIN}"
            ) from error
        except CommClosedError as error:
            raise OSError(f"the cluster is gone; {AGAIN}") from error


def _client_at(address: str) -> Any:
    """Return a client of the cluster at an address; raises OSError unless it has a worker."""
    from distributed import Client

    found: list[Any] = []

    def connect() -> None:
        try:
            client = Client(address, timeout=PATIENCE)
            client.wait_for_workers(1, timeout=PATIENCE)
            found.append(client)
        except Exception as error:
            found.append(error)

    # in a thread, for what is no scheduler may take a connection and say nothing for ever
    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(2 * PATIENCE + 1)
    reason = found[0] if found else "it takes the connection and says nothing"
    if isinstance(reason, Client):
        return reason
    raise OSError(
        f"no Dask cluster with a worker answers at {address!r}, written as tcp://HOST:8786:"
        f" {reason}"
    )


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let Ctrl-C wait; processes that are started here ignore it for good, as they inherit it."""
    if not hasattr(signal, "pthread_sigmask") or (
        threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    usual = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
