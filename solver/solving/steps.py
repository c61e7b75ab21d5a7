"""The steps of a solve tier by tier: what a worker does with positions, whatever the rules.

Steps are pure functions of positions and values; they read no files. `steps_python` has those for
any game, on lists; `steps_layered` and `steps_tiered` those for kernels, on NumPy arrays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence
from typing import Any

from solver.rules.kernel import Later
from solver.tables.buckets import Entries
from solver.tables.mapped_file import TableLayout
from solver.value import LIMIT

ENTRY_BYTES = 64  # approximate memory for an entry while a range of the table is filled


class Steps(ABC):
    """The steps for one game. A part of a tier is a range of slots; positions are sorted by slot.

    Values are those of `solver.value`, or for one byte those of `solver.tables.mapped_file`.
    """

    game: Any
    compiled: bool
    """Whether positions are NumPy arrays."""
    can_split: bool
    """Whether tiers may be split into parts: no move stays in its tier."""
    slot_width: int | None = None
    """How many low bits are cut off a key to give its slot; None if slots do not follow keys."""
    keeps_moves: bool = False
    """Whether the moves found when a part is grown are stored until it is resolved."""
    counts_all: bool = True
    """Whether tallies count all positions; if not, each canonical one counts once."""
    check: Callable[[int], None] = staticmethod(lambda _: None)
    """Called with the number of positions while a tier grows, where it is set; may raise."""
    position_bytes: int
    """About how many bytes a position takes while its part is grown or resolved."""
    later_bytes: int
    """About how many bytes each position of a later tier takes at the same time."""

    @abstractmethod
    def start(self) -> tuple[int, Any]:
        """Return the first tier's number, and its seeds: the starting position."""

    @abstractmethod
    def slots(self, positions: Any) -> list[tuple[int, int, int]]:
        """Return each slot's number, and where its positions start and stop."""

    @abstractmethod
    def unite(self, sets: list[Any]) -> Any:
        """Return the positions that are in any of the sets."""

    @abstractmethod
    def grow(self, seeds: Any, whole: bool, memory: int) -> tuple[Any, dict[int, Any], Any]:
        """Return the positions of a part of a tier, the seeds of each later tier, and the moves.

        The moves are buffers to be stored, or None unless the steps keep moves. Moves may stay in
        the tier if the part is the `whole` tier; else raises IntraTierMoveError.
        Raises MemoryLimitError if a tier that cannot be split does not fit into `memory` bytes.
        """

    @abstractmethod
    def resolve(self, positions: Any, moves: Any, later: Later, memory: int) -> Any:
        """Return the values of a part of a tier, given its moves and the later tiers."""

    @abstractmethod
    def tally(self, positions: Any, values: Any) -> dict[str, int]:
        """Return counts of positions, the largest canonical key and the longest distance."""

    @abstractmethod
    def entries(self, positions: Any, values: Any, layout: TableLayout) -> Entries:
        """Return the mixed keys of a table's entries, and their values as the table stores them."""

    @abstractmethod
    def join(self, pieces: list[Any]) -> Any:
        """Return positions, or values, that were read in several pieces as one."""

    @abstractmethod
    def pack(self, positions: Any) -> Any:
        """Return positions as a buffer whose items are theirs, in the same order."""

    @abstractmethod
    def unpack(self, slots: Sequence[tuple[int, int]], data: memoryview) -> Any:
        """Return positions, given the number and size of each slot, and the buffer of all."""

    @abstractmethod
    def unpack_values(self, data: memoryview) -> Any:
        """Return the values in a buffer."""


def check_length(spec: str, scores: Collection[int]) -> None:
    """Raise ValueError if a game is so long that its distance does not fit a score.

    Scores of 1 and -1 stay as they are, ply by ply, so they stand for longer games, too.
    """
    if 1 in scores or -1 in scores:
        raise ValueError(
            f"a game of {spec} can take {LIMIT - 1:,} plies or more with perfect play, and the"
            f" distances of tables end at {LIMIT - 2:,}"
        )
