"""Runs a command and measures it, with all the processes that it starts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import NamedTuple

COMMAND = [str(Path(sys.executable).with_name("perfectplay"))]
LAUNCH = """
import ctypes, os, resource, subprocess, sys, time
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # orphans become children of this process
if limit := int(sys.argv[1]):
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
start = time.perf_counter()
status = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL).returncode
wall = time.perf_counter() - start
try:
    while True:
        os.wait()
except ChildProcessError:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, wall, used.ru_maxrss)
sys.exit(status)
"""
"""Runs a command from a small process: a process inherits the peak memory of its parent."""
INTERVAL = 0.02  # seconds between two measurements of a folder


class Spent(NamedTuple):
    """The cost of a command."""

    cpu: float
    """Seconds of all processes together."""
    wall: float
    megabytes: float
    """Peak memory of the largest process."""
    disk: int
    """The peak size of the watched folder in bytes."""


class FailedError(RuntimeError):
    """A command failed; the message is the last line that it printed about it."""


def spent(*arguments: str, watched: str | None = None, **variables: str) -> Spent:
    """Run perfectplay with these arguments and environment variables; see `run`."""
    return run([*COMMAND, *arguments], variables, watched=watched)


def run(
    command: list[str], variables: dict[str, str], limit: int = 0, watched: str | None = None
) -> Spent:
    """Run a command with these environment variables.

    `limit` is the CPU time in seconds that each process may take, 0 for any. `watched` is a folder
    whose size is sampled meanwhile. Raises FailedError if the command fails or takes longer.
    """
    ended, sizes = threading.Event(), [0]
    watcher = threading.Thread(target=_watch, args=(watched, ended, sizes))
    watcher.start()
    try:
        done = subprocess.run(
            [sys.executable, "-c", LAUNCH, str(limit), *command],
            capture_output=True,
            text=True,
            env={**os.environ, **variables},
            check=False,
        )
    finally:
        ended.set()
        watcher.join()
    if limit and done.returncode == 256 - signal.SIGXCPU:
        raise FailedError(f"more than {limit} s")
    if done.returncode:
        raise FailedError(done.stderr.strip().rpartition("\n")[2] or f"exit {done.returncode}")
    cpu, wall, peak = map(float, done.stdout.split())
    return Spent(cpu, wall, peak / 1024, sizes[0])


def _watch(folder: str | None, ended: threading.Event, sizes: list[int]) -> None:
    while folder is not None and not ended.wait(INTERVAL):
        size = 0
        for place, _, names in os.walk(folder):
            for name in names:
                try:
                    size += os.stat(os.path.join(place, name)).st_size
                except FileNotFoundError:  # replaced meanwhile
                    continue
        sizes[0] = max(sizes[0], size)
