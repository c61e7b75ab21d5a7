"""Where the tasks of a solve run: in this process, in others on this machine, or on Dask.

Several tasks run in this process at once where they are compiled, since kernels, NumPy and files
release the interpreter's lock; then they share what is in memory. So do those of a Dask cluster
that is started here.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    as_completed,
)
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any, NamedTuple, TypeVar

from solver.errors import IntraTierMoveError, LostFileError, needs_extra

Result = TypeVar("Result")

NEW = "new"  # in place of an address: a Dask cluster of this machine's own
RESUME = "run the same command to resume"
DASK_SETTINGS = {  # the defaults spend time on profiles, and on returning memory after each array
    "distributed.nanny.pre-spawn-environ": {"OMP_NUM_THREADS": 1},
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
}
PATIENCE = 30  # seconds to wait for a scheduler, and for its first worker


class WorkerPool(NamedTuple):
    """The threads or processes that run a solve's tasks."""

    executor: Executor | None
    """None runs the tasks in this process."""
    workers: int
    """How many tasks run at once."""
    threads: int = 1
    """How many of these share the memory of one process."""
    is_here: bool = False
    """Whether that is this process."""

    def run(
        self, task: Callable[..., Result], calls: Sequence[tuple[Any, ...]]
    ) -> Iterator[tuple[int, Result]]:
        """Call a task once with each tuple of arguments.

        Yields the index of each call with its result, as they complete. Raises what a call raises,
        and OSError if workers die. LostFileError and IntraTierMoveError are raised after all calls
        have ended, so that no call overlaps with the recovery.
        """
        if self.executor is None:
            for index, arguments in enumerate(calls):
                yield index, task(*arguments)
            return
        late: Exception | None = None
        try:
            futures = {self.executor.submit(task, *call): i for i, call in enumerate(calls)}
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
            raise OSError(f"the connection to the cluster is lost; {RESUME}") from None
        except BrokenExecutor:
            raise OSError(
                "a worker process died, perhaps because it ran out of memory; run the same command"
                " again"
            ) from None
        if late is not None:
            raise late


def start_workers(
    workers: int, scheduler: str | None = None, compiled: bool = False
) -> AbstractContextManager[WorkerPool]:
    """Return a context manager that starts workers, and stops them in the end.

    Those that are started are threads if their tasks are `compiled`, and processes if not.
    `scheduler` is the address of a running Dask cluster, all of whose workers are used, or NEW for
    one that is started here. Raises OSError if it does not answer, and ImportError without Dask.
    """
    if scheduler is not None:
        return _cluster(workers, scheduler, compiled)
    if workers == 1:
        return nullcontext(WorkerPool(None, 1, is_here=True))
    return _threads(workers) if compiled else _processes(workers)


@contextmanager
def _threads(workers: int) -> Iterator[WorkerPool]:
    """Start threads in this process."""
    with ThreadPoolExecutor(workers) as threads:
        yield WorkerPool(threads, workers, workers, is_here=True)


@contextmanager
def _processes(workers: int) -> Iterator[WorkerPool]:
    """Start processes on this machine."""
    # on Linux they are forks of this process, which has loaded and compiled the game
    method = "fork" if sys.platform == "linux" else "spawn"
    others = multiprocessing.active_children()
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context(method), _start_process)
    try:
        yield WorkerPool(pool, workers)
    except BaseException:
        for process in multiprocessing.active_children():
            if process not in others:
                process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _start_process() -> None:
    """Leave Ctrl-C to the parent process, and exit when it does, however that happens."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _cluster(workers: int, scheduler: str, compiled: bool) -> Iterator[WorkerPool]:
    """Connect to the Dask cluster at an address, or start one here."""
    is_here = scheduler == NEW and compiled
    with needs_extra("a Dask cluster", "cluster"):
        import dask.config
        from distributed import Client, KilledWorker, LocalCluster
        from distributed.comm.core import CommClosedError
    for name in [*logging.root.manager.loggerDict]:
        if name.partition(".")[0] == "distributed":  # errors are reported once, in one line
            logging.getLogger(name).setLevel(logging.CRITICAL)
    with ExitStack() as stack:
        if scheduler == NEW:
            stack.enter_context(dask.config.set(DASK_SETTINGS))
            with _without_interrupts():
                local = LocalCluster(
                    n_workers=1 if is_here else workers,
                    threads_per_worker=workers if is_here else 1,
                    processes=not is_here,
                    memory_limit=0,  # the tasks observe their own limit
                    dashboard_address="127.0.0.1:0",
                    silence_logs=logging.CRITICAL,
                )
            client = stack.enter_context(Client(stack.enter_context(local)))
        else:
            client = stack.enter_context(_client_at(scheduler))
        threads = [worker["nthreads"] for worker in client.scheduler_info(-1)["workers"].values()]
        try:
            yield WorkerPool(client.get_executor(), sum(threads), max(threads), is_here)
        except KilledWorker as error:
            raise OSError(
                f"a task killed several workers, perhaps by running out of memory; {RESUME}"
            ) from error
        except CommClosedError as error:
            raise OSError(f"the connection to the cluster is lost; {RESUME}") from error


def _client_at(address: str) -> Any:
    """Connect to the cluster at an address; raise OSError unless it has a worker."""
    from distributed import Client

    results: list[Any] = []

    def connect() -> None:
        try:
            client = Client(address, timeout=PATIENCE)
            client.wait_for_workers(1, timeout=PATIENCE)
            results.append(client)
        except Exception as error:
            results.append(error)

    # in a thread: something else may accept the connection and never answer
    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(2 * PATIENCE + 1)
    result = results[0] if results else "it accepts the connection, but does not answer"
    if isinstance(result, Client):
        return result
    raise OSError(
        f"no Dask cluster with a worker answers at {address!r}; expected an address such as"
        f" tcp://HOST:8786: {result}"
    )


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Delay Ctrl-C; processes started in the meantime ignore it."""
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
