"""Kernels: the rules of a game as compiled functions of whole arrays of keys.

A kernel says what the rules in Python say, for many positions at once; `check_kernel` compares the
two on sampled positions, and nothing is solved or proved with a kernel that was not compared.

The rules: `expand` and `orbits`. For solving tier by tier, all pure functions of arrays: `advance`,
`spans` and `resolve` where every move leads to the next tier, as in games that place stones;
`successors`, `orient` and `tiers` where moves may also stay in a tier or skip some.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from solver.errors import KernelError
from solver.startup_digest import mixer
from solver.value import NARROW

if TYPE_CHECKING:
    import numpy as np

    from solver.rules.game import Game

OPEN = 2  # the game goes on
CHUNK = 1 << 16  # positions that are expanded at once: their children fit the cache
MOST_IMAGES = 8  # of a position: which can be reached is held in one byte
SAMPLED = 30  # games of which the positions are compared


class Kernel(ABC):
    """The rules of one game on arrays; keys are int64, or uint32 where they fit."""

    bits: int
    """All keys are below 2**bits."""
    width: int
    """The columns of what `expand` returns; no position has more moves."""
    coded = False
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

    def start(self, game: Game[Any, Any]) -> np.ndarray:
        """Return the array that holds the start alone."""
        import numpy as np

        return np.array([game.key(game.canonical(game.initial()))], self.dtype)

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

        A tier is an array of codes, ascending, and any range of codes holds an even share of it. A
        kernel may say 1, if its rules keep the moves from a range of keys to few ranges.
        """
        return mixer(self.bits)

    def codes(self, keys: np.ndarray) -> np.ndarray:
        """Return the codes of keys."""
        return self._times(keys, self.multiplier)

    def keys(self, codes: np.ndarray) -> np.ndarray:
        """Return the keys that have the codes."""
        return self._times(codes, pow(self.multiplier, -1, 1 << self.bits))

    def _times(self, numbers: np.ndarray, multiplier: int) -> np.ndarray:
        import numpy as np

        if multiplier == 1:
            return numbers
        product = numbers.astype(np.uint64)
        product *= np.uint64(multiplier)
        product &= np.uint64((1 << self.bits) - 1)
        return product.astype(self.dtype)

    def advance(self, codes: np.ndarray) -> np.ndarray:
        """Return what a part of a tier, not empty, adds to the next one: codes, ascending.

        Both tiers hold canonical positions, or both hold all positions.
        """
        from solver.rules import key_arrays as arrays

        sets = []
        for part in arrays.parts(codes, CHUNK):
            _, children = self.expand(self.keys(part))
            sets.append(arrays.unique(self.codes(children[children >= 0])))
        return arrays.union(sets, self.dtype)

    def spans(self, codes: np.ndarray) -> list[tuple[int, int]]:
        """Return ranges of codes, from and to below, that hold what moves from these lead to."""
        return [(0, 1 << self.bits)]

    def resolve(self, codes: np.ndarray, later: Later) -> np.ndarray:
        """Return the values of a part of a tier, given the next tier within its spans.

        They take one byte: 127 minus the distance for a win, its negative for a loss, 0 for a draw.
        """
        import numpy as np

        from solver.rules import key_arrays as arrays

        one = [arrays.Index(*pair) for pair in later] if len(later) == 1 else None
        pieces = []
        for part in arrays.parts(codes, CHUNK) if one else [codes]:
            outcomes, children = self.expand(self.keys(part))
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
    from collections.abc import Collection, Iterator

    Later = Collection[tuple[np.ndarray, np.ndarray]]
    """A later tier, piece by piece, each read when it is asked for: its codes and values."""


def find_kernel(game: Game[Any, Any]) -> tuple[LayeredKernel | TieredKernel | None, str]:
    """Return the kernel of a game, checked, or None and why there is none.

    Raises KernelError if it contradicts the rules in Python.
    """
    try:
        kernel = game.kernel()
    except ImportError as error:
        if error.name is None:  # it is there, but does not work
            return None, f"without numba this is slow, and it cannot be used: {error}"
        return None, f"{error.name} is not installed: without the extra 'fast' this is slow"
    except RuntimeError as error:  # numba finds no folder for what it compiles
        return None, f"plain Python is slow, but {error}; set NUMBA_CACHE_DIR to a folder"
    if kernel is None:
        return None, f"{game.spec} has no kernel: plain Python does it, slowly"
    check_kernel(game, kernel)
    assert isinstance(kernel, LayeredKernel | TieredKernel)
    return kernel, ""


