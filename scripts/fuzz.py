"""Attacks the command line and the proof with random input; the same seed repeats a campaign.

    python -m scripts.fuzz                    20,000 command lines, 12,000 tables
    python -m scripts.fuzz --commands 500 --tables 300 --seed 7

A command line must end with status 0, 1 or 2, without a traceback, and say one line about bad
input. A table with any byte changed must not be proved, also if its hash fits the change (`make
campaigns` tries forged ones, in which everything fits but the rules). Exits with 1, and prints what
failed, if anything did.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import random
import shutil
import struct
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from scripts.sections import ROOT
from solver import Game, TableFormatError, TableProofError, load_game, verify
from solver.cli import app, run
from solver.cli.commands import COMMANDS
from solver.solving.solve import SolveOptions, solve_file
from tests.support.forged import rehash

GAMES = {  # and how many of 12,000 tables are of each
    "tictactoe": 5000,
    "hexapawn:3x3": 2500,
    "mnk:3,3,3,misere": 2000,
    "morris": 1300,
    "mnk:4,3,3": 500,
    "connect4:5x4": 500,
    "kingspawns:k.../..../P.../...K": 200,
}
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
    parser = argparse.ArgumentParser(description="Attack the command line and the proof.")
    parser.add_argument("--commands", type=int, default=20_000)
    parser.add_argument("--tables", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.environ["PERFECTPLAY_TABLES"] = os.path.join(folder, "tables")
        failures = [
            *attack_commands(chosen.commands, random.Random(chosen.seed)),
            *attack_tables(chosen.tables, random.Random(chosen.seed)),
        ]
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


def attack_tables(count: int, generator: random.Random) -> Iterator[str]:
    """Try to prove tables with an error in each; yield what was proved, or raised otherwise."""
    for spec, share in GAMES.items():
        game, number = load_game(spec), round(count * share / sum(GAMES.values()))
        if not number:
            continue
        forms = (".json", ".safetensors") if share > 1000 else (".safetensors",)
        tables = [solved(game, form) for form in forms]
        for i in range(number):
            data = tables[i % len(tables)]
            kind, changed = "", data
            while changed == data:
                kinds = [change_array, change_array, change_bytes]
                kinds = [change_lines, change_bytes] if data[:1] == b"{" else kinds
                change = generator.choice(kinds)
                kind, changed = change.__name__, bytes(change(generator, bytearray(data)))
                with contextlib.suppress(ValueError):  # there is no place for a hash
                    changed = rehash(changed) if generator.random() < 0.9 else changed
            try:
                verify(changed, game)
                yield f"{spec}: a table changed by {kind} was proved"
            except (TableFormatError, TableProofError):
                pass
            except Exception:
                yield f"{spec}: {kind}: {traceback.format_exc()}"
        print(f"{number:,} tables of {spec}", flush=True)


def solved(game: Game[Any, Any], suffix: str) -> bytes:
    """Return a proved table."""
    data = Path(solve_file(game, f"fuzzed{suffix}", SolveOptions())).read_bytes()
    verify(data, game)
    return data


def change_array(generator: random.Random, data: bytearray) -> bytearray:
    """Change, move or exchange numbers of an array of a mapped table."""
    size = 8 + struct.unpack_from("<Q", data)[0]
    header = json.loads(data[8:size])
    array = header[generator.choice(["values", "values", "remainders", "offsets"])]
    low, high = (size + place for place in array["data_offsets"])
    width = int(array["dtype"][1:]) // 8
    a, b = (low + width * generator.randrange((high - low) // width) for _ in range(2))
    first, second = (int.from_bytes(data[i : i + width], "little") for i in (a, b))
    other = generator.choice(
        [second, first ^ 1 << generator.randrange(8), first + generator.choice([-2, -1, 1, 2])]
    )
    if other == second:
        data[b : b + width] = first.to_bytes(width, "little")
    data[a : a + width] = (other % 256**width).to_bytes(width, "little")
    return data


def change_bytes(generator: random.Random, data: bytearray) -> bytearray:
    """Change a digit of the header, or any bit, or remove or add bytes anywhere."""
    place = generator.randrange(len(data))
    match generator.randrange(4):
        case 0:
            size = len(data) if data[:1] == b"{" else 8 + struct.unpack_from("<Q", data)[0]
            digits = [i for i in range(min(size, len(data))) if 48 <= data[i] <= 57]
            data[generator.choice(digits)] = generator.randrange(48, 58)
        case 1:
            data[place] ^= 1 << generator.randrange(8)
        case 2:
            del data[place : place + generator.choice([1, 8, len(data)])]
        case _:
            data[place:place] = generator.randbytes(generator.choice([1, 8]))
    return data


def change_lines(generator: random.Random, data: bytearray) -> bytearray:
    """Remove a line of a JSON table, or exchange two."""
    lines = data.split(b"\n")
    a, b = generator.sample(range(len(lines)), 2)
    lines[a], lines[b] = lines[b], lines[a]
    if generator.random() < 0.5:
        del lines[a]
    return bytearray(b"\n".join(lines))


if __name__ == "__main__":
    main()
