"""Runs a command and tells what it took, with all the processes that it starts."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import NamedTuple

COMMAND = [str(Path(sys.executable).with_name("perfectplay"))]
SUBREAPER = 36  # of prctl: orphans become children of this process, so that it hears what they took
OFTEN = 0.02  # seconds between two looks at a folder


class Spent(NamedTuple):
    """What a command took."""

    cpu: float
    """Seconds of all processes together."""
    wall: float
    megabytes: float
    """Peak memory of the largest process."""
    disk: int
    """The most bytes that lay in the folder that was watched."""


def spent(*arguments: str, watched: str | None = None, **variables: str) -> Spent:
    """Run perfectplay with these arguments and environment variables.

    `watched` is a folder whose size is looked at on the way. Raises RuntimeError if it fails.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    ended, sizes = threading.Event(), [0]
    watcher = threading.Thread(target=_watch, args=(watched, ended, sizes))
    begun = time.perf_counter()
    process = subprocess.Popen(
        [*COMMAND, *arguments], stdout=subprocess.DEVNULL, env={**os.environ, **variables}
    )
    watcher.start()
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begun
    ended.set()
    watcher.join()
    if status:
        raise RuntimeError(f"perfectplay {' '.join(arguments)} failed")
    cpu, peak = used.ru_utime + used.ru_stime, used.ru_maxrss
    try:
        while sys.platform == "linux":
            _, _, used = os.wait4(-1, 0)
            cpu, peak = cpu + used.ru_utime + used.ru_stime, max(peak, used.ru_maxrss)
    except ChildProcessError:
        pass
    return Spent(cpu, wall, peak / 1024, sizes[0])


def _watch(folder: str | None, ended: threading.Event, sizes: list[int]) -> None:
    while folder is not None and not ended.wait(OFTEN):
        size = 0
        for place, _, names in os.walk(folder):
            for name in names:
                try:
                    size += os.stat(os.path.join(place, name)).st_size
                except FileNotFoundError:  # it has been replaced meanwhile
                    continue
        sizes[0] = max(sizes[0], size)
