"""Sizes and times as people read them."""

from __future__ import annotations

UNITS = ((86400 * 365, "years"), (86400, "days"), (3600, "hours"), (60, "minutes"), (1, "seconds"))


def format_duration(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    size, unit = next(unit for unit in UNITS if seconds >= unit[0] or unit[0] == 1)
    number = f"{seconds / size:{'.2g' if seconds < 10 * size else ',.0f'}}"
    return f"{number} {unit.rstrip('s') if number == '1' else unit}"


def format_size(count: float) -> str:
    """Return a number of bytes in the unit that suits it."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.3g} TB" if count < 1000 else f"{count:,.0f} TB"
