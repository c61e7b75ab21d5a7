"""The shape of the package: imports point leftwards, and the public names are there."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

import solver
from tests.conftest import ROOT

PIPELINE = [
    *("errors", "value", "digest", "record", "game", "laws", "grid", "boards"),
    *("arrays", "tier_arrays", "kernel", "games", "enumeration", "search", "retrograde"),
    *(
        "table",
        "store",
        "files",
        "reading",
        "lookup",
        "mapped",
        "plain",
        "compiled",
        "compiled_tiers",
    ),
    *("work", "engines", "shop", "tiers", "assembly", "solving"),
    *("sampling", "counting", "costs", "estimate", "certificate_arrays", "certificate", "proof"),
    *("features", "batch", "agent", "export", "tactics", "players"),
    *("chains", "matches", "tournaments", "grades", "grader", "puzzles", "surveys", "env"),
    *("words", "shapes", "pictures", "plans", "answers", "drawing", "raster", "replay", "show"),
    *("strategy_map", "game_tree", "tree_pictures", "charts"),
    "web",
    *("report", "terminal", "cli", "__main__"),
]
PACKAGE = ROOT / "solver"


def module_of(path: Path) -> str:
    """Return the stage that a file belongs to; a folder is one stage."""
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> set[str]:
    """Return the stages that a file imports when it runs, those for type checkers left out."""
    tree = ast.parse(path.read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    found: set[str] = set()
    depth = len(path.relative_to(PACKAGE).parts)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level == depth:
            names = [node.module] if node.module else [alias.name for alias in node.names]
            found |= {name.split(".")[0] for name in names if name}
    return found


FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if path != PACKAGE / "__init__.py"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_leftwards(path: Path) -> None:
    stage = PIPELINE.index(module_of(path))
    for name in imports(path) - {"__version__"}:
        assert PIPELINE.index(name) < stage, f"{path.name} imports {name}"


def test_every_stage_has_its_file() -> None:
    assert {module_of(path) for path in FILES} == set(PIPELINE)


@pytest.mark.parametrize("name", solver.__all__)
def test_public_names_are_there_and_documented(name: str) -> None:
    value = getattr(solver, name)
    assert value.__doc__
    assert value is getattr(importlib.import_module(value.__module__), name)


def test_the_package_lists_its_names() -> None:
    assert dir(solver) == sorted(solver.__all__)
    with pytest.raises(AttributeError, match="no attribute 'solver'"):
        solver.solver  # noqa: B018
