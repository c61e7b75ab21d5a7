"""Where the tasks of a solve run: in this process, in others on this machine, or on Dask.

Several tasks run in this process at once where they are compiled, since kernels, NumPy and files
release the interpreter's lock; then they share what is in memory. So do those of a Dask cluster
that is started here.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext

from solver.solving.pool import WorkerPool


def start_workers(
    workers: int, scheduler: str | None = None, compiled: bool = False
) -> AbstractContextManager[WorkerPool]:
    """Return a context manager that starts workers, and stops them in the end.

    Those that are started are threads if their tasks are `compiled`, and processes if not.
    `scheduler` is the address of a running Dask cluster, all of whose workers are used, or
    "new" for one that is started here. Raises OSError if it does not answer, and ImportError
    without Dask.
    """
    if scheduler is not None:
        from solver.solving.cluster import connect

        return connect(workers, scheduler, compiled)
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
