"""Mutation testing: does a test fail when a line of the core rooms is wrong?

    make mutants
    python -m scripts.mutants --count 30 --seed 7 --room proof

Draws mutants (a comparison, an operator or a constant changed) with a fixed seed, runs the tests of
the mutant's room in a copy of the checkout, then the quick ones of all rooms, and says which
mutants survive. Some of those are equivalent: they change nothing that a caller can see. Exit 1 if
fewer than 95 % are killed.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import tokenize
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from scripts.sections import ROOT

ROOMS = ("rules", "tables", "solving", "proof", "agent", "arena")
TARGET = 0.95
PYTEST = ["-n", "logical", "--dist", "worksteal", "-p", "no:cacheprovider"]
SLOW = ["-m", "not large and not campaign"]
EVERYWHERE = ["tests", "-m", "not slow and not large and not campaign", "--ignore", "tests/web"]
LIMIT = 900  # seconds for one stage: a mutant that loops forever is killed by it
NONE_SELECTED = 5  # pytest's exit status
PAIRS = ("< <=", "> >=", "== !=", "and or", "+ -", "* //", "<< >>", "& |", "all any", "min max")
OTHER = {"not": "", "in": "not in", "is": "is not"}
OTHER |= {a: b for pair in map(str.split, PAIRS) for a, b in (pair, pair[::-1])}
LEFT_ALONE = {"@", "assert", "class", "def", "from", "import", "raise"}  # how a statement begins


class Mutant(NamedTuple):
    """A file of the package with one change."""

    path: str
    line: int
    before: str
    after: str
    source: str
    """The whole file, changed."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.before}  ->  {self.after}"


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield the mutants of a file: a token of a statement, replaced by another one.

    Annotations, messages, and constants such as limits and sizes are left alone.
    """
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    begin: list[str] = []
    for token in tokenize.generate_tokens(iter([*lines, ""]).__next__):
        if token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT):
            begin = []
        elif token.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER):
            begin.append(token.string)
            if begin[0] in LEFT_ALONE or begin[0].isupper() or begin[1:2] == [":"]:
                continue
            new = OTHER.get(token.string)
            if token.string.isdecimal():
                new = str(int(token.string) + 1)
            if new is not None:
                row, first, last = token.start[0] - 1, token.start[1], token.end[1]
                line = f"{lines[row][:first]}{new}{lines[row][last:]}"
                source = "".join([*lines[:row], line, *lines[row + 1 :]])
                name = path.relative_to(ROOT).as_posix()
                yield Mutant(name, row + 1, lines[row].strip(), line.strip(), source)


def compiles(mutant: Mutant) -> bool:
    """Return whether a mutant is Python; it is not if, for example, its * unpacked something."""
    with suppress(SyntaxError):
        return bool(compile(mutant.source, mutant.path, "exec"))
    return False


def fails(tree: Path, *arguments: str) -> bool:
    """Return whether one of the tests that pytest's arguments select fails in a copy."""
    command = [sys.executable, "-m", "pytest", "-q", "-x", *PYTEST, *arguments]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    try:
        ended = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, check=False, timeout=LIMIT
        )
    except subprocess.TimeoutExpired:
        return True
    return ended.returncode not in (0, NONE_SELECTED)


def main() -> int:
    """Draw mutants, run the tests on each, and print those that survive."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--count", type=int, default=100, help="how many mutants to draw")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--room", choices=ROOMS, action="append", help="these rooms alone")
    given = parser.parse_args()
    rooms = given.room or ROOMS
    files = [path for room in rooms for path in sorted((ROOT / "solver" / room).rglob("*.py"))]
    every = [mutant for path in files for mutant in mutants(path)]
    random.Random(given.seed).shuffle(every)
    drawn = list(islice(filter(compiles, every), given.count))
    print(f"{len(drawn)} of {len(every):,} mutants of {', '.join(rooms)}", flush=True)
    survivors = []
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "copy"
        left_out = shutil.ignore_patterns(".git", ".venv", "node_modules", ".*_cache")
        shutil.copytree(ROOT, tree, ignore=left_out, symlinks=True)
        for stage in (EVERYWHERE, *([f"tests/{room}", *SLOW] for room in rooms)):
            if fails(tree, *stage):
                sys.exit(f"{stage[0]} fails without a mutant")
        for mutant in drawn:
            room = f"tests/{mutant.path.split('/')[1]}"
            (tree / mutant.path).write_text(mutant.source)
            survived = not any(fails(tree, *stage) for stage in ([room, *SLOW], EVERYWHERE))
            shutil.copy2(ROOT / mutant.path, tree / mutant.path)
            print(f"{'SURVIVED' if survived else 'killed  '}  {mutant}", flush=True)
            survivors += [mutant] if survived else []
    share = 1 - len(survivors) / len(drawn)
    print(f"{len(drawn) - len(survivors)} of {len(drawn)} killed: {share:.1%}")
    return 0 if share >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
