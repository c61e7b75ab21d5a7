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
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from importlib.util import find_spec
from operator import itemgetter
from pathlib import Path
from typing import Any

from scripts.measure import Figures, Row, run
from scripts.sections import MEASUREMENTS, ROOT, read_table, table, write_section

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
