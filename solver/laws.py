"""The laws that every game keeps, tested on random walks."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from .errors import GameLawError
from .game import Game, M, P, Symmetry, ended, legal_moves

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_PLIES = 200  # a walk through a game with cycles has to stop somewhere


def check_game(game: Game[P, M], walks: int = 100, seed: int = 0) -> int:
    """Test the laws on the positions of random games; return how many distinct positions.

    The laws are those that `solver.game` states. Raises GameLawError, which names the law and
    the position that breaks it.
    """
    if not isinstance(game, Game):
        raise TypeError(f"the rules are a Game, as load_game returns one, not {game!r:.80}")
    start = game.initial()
    same = start in [symmetry.position(start) for symmetry in game.symmetries]
    _require(same, game, start, "the identity is among the symmetries")
    positions = list(dict.fromkeys(_positions(game, walks, random.Random(seed))))
    by_key: dict[int, P] = {}
    for p in positions:  # first what names a position, since the other laws build on it
        text = game.text(p)
        _require(game.parse(text) == p, game, p, f"parse undoes text, but not for {text!r}")
        twin = by_key.setdefault(game.key(p), p)
        _require(twin == p, game, p, f"key is injective, but {twin!r} has the same key")
    for p in positions:
        _check_moves(game, p)
        for symmetry in game.symmetries:
            _check_symmetry(game, p, symmetry)
    return len(positions)


def _positions(game: Game[P, M], walks: int, generator: random.Random) -> Iterator[P]:
    """Yield the positions of random games."""
    for _ in range(walks):
        p = game.initial()
        for _ in range(MOST_PLIES):
            yield p
            if ended(game, p) is not None:
                break
            p = game.play(p, generator.choice(legal_moves(game, p)))


def _check_moves(game: Game[P, M], p: P) -> None:
    if game.primitive(p) is not None:
        return
    moves = game.moves(p)
    codes = {game.code(m) for m in moves}
    _require(len(codes) == len(moves), game, p, "no move is listed twice, and codes differ")
    for m in moves:
        falls = game.tier(game.play(p, m)) < game.tier(p)
        _require(not falls, game, p, f"tier never falls, but does by the move {m!r}")


def _check_symmetry(game: Game[P, M], p: P, symmetry: Symmetry) -> None:
    image = symmetry.position(p)
    for law in (game.primitive, game.tier, game.canonical):
        same = law(image) == law(p)
        _require(same, game, p, f"{law.__name__} is the same for the image {image!r}")
    canonical = game.canonical(p)
    _require(game.canonical(canonical) == canonical, game, p, "canonical is idempotent")
    if game.primitive(p) is not None:
        return
    moves = game.moves(p)
    mapped = {symmetry.move(m) for m in moves}
    _require(mapped == set(game.moves(image)), game, p, "symmetry maps legal moves to legal moves")
    for m in moves:
        played = symmetry.position(game.play(p, m)) == game.play(image, symmetry.move(m))
        _require(played, game, p, f"symmetry commutes with play, but not for the move {m!r}")


def _require(holds: bool, game: Game[Any, Any], p: Any, law: str) -> None:
    if not holds:
        raise GameLawError(f"{game.spec} breaks a law at {p!r}: {law}")
