"""What the stages of a solve take and return: a job, a way to do it, and what to do without."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from solver.rules.game import Game
from solver.rules.rule_files import RuleFiles
from solver.solving.limits import Guard
from solver.solving.options import SolveOptions
from solver.solving.steps import Steps
from solver.tables.json_table import Table
from solver.tables.mapped_file import MappedFile

KEYS, KERNEL, UNFINISHED = "keys", "kernel", "unfinished work"
"""What a solve can do without, or with others."""


@dataclass
class Job:
    """A game to solve, and where its table and its unfinished work go."""

    game: Game[Any, Any]
    """A copy, which gets the keys of the solve."""
    suffix: str | None
    """The form of the table, as the suffix of its file; None if the size of the game decides."""
    folder: str
    target: str
    options: SolveOptions
    guard: Guard
    files: RuleFiles
    """The files of the rules."""
    starts: list[Any] = field(default_factory=list)
    """Positions that have had no key, after the start."""


class Way(NamedTuple):
    """How a game is solved: in memory, or tier by tier on files if there are steps."""

    positions: dict[int, list[Any]] | None = None
    """All canonical positions by tier, if they are in memory; else alpha-beta search finds them."""
    steps: Steps | None = None
    kernel: Any = None
    """What the steps use; None in plain Python."""
    is_wide: bool = False
    """Whether the keys do not fit a mapped table."""


class Solution(NamedTuple):
    """A table that has not been written."""

    table: Table | MappedFile
    is_trusted: bool
    """Whether the rules in Python have made it here and now.

    If not, compiled rules have, or earlier work, since when data that the rules read may have
    changed; then entries are compared with the rules.
    """


class Retry(NamedTuple):
    """Why a solve starts again, and without what."""

    reason: str
    without: str
    position: Any = None
    """The position that has no key, without KEYS."""
