"""Rules whose compiled form would end a process: that of the user goes on, in plain Python."""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-any-generics

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from solver import Outcome
from solver.compiling import module, source
from solver.kernels import find_kernel
from tests.compiling.own_games import Small


def even(n):
    return 1 if n == 0 else odd(n - 1)


def odd(n):
    return 0 if n == 0 else even(n - 1)


def down(n):
    return 0 if n <= 0 else 1 + down(n - 1)


class Mutual(Small):
    """Two functions call each other."""

    def primitive(self, p: Any) -> Outcome | None:
        return Outcome.LOSS if p == 0 and even(p) else None


class Deep(Small):
    """A function calls itself, deep where no position of a sample is."""

    def primitive(self, p: Any) -> Outcome | None:
        return Outcome.LOSS if p == 0 or (p < 0 and down(3_000_000) == 0) else None


class Method(Small):
    """A method calls itself through another."""

    def rest(self, p: Any) -> Any:
        return self.half(p) if p > 1 else 0

    def half(self, p: Any) -> Any:
        return self.rest(p // 2)

    def primitive(self, p: Any) -> Outcome | None:
        return Outcome.LOSS if p == self.rest(p) else None


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path


@pytest.mark.tried
@pytest.mark.usefixtures("cache")
@pytest.mark.parametrize("kind", [Mutual, Deep, Method])
def test_functions_that_call_themselves_are_refused_each_time(kind: Any) -> None:
    """Two that call each other ended the second process, which loaded them from the cache."""
    for _ in range(3):
        kernel, remark = find_kernel(kind())
        assert kernel is None
        assert "calls itself, directly or through others: write a loop" in remark


@pytest.mark.tried
@pytest.mark.slow
@pytest.mark.usefixtures("cache")
def test_a_crash_ends_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled module sends a signal where it is loaded, here."""
    crash = "import os\nos.kill(os.getpid(), 11)\n"
    monkeypatch.setattr(source, "HEAD", source.HEAD + crash)
    for _ in range(3):
        kernel, remark = find_kernel(Small())
        assert kernel is None
        assert "once compiled, they end another process with SIGSEGV" in remark


@pytest.mark.tried
@pytest.mark.slow
def test_rules_are_tried_once_on_a_machine(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trials, right = list[str](), module.try_out

    def counted(path: str, keys: list[int]) -> None:
        trials.append(path)
        right(path, keys)

    monkeypatch.setattr(module, "try_out", counted)
    for _ in range(2):
        kernel, remark = find_kernel(Small())
        assert kernel is not None, remark
        for name in [name for name in sys.modules if name.startswith("rules_")]:
            del sys.modules[name]  # as in another process
    assert trials == [*map(str, (cache / "perfectplay").glob("rules_*.py"))]


@pytest.mark.tried
@pytest.mark.slow
def test_without_a_cache_rules_stay_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file"))
    kernel, remark = find_kernel(Small())
    assert kernel is None
    assert "cannot be written (Not a directory): set NUMBA_CACHE_DIR to one that can" in remark
