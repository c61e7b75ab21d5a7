"""The options of a solve."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

Progress = Callable[[str, int, int | None], None]
"""Called with what is being done, how many positions are done, and of how many, if known."""

METHODS = ("retrograde", "search")


class SolveOptions(NamedTuple):
    """Options and callbacks of a solve."""

    method: str = METHODS[0]
    workers: int = 1
    memory: int | None = None
    """Bytes that each worker may use."""
    scheduler: str | None = None
    """The address of a Dask cluster, or "new" for one on this machine."""
    workdir: str | None = None
    """The folder for unfinished work; by default one beside the table."""
    name: str | None = None
    """What workers in other processes load the game by; by default its spec."""
    progress: Progress = lambda *_: None
    report: Callable[[str], None] = lambda _: None
    """Called with each remark for the user."""
    force: bool = False
    """Whether to start even if disk or memory seem far too little."""
    plain: bool = False
    """Whether to solve in plain Python even if the rules can be compiled."""
    checked: Callable[[int], None] = lambda _: None
    """Called with the number of entries that were compared with the rules in Python, if any."""
