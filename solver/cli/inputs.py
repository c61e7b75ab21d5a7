"""Reads what the user names: tables and sizes."""

from __future__ import annotations

import re
from typing import Any

from solver.agent.agent import TableAgent, open_agent
from solver.games import load_game
from solver.tables.lazy import LazyTable

SIZE = re.compile(r"(\d{1,15}(?:\.\d{1,15})?) *(?:([KMGT])(I?))?B", re.ASCII)


def open_later(game: str, table: str | None) -> TableAgent:
    """Return what `open_agent` does, but open the installed table only when it is used."""
    if table is not None:
        return open_agent(game, table)
    later: Any = LazyTable(load_game(game), game)
    return TableAgent(later)


def parse_size(text: str | None) -> int | None:
    """Return the bytes in a size such as 4GB or 512MiB, and None for None; raises ValueError."""
    if text is None:
        return None
    match = SIZE.fullmatch(text.strip().upper())
    if match is None or not float(match[1]):
        raise ValueError(f"{text!r} is not a size: write a number with MB or GB, such as 4GB")
    return int(float(match[1]) * (1024 if match[3] else 1000) ** " KMGT".index(match[2] or " "))
