"""Errors: one base for all of them, beside the builtins that they refine."""

from __future__ import annotations

import importlib
import pickle

import solver
from solver import IllegalMoveError, PerfectplayError, UnknownPositionError
from solver.errors import LostFileError
from tests.test_architecture import FILES


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
