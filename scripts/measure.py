"""Runs a command or a statement in a process of its own, and measures it."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import threading
from hashlib import file_digest
from pathlib import Path
from typing import Any, NamedTuple

from scripts.sections import ROOT

PERFECTPLAY = [str(Path(sys.executable).with_name("perfectplay"))]
LAUNCH = """
import ctypes, json, os, resource, subprocess, sys, time
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # orphans become children of this process
start = time.perf_counter()
done = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE)
wall = time.perf_counter() - start
try:
    while True:
        os.wait()
except ChildProcessError:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
cost = {"s CPU": used.ru_utime + used.ru_stime, "s elapsed": wall, "MB": used.ru_maxrss / 1024}
last = done.stdout.decode().strip().rpartition("\\n")[2]
print(json.dumps(cost | (json.loads(last) if last.startswith('{"each": ') else {})))
sys.exit(done.returncode)
"""
"""Runs a command from a small process: a process inherits the peak memory of its parent."""
STATEMENT = """
import json, sys, time, timeit
figures = {}
names = {"figures": figures}
exec(sys.argv[1], names)
timer, idle = (timeit.Timer(code, "pass", getattr(time, sys.argv[3]), names)
               for code in (sys.argv[2], "pass"))
number, first = timer.autorange()
least = min([first, *timer.repeat(4 if first < 2 else 0, number)])
loop = min(idle.repeat(3, number)) if number > 1 else 0
print(json.dumps({"each": (least - loop) / number} | figures))
"""
"""Times a statement after its setup; either may add figures to the time."""
UNITS = {"s": 1, "ms": 1e3, "µs": 1e6, "ns": 1e9}
RATES = {"/s": 1, "thousand/s": 1e-3, "million/s": 1e-6}
Figures = dict[str, Any]  # by unit


class Row(NamedTuple):
    """A measurement, as scripts/bench.toml describes it."""

    name: str
    run: str
    shows: str = "ms"
    beside: str = ""
    target: str = ""
    of: int = 1
    setup: str = ""
    note: str = ""
    needs: str = ""
    clock: str = "process_time"
    readme: str = ""
    peer: str = ""


def run(row: Row, folder: str, setup: str = "") -> Figures:
    """Run a row once and return its figures; raises RuntimeError if it fails."""
    variables = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    variables["PYTHONPATH"] = str(ROOT)
    variables["PATH"] = f"{os.path.dirname(sys.executable)}{os.pathsep}{os.environ['PATH']}"
    command = [sys.executable, "-c", STATEMENT, f"{setup}\n{row.setup}", row.run, row.clock]
    if row.run.startswith("$ "):
        command = shlex.split(row.run[2:])
        while re.match(r"[A-Z_]+=", command[0]):
            name, _, variables[name] = command.pop(0).partition("=")
    ended, disk = threading.Event(), [0.0]
    watcher = threading.Thread(target=watch, args=(folder, ended, disk))
    watcher.start()
    launch = [sys.executable, "-c", LAUNCH, *command]
    done = subprocess.run(launch, capture_output=True, text=True, cwd=folder, env=variables)  # noqa: PLW1510
    ended.set()
    watcher.join()
    if done.returncode:
        raise RuntimeError(done.stderr.strip().rpartition("\n")[2] or f"exit {done.returncode}")
    figures: Figures = {"MB of disk": disk[0], **json.loads(done.stdout)}
    each = figures.get("each", figures["s CPU"]) / figures.get("of", row.of)
    figures |= {unit: each * factor for unit, factor in UNITS.items()}
    figures |= {unit: factor / each for unit, factor in RATES.items()}
    figures["ms elapsed"] = figures["s elapsed"] * 1000
    figures |= {
        "CPU": figures["s CPU"],
        "elapsed": figures["s elapsed"],
        "disk": figures["MB of disk"],
    }
    if "-o" in command:
        with Path(folder, command[command.index("-o") + 1]).open("rb") as file:
            figures["same"] = file_digest(file, "sha256").hexdigest()
    return figures


def watch(folder: str, ended: threading.Event, most: list[float]) -> None:
    """Record the largest size of a folder, in megabytes, until an event is set."""
    while not ended.wait(0.02):
        size = 0
        for place, _, names in os.walk(folder):
            for name in names:
                try:
                    size += os.stat(os.path.join(place, name)).st_size
                except FileNotFoundError:  # replaced meanwhile
                    continue
        most[0] = max(most[0], size / 1e6)
