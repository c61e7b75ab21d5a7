"""Mutation testing: does a test fail when a line of the core rooms is wrong?

    make mutants
    python -m scripts.mutants --count 30 --seed 7 --room proof

Draws mutants (a comparison, an operator or a constant changed) with a fixed seed, and says which
survive the quick tests of its room, all others of it and those of `make test`, in a copy of the
checkout. Some of the survivors are equivalent: they change
nothing that a caller can see. Exit 1 if fewer than 95 % are killed.
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
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from scripts.sections import ROOT

ROOMS = ("rules", "tables", "solving", "proof", "agent", "arena")
TARGET = 0.95
STAGES = ("not slow and not large and not campaign", "not campaign")  # of the tests of a room
LIMIT = 3600  # seconds for a stage: a mutant that loops forever is killed by it
PASSED, NO_SUCH_TEST, NONE_SELECTED = 0, 4, 5  # pytest's exit statuses
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


def fails(tree: Path, rooms: Iterable[str]) -> bool:
    """Return whether a test in the copy fails, or takes too long: those of some rooms come first.

    The output of the latest tests is in a file beside the copy.
    """
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    stages = [[*(f"tests/{room}" for room in rooms), "-m", marked] for marked in STAGES]
    for stage in (*stages, ["tests"]):
        line = [*command, "-n", "logical", *stage]
        try:
            with open(tree.parent / "output", "wb") as output:
                ended = subprocess.run(line, cwd=tree, stdout=output, check=False, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return True
        if ended.returncode not in (PASSED, NO_SUCH_TEST, NONE_SELECTED):
            return True
    return False


def survives(tree: Path, mutant: Mutant) -> bool:
    """Return whether no test of a copy of the checkout fails with a mutant."""
    path = tree / mutant.path
    path.write_text(mutant.source)
    with tempfile.TemporaryDirectory() as anew:  # for what depends on compiled code
        place = anew if "solver.loops" in mutant.source else f"{tree.parent}/compiled"
        os.environ["NUMBA_CACHE_DIR"] = place
        killed = fails(tree, [mutant.path.split("/")[1]])
    shutil.copy2(ROOT / mutant.path, path)
    return not killed


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
    with tempfile.TemporaryDirectory() as folder:
        left_out = shutil.ignore_patterns(".git", ".venv", "node_modules", ".*_cache")
        tree = Path(shutil.copytree(ROOT, f"{folder}/copy", ignore=left_out, symlinks=True))
        os.environ |= {"PYTHONPATH": str(tree), "NUMBA_CACHE_DIR": f"{folder}/compiled"}
        if fails(tree, rooms):  # it would seem to kill every mutant
            sys.exit(f"{Path(folder, 'output').read_text()}the tests fail without a mutant")
        killed = 0
        for mutant in drawn:
            survived = survives(tree, mutant)
            killed += not survived
            print(f"{'SURVIVED' if survived else 'killed  '}  {mutant}", flush=True)
    share = killed / len(drawn)
    print(f"{killed} of {len(drawn)} killed: {share:.1%}")
    return 0 if share >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