def check_kernel(game: Game[Any, Any], kernel: Kernel, seed: int = 0) -> int:
    """Compare a kernel with the rules in Python on the positions of random games.

    Returns how many positions were compared. Raises KernelError, which names the first difference.
    """
    import numpy as np

    if not isinstance(kernel, LayeredKernel | TieredKernel):
        raise KernelError(f"the kernel of {game.spec} is no LayeredKernel and no TieredKernel")
    layered = isinstance(kernel, LayeredKernel)
    start = game.initial()
    if layered and any(symmetry.position(start) != start for symmetry in game.symmetries):
        raise KernelError(f"{game.spec} cannot have such a kernel: its start is not symmetric")
    if len(game.symmetries) > MOST_IMAGES:
        raise KernelError(f"{game.spec} cannot have a kernel: it has over {MOST_IMAGES} symmetries")
    if not layered and kernel.bits + len(game.symmetries) > 63:
        raise KernelError(
            f"{game.spec} cannot have a kernel: keys of {kernel.bits} bits are too wide"
        )
    positions = list(dict.fromkeys(_walks(game, layered, random.Random(seed))))
    numbers = [game.key(p) for p in positions]
    if max(numbers) >= 1 << kernel.bits:
        raise KernelError(f"the kernel of {game.spec} contradicts its rules: a key is too large")
    keys: np.ndarray = np.array(numbers, np.int64).astype(kernel.dtype)
    outcomes, children = kernel.expand(keys)
    found = {
        "images": kernel.orbits(keys).tolist(),
        "outcome": outcomes.tolist(),
        "outcome alone": kernel.outcomes(keys).tolist(),
        "children": _listed(children),
        "canonical key": kernel.canonical(keys).tolist(),
    }
    if kernel.coded:
        found["codes"] = [[m for m, q in enumerate(row) if q >= 0] for row in children.tolist()]
    if isinstance(kernel, TieredKernel):
        found |= _check_tiered(game, kernel, keys)
    for i, p in enumerate(positions):
        over = game.primitive(p)
        after = [] if over is not None else [game.play(p, m) for m in game.moves(p)]
        images = {symmetry.position(p) for symmetry in game.symmetries}
        standing = OPEN if over is None else int(over)
        right = {
            "images": len(images) if game.canonical(p) == p else 0,
            "outcome": standing,
            "outcome alone": standing,
            "children": [game.key(game.canonical(q)) for q in after],
            "codes": [] if over is not None else [game.code(m) for m in game.moves(p)],
            "successors": [game.key(q) for q in after],
            "tier": game.tier(p),
            "canonical image": game.key(game.canonical(p)),
            "canonical key": game.key(game.canonical(p)),
        }
        for name, values in found.items():
            if values[i] != right[name] and (name != "canonical key" or values[i] >= 0):
                raise KernelError(
                    f"the kernel of {game.spec} contradicts its rules at {game.text(p)}: its"
                    f" {name} are {values[i]!r:.200}, by the rules {right[name]!r:.200}"
                )
    return len(positions)


def _check_tiered(game: Game[Any, Any], kernel: TieredKernel, keys: np.ndarray) -> dict[str, Any]:
    """Return what is to be compared of a kernel with tiers."""
    ways = kernel.orient(keys)[1].tolist()
    if not 0 <= min(ways) <= max(ways) < len(game.symmetries):
        raise KernelError(
            f"the kernel of {game.spec} contradicts its rules: it names symmetries from {min(ways)}"
            f" to {max(ways)}, by the rules there are {len(game.symmetries)} from 0"
        )
    chosen = [game.symmetries[way].position for way in ways]
    images = [image(game.position(key)) for image, key in zip(chosen, keys.tolist(), strict=True)]
    return {
        "successors": _listed(kernel.successors(keys)[1]),
        "tier": kernel.tiers(keys).tolist(),
        "canonical image": [game.key(p) for p in images],
    }


def _listed(children: np.ndarray) -> list[list[int]]:
    """Return the keys in each row."""
    return [[key for key in row if key >= 0] for row in children.tolist()]


def _walks(game: Game[Any, Any], layered: bool, generator: random.Random) -> Iterator[Any]:
    """Yield the positions of random games and their canonical images."""
    for _ in range(SAMPLED):
        p = game.initial()
        for _ in range(NARROW):
            yield p
            yield game.canonical(p)
            if game.primitive(p) is not None:
                break
            before, p = p, game.play(p, generator.choice(game.moves(p)))
            if layered and game.tier(p) != game.tier(before) + 1:
                raise KernelError(
                    f"{game.spec} cannot have such a kernel: a move from {game.text(before)} does"
                    " not lead to the next tier"
                )
