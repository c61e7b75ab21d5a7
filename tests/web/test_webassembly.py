"""Python in WebAssembly, run by Node: what the core imports, and the tables that it writes."""

from __future__ import annotations

import ast
import hashlib
import sys
from typing import Any

import pytest

from scripts.site import UNUSED
from tests.conftest import ROOT, SHIPPED
from tests.support.javascript import run, tool
from tests.support.parts import imports as imports_of
from tests.test_architecture import FILES

CORE = (  # what the playground needs
    *("solver.solving.solve", "solver.proof.verify", "solver.agent.agent", "solver.agent.review"),
    *("solver.arena.match", "solver.players", "solver.web.playground"),
    *("solver.arena.report", "solver.reports.game_words"),
)
MISSING = {"curses", "dbm", "fcntl", "msvcrt", "resource", "termios", "tkinter", "winreg"}


def python(node: str, code: str, hash_seed: str = "1", **folders: str) -> Any:
    """Return what `answer` is after some Python in WebAssembly; folders are mounted at /NAME."""
    tool("pyodide/pyodide.mjs")
    places = {f"/{name}": path for name, path in {"package": str(ROOT), **folders}.items()}
    return run(node, "pyodide.mjs", folders=places, hashSeed=hash_seed, code=code)


def test_the_core_imports_the_standard_library_alone() -> None:
    """At the top of modules, none of which the site lacks; imports in functions may be refused."""
    waiting, others = [*CORE], set[str]()
    for module in waiting:  # which grows
        named = imports_of(FILES[module], FILES)
        waiting += sorted({n for n, late in named if not late and n in FILES} - {*waiting})
        for node in ast.parse(FILES[module].read_text()).body:
            if isinstance(node, ast.Import):
                others |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                others.add(str(node.module).split(".")[0])
    assert len(waiting) > 50
    assert [name for name in waiting if UNUSED.match(name.replace(".", "/"))] == []
    assert others - {"solver"} <= {*sys.stdlib_module_names} - MISSING


@pytest.mark.slow
def test_tic_tac_toe_has_the_table_that_is_shipped(node: str) -> None:
    code = """
from solver import encode, load_game, solve, verify
data = encode(solve(load_game("tictactoe")))
from hashlib import sha256
answer = [sha256(data).hexdigest(), verify(data).positions]
"""
    assert python(node, code) == [hashlib.sha256(SHIPPED.read_bytes()).hexdigest(), 5478]
