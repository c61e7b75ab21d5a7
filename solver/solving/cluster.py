"""A Dask cluster that runs the tasks of a solve: one that runs already, or one that is started."""

from __future__ import annotations

import logging
import signal
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from solver.errors import needs_extra
from solver.solving.pool import RESUME, WorkerPool

NEW = "new"  # in place of an address: a Dask cluster of this machine's own

DASK_SETTINGS = {  # the defaults spend time on profiles, and on returning memory after each array
    "distributed.nanny.pre-spawn-environ": {"OMP_NUM_THREADS": 1},
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "10s",
}
PATIENCE = 30  # seconds to wait for a scheduler, and for its first worker


@contextmanager
def connect(workers: int, scheduler: str, compiled: bool) -> Iterator[WorkerPool]:
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

    def ask() -> None:
        try:
            client = Client(address, timeout=PATIENCE)
            client.wait_for_workers(1, timeout=PATIENCE)
            results.append(client)
        except Exception as error:
            results.append(error)

    # in a thread: something else may accept the connection and never answer
    thread = threading.Thread(target=ask, daemon=True)
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
