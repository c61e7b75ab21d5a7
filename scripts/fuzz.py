"""Attacks the command line and the proof with random input; the same seed repeats a campaign.

    python -m scripts.fuzz                    20,000 command lines, 12,000 tables, 12,000 forgeries
    python -m scripts.fuzz --commands 500 --tables 300 --forged 300 --seed 7

A command line must end with status 0, 1 or 2, without a traceback, and say one line about bad
input. A table with any byte changed must not be proved, also if its hash fits the change; nor must
a forged one, in which everything fits but the rules (see tests/support/forge.py). Exits with 1, and
prints what failed, if anything did.
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
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from scripts.sections import ROOT
from solver import Game, TableFormatError, TableProofError, load_game, verify
from solver.cli import app, run
from solver.cli.commands import COMMANDS
from solver.solving.solve import SolveOptions, solve_file
from solver.tables.format import NO_HASH
from tests.support.forge import FAMILIES, FORMS, attack
from tests.support.random_games import write_game

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


def main() -> None:
    """Run the campaign that the arguments describe."""
    parser = argparse.ArgumentParser(description="Attack the command line and the proof.")
    parser.add_argument("--commands", type=int, default=20_000)
    parser.add_argument("--tables", type=int, default=12_000)
    parser.add_argument("--forged", type=int, default=12_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.environ["PERFECTPLAY_TABLES"] = os.path.join(folder, "tables")
        failures = [
            *attack_commands(chosen.commands, random.Random(chosen.seed)),
            *attack_tables(chosen.tables, random.Random(chosen.seed)),
            *attack_with_forgeries(chosen.forged, random.Random(chosen.seed)),
        ]
    for failure in failures[:20]:
        print(failure, file=sys.stderr)
    print(f"{len(failures):,} failures")
    sys.exit(1 if failures else 0)


def attack_commands(count: int, generator: random.Random) -> list[str]:
    """Run random command lines in a folder with some files; return what failed."""
    options = _options()
    failures: list[str] = []
    statuses, start = Counter[int](), time.monotonic()
    for _ in range(count):
        _lay_out()
        line = _command_line(generator, options)
        status, said = _run(line)
        statuses[status] += 1
        if status not in (0, 1, 2) or "Traceback" in said:
            failures.append(f"{line}: status {status}: {said[-2000:]}")
        elif status == 2 and [s[:12] for s in said.splitlines()][-1:] != ["perfectplay:"]:
            failures.append(f"{line}: status 2 without a message: {said[-500:]}")
    print(
        f"{count:,} command lines in {time.monotonic() - start:.0f} s: "
        + ", ".join(f"{n:,} with status {status}" for status, n in sorted(statuses.items()))
    )
    return failures


def _options() -> dict[str, list[tuple[str, bool]]]:
    """Return the options of each command, and whether each takes a value."""
    import typer

    group: Any = typer.main.get_command(app)
    context = group.make_context("perfectplay", [], resilient_parsing=True)
    return {
        name: [
            (option, not param.is_flag)
            for param in group.get_command(context, name).params
            for option in param.opts
            if option.startswith("-")
        ]
        for name in COMMANDS
    }


def _lay_out() -> None:
    """Write the files that command lines name, which earlier ones may have replaced."""
    shipped = ROOT / "data" / "tictactoe.json"
    for name, text in (("bot.py", BOT), ("heap.py", HEAP), ("broken.json", '{"format":1}')):
        if not os.path.isfile(name):
            Path(name).write_text(text)
    if not os.path.isfile("table.json"):
        shutil.copy(shipped, "table.json")
    os.makedirs("folder", exist_ok=True)


def _command_line(
    generator: random.Random, options: dict[str, list[tuple[str, bool]]]
) -> list[str]:
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
            pool = SMALL if name in ("solve", "check") else WORDS
            line.append(generator.choice(pool))
    if name == "serve":
        line += ["--port", "no"]  # it would serve for ever
    if generator.random() < 0.05:
        line[generator.randrange(len(line))] = generator.choice(WORDS)
    return line


def _run(line: list[str]) -> tuple[int, str]:
    """Run a command line in this process; return its status and what it wrote as errors."""
    out, err = io.StringIO(), io.StringIO()
    before = sys.stdin
    sys.stdin = io.StringIO("")
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            return run(line), err.getvalue()
    except BaseException:
        return -1, f"Traceback: {traceback.format_exc()}"
    finally:
        sys.stdin = before


def attack_tables(count: int, generator: random.Random) -> list[str]:
    """Try to prove tables with an error in each; return what was proved, or raised otherwise."""
    failures: list[str] = []
    for spec, share in GAMES.items():
        number = round(count * share / sum(GAMES.values()))
        if number == 0:
            continue
        game, start = load_game(spec), time.monotonic()
        forms = [".json", ".safetensors"] if share > 1000 else [".safetensors"]
        tables = [_table(game, form) for form in forms]
        for i in range(number):
            data = tables[i % len(tables)]
            changed = data
            while changed == data:
                kind = generator.choice(MAPPED if data[:1] != b"{" else TEXT)
                changed = bytes(kind(generator, bytearray(data)))
                if generator.random() < 0.9:
                    changed = _rehashed(changed)
            failures += _proved(changed, game, kind.__name__)
        print(f"{number:,} tables of {spec} in {time.monotonic() - start:.0f} s")
    return failures


def attack_with_forgeries(count: int, generator: random.Random) -> list[str]:
    """Try to prove forged tables of built-in and of random games; return what was proved."""
    if count == 0:
        return []
    failures: list[str] = []
    forms, start = len(FORMS) + 1, time.monotonic()
    for spec, share in FAMILIES.items():
        number = max(1, round(count * 3 / 4 * share / sum(FAMILIES.values()) / forms))
        failures += attack(spec, number, generator)
        print(f"{number * forms:,} forged tables of {spec}")
    made = 0
    while made < count / 4:
        game = write_game(Path.cwd(), generator.randrange(10**6))
        if game.lawful:
            failures += attack(game.name, 10, generator)
            made += 10 * forms
    print(f"{made:,} forged tables of random games")
    print(f"forged tables took {time.monotonic() - start:.0f} s")
    return failures


def _table(game: Game[Any, Any], suffix: str) -> bytes:
    path = solve_file(game, f"fuzzed{suffix}", SolveOptions())
    data = Path(path).read_bytes()
    verify(data, game)
    return data


def _proved(data: bytes, game: Game[Any, Any], kind: str) -> Iterator[str]:
    try:
        verify(data, game)
        yield f"{game.spec}: a table changed by {kind} was proved"
    except (TableFormatError, TableProofError):
        pass
    except Exception:
        yield f"{game.spec}: {kind}: {traceback.format_exc()}"


def _rehashed(data: bytes) -> bytes:
    """Return a table with the hash of its contents, if it still has a place for one."""
    start = data.find(b'"sha256":"') + len(b'"sha256":"')
    if start < 10 or data[start + 64 : start + 65] != b'"':
        return data
    empty = data[:start] + NO_HASH.encode() + data[start + 64 :]
    return data[:start] + sha256(empty).hexdigest().encode() + data[start + 64 :]


def _places(data: bytearray) -> dict[str, tuple[int, int, int]]:
    """Return the start, the end and the width in bytes of each array of a mapped table."""
    size = 8 + struct.unpack_from("<Q", data)[0]
    header = json.loads(data[8:size])
    return {
        name: (
            size + about["data_offsets"][0],
            size + about["data_offsets"][1],
            int(about["dtype"][1:]) // 8,
        )
        for name, about in header.items()
        if name != "__metadata__"
    }


def change_value(generator: random.Random, data: bytearray) -> bytearray:
    """Change one to three values."""
    low, high, _ = _places(data)["values"]
    for _ in range(generator.randint(1, 3)):
        data[generator.randrange(low, high)] = generator.randrange(256)
    return data


def swap_values(generator: random.Random, data: bytearray) -> bytearray:
    """Exchange two values."""
    low, high, _ = _places(data)["values"]
    a, b = generator.randrange(low, high), generator.randrange(low, high)
    data[a], data[b] = data[b], data[a]
    return data


def change_remainder(generator: random.Random, data: bytearray) -> bytearray:
    """Change the key of an entry."""
    low, high, _ = _places(data)["remainders"]
    data[generator.randrange(low, high)] ^= 1 << generator.randrange(8)
    return data


def change_offset(generator: random.Random, data: bytearray) -> bytearray:
    """Move the boundary of a bucket."""
    low, high, width = _places(data)["offsets"]
    place = low + width * generator.randrange((high - low) // width)
    number = int.from_bytes(data[place : place + width], "little")
    changed = max(0, number + generator.choice([-2, -1, 1, 2])) % 256**width
    data[place : place + width] = changed.to_bytes(width, "little")
    return data


def change_digit(generator: random.Random, data: bytearray) -> bytearray:
    """Change a digit of the header, or of a JSON table."""
    size = 8 + struct.unpack_from("<Q", data)[0] if data[:1] != b"{" else len(data)
    digits = [i for i in range(min(size, len(data))) if 48 <= data[i] <= 57]
    data[generator.choice(digits)] = generator.randrange(48, 58)
    return data


def flip_bit(generator: random.Random, data: bytearray) -> bytearray:
    """Change any bit."""
    data[generator.randrange(len(data))] ^= 1 << generator.randrange(8)
    return data


def cut(generator: random.Random, data: bytearray) -> bytearray:
    """Remove the end, or a piece of the middle."""
    start = generator.randrange(len(data))
    del data[start : start + generator.choice([1, 8, len(data)])]
    return data


def extend(generator: random.Random, data: bytearray) -> bytearray:
    """Add bytes anywhere."""
    place = generator.randrange(len(data) + 1)
    data[place:place] = generator.randbytes(generator.choice([1, 8]))
    return data


def drop_line(generator: random.Random, data: bytearray) -> bytearray:
    """Remove a line of a JSON table."""
    lines = data.split(b"\n")
    del lines[generator.randrange(len(lines))]
    return bytearray(b"\n".join(lines))


def swap_lines(generator: random.Random, data: bytearray) -> bytearray:
    """Exchange two lines of a JSON table."""
    lines = data.split(b"\n")
    a, b = generator.sample(range(len(lines)), 2)
    lines[a], lines[b] = lines[b], lines[a]
    return bytearray(b"\n".join(lines))


Change = Callable[[random.Random, bytearray], bytearray]
ANY: tuple[Change, ...] = (change_digit, flip_bit, cut, extend)
MAPPED: tuple[Change, ...] = (
    *(change_value, change_value, swap_values, change_remainder, change_offset),
    *ANY,
)
TEXT: tuple[Change, ...] = (change_digit, change_digit, drop_line, swap_lines, *ANY)

if __name__ == "__main__":
    main()
