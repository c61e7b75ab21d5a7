"""What numba keeps: code that is not older than the files it was made of, and not for ever."""

from __future__ import annotations

import importlib
import os
import pkgutil
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import CodeType
from typing import Any

import pytest
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher

import solver
from solver import loops
from solver.compiling import module
from tests.conftest import ROOT


def names_in(code: CodeType) -> Iterator[str]:
    """Yield the names in a function and in those that it defines."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from names_in(constant)


def test_no_compiled_function_calls_one_of_another_file() -> None:
    """The search for strategies kept the code of `orient` when that was edited."""
    modules = [one.name for one in pkgutil.walk_packages(solver.__path__, "solver.")]
    found: dict[int, Any] = {}
    for name in modules:
        if not name.endswith("__main__"):
            functions = vars(importlib.import_module(name)).values()
            found |= {id(each): each.py_func for each in functions if isinstance(each, Dispatcher)}
    assert len(found) > 60
    for function in found.values():
        for name in names_in(function.__code__):
            called = function.__globals__.get(name)
            if isinstance(called, Dispatcher):
                assert called.py_func.__module__ == function.__module__, (function, name)


SEARCH = """
from solver import load_game
from solver.compiling.kernel import CompiledKernel
from solver.strategy.weak import ProofSearch
search = ProofSearch(
    CompiledKernel(load_game("domineering:3x4")), "first", 1 << 24, lambda *step: None
)
print(search.solve(search.root), *search._counts)
"""


@pytest.mark.large
@pytest.mark.parametrize(
    ("file", "line", "edited"),
    [
        ("images.py", "if images[s] < canonical[row]:", "if images[s] < 0:"),
        ("values.py", "OPEN if over is None else whole(over)", "OPEN if over is None else 1"),
    ],
)
def test_an_edited_loop_is_compiled_again(
    file: str, line: str, edited: str, tmp_path: Path
) -> None:
    """The search kept what it had compiled of `orient`, and went on to unite images."""
    for name in ("solver", "data"):
        shutil.copytree(ROOT / name, tmp_path / name)

    def searched(cache: str) -> str:
        env = {**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / cache)}
        done = subprocess.run(
            [sys.executable, "-c", SEARCH],
            env=env,
            cwd=tmp_path,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    first = searched("warm")
    path = tmp_path / "solver" / "compiling" / file
    text = path.read_text()
    assert line in text
    path.write_text(text.replace(line, edited, 1))
    assert searched("warm") == searched("cold") != first


@pytest.mark.parametrize("has", range(2))
def test_a_numba_that_loads_in_another_way_still_compiles(
    has: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two of its private names are used; the second one was not looked for."""
    other = type("Other", (), {loops.PRIVATE[has]: None})
    monkeypatch.setattr(loops, "FunctionCache", other)
    loop = loops.compiled(lambda n: n + 1)
    assert type(loop._cache) is FunctionCache
    assert loop(2) == 3
    monkeypatch.undo()
    assert type(loops.compiled(names_in)._cache) is loops.Cache


def test_modules_that_nobody_loads_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hundreds were there after a year."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(module, "try_out", lambda path, keys: None)
    folder, kept = tmp_path / "perfectplay", tmp_path / "perfectplay_0"
    long_ago = time.time() - module.OLD - 60
    for place in (folder, kept):
        place.mkdir()
    for name in ("rules_old", "rules_used", "rules_other"):
        for file in (folder / f"{name}.py", folder / f"{name}.tried", kept / f"{name}.expand.nbi"):
            file.touch()
            os.utime(file, (long_ago, long_ago))
    (folder / "rules_used.tried").touch()
    (folder / "rules_other.py").touch()
    used = module.load("expand = print\n", list).__name__
    names = {path.name.split(".")[0] for path in tmp_path.rglob("rules_*.*")}
    assert names == {"rules_used", "rules_other", used}
    del sys.modules[used]
    os.utime(mark := folder / f"{used}.tried", (long_ago, long_ago))
    module.load("expand = print\n", list)
    assert mark.stat().st_mtime > long_ago + 60
