"""Compare a game's kernel with its Python rules, on sampled positions."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from solver.errors import KernelError
from solver.rules.game import legal_moves
from solver.rules.kernel import Kernel, LayeredKernel, TieredKernel
from solver.rules.positions import reaches_images
from solver.value import NARROW, OPEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np

    from solver.rules.game import Game

MOST_IMAGES = 64  # of a position
MOST_RECORDED = 8  # if the start is not symmetric: one byte records which can be reached
SAMPLED = 30  # random games whose positions are compared, fewer with more than
FEW = 8  # symmetries


def image_bits(game: Game[Any, Any]) -> int:
    """Return how many bits beside a key record which images of a position can be reached."""
    return 0 if reaches_images(game) else len(game.symmetries)


def most_images(game: Game[Any, Any]) -> int:
    """Return how many symmetries a game with a kernel may have."""
    return MOST_IMAGES if reaches_images(game) else MOST_RECORDED


def check_kernel(game: Game[Any, Any], kernel: Kernel, seed: int = 0) -> int:
    """Compare a kernel with the Python rules on the positions of random games.

    Returns the number of positions compared. Raises KernelError that names the first difference.
    """
    import numpy as np

    _check_form(game, kernel)
    positions = list(dict.fromkeys(_walks(game, seed)))
    numbers = [game.key(p) for p in positions]
    if max(numbers) >= 1 << kernel.bits:
        raise KernelError(
            f"the kernel of {game.spec} contradicts its rules: a key has too many bits"
        )
    claims = _by_kernel(game, kernel, np.array(numbers, np.int64).astype(kernel.dtype))
    for i, p in enumerate(positions):
        right = _by_rules(game, p)
        for name, values in claims.items():
            if values[i] != right[name] and (name != "canonical key" or values[i] >= 0):
                raise KernelError(
                    f"the kernel of {game.spec} contradicts its rules at {game.text(p)}: expected"
                    f" {name} {right[name]!r:.200}, got {values[i]!r:.200}"
                )
    return len(positions)


def _check_form(game: Game[Any, Any], kernel: Kernel) -> None:
    """Raise KernelError if the game cannot have a kernel of this kind."""
    for fits, reason in _form(game, kernel):
        if not fits:
            raise KernelError(f"{game.spec} cannot have a {type(kernel).__name__}: {reason}")


def _form(game: Game[Any, Any], kernel: Kernel) -> Iterator[tuple[bool, str]]:
    """Yield what holds of a game with a kernel of this kind, and the reason where it does not."""
    layered = isinstance(kernel, LayeredKernel)
    is_known = layered or isinstance(kernel, TieredKernel)
    yield is_known, "a kernel is a LayeredKernel or a TieredKernel"
    yield not layered or reaches_images(game), "its start is not symmetric"
    most = most_images(game)
    yield len(game.symmetries) <= most, f"more than {most} symmetries"
    narrow = layered or kernel.bits + image_bits(game) <= 63
    yield narrow, f"its keys of {kernel.bits} bits are too wide"
    yield not layered or has_layers(game), "a move does not lead to the next tier"


def _by_rules(game: Game[Any, Any], p: Any) -> dict[str, Any]:
    """Return what a kernel should say about a position."""
    over = game.primitive(p)
    moves = [] if over is not None else [*game.moves(p)]
    after = [game.play(p, m) for m in moves]
    images = {symmetry.position(p) for symmetry in game.symmetries}
    key, least = game.key(p), game.key(game.canonical(p))
    outcome = OPEN if over is None else int(over)
    return {
        "images": len(images) if least == key else 0,
        "outcome": outcome,
        "outcome alone": outcome,
        "children": [game.key(game.canonical(q)) for q in after],
        "successors": [game.key(q) for q in after],
        "tier": game.tier(p),
        "canonical image": least,
        "canonical key": least,
    }


def _by_kernel(game: Game[Any, Any], kernel: Kernel, keys: np.ndarray) -> dict[str, Any]:
    """Return what a kernel says about each of some keys."""
    outcomes, children = kernel.expand(keys)
    claims = {
        "images": kernel.orbits(keys).tolist(),
        "outcome": outcomes.tolist(),
        "outcome alone": kernel.outcomes(keys).tolist(),
        "children": _listed(children),
        "canonical key": kernel.canonical(keys).tolist(),
    }
    if isinstance(kernel, TieredKernel):
        claims |= _check_tiered(game, kernel, keys)
    return claims


def _check_tiered(game: Game[Any, Any], kernel: TieredKernel, keys: np.ndarray) -> dict[str, Any]:
    """Return what is compared of a TieredKernel only."""
    numbers = kernel.orient(keys)[1].tolist()
    if not 0 <= min(numbers) <= max(numbers) < len(game.symmetries):
        raise KernelError(
            f"the kernel of {game.spec} contradicts its rules: expected symmetries from 0 to"
            f" {len(game.symmetries) - 1}, got {min(numbers)} to {max(numbers)}"
        )
    chosen = [game.symmetries[way].position for way in numbers]
    images = [image(game.position(key)) for image, key in zip(chosen, keys.tolist(), strict=True)]
    return {
        "successors": _listed(kernel.successors(keys)[1]),
        "tier": kernel.tiers(keys).tolist(),
        "canonical image": [game.key(p) for p in images],
    }


def _listed(children: np.ndarray) -> list[list[int]]:
    """Return the keys of each row without the gaps."""
    return [[key for key in row if key >= 0] for row in children.tolist()]


def has_layers(game: Game[Any, Any]) -> bool:
    """Return whether all moves of a sample lead to the next tier."""
    return all(
        game.tier(q) == game.tier(p) + 1
        for p in dict.fromkeys(_walks(game, 0))
        if game.primitive(p) is None
        for q in (game.play(p, m) for m in game.moves(p))
    )


def _walks(game: Game[Any, Any], seed: int) -> Iterator[Any]:
    """Yield the positions of random games and their canonical images."""
    generator = random.Random(seed)
    for _ in range(SAMPLED * FEW // max(FEW, len(game.symmetries))):
        p = game.initial()
        for _ in range(NARROW):
            yield p
            yield game.canonical(p)
            if game.primitive(p) is not None:
                break
            p = game.play(p, generator.choice(legal_moves(game, p)))
