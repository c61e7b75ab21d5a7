"""Mutation testing: does a test fail when a line of the core rooms is wrong?

    make mutants
    python -m scripts.mutants --count 30 --seed 7 --room proof

Draws mutants (a comparison, an operator or a constant changed) with a fixed seed, and says which
survive the quick tests that run the changed line, as coverage knows, all others of its room and
those of `make test`, in a copy of the checkout. Some of the survivors are equivalent: they change
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
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from coverage import CoverageData

from scripts.sections import ROOT

ROOMS = ("rules", "tables", "solving", "proof", "agent", "arena")
TARGET = 0.95
QUICK = "not slow and not large and not campaign and not no_cover"
TRACED = ["tests", "-m", QUICK, "--ignore", "tests/web"]
TRACED += ["--cov-context=test", "--cov-fail-under=0"]
LIMIT = 3600  # seconds for one stage: a mutant that loops forever is killed by it,
QUICK_LIMIT = 600  # and sooner in one of quick tests
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


def fails(tree: Path, *arguments: str) -> bool:
    """Return whether a test in the copy that pytest's arguments select fails, or takes too long.

    Arguments such as FILE::TEST are quick tests.
    """
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    command += ["-n", "logical", *arguments]
    limit = QUICK_LIMIT if "::" in arguments[0] else LIMIT
    try:
        with open(tree.parent / "output", "wb") as output:
            ended = subprocess.run(command, cwd=tree, stdout=output, check=False, timeout=limit)
    except subprocess.TimeoutExpired:
        return True
    return ended.returncode not in (PASSED, NO_SUCH_TEST, NONE_SELECTED)


def survives(tree: Path, mutant: Mutant, data: CoverageData) -> bool:
    """Return whether no test of a copy of the checkout fails with a mutant.

    The quick tests that run its line come first, then all tests of its room, large ones, too, and
    at last those of `make test`. Of compiled code, no test is known to run it.
    """
    path, room = tree / mutant.path, f"tests/{mutant.path.split('/')[1]}"
    lines = data.contexts_by_lineno(str(path))
    tests = sorted({test.partition("|")[0] for test in lines.get(mutant.line, []) if test})
    tests.sort(key=lambda test: not test.startswith(f"{room}/"))
    path.write_text(mutant.source)
    stages = [tests, [room, "-m", "not campaign"], ["tests"]]
    with tempfile.TemporaryDirectory() as anew:  # for what depends on compiled code
        place = anew if "solver.loops" in mutant.source else f"{tree.parent}/compiled"
        os.environ["NUMBA_CACHE_DIR"] = place
        killed = any(stage and fails(tree, *stage) for stage in stages)
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
        wholes = ["tests"], [*(f"tests/{room}" for room in rooms), "-m", "not campaign"]
        traced = *TRACED, *(f"--cov=solver/{room}" for room in rooms)
        for stage in (traced, *wholes):
            if fails(tree, *stage):  # it would seem to kill every mutant
                sys.exit(f"{Path(folder, 'output').read_text()}the tests fail without a mutant")
        data = CoverageData(str(tree / ".coverage"))
        data.read()
        killed = 0
        for mutant in drawn:
            survived = survives(tree, mutant, data)
            killed += not survived
            print(f"{'SURVIVED' if survived else 'killed  '}  {mutant}", flush=True)
    share = killed / len(drawn)
    print(f"{killed} of {len(drawn)} killed: {share:.1%}")
    return 0 if share >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
