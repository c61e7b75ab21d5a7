"""Measures solving games of one's own: in plain Python, compiled, and with declared symmetries.

    python -m scripts.bench_own_games            measure and print; a part of `scripts.bench`
    python -m scripts.bench_own_games --write    also write the table into docs/measurements.md

The games are in examples/games, or built-in ones that define the same four methods. Those of files
declare no symmetries; a subclass declares the lines that `perfectplay symmetries` prints for them.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.measure import COMMAND, FailedError, run
from scripts.sections import MEASUREMENTS, ROOT, table, write_section

LIMIT = 150  # seconds of CPU time for a solve
MOST = 500_000  # positions of a game that is also solved by Python
GAMES = {
    "Clobber 5x3, texts": "clobber.py:Texts",
    "Clobber 5x3, tuples": "clobber.py:Tuples",
    "Clobber 5x3, numbers": "clobber.py:Numbers",
    "Othello 4x4, texts, passes": "othello.py:Othello",
    "Konane 4x6, texts, captures": "konane.py:Konane",
    "Kalah, three pits of three, tuples, passes": "kalah.py:Kalah",
    "Dots and boxes 2x3, tuples, passes": "dots_and_boxes.py:DotsAndBoxes",
    "the L game, tuples, cyclic": "l_game.py:LGame",
    "Cram 5x5, numbers": "cram.py:Cram",
    "four in a row 4x4, numbers": "four_in_a_row.py:FourInARow",
    "Dodgem 4x4, numbers, cyclic": "dodgem:4x4",
    "Breakthrough 3x5, numbers, captures": "breakthrough:3x5",
}
"""A game and how it is written; a built-in one has no file."""
HEAD = "game|lines|positions|`--plain`|first run|again|with the symmetries proposed"


def own_games() -> str:
    """Measure all games and return the table."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        cache = {"NUMBA_CACHE_DIR": folder}
        for warm in ("notakto", spec_of("clobber.py:Numbers")):  # compiles what all games share
            cost(warm, cache)
        for name, place in GAMES.items():
            spec = spec_of(place)
            for cached in Path(folder, "perfectplay").glob("rules_*"):
                cached.unlink()
            first, count = cost(spec, cache)
            again, _ = cost(spec, cache)
            plain = f"- (over {MOST:,} positions)"
            if count <= MOST:
                plain, _ = cost(spec, cache, "--plain")
            then = declared(place, folder, cache)
            rows.append((name, str(lines_of(place)), f"{count:,}", plain, first, again, then))
            print(" | ".join(rows[-1]), file=sys.stderr, flush=True)
    return table(HEAD, rows)


def declared(place: str, folder: str, cache: dict[str, str]) -> str:
    """Measure a game that declares what `perfectplay symmetries` prints; the second run counts."""
    file, _, kind = place.partition(":")
    if not file.endswith(".py"):
        return "- (declared)"
    command = [*COMMAND, "symmetries", spec_of(place)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    lines = printed.partition("from solver import rearrange, symmetry_group\n")[2]
    if not lines:
        return "- (there are none)"
    shutil.copy(ROOT / "examples" / "games" / file, folder)
    source = f"from {file[:-3]} import {kind}\nfrom solver import rearrange, symmetry_group\n"
    source += f"class Declared({kind}):\n{lines}"
    path = Path(folder, f"declared_{file[:-3]}_{kind}.py")
    path.write_text(source)
    cost(f"{path}:Declared", cache)
    return cost(f"{path}:Declared", cache)[0]


def spec_of(place: str) -> str:
    """Return the name by which a game of `GAMES` is loaded."""
    return str(ROOT / "examples" / "games" / place) if ".py" in place else place


def cost(spec: str, variables: dict[str, str], *options: str) -> tuple[str, int]:
    """Solve a game; return CPU time and peak memory, or - and why it failed, and its positions."""
    with tempfile.TemporaryDirectory() as folder:  # an unfinished solve leaves files beside it
        path = os.path.join(folder, "x.safetensors")
        try:
            found = run([*COMMAND, "solve", spec, "-o", path, *options], variables, LIMIT)
        except FailedError as error:
            return f"- ({error})", 0
        stated = re.search(rb'"positions":"?(\d+)', Path(path).read_bytes())
    return f"{found.cpu:.1f} s, {found.megabytes:.0f} MB", int(stated[1]) if stated else 0


def lines_of(place: str) -> int:
    """Return the lines of a game's file without docstrings, comments, blanks and other games."""
    name, _, kind = place.partition(":")
    here = spec_of(name) if ".py" in name else str(ROOT / "solver" / "games" / f"{name}.py")
    tree = ast.parse(Path(here).read_text(encoding="utf-8"))
    kinds = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    if kind in kinds:
        bases = {base.id for base in kinds[kind].bases if isinstance(base, ast.Name)}
        tree.body = [
            node
            for node in tree.body
            if not isinstance(node, ast.ClassDef) or node.name in {kind, *bases}
        ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [part for part in node.body if not is_text(part)]
    return sum(bool(line.strip()) for line in ast.unparse(tree).splitlines())


def is_text(node: ast.stmt) -> bool:
    """Return whether a statement is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def main() -> None:
    """Print the table, and write it with --write."""
    found = own_games()
    print(found)
    if "--write" in sys.argv[1:]:
        write_section(MEASUREMENTS, "own games", found)


if __name__ == "__main__":
    main()
