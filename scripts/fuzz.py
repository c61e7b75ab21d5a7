"""Attacks the command line with random input; the same seed repeats a campaign.

    python -m scripts.fuzz                    20,000 command lines
    python -m scripts.fuzz --commands 500 --seed 7

A command line must end with status 0, 1 or 2, without a traceback, and say one line about bad
input. Exits with 1, and prints what failed, if anything did. `make campaigns` attacks the proof.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import random
import shutil
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from scripts.sections import ROOT
from solver.cli import app, run
from solver.cli.commands import COMMANDS

WORDS = (
    *("X...O....", "XO.X..O..", "XXXXXXXXX", "", "-", "--", "X", "1223", "44444444", "5 1 7 3"),
    *(".........", "---------", "X\nO", "\x00", "é", "\udcff", "𝕏" * 9, "9" * 400, "-1", "0"),
    *("1", "3", "nan", "inf", "1e9", "X", "O", "x", "random", "perfect", "winblock", "level:0.5"),
    *("nstep:2", "human", "bot.py:move", "bot.py:missing", "bot.py"),
    *("table.json", "table.safetensors", "broken.json", "missing.json", "folder", "out.svg"),
    *("out.json", "out.csv", "out.npz", "out.png", "out.txt", "no/such/out.svg", "1GB", "10KB"),
    *("first", "both", "never-loses", "rows", "text", "kaggle", "best", "a2-a3", "dark", "#fff"),
    *("tictactoe", "nim:3,4,5", "hexapawn:3x3", "connect4:3x3,3", "conect4:4x4", "mnk:0,0,0"),
    *("connect4:99x99", "heap.py:Heap", "heap.py:Missing", "json:JSONDecoder", "python:json:x"),
)
SMALL = ("tictactoe", "nim:3,4,5", "hexapawn:3x3", "connect4:3x3,3", "heap.py:Heap", "go", "wild")
SLOW = {"grade", "arena", "estimate", "serve"}  # one in twenty of their lines runs
BOT = "def move(rows, side):\n    return next(c for c in range(9) if rows[c // 3][c % 3] is None)\n"
HEAP = """
from solver import Game, Outcome

class Heap(Game):
    def initial(self):
        return 7

    def moves(self, p):
        return [m for m in (1, 2) if m <= p]

    def play(self, p, m):
        return p - m

    def primitive(self, p):
        return Outcome.LOSS if p == 0 else None
"""


Options = dict[str, list[tuple[str, bool]]]


def main() -> None:
    """Run the campaign that the arguments describe."""
    parser = argparse.ArgumentParser(description="Attack the command line.")
    parser.add_argument("--commands", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.environ["PERFECTPLAY_TABLES"] = os.path.join(folder, "tables")
        failures = list(attack_commands(chosen.commands, random.Random(chosen.seed)))
    for failure in failures[:20]:
        print(failure, file=sys.stderr)
    print(f"{len(failures):,} failures")
    sys.exit(1 if failures else 0)


def attack_commands(count: int, generator: random.Random) -> Iterator[str]:
    """Run random command lines in a folder with some files; yield what failed."""
    group: Any = typer.main.get_command(app)
    context = group.make_context("perfectplay", [], resilient_parsing=True)
    options = {
        name: [
            (option, not param.is_flag)
            for param in group.get_command(context, name).params
            for option in param.opts
            if option.startswith("-")
        ]
        for name in COMMANDS
    }
    statuses = Counter[int]()
    for _ in range(count):
        for name, text in (("bot.py", BOT), ("heap.py", HEAP), ("broken.json", '{"format":1}')):
            if not os.path.isfile(name):  # an earlier line may have replaced it
                Path(name).write_text(text)
        if not os.path.isfile("table.json"):
            shutil.copy(ROOT / "data" / "tictactoe.json", "table.json")
        os.makedirs("folder", exist_ok=True)
        line = command_line(generator, options)
        status, said = run_line(line)
        statuses[status] += 1
        if status not in (0, 1, 2) or "Traceback" in said:
            yield f"{line}: status {status}: {said[-2000:]}"
        elif status == 2 and [s[:12] for s in said.splitlines()][-1:] != ["perfectplay:"]:
            yield f"{line}: status 2 without a message: {said[-500:]}"
    print(f"command lines by status: {dict(sorted(statuses.items()))}", flush=True)


def command_line(generator: random.Random, options: Options) -> list[str]:
    """Return the words of a random command line."""
    name = generator.choice(list(COMMANDS))
    if name in SLOW and generator.random() < 0.95:
        name = generator.choice(["best", "explain", "render", "info", "puzzles"])
    line = [name]
    for _ in range(generator.randrange(4)):
        if options[name] and generator.random() < 0.6:
            option, takes_value = generator.choice(options[name])
            line.append(option)
            if takes_value and generator.random() < 0.9:
                games = SMALL if option == "--game" else WORDS
                line.append(generator.choice(games if generator.random() < 0.8 else WORDS))
        else:
            line.append(generator.choice(SMALL if name in ("solve", "check") else WORDS))
    if name == "serve":
        line += ["--port", "no"]  # it would serve for ever
    if generator.random() < 0.05:
        line[generator.randrange(len(line))] = generator.choice(WORDS)
    return line


def run_line(line: list[str]) -> tuple[int, str]:
    """Run a command line in this process; return its status and what it wrote as errors."""
    out, err, before = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.StringIO("")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            return run(line), err.getvalue()
    except BaseException:
        return -1, f"Traceback: {traceback.format_exc()}"
    finally:
        sys.stdin = before


if __name__ == "__main__":
    main()
