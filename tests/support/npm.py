"""What the tests of the page install with npm; tests/web/package.json lists it."""

from __future__ import annotations

import os

import pytest

from tests.conftest import ROOT

MODULES = ROOT / "tests" / "web" / "node_modules"


def tool(name: str) -> str:
    """Return the path of an installed file; else skip, or fail where all tests must run."""
    path = MODULES / name
    if not path.exists():
        lacks = f"needs {name} in tests/web/node_modules: run make modules"
        if os.environ.get("PERFECTPLAY_ALL_TESTS"):
            pytest.fail(lacks)
        pytest.skip(lacks)
    return str(path)
