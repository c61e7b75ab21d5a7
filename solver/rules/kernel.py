"""Kernels: a game's rules as compiled functions of whole arrays of keys.

A kernel gives the same answers as the Python rules, for many positions at once. Nothing is solved
or proved with a kernel before `solver.rules.check_kernel` has compared it with those rules.

Every kernel has `successors`, `orient` and `orbits`. To solve a game tier by tier, a
`LayeredKernel` adds `advance` and `resolve`: every move leads to the next tier, as in games that
place stones. A `TieredKernel` adds `tiers`: moves may stay in a tier or skip some. All are pure
functions of arrays.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

PIECE = 1 << 16  # positions expanded at once: their children fit in the cache
Later = Sequence[Callable[[], tuple[Any, Any]]]
"""Functions that each read one piece of the later tiers: positions, ascending, and their values."""


class Kernel(ABC):
    """The rules of one game on arrays; keys are int64, or uint32 if they fit."""

    bits: int
    """All keys are below 2**bits."""
    width: int
    """The number of columns that `expand` returns; no position has more moves."""
    checks_images = False
    """Whether a solve compares positions with their images; see `check_symmetries`."""

    @abstractmethod
    def successors(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the outcomes and the children of n positions, which need not be canonical.

        The outcomes, int8 of shape (n,), are those of finished games for the side to move, and OPEN
        for the others. The children, int64 of shape (n, width), are keys: each row holds one per
        legal move, in the order of the rules, and -1 elsewhere.
        """

    @abstractmethod
    def orient(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the canonical key of each key, and the index of a symmetry that maps to it (int8).

        The key -1 stays -1, by any symmetry.
        """

    def expand(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what `successors` does, but with the canonical keys of the children."""
        outcomes, children = self.successors(keys)
        return outcomes, self.orient(children.ravel())[0].reshape(children.shape)

    def outcomes(self, keys: np.ndarray) -> np.ndarray:
        """Return the outcomes alone, as `successors` does."""
        return self.successors(keys)[0]

    def check_symmetries(  # noqa: B027 -- the tests check kernels written by hand
        self, keys: np.ndarray, expanded: tuple[np.ndarray, np.ndarray]
    ) -> None:
        """Raise GameLawError unless all images of these positions behave as they do.

        `expanded` are their outcomes and their children's own keys.
        """

    @abstractmethod
    def orbits(self, keys: np.ndarray) -> np.ndarray:
        """Return how many distinct images each key has, as int8; 0 for a key not canonical."""

    def canonical(self, keys: np.ndarray) -> np.ndarray:
        """Return the keys of canonical images."""
        return self.orient(keys)[0]

    def start(self, key: int) -> np.ndarray:
        """Return an array of one key, that of the canonical starting position."""
        import numpy as np

        return np.array([key], self.dtype)

    @property
    def dtype(self) -> type:
        """The type of a tier's array."""
        import numpy as np

        return np.uint32 if self.bits <= 32 else np.int64


class LayeredKernel(Kernel):
    """The kernel of a game with a symmetric start whose every move leads to the next tier.

    It lasts fewer than 127 plies. A tier is an array of canonical keys, ascending.
    """

    position_bytes: int
    """About how many bytes a position takes while its part of a tier is followed."""

    @abstractmethod
    def advance(self, keys: np.ndarray) -> np.ndarray:
        """Return the canonical keys of all children of a part of a tier, ascending."""

    @abstractmethod
    def resolve(self, keys: np.ndarray, later: Later) -> np.ndarray:
        """Return the values of a part of a tier, given the whole next tier piece by piece.

        A value is one byte: 127 minus the distance for a win, the negative of that for a loss, 0
        for a draw. Raises KeyError if a child is missing.
        """


class TieredKernel(Kernel):
    """The kernel of a game whose moves may stay in a tier or skip some; keys are int64.

    The start need not be symmetric: the kernel says which image of a position a move leads to.
    """

    @property
    def dtype(self) -> type:
        import numpy as np

        return np.int64

    @abstractmethod
    def tiers(self, keys: np.ndarray) -> np.ndarray:
        """Return the tier of each key, as int64."""
