"""Numbers, sizes and times as people read and write them."""

from __future__ import annotations

import re

UNITS = ((86400 * 365, "years"), (86400, "days"), (3600, "hours"), (60, "minutes"), (1, "seconds"))
SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,15})?) *(?:([KMGT])(I?))?B", re.ASCII)


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun: '1 position', '2 positions', '2 losses'."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def format_duration(seconds: float) -> str:
    """Return a time as text, in years, days, hours, minutes or seconds."""
    size, unit = next(unit for unit in UNITS if seconds >= unit[0] or unit[0] == 1)
    count = seconds / size
    number = f"{count:{'.2g' if count < 10 else ',.0f' if count < 1e6 else '.3g'}}"
    return f"{number} {unit.rstrip('s') if number == '1' else unit}"


def format_size(count: float) -> str:
    """Return a number of bytes as text, in bytes, kB, MB, GB or TB."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.0f} TB" if 1000 <= count < 1e6 else f"{count:.3g} TB"


def parse_size(text: str | None) -> int | None:
    """Return the bytes in a size such as 4GB or 512MiB, and None for None; raises ValueError."""
    if text is None:
        return None
    match = SIZE.fullmatch(text.strip().upper())
    if match is None or not float(match[1]):
        raise ValueError(f"{text!r} is not a size: write a number with MB or GB, such as 4GB")
    return int(float(match[1]) * (1024 if match[3] else 1000) ** " KMGT".index(match[2] or " "))
