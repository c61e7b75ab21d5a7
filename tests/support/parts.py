"""The optional parts of the package and their doors, as docs/architecture.md has them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import solver
from solver.cli.commands import COMMANDS
from tests.conftest import ROOT

PACKAGE = ROOT / "solver"
PUBLIC: dict[str, str] = vars(solver)["_MODULES"]  # the modules of public names
TABLE = "solver.cli.commands"  # the table of commands names their modules in texts


class Part(NamedTuple):
    """An optional part of the package: its folders and files, and what may name them."""

    files: tuple[str, ...]
    doors: tuple[str, ...] = ()
    """The only modules of the rest that may name it, inside functions."""
    above: tuple[str, ...] = ()
    """Other parts that need it, which may name it anywhere and are of little use without it."""
    asks: tuple[str, ...] = ()
    """A command that needs it."""


BOTS = tuple(f"players/{name}.py" for name in ("asking", "external", "external_host", "process"))
JUDGES = tuple(f"cli/{name}.py" for name in ("grade", "matches", "report"))
PARTS = {
    "env": Part(("env",)),
    "show": Part(("show.py",)),
    "web": Part(("web",), ("cli/serve",), (), ("serve",)),
    "pictures": Part(
        ("pictures", "cli/render.py"),
        ("cli/commands",),
        ("arena", "env", "show", "strategy", "web"),
        ("render", "X...O....", "-o", "board.svg"),
    ),
    "arena": Part(
        ("arena", "reports", *JUDGES, *BOTS),
        ("cli/commands", "players"),
        ("env", "web"),
        ("grade", "random"),
    ),
    "strategy": Part(
        ("strategy", "pictures/cards.py"),
        ("cli/strategy", "cli/follow"),
        ("arena",),
        ("strategy", "tictactoe"),
    ),
    "compiling": Part(
        ("compiling",),
        ("kernels",),
        ("strategy",),
        ("solve", "domineering:3x3", "--weak", "-o", "strategy.txt"),
    ),
    "games/openspiel": Part(
        ("games/openspiel.py",), ("games/custom",), (), ("solve", "openspiel:tic_tac_toe")
    ),
    "tables/oracle": Part(
        ("games/connect4_search.py", "tables/oracle.py", "tables/book.py"),
        ("games/connect4", "tables/open"),
        (),
        ("best", "4", "--game", "connect4:7x6"),
    ),
    "rules/symmetry_search": Part(
        ("rules/symmetry_search.py",),
        ("cli/games", "advice/declarations"),
        (),
        ("check", "tictactoe", "--symmetries"),
    ),
    "tables/export": Part(
        ("tables/export.py", "tables/packed.py"),
        ("cli/tables", "tables/mapped_table"),
        (),
        ("export", "--game", "tictactoe", "-o", "x.csv"),
    ),
    "solving/cluster": Part(
        ("solving/cluster.py",),
        ("solving/executors",),
        (),
        ("solve", "connect4:4x4", "--scheduler", "new", "-o", "x.safetensors"),
    ),
    "agent/reply": Part(("agent/reply.py",)),
    "agent/review": Part(
        ("agent/records.py", "agent/review.py", "cli/review.py"),
        ("cli/commands", "web/api"),
        (),
        ("review", "-"),
    ),
}


def part_of(module: str) -> str | None:
    """Return the part that a module belongs to, by the longest of the paths that have it."""
    path = module.removeprefix("solver.").replace(".", "/")
    places = [
        (len(place), part)
        for part, (files, *_) in PARTS.items()
        for place in (file.removesuffix(".py") for file in files)
        if path == place or path.startswith(f"{place}/")
    ]
    return max(places)[1] if places else None


def imports(path: Path, modules: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Yield the modules among these that a file names, and whether only a function does."""

    def walk(node: ast.AST, lazy: bool) -> Iterator[tuple[str, bool]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.ImportFrom):
                names = [f"{child.module}.{alias.name}" for alias in child.names]
                names = [PUBLIC.get(n.removeprefix("solver."), n) for n in names]
                yield from ((n if n in modules else str(child.module), lazy) for n in names)
            elif isinstance(child, ast.Import):
                yield from ((alias.name, lazy) for alias in child.names)
            # for type checkers alone
            is_typing = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            yield from walk(child, lazy or isinstance(child, ast.FunctionDef) or is_typing)

    yield from walk(ast.parse(path.read_text()), False)


def commands() -> Iterator[str]:
    """Yield the modules that the table of commands names."""
    for command in COMMANDS.values():
        yield f"solver.cli.{command.function.partition(':')[0]}"
