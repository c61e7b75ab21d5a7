"""Errors: one base for all of them, beside the builtins that they refine."""

from __future__ import annotations

import ast
import builtins
import pickle

import pytest

import solver
from solver import IllegalMoveError, PerfectplayError, UnknownPositionError, load_game
from solver.errors import LostFileError
from tests.test_architecture import FILES


def bases() -> dict[str, set[str]]:
    """Return the exceptions that the package defines, each with its bases."""
    known = {name for name, kind in vars(builtins).items() if _is_exception(kind)}
    found: dict[str, set[str]] = {}
    nodes = [node for path in FILES.values() for node in ast.walk(ast.parse(path.read_text()))]
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            names = {base.id for base in node.bases if isinstance(base, ast.Name)}
            if names & (known | found.keys() | {"PerfectplayError"}):
                found[node.name] = names
    return found


def _is_exception(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseException)


@pytest.mark.slow
def test_every_error_of_the_package_has_one_base() -> None:
    found = bases()
    assert len(found) >= 20
    assert found.pop("PerfectplayError") == {"Exception"}
    assert [name for name, names in found.items() if "PerfectplayError" not in names] == []


def test_every_public_error_refines_a_builtin() -> None:
    for name in solver.__all__:
        if name.endswith("Error") and name != "PerfectplayError":
            assert issubclass(getattr(solver, name), ValueError | KeyError | AssertionError), name


def test_one_clause_catches_what_any_call_raises() -> None:
    for name in ("nowhere", "connect4:9"):
        with pytest.raises(PerfectplayError):
            load_game(name)
    with pytest.raises(PerfectplayError):
        solver.TableAgent().best_move("XXXOOO...")


def test_the_base_leaves_the_errors_as_they_were() -> None:
    """Messages and arguments survive pickling, as between a solve's processes."""
    assert str(UnknownPositionError("not 'quoted'")) == "not 'quoted'"
    lost = pickle.loads(pickle.dumps(LostFileError("work", "part")))
    assert (lost.directory, lost.name) == ("work", "part")
    assert str(lost).startswith("work: the file part is missing")
    assert issubclass(IllegalMoveError, ValueError)
