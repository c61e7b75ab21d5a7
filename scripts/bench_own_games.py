"""Solves games of one's own: in plain Python, compiled, and with declared symmetries.

The games are in examples/games, or built-in ones that define the same four methods. Those of files
declare no symmetries; a subclass declares the lines that `perfectplay symmetries` prints for them.
"""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.measure import PERFECTPLAY, Row, run
from scripts.sections import ROOT, table

LIMIT = 150  # seconds for a solve
MOST = 500_000  # positions of a game that is also solved by Python
EXAMPLES = ROOT / "examples" / "games"
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
    "Dodgem 3x3, numbers, cyclic": "dodgem:3x3",
    "Domineering 4x4, numbers": "domineering:4x4",
    "Three men's morris, numbers, cyclic": "morris",
}
"""A game and how it is written; a built-in one has no file."""
HEAD = "game|lines|positions|`--plain`|first run|again|with the symmetries proposed"


def own_games() -> str:
    """Measure all games and return the table."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for warm in ("notakto", f"{EXAMPLES}/clobber.py:Numbers"):  # compiles what all games share
            solve(warm, folder)
        for name, place in GAMES.items():
            spec = f"{EXAMPLES}/{place}" if ".py" in place else place
            for cached in Path(folder, "cache", "perfectplay").glob("rules_*"):
                cached.unlink()
            first, count = solve(spec, folder)
            again, _ = solve(spec, folder)
            small = count <= MOST
            plain = solve(f"{spec} --plain", folder)[0] if small else f"- (over {MOST:,} positions)"
            then = declared(place, folder) if ".py" in place else "- (declared)"
            rows.append((name, str(lines_of(place)), f"{count:,}", plain, first, again, then))
            print(" | ".join(rows[-1]), file=sys.stderr, flush=True)
    return table(HEAD, rows)


def solve(words: str, folder: str) -> tuple[str, int]:
    """Solve a game; return CPU time and peak memory, or - and why not, and its positions."""
    command = f"$ NUMBA_CACHE_DIR=cache timeout {LIMIT} perfectplay solve {words} -o x.safetensors"
    try:
        found = run(Row(words, command), folder)
    except RuntimeError as error:
        shutil.rmtree(Path(folder, "x.safetensors.work"), ignore_errors=True)
        return f"- (more than {LIMIT} s)" if str(error) == "timed out" else f"- ({error})", 0
    stated = re.search(rb'"positions":"?(\d+)', Path(folder, "x.safetensors").read_bytes())
    assert stated is not None
    return f"{found['s CPU']:.1f} s, {found['MB']:.0f} MB", int(stated[1])


def declared(place: str, folder: str) -> str:
    """Measure a game that declares what `perfectplay symmetries` prints; the second run counts."""
    file, _, kind = place.partition(":")
    command = [*PERFECTPLAY, "symmetries", f"{EXAMPLES}/{place}"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    head = "from solver import rearrange, symmetry_group\n"
    lines = printed.partition(head)[2]
    if not lines:
        return "- (there are none)"
    shutil.copy(EXAMPLES / file, folder)
    source = f"from {file[:-3]} import {kind}\n{head}class Declared({kind}):\n{lines}"
    name = f"declared_{file[:-3]}_{kind}.py"
    Path(folder, name).write_text(source)
    solve(f"{name}:Declared", folder)
    return solve(f"{name}:Declared", folder)[0]


def lines_of(place: str) -> int:
    """Return the lines of a game's file without docstrings, comments, blanks and other games."""
    name, _, kind = place.partition(":")
    file = EXAMPLES / name if kind in place and ".py" in name else ROOT / f"solver/games/{name}.py"
    tree = ast.parse(file.read_text(encoding="utf-8"))
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    used = (
        {kind, *(ast.unparse(base) for base in classes[kind].bases)}
        if kind in classes
        else {*classes}
    )
    tree.body = [
        node for node in tree.body if getattr(node, "name", kind) not in classes.keys() - used
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(
            node
        ):
            del node.body[0]
    return sum(bool(line.strip()) for line in ast.unparse(tree).splitlines())
