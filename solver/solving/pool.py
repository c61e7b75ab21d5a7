"""The threads or processes that run the tasks of a solve."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, as_completed
from typing import Any, NamedTuple, TypeVar

from solver.errors import IntraTierMoveError, LostFileError

Result = TypeVar("Result")

RESUME = "run the same command to resume"


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
