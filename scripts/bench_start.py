"""Measures how long each command takes to start, beside Python alone.

    python -m scripts.bench_start        measure and print the rows

The processes run in turn, so that all of them see the same machine. Each command is timed with
`--help`, which imports its module; the questions also with a position.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys

from scripts.measure import COMMAND
from solver.cli.commands import COMMANDS

Row = tuple[str, str, str]
ROUNDS = 11
TARGET = 1.4  # times the imports that questions cannot do without
BARE = ("-c", "pass")
IMPORTS = ("-c", "import typer, solver.agent")
QUESTIONS = [("best", "X...O....", "--json"), ("line",), ("explain", "X...O...."), ("--help",)]


def cpu(arguments: list[str]) -> float:
    """Run a process and return its CPU time in seconds."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(arguments, env=environment, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(arguments)} failed")
    return used.ru_utime + used.ru_stime


def starts() -> list[Row]:
    """Return the cost of starting each command, and of the questions."""
    python = {code: [sys.executable, *code] for code in (BARE, IMPORTS)}
    helps = [(name, "--help") for name in COMMANDS]
    calls = python | {words: [*COMMAND, *words] for words in [*QUESTIONS, *helps]}
    times: dict[tuple[str, ...], list[float]] = {words: [] for words in calls}
    for number in range(ROUNDS + 1):
        for words, arguments in calls.items():
            taken = cpu(arguments)
            if number:  # the first round fills the caches of bytecode
                times[words].append(taken)

    def ratio(words: tuple[str, ...], base: tuple[str, ...]) -> float:
        return statistics.median(a / b for a, b in zip(times[words], times[base], strict=True))

    rows = [("start: Python alone", f"{_milliseconds(times[BARE])} CPU", "python -c pass")]
    rows.append(
        (
            "start: `import typer, solver.agent`",
            f"{_milliseconds(times[IMPORTS])} CPU",
            f"{ratio(IMPORTS, BARE):.1f}x Python alone",
        )
    )
    for words in QUESTIONS:
        compared = f"{ratio(words, IMPORTS):.2f}x those imports; target: {TARGET}x"
        rows.append((_name(words), f"{_milliseconds(times[words])} CPU", compared))
    for words in helps:
        compared = f"{ratio(words, BARE):.1f}x Python alone"
        rows.append((_name(words), f"{_milliseconds(times[words])} CPU", compared))
    return rows


def _name(words: tuple[str, ...]) -> str:
    return f"start: `perfectplay {' '.join(words)}`"


def _milliseconds(times: list[float]) -> str:
    return f"{statistics.median(times) * 1000:.0f} ms"


if __name__ == "__main__":
    for row in starts():
        print(f"| {' | '.join(row)} |")
