"""Runs a command and measures it, with all the processes that it starts."""

from __future__ import annotations

import os
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
start = time.perf_counter()
status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
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


def spent(*arguments: str, watched: str | None = None, **variables: str) -> Spent:
    """Run perfectplay with these arguments and environment variables.

    `watched` is a folder whose size is sampled meanwhile. Raises RuntimeError if the command fails.
    """
    ended, sizes = threading.Event(), [0]
    watcher = threading.Thread(target=_watch, args=(watched, ended, sizes))
    watcher.start()
    try:
        done = subprocess.run(
            [sys.executable, "-c", LAUNCH, *COMMAND, *arguments],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **variables},
            check=False,
        )
    finally:
        ended.set()
        watcher.join()
    if done.returncode:
        raise RuntimeError(f"perfectplay {' '.join(arguments)} failed")
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
