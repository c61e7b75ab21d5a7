"""The rules of m,n,k games on arrays of keys; `solver.games.mnk` explains the keys.

An image under a symmetry is assembled from the images of pieces of the key, which are tabulated.
All compiled code is in this file, because numba's cache does not notice edits in other files.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit

from solver.rules.game import Symmetry
from solver.rules.kernel import LayeredKernel
from solver.value import OPEN

BITS = 11  # of a piece of a key: the tables of all pieces fit in the cache
MASK = (1 << BITS) - 1


class MnkKernel(LayeredKernel):
    """m,n,k games of up to 31 cells."""

    columns_are_codes = True

    def __init__(
        self, cells: int, lines: Sequence[int], misere: bool, symmetries: Sequence[Symmetry]
    ) -> None:
        """Take the number of cells, the lines, and the symmetries, the identity first."""
        self.bits, self.width = 2 * cells, cells
        self.lines = np.array(lines, np.int64)
        self.won = 1 if misere else -1
        count = -(-self.bits // BITS)
        others = symmetries[1:]
        self.images = np.zeros((len(others), count, 1 << BITS), np.int64)
        for place in range(count):
            for piece in range(1 << min(BITS, self.bits - BITS * place)):
                images = [symmetry.position(piece << BITS * place) for symmetry in others]
                self.images[:, place, piece] = images

    def expand(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        outcomes = np.empty(len(keys), np.int8)
        children = np.empty((len(keys), self.width), np.int64)
        _expand(keys, self.lines, self.won, self.images, outcomes, children)
        return outcomes, children

    def orbits(self, keys: np.ndarray) -> np.ndarray:
        sizes = np.empty(len(keys), np.int8)
        _orbits(keys, self.images, sizes)
        return sizes

    def canonical(self, keys: np.ndarray) -> np.ndarray:
        found = np.empty(len(keys), np.int64)
        _canonical(keys, self.images, found)
        return found


@njit(cache=True, nogil=True)
def _image(key, images):  # type: ignore[no-untyped-def]
    """Return the image of a key under one symmetry, from the images of its pieces."""
    image = images[0, key & MASK]
    for place in range(1, len(images)):
        image |= images[place, (key >> (BITS * place)) & MASK]
    return image


@njit(cache=True, nogil=True)
def _expand(keys, lines, won, images, outcomes, children):  # type: ignore[no-untyped-def]
    """Fill in outcomes and children; see `Kernel.expand`."""
    cells = children.shape[1]
    full = (np.int64(1) << cells) - 1
    for row in range(len(keys)):
        key = np.int64(keys[row])
        mine, theirs = key >> cells, key & full
        over = OPEN if (mine | theirs) != full else 0
        for line in lines:
            if theirs & line == line:
                over = won
                break
        outcomes[row] = over
        for cell in range(cells):
            bit = np.int64(1) << cell
            if over != OPEN or (mine | theirs) & bit:
                children[row, cell] = -1
                continue
            child = theirs << cells | mine | bit
            least = child
            for number in range(len(images)):
                least = min(least, _image(child, images[number]))
            children[row, cell] = least


@njit(cache=True, nogil=True)
def _canonical(keys, images, found):  # type: ignore[no-untyped-def]
    """Fill in the canonical keys."""
    for row in range(len(keys)):
        key = np.int64(keys[row])
        least = key
        for number in range(len(images)):
            least = min(least, _image(key, images[number]))
        found[row] = least


@njit(cache=True, nogil=True)
def _orbits(keys, images, sizes):  # type: ignore[no-untyped-def]
    """Fill in how many images each key has; 0 if it is not the smallest of them."""
    for row in range(len(keys)):
        key = np.int64(keys[row])
        same = 1
        for number in range(len(images)):
            image = _image(key, images[number])
            if image < key:
                same = 0
                break
            same += image == key
        sizes[row] = (len(images) + 1) // same if same else 0
