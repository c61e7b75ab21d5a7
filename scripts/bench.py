"""Measures speed, size and memory beside peers and targets; exits with 1 if a row misses a target.

    python -m scripts.bench                    measure and print all but the slow groups
    python -m scripts.bench agents env         measure these groups alone
    python -m scripts.bench --slow             measure all groups: gigabytes, and half an hour
    python -m scripts.bench --write            also write the rows into docs/measurements.md

Each row of scripts/bench.toml runs in a process of its own. Rows of a group take turns, and of
several runs of a row, the one with the least CPU time counts.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from hashlib import file_digest
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from scripts.sections import MEASUREMENTS, ROOT, read_table, table, write_section

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
        with suppress(FileNotFoundError):  # a file is replaced meanwhile: the next look counts
            sizes = [path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()]
            most[0] = max(most[0], sum(sizes) / 1e6)


TARGET = re.compile(r"at (most|least) ([\d.,]+)(x?) ?(.*)")
SKIPPED = re.compile("^not measured|is not installed$")
HEAD = "measured|result|beside|target"


def read_groups() -> dict[str, dict[str, Any]]:
    """Return the groups by their names; the values of `row` are lists of `Row`."""
    groups = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for group in groups.values():
        group["row"] = [Row(**row) for about in group["row"] for row in repeated(**about)]
    return groups


def repeated(over: list[list[str]] | None = None, **about: Any) -> Iterator[dict[str, Any]]:
    """Yield a row once for each list of values for $1, $2 and $3."""
    for values in over or [[]]:
        row = dict(about)
        for place, value in enumerate(values, 1):
            row = {k: v.replace(f"${place}", value) if v is str(v) else v for k, v in row.items()}
        yield row


def measure(group: dict[str, Any]) -> tuple[dict[str, Figures], dict[str, str]]:
    """Run the rows of a group; return the figures of each, and why others have none."""
    figures, why = dict[str, Figures](), dict[str, str]()
    for row in group["row"]:
        absent = [name for name in row.needs.split() if not (shutil.which(name) or find_spec(name))]
        if absent:
            why[row.name] = f"{absent[0]} is not installed"
    with tempfile.TemporaryDirectory() as folder:
        for text in group.get("prepare", ()):
            command = shlex.split(text.format(root=ROOT, folder=folder, python=sys.executable))
            done = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, check=False)
            if done.returncode:
                return {}, {row.name: f"not measured: {command[0]} failed" for row in group["row"]}
        for _ in range(group.get("runs", 1)):
            for row in group["row"]:
                if row.name in why:
                    continue
                try:
                    cost = run(row, folder, group.get("setup", ""))
                except RuntimeError as error:
                    why[row.name] = str(error)
                    continue
                figures[row.name] = min(figures.get(row.name, cost), cost, key=itemgetter("s"))
    return figures, why


def compare(row: Row, mine: Figures, peer: Figures) -> tuple[list[str], list[str]]:
    """Return what a row is beside its peer, in words, and which of its targets it misses."""
    words, missed = [], []
    for target in row.target.split("; ") if row.target else ():
        limit = TARGET.fullmatch(target)
        if limit is None:  # the same bytes or answers
            good = mine["same"] == peer["same"]
            words.append(target if good else f"OTHER {target.removeprefix('the same ')}")
        else:
            unit = limit[4].removesuffix(" more") or "s"
            value = mine[unit]
            if limit[3]:
                value /= peer[unit]
                words.append(f"{value:.2f}x {row.beside}{limit[4] and f', {unit}'}")
            elif unit != limit[4]:
                value -= peer[unit]
                words.append(f"{number(value)} {limit[4]} than {row.beside}")
            bound = float(limit[2].replace(",", ""))
            good = value <= bound if limit[1] == "most" else value >= bound
        missed += [] if good else [target]
    if peer and not words:
        ratio = mine["s"] / peer["s"]
        more = f"{number(ratio)}x" if ratio > 1 else f"{number(1 / ratio)}x as fast as"
        words = [f"{more} {row.beside}"]
    return [*dict.fromkeys(words)], missed


def number(value: float) -> str:
    """Return a number with three digits, or all of those before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def report(group: dict[str, Any]) -> tuple[list[tuple[str, ...]], list[str]]:
    """Measure a group; return the lines of its table, and what is wrong."""
    lines, wrong = list[tuple[str, ...]](), list[str]()
    figures, why = measure(group)
    for row in group["row"]:
        mine, peer = figures.get(row.name, {}), figures.get(row.beside, {})
        shown = ", ".join(f"{number(mine[unit])} {unit}" for unit in row.shows.split(", ") if mine)
        words, missed = [why.get(row.beside, "")], list[str]()
        if mine and (peer or not row.beside):
            words, missed = compare(row, mine, peer)
        elif row.name in why and not SKIPPED.search(why[row.name]):
            wrong.append(f"{row.name}: {why[row.name]}")
        wrong += [f"{row.name}: {shown}, {'; '.join(words)}; target: {one}" for one in missed]
        beside = "; ".join(filter(None, [*words, row.note]))
        target = row.target + " (missed)" * bool(missed)
        lines.append((row.name, shown or why[row.name], beside or "-", target or "-"))
    return lines, wrong


def main() -> int:
    """Measure what the arguments select; return 1 if something is wrong."""
    groups = read_groups()
    parser = argparse.ArgumentParser(prog="python -m scripts.bench")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=", ".join(groups))
    parser.add_argument("--slow", action="store_true", help="measure the slow groups, too")
    parser.add_argument("--write", action="store_true", help="write into docs/measurements.md")
    given = parser.parse_args()
    if unknown := [name for name in given.groups if name not in groups]:
        parser.error(f"no group {unknown[0]!r}; the groups are {', '.join(groups)}")
    wrong = []
    for name, group in groups.items():
        if name not in given.groups if given.groups else group.get("slow") and not given.slow:
            continue
        lines, misses = report(group)
        wrong += misses
        print(table(HEAD, lines), flush=True)
        if given.write:
            section = group.get("section", "bench")
            rows = {row[0]: row for row in [*read_table(MEASUREMENTS, section), *lines]}
            write_section(MEASUREMENTS, section, table(HEAD, [*rows.values()]))
    print("".join(f"MISSED {one}\n" for one in wrong), end="", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
