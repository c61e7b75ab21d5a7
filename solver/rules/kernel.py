"""Kernels: the rules of a game as compiled functions of whole arrays of keys.

A kernel says what the rules in Python say, for many positions at once. Nothing is solved or proved
with a kernel that `solver.rules.check_kernel` has not compared with them.

The rules: `expand` and `orbits`. For solving tier by tier, all pure functions of arrays: `advance`,
`spans` and `resolve` where every move leads to the next tier, as in games that place stones;
`successors`, `orient` and `tiers` where moves may also stay in a tier or skip some.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from solver.rules.mixing import mixer

if TYPE_CHECKING:
    from collections.abc import Collection

    import numpy as np

OPEN = 2  # the game goes on
CHUNK = 1 << 16  # positions that are expanded at once: their children fit the cache


class Kernel(ABC):
    """The rules of one game on arrays; keys are int64, or uint32 where they fit."""

    bits: int
    """All keys are below 2**bits."""
    width: int
    """The columns of what `expand` returns; no position has more moves."""
    columns_are_codes = False
    """Whether the number of a column there is the code of the move that leads to what it holds."""

    @abstractmethod
    def expand(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return how each game stands, and where its moves lead.

        The first, int8 of shape (n,), holds the outcome for the side to move, or OPEN. The second,
        int64 of shape (n, width), holds in each row the canonical keys that the legal moves lead
        to, in the order of the rules, and -1 elsewhere.
        """

    def outcomes(self, keys: np.ndarray) -> np.ndarray:
        """Return how each game stands, as `expand` does."""
        return self.expand(keys)[0]

    @abstractmethod
    def orbits(self, keys: np.ndarray) -> np.ndarray:
        """Return how many images each key has, as int8; 0 for a key that is not canonical."""

    def canonical(self, keys: np.ndarray) -> np.ndarray:
        """Return the keys of canonical images, -1 where the rules in Python are to be asked."""
        import numpy as np

        return np.where(self.orbits(keys) > 0, keys.astype(np.int64), -1)

    def start(self, key: int) -> np.ndarray:
        """Return the array that holds one key, that of the canonical starting position."""
        import numpy as np

        return np.array([key], self.dtype)

    @property
    def dtype(self) -> type:
        """The type of the elements of a tier's array."""
        import numpy as np

        return np.uint32 if self.bits <= 32 else np.int64


class LayeredKernel(Kernel):
    """The kernel of a game whose start is symmetric, and in which a move leads one tier on."""

    plies: int
    """No game takes more plies; below 127."""

    @property
    def multiplier(self) -> int:
        """What a key is multiplied by, modulo 2**bits, to give its code.

        A tier is an array of mixed, ascending, and any range of mixed holds an even share of it. A
        kernel may say 1, if its rules keep the moves from a range of keys to few ranges.
        """
        return mixer(self.bits)

    def mix(self, keys: np.ndarray) -> np.ndarray:
        """Return the mixed of keys."""
        return self._times(keys, self.multiplier)

    def unmix(self, mixed: np.ndarray) -> np.ndarray:
        """Return the keys that have the mixed."""
        return self._times(mixed, pow(self.multiplier, -1, 1 << self.bits))

    def _times(self, numbers: np.ndarray, multiplier: int) -> np.ndarray:
        import numpy as np

        if multiplier == 1:
            return numbers
        product = numbers.astype(np.uint64)
        product *= np.uint64(multiplier)
        product &= np.uint64((1 << self.bits) - 1)
        return product.astype(self.dtype)

    def advance(self, mixed: np.ndarray) -> np.ndarray:
        """Return what a part of a tier, not empty, adds to the next one: mixed, ascending.

        Both tiers hold canonical positions, or both hold all positions.
        """
        from solver.rules import key_arrays as arrays

        sets = []
        for part in arrays.parts(mixed, CHUNK):
            _, children = self.expand(self.unmix(part))
            sets.append(arrays.unique(self.mix(children[children >= 0])))
        return arrays.union(sets, self.dtype)

    def spans(self, mixed: np.ndarray) -> list[tuple[int, int]]:
        """Return ranges of mixed, from and to below, that hold what moves from these lead to."""
        return [(0, 1 << self.bits)]

    def resolve(self, mixed: np.ndarray, later: Later) -> np.ndarray:
        """Return the values of a part of a tier, given the next tier within its spans.

        They take one byte: 127 minus the distance for a win, its negative for a loss, 0 for a draw.
        """
        import numpy as np

        from solver.rules import key_arrays as arrays

        one = [arrays.Index(*pair) for pair in later] if len(later) == 1 else None
        pieces = []
        for part in arrays.parts(mixed, CHUNK) if one else [mixed]:
            outcomes, children = self.expand(self.unmix(part))
            values = arrays.begun(outcomes)
            for index in one or (arrays.Index(*pair) for pair in later):
                index.fold(children, values, self.multiplier, self.bits)
            if (children >= 0).any():
                raise KeyError(f"the key {children.max()} is missing")
            pieces.append(values)
        return arrays.join(pieces) if pieces else np.empty(0, np.int8)


class TieredKernel(Kernel):
    """The kernel of a game in which moves may stay in a tier or skip some; keys are int64.

    Its start need not be symmetric: the kernel tells which image of a position a move leads to.
    """

    @property
    def dtype(self) -> type:
        import numpy as np

        return np.int64

    @abstractmethod
    def successors(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what `expand` does, with the very keys that moves lead to, not canonical ones."""

    @abstractmethod
    def orient(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the canonical keys of n keys, and by which of the game's symmetries, as int8.

        For the key -1 it is -1, by any symmetry.
        """

    @abstractmethod
    def tiers(self, keys: np.ndarray) -> np.ndarray:
        """Return the tier of each key, as int64."""

    def canonical(self, keys: np.ndarray) -> np.ndarray:
        return self.orient(keys)[0]

    def expand(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        outcomes, children = self.successors(keys)
        return outcomes, self.orient(children.ravel())[0].reshape(children.shape)


if TYPE_CHECKING:
    Later = Collection[tuple[np.ndarray, np.ndarray]]
    """A later tier, piece by piece, each read when it is asked for: its mixed and values."""
