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
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from coverage import CoverageData

from scripts.sections import ROOT

ROOMS = ("rules", "tables", "solving", "proof", "agent", "arena")
TARGET = 0.95
QUICK = "not slow and not large and not campaign and not no_cover"
TRACED = ["tests", "-m", QUICK, "--ignore", "tests/web", "-n", "logical"]
TRACED += ["--cov-context=test", "--cov-fail-under=0"]
SAMPLE = 40  # tests that run the line, before all others that do
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


class Copy:
    """A copy of the checkout, in which one mutant at a time is tried."""

    def __init__(self, folder: Path) -> None:
        self.tree = folder / "copy"
        self.compiled = folder / "compiled"
        self.output = ""
        left_out = shutil.ignore_patterns(".git", ".venv", "node_modules", ".*_cache")
        shutil.copytree(ROOT, self.tree, ignore=left_out, symlinks=True)

    def fails(self, *arguments: str, compiled: Path | None = None) -> bool:
        """Return whether one of the tests that pytest's arguments select fails, or takes too long.

        Arguments such as FILE::TEST are quick tests.
        """
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
        environment = {**os.environ, "PYTHONPATH": str(self.tree)}
        environment["NUMBA_CACHE_DIR"] = str(compiled or self.compiled)
        try:
            ended = subprocess.run(
                [*command, *arguments],
                cwd=self.tree,
                env=environment,
                capture_output=True,
                check=False,
                timeout=QUICK_LIMIT if "::" in arguments[0] else LIMIT,
            )
        except subprocess.TimeoutExpired:
            return True
        self.output = ended.stdout.decode(errors="replace")
        return ended.returncode not in (PASSED, NO_SUCH_TEST, NONE_SELECTED)

    def kills(self, mutant: Mutant, tests: list[str]) -> bool:
        """Return whether a test fails with a mutant; `tests` are the quick ones that run its line.

        Some of these are tried first, then all of them, then all tests of the room, large ones,
        too, and at last those of `make test`. Of compiled code, no test is known to run it.
        """
        path, room = self.tree / mutant.path, f"tests/{mutant.path.split('/')[1]}"
        path.write_text(mutant.source)
        stages = [tests[:SAMPLE], tests[SAMPLE:], [room, "-m", "not campaign"], ["tests"]]
        with tempfile.TemporaryDirectory() as anew:
            compiled = Path(anew) if "solver.loops" in mutant.source else None
            killed = any(stage and self.fails(*stage, compiled=compiled) for stage in stages)
        shutil.copy2(ROOT / mutant.path, path)
        return killed


def running(data: CoverageData, tree: Path, mutant: Mutant) -> list[str]:
    """Return the tests that run a mutant's line, by chance, but those of its room first."""
    lines = data.contexts_by_lineno(str(tree / mutant.path))
    tests = sorted({test.partition("|")[0] for test in lines.get(mutant.line, []) if test})
    random.Random(mutant.line).shuffle(tests)
    room = f"tests/{mutant.path.split('/')[1]}/"
    return sorted(tests, key=lambda test: not test.startswith(room))


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
        copies = [Copy(Path(folder) / str(number)) for number in range(os.cpu_count() or 1)]
        first = copies[0]
        wholes = ["tests"], [*(f"tests/{room}" for room in rooms), "-m", "not campaign"]
        traced = *TRACED, *(f"--cov=solver/{room}" for room in rooms)
        for stage in (traced, *([*whole, "-n", "logical"] for whole in wholes)):
            if first.fails(*stage):  # it would seem to kill every mutant
                sys.exit(f"{first.output}the tests fail without a mutant")
        data = CoverageData(str(first.tree / ".coverage"))
        data.read()
        for copy in copies[1:]:
            shutil.copytree(first.compiled, copy.compiled)
        free: SimpleQueue[Copy] = SimpleQueue()
        for copy in copies:
            free.put(copy)

        def survives(mutant: Mutant) -> bool:
            copy = free.get()
            survived = not copy.kills(mutant, running(data, first.tree, mutant))
            free.put(copy)
            print(f"{'SURVIVED' if survived else 'killed  '}  {mutant}", flush=True)
            return survived

        with ThreadPoolExecutor(len(copies)) as threads:
            survived = list(threads.map(survives, drawn))
    killed = survived.count(False)
    share = killed / len(drawn)
    print(f"{killed} of {len(drawn)} killed: {share:.1%}")
    return 0 if share >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
