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
import ast
import copy
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from scripts.sections import ROOT

ROOMS = ("rules", "tables", "solving", "proof", "agent", "arena")
TARGET = 0.95
PYTEST = ["-n", "logical", "--dist", "worksteal", "-p", "no:cacheprovider"]
SLOW = ["-m", "not large and not campaign"]
EVERYWHERE = ["tests", "-m", "not slow and not large and not campaign", "--ignore", "tests/web"]
LIMIT = 900  # seconds for one stage: a mutant that loops forever is killed by it
NONE_SELECTED = 5  # pytest's exit status
PAIRS: tuple[tuple[Any, Any], ...] = (
    *((ast.Lt, ast.LtE), (ast.Gt, ast.GtE), (ast.Eq, ast.NotEq), (ast.Is, ast.IsNot)),
    *((ast.In, ast.NotIn), (ast.And, ast.Or), (ast.Add, ast.Sub), (ast.Mult, ast.FloorDiv)),
    *((ast.LShift, ast.RShift), (ast.BitAnd, ast.BitOr), ("all", "any"), ("min", "max")),
)
OTHER = {a: b for pair in PAIRS for a, b in (pair, pair[::-1])}


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


def changed(node: ast.AST) -> ast.AST | None:
    """Return the node with one thing changed, or None where nothing can be."""
    new = copy.deepcopy(node)
    if isinstance(new, ast.Compare) and len(new.ops) == 1 and type(new.ops[0]) in OTHER:
        new.ops = [OTHER[type(new.ops[0])]()]
    elif isinstance(new, ast.BoolOp | ast.BinOp) and type(new.op) in OTHER:
        new.op = OTHER[type(new.op)]()
    elif isinstance(new, ast.UnaryOp) and isinstance(new.op, ast.Not):
        return new.operand
    elif isinstance(new, ast.Constant) and type(new.value) is int:
        new.value += 1
    elif isinstance(new, ast.Call) and isinstance(new.func, ast.Name) and new.func.id in OTHER:
        new.func.id = OTHER[new.func.id]
    else:
        return None
    return new


def candidates(node: ast.AST) -> Iterator[tuple[Any, ast.AST]]:
    """Yield the nodes below one that can be changed, with the change.

    Annotations, messages, typing blocks, and constants such as limits and sizes are left alone.
    """
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    if isinstance(node, ast.Raise | ast.JoinedStr | ast.Assert):
        return
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).isupper():
        return
    if hasattr(node, "end_col_offset") and (new := changed(node)) is not None:
        yield node, new
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns", "decorator_list"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from candidates(child)


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    data = path.read_bytes()
    starts = [0]
    for line in data.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, new in candidates(ast.parse(data)):
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[node.end_lineno - 1] + node.end_col_offset
        after, before = ast.unparse(new), " ".join(data[first:last].decode().split())
        text = (data[:first] + f"({after})".encode() + data[last:]).decode()
        yield Mutant(path.relative_to(ROOT).as_posix(), node.lineno, before, after, text)


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
    drawn = random.Random(given.seed).sample(every, min(given.count, len(every)))
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
