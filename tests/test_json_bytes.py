"""JSON in plain Python, where orjson is missing: the same bytes, and the same refusals."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Outcome
from solver.json_bytes import plain_dumps

NUMBERS = st.integers(-(2**65), 2**65) | st.floats()
LEAVES = (
    st.none() | st.booleans() | NUMBERS | st.text(st.characters(codec=None)) | st.just(Outcome.WIN)
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text() | NUMBERS, inner),
)


def written(dumps: Any, value: Any) -> bytes | None:
    """Return the JSON of a value, or None if it is refused."""
    try:
        return bytes(dumps(value))
    except TypeError:
        return None


@given(VALUES)
def test_all_that_tables_and_answers_contain(value: Any) -> None:
    assert written(plain_dumps, value) == written(orjson.dumps, value)


@pytest.mark.parametrize(
    "value",
    [
        *('\x00\x1f\x7f\u2028"\\/é😀', "\ud800", 2**64 - 1, 2**64, -(2**63), -(2**63) - 1),
        *(1e-4, -1.5e-5, 1e-7, 1e16, 5e-324, float("nan"), {1: 2}, {"a": b""}, Outcome.LOSS),
    ],
)
def test_limits(value: Any) -> None:
    assert written(plain_dumps, [value]) == written(orjson.dumps, [value])
