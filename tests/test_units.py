"""Times and sizes as people read them."""

from __future__ import annotations

import pytest

from solver.units import format_duration, format_size


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.25, "0.25 seconds"),
        (1, "1 second"),
        (42.4, "42 seconds"),
        (90, "1.5 minutes"),
        (86400, "1 day"),
        (86400 * 365 * 4000, "4,000 years"),
    ],
)
def test_durations(seconds: float, text: str) -> None:
    assert format_duration(seconds) == text


@pytest.mark.parametrize(
    ("count", "text"),
    [(12, "12 bytes"), (1234, "1.23 kB"), (5.6e7, "56 MB"), (2e12, "2 TB"), (3.2e16, "32,000 TB")],
)
def test_sizes(count: float, text: str) -> None:
    assert format_size(count) == text
