"""Tests of the laws that every game obeys, on the positions of random games."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from solver.errors import GameLawError, IllegalPositionError
from solver.rules.game import Game, Symmetry, legal_moves, primitive_outcome
from solver.startup import M, P

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_PLIES = 200  # of a random game, which may cycle


def check_game(game: Game[P, M], walks: int = 100, seed: int = 0) -> int:
    """Test the laws of `solver.rules.game` on the positions of random games.

    Returns the number of distinct positions tested. Raises GameLawError, which names the broken law
    and a position where it fails.
    """
    if not isinstance(game, Game):
        raise TypeError(f"expected a Game, such as load_game returns, not {game!r:.80}")
    start = game.initial()
    _require(_is_hashable(start), game, start, "positions are hashable")
    listed = not callable(game.symmetries)
    _require(listed, game, start, "symmetries is a tuple of Symmetry, not a method")
    same = start in [symmetry.position(start) for symmetry in game.symmetries]
    _require(same, game, start, "the identity is among the symmetries")
    positions = list(dict.fromkeys(_positions(game, walks, random.Random(seed))))
    by_key: dict[int, P] = {}
    for p in positions:  # texts and keys first, since the other laws rely on them
        _check_text(game, p)
        twin = by_key.setdefault(game.key(p), p)
        _require(twin == p, game, p, f"key is injective, but {twin!r} has the same key")
    for p in positions:
        _check_position(game, p)
        _check_moves(game, p)
        for symmetry in game.symmetries:
            _check_symmetry(game, p, symmetry)
    return len(positions)


def _is_hashable(p: Any) -> bool:
    try:
        hash(p)
    except TypeError:
        return False
    return True


def _check_text(game: Game[P, M], p: P) -> None:
    text = game.text(p)
    try:
        parsed = game.parse(text)
    except IllegalPositionError as error:
        law = f"parse is the inverse of text, but rejects {text!r}: {error}"
        if type(game).parse is Game.parse:
            law += "; unless positions are numbers, strings and tuples, define text and parse"
        raise GameLawError(f"{game.spec} breaks a law at {p!r}: {law}") from error
    _require(parsed == p, game, p, f"parse is the inverse of text, but not for {text!r}")


def _check_position(game: Game[P, M], p: P) -> None:
    try:
        same = game.position(game.key(p)) == p
    except ValueError:
        same = False
    _require(same, game, p, "position is the inverse of key")


def _positions(game: Game[P, M], walks: int, generator: random.Random) -> Iterator[P]:
    """Yield the positions of random games."""
    for _ in range(walks):
        p = game.initial()
        for _ in range(MOST_PLIES):
            yield p
            if primitive_outcome(game, p) is not None:
                break
            before = game.text(p)
            moves = list(legal_moves(game, p))
            same = moves == list(legal_moves(game, p))
            _require(same, game, p, "moves is pure: two calls return the same moves")
            q = game.play(p, generator.choice(moves))
            _require(game.text(p) == before, game, p, "play is pure: it modifies no position")
            p = q


def _check_moves(game: Game[P, M], p: P) -> None:
    if game.primitive(p) is not None:
        return
    moves = game.moves(p)
    codes = {game.code(m) for m in moves}
    _require(len(codes) == len(moves), game, p, "moves are listed once and have different codes")
    for m in moves:
        lower = game.tier(game.play(p, m)) < game.tier(p)
        _require(not lower, game, p, f"no move lowers the tier, but the move {m!r} does")


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
    _require(mapped == set(game.moves(image)), game, p, "symmetries map legal moves to legal moves")
    for m in moves:
        played = symmetry.position(game.play(p, m)) == game.play(image, symmetry.move(m))
        _require(played, game, p, f"symmetries commute with play, but not for the move {m!r}")


def _require(holds: bool, game: Game[Any, Any], p: Any, law: str) -> None:
    if not holds:
        raise GameLawError(f"{game.spec} breaks a law at {p!r}: {law}")
