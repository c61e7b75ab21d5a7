"""The laws that every game keeps, tested on random walks."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from solver.errors import GameLawError, IllegalPositionError
from solver.rules.game import Game, Symmetry, legal_moves, primitive_outcome
from solver.startup import M, P

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
    _require(_has_hash(start), game, start, "positions can be hashed")
    listed = not callable(game.symmetries)
    _require(listed, game, start, "symmetries is an attribute, a tuple of Symmetry, no method")
    same = start in [symmetry.position(start) for symmetry in game.symmetries]
    _require(same, game, start, "the identity is among the symmetries")
    positions = list(dict.fromkeys(_positions(game, walks, random.Random(seed))))
    by_key: dict[int, P] = {}
    for p in positions:  # first what names a position, since the other laws build on it
        _check_text(game, p)
        twin = by_key.setdefault(game.key(p), p)
        _require(twin == p, game, p, f"key is injective, but {twin!r} has the same key")
    for p in positions:
        _check_position(game, p)
        _check_moves(game, p)
        for symmetry in game.symmetries:
            _check_symmetry(game, p, symmetry)
    return len(positions)


def _has_hash(p: Any) -> bool:
    try:
        hash(p)
    except TypeError:
        return False
    return True


def _check_text(game: Game[P, M], p: P) -> None:
    text = game.text(p)
    try:
        read = game.parse(text)
    except IllegalPositionError as error:
        law = f"parse undoes text, but refuses {text!r}: {error}"
        if type(game).parse is Game.parse:
            law += "; positions of other things than numbers, texts and tuples need text and parse"
        raise GameLawError(f"{game.spec} breaks a law at {p!r}: {law}") from error
    _require(read == p, game, p, f"parse undoes text, but not for {text!r}")


def _check_position(game: Game[P, M], p: P) -> None:
    try:
        same = game.position(game.key(p)) == p
    except ValueError:
        same = False
    _require(same, game, p, "position undoes key")


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
            alike = moves == list(legal_moves(game, p))
            _require(alike, game, p, "moves is pure: asked twice it answers alike")
            q = game.play(p, generator.choice(moves))
            _require(game.text(p) == before, game, p, "play is pure: it changes no position")
            p = q


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
