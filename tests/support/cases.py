"""Cases of a test that take long."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def cases(values: Iterable[Any], large: Collection[Any]) -> list[Any]:
    """Return values as parameters of a test, those in `large` for `make test-large` alone."""
    return [pytest.param(v, marks=pytest.mark.large) if v in large else v for v in values]
