"""The structure of the package: floors and rooms, public names, and errors with one base."""

from __future__ import annotations

import ast
import importlib
import pickle
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import solver
from solver import IllegalMoveError, PerfectplayError, UnknownPositionError
from solver.errors import LostFileError
from tests.conftest import ROOT
from tests.support.parts import PARTS, TABLE, commands, part_of
from tests.support.parts import imports as imports_of

FLOORS = [  # lowest first; a room imports only from lower floors
    {"errors", "value", "files", "version", "startup", "units", "clock", "json_bytes"},
    {"boards", "loops"},
    {"rules"},
    {"games", "advice"},
    {"compiling", "tables"},
    {"kernels"},
    {"solving", "proof", "strategy"},
    {"agent"},
    {"players", "pictures"},
    {"arena", "env", "show"},
    {"reports"},
    {"web"},
    {"cli"},
    {"__main__"},
]
FLOOR = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
PACKAGE = ROOT / "solver"
FILES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}


def imports(path: Path) -> set[str]:
    """Return the modules of the package that a file imports, typing imports included."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name} has a relative import"
            full = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {name if name in FILES else str(node.module) for name in full}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.split(".")[0] == "solver"}


@pytest.fixture(scope="module")
def imported() -> dict[str, set[str]]:
    return {module: imports(path) for module, path in FILES.items()}


def test_a_room_imports_only_from_lower_floors(imported: dict[str, set[str]]) -> None:
    assert {module.split(".")[1] for module in FILES if module != "solver"} == FLOOR.keys()
    for module in FILES.keys() - {"solver"}:
        room = module.split(".")[1]
        for name in imported[module]:
            target = name.split(".")[1]  # not `solver` itself, which stands above every room
            assert target == room or FLOOR[target] < FLOOR[room], f"{module} imports {name}"


def test_modules_do_not_import_in_a_circle(imported: dict[str, set[str]]) -> None:
    TopologicalSorter(imported).prepare()


def test_only_doors_name_a_part() -> None:
    """The rest of the package names an optional part at its doors alone, and imports it late."""
    used = {part: set[str]() for part in PARTS}
    for module, path in FILES.items():
        named = [*imports_of(path, FILES)]
        if module == TABLE:
            named += [(name, True) for name in commands()]
        own, door = part_of(module), module.removeprefix("solver.").replace(".", "/")
        for name, is_late in named:
            part = part_of(name)
            if part is None or part == own or own in PARTS[part].above:
                continue
            assert door in PARTS[part].doors, f"{module} names {name}"
            assert is_late, f"{module} imports {name} at the top"
            used[part].add(door)
    for part, (_, doors, *_) in PARTS.items():
        assert used[part] == {*doors}, f"doors of {part} that nothing goes through"
        assert len(doors) <= 2


def test_the_page_on_architecture_lists_the_parts() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text()
    for part in PARTS.values():
        files = ", ".join(f"`{file}`" for file in part.files)
        doors = ", ".join(f"`{door}`" for door in part.doors) or "-"
        above = ", ".join(f"`{name}`" for name in part.above) or "-"
        assert f"| {files} | {doors} | {above} |" in page


def test_the_proof_shares_no_code_with_the_solvers(imported: dict[str, set[str]]) -> None:
    """It has its own walk over the positions and its own arithmetic of values."""
    proof = [module for module in FILES if module.startswith("solver.proof.")]
    assert len(proof) >= 3
    shared = {"positions", "key_arrays", "lookup", "buckets"}
    arithmetic = {"score", "back", "ahead", "trap", "outcome", "distance", "narrow", "widen"}
    for module in proof:
        parts = {part for name in imported[module] for part in name.split(".")}
        assert not parts & {"solving", "agent", *shared}
        tree = ast.walk(ast.parse(FILES[module].read_text()))
        names = {a.name for node in tree if isinstance(node, ast.ImportFrom) for a in node.names}
        assert not names & arithmetic


def test_public_names_are_importable_and_documented() -> None:
    for name in solver.__all__:
        value = getattr(solver, name)
        assert value.__doc__
        assert value is getattr(importlib.import_module(value.__module__), name)


def test_type_checkers_see_the_public_names() -> None:
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text())
    names = {a.asname for n in tree.body if isinstance(n, ast.ImportFrom) for a in n.names}
    assert names == set(solver.__all__)


def test_the_package_lists_its_names() -> None:
    assert dir(solver) == sorted(solver.__all__)
    with pytest.raises(AttributeError, match="no attribute 'solver'"):
        getattr(solver, "solver")  # noqa: B009


def test_every_error_of_the_package_has_one_base() -> None:
    found: list[type[BaseException]] = []
    for name in FILES:
        kinds = vars(importlib.import_module(name)).values()
        errors = [k for k in kinds if isinstance(k, type) and issubclass(k, BaseException)]
        found += [k for k in errors if k.__module__ == name]
    assert len(found) >= 20
    assert [k for k in found if not issubclass(k, PerfectplayError)] == []


def test_every_public_error_refines_a_builtin() -> None:
    for name in solver.__all__:
        if name.endswith("Error") and name != "PerfectplayError":
            assert issubclass(getattr(solver, name), ValueError | KeyError | AssertionError), name


def test_the_base_leaves_the_errors_as_they_were() -> None:
    """Messages and arguments survive pickling, as between a solve's processes."""
    assert str(UnknownPositionError("not 'quoted'")) == "not 'quoted'"
    lost = pickle.loads(pickle.dumps(LostFileError("work", "part")))
    assert (lost.directory, lost.name) == ("work", "part")
    assert str(lost).startswith("work: the file part is missing")
    assert issubclass(IllegalMoveError, ValueError)
