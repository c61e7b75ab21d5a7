"""Sorted arrays of keys."""

from __future__ import annotations

import numpy as np

from solver.rules.key_arrays import union


def test_sorted_sets_of_keys_are_united() -> None:
    for count in range(6):
        sets = [np.arange(n, 40, n + 2, dtype=np.uint64) for n in range(count)]
        expected = sorted({int(key) for keys in sets for key in keys})
        assert union(sets, np.uint64).tolist() == expected
