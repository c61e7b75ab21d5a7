"""Cases of a test that take long."""

from __future__ import annotations

from typing import Any

import pytest


def large(*cases: Any) -> list[Any]:
    """Return cases for `make test-large`; a tuple has the arguments of one."""
    return [_marked(case, pytest.mark.large) for case in cases]


def campaign(*cases: Any) -> list[Any]:
    """Return cases for `make campaigns`."""
    return [_marked(case, pytest.mark.campaign) for case in cases]


def _marked(case: Any, mark: pytest.MarkDecorator) -> Any:
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=mark)
