"""Columns."""

from __future__ import annotations

from solver.cli.output import align


def test_columns_are_aligned() -> None:
    assert align([("a", "bc", ""), ("def", "g", "h")]) == ["a    bc", "def  g   h"]
