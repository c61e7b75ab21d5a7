"""Mutation testing: does a test fail when a line of the core rooms is wrong?

    make mutants
    python -m scripts.mutants --count 30 --seed 7 --room proof

Draws mutants (a comparison, an operator or a constant changed) with a fixed seed, runs the tests of
the mutant's room in a copy of the checkout, then all quick tests, then the slow ones of the room,
and lists the mutants that survive. Some of those are equivalent: they change nothing that a caller
can see. Exit 1 if fewer than 95 % are killed.
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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parent.parent
ROOMS = ("rules", "tables", "solving", "proof", "agent", "arena")
TARGET = 0.95
QUICK = ["-m", "not slow and not large"]
SLOW = ["-m", "slow and not large"]
EVERYWHERE = ["tests", *QUICK, "--ignore", "tests/web"]
LIMIT = 900  # seconds for one stage: a mutant that loops forever is killed by it
NONE_SELECTED = 5  # pytest's exit status
COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
CALLS = {"all": "any", "any": "all", "min": "max", "max": "min"}


class Mutant(NamedTuple):
    """A file of the package with one change."""

    path: Path
    line: int
    before: str
    after: str
    source: str
    """The whole file, changed."""

    @property
    def room(self) -> str:
        """The room that the file belongs to."""
        return self.path.relative_to(ROOT / "solver").parts[0]

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.before}  ->  {self.after}"


def changed(node: ast.AST) -> ast.AST | None:
    """Return the node with one thing changed, or None where nothing can be."""
    new = copy.deepcopy(node)
    if isinstance(new, ast.Compare) and len(new.ops) == 1 and type(new.ops[0]) in COMPARISONS:
        new.ops = [COMPARISONS[type(new.ops[0])]()]
    elif isinstance(new, ast.BoolOp):
        new.op = ast.Or() if isinstance(new.op, ast.And) else ast.And()
    elif isinstance(new, ast.BinOp) and type(new.op) in ARITHMETIC:
        new.op = ARITHMETIC[type(new.op)]()
    elif isinstance(new, ast.UnaryOp) and isinstance(new.op, ast.Not):
        return new.operand
    elif isinstance(new, ast.Constant) and type(new.value) is int:
        new.value += 1
    elif isinstance(new, ast.Call) and isinstance(new.func, ast.Name) and new.func.id in CALLS:
        new.func.id = CALLS[new.func.id]
    else:
        return None
    return new


def candidates(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below one that can be changed.

    Annotations, messages, typing blocks, and constants such as limits and sizes are left alone.
    """
    if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
        return
    if isinstance(node, ast.Raise | ast.JoinedStr | ast.Assert):
        return
    if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).isupper():
        return
    if changed(node) is not None and hasattr(node, "end_col_offset"):
        yield node
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from candidates(child)


def mutants(path: Path) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    source = path.read_text()
    lines = source.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    data = source.encode()
    for node in candidates(ast.parse(source)):
        assert isinstance(node, ast.expr)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[node.end_lineno - 1] + node.end_col_offset
        new = changed(node)
        assert new is not None
        after = f"({ast.unparse(new)})"
        text = (data[:first] + after.encode() + data[last:]).decode()
        before = " ".join(data[first:last].decode().split())
        yield Mutant(path, node.lineno, before, after[1:-1], text)


def fails(tree: Path, *arguments: str) -> bool:
    """Return whether one of the tests that pytest's arguments select fails in a copy."""
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *arguments]
    try:
        ended = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, check=False, timeout=LIMIT
        )
    except subprocess.TimeoutExpired:
        return True
    return ended.returncode not in (0, NONE_SELECTED)


def is_killed(mutant: Mutant, tree: Path) -> bool:
    """Return whether a test fails on a mutant, in a copy of the checkout."""
    place = tree / mutant.path.relative_to(ROOT)
    original = place.with_suffix(".original")
    shutil.copy2(mutant.path, original)
    place.write_text(mutant.source)
    try:
        room = f"tests/{mutant.room}"
        return fails(tree, room, *QUICK) or fails(tree, room, *SLOW) or fails(tree, *EVERYWHERE)
    finally:
        os.replace(original, place)


def main() -> int:
    """Draw mutants, run the tests on each, and print those that survive."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=100, help="how many mutants to draw")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--room", choices=ROOMS, action="append", help="these rooms alone")
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    rooms = given.room or ROOMS
    files = [path for room in rooms for path in sorted((ROOT / "solver" / room).rglob("*.py"))]
    every = [mutant for path in files for mutant in mutants(path)]
    drawn = random.Random(given.seed).sample(every, min(given.count, len(every)))
    print(f"{len(drawn)} of {len(every):,} mutants of {', '.join(rooms)}", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        trees = [Path(directory) / str(number) for number in range(given.workers)]
        for tree in trees:
            leave_out = shutil.ignore_patterns(".git", ".venv", "node_modules", ".*_cache")
            shutil.copytree(ROOT, tree, ignore=leave_out, symlinks=True)

        rooms_drawn = sorted({mutant.room for mutant in drawn})
        stages = iter([EVERYWHERE, *([f"tests/{room}", *SLOW] for room in rooms_drawn)])

        def try_unchanged(tree: Path) -> None:
            """Run stages without a mutant until none is left."""
            for stage in stages:
                if fails(tree, *stage):
                    sys.exit(f"{stage[0]} fails without a mutant")

        with ThreadPoolExecutor(given.workers) as pool:
            list(pool.map(try_unchanged, trees))
        waiting = iter(drawn)  # shared by the threads: next() is atomic

        def work(tree: Path) -> list[Mutant]:
            """Try mutants until none is left; return those that survive."""
            survivors = []
            for mutant in waiting:
                killed = is_killed(mutant, tree)
                print(f"{'killed  ' if killed else 'SURVIVED'}  {mutant}", flush=True)
                if not killed:
                    survivors.append(mutant)
            return survivors

        with ThreadPoolExecutor(given.workers) as pool:
            survived = sorted(mutant for found in pool.map(work, trees) for mutant in found)
    share = 1 - len(survived) / len(drawn)
    print(f"\n{len(drawn) - len(survived)} of {len(drawn)} killed: {share:.1%}")
    for mutant in survived:
        print(f"survived  {mutant}")
    return 0 if share >= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
