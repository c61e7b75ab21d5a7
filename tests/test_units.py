"""Times and sizes as people read them."""

from __future__ import annotations

from solver.units import format_duration, format_size, parse_size


def test_durations() -> None:
    seconds = (0.25, 1, 42.4, 90, 86400, 86400 * 365 * 4000)
    texts = ["0.25 seconds", "1 second", "42 seconds", "1.5 minutes", "1 day", "4,000 years"]
    assert [*map(format_duration, seconds)] == texts


def test_sizes() -> None:
    texts = ["12 bytes", "1.23 kB", "56 MB", "2 TB", "32,000 TB"]
    assert [*map(format_size, (12, 1234, 5.6e7, 2e12, 3.2e16))] == texts
    typed = ["4GB", "512 MiB", "1.5gb", "4096 B"]
    assert [*map(parse_size, typed)] == [4 * 10**9, 512 << 20, 1_500_000_000, 4096]
