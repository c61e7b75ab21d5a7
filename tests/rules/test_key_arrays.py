"""Sorted arrays of keys."""

from __future__ import annotations

import numpy as np
import pytest

from solver.rules.key_arrays import union


@pytest.mark.parametrize("count", range(6))
def test_sorted_sets_of_keys_are_united(count: int) -> None:
    sets = [np.arange(n, 40, n + 2, dtype=np.uint64) for n in range(count)]
    expected = sorted({int(key) for keys in sets for key in keys})
    assert union(sets, np.uint64).tolist() == expected
