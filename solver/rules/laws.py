"""Tests of the laws that every game obeys, on the positions of random games."""

from __future__ import annotations

import random
from collections.abc import Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

from solver.errors import GameLawError, IllegalPositionError
from solver.rules.game import Game, Symmetry, legal_moves, primitive_outcome
from solver.startup import M, P
from solver.value import LIMIT

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_PLIES = 200  # of a random game, which may cycle
FEWEST = 10  # random games that show whether games end
LARGEST = 2**53  # the codes of moves are smaller, as JSON numbers must be


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
    _check_signatures(game)
    _check_seats(game)
    for walk in range(max(walks, FEWEST)):
        repeats(game, seed + walk)
    positions = list(dict.fromkeys(_positions(game, walks, random.Random(seed))))
    by_key: dict[int, P] = {}
    for p in positions:  # texts and keys first, since the other laws rely on them
        _check_text(game, p)
        twin = by_key.setdefault(game.key(p), p)
        _require(twin == p, game, p, f"key is injective, but {twin!r} has the same key")
    for p in positions:
        _check_position(game, p)
        _check_moves(game, p)
        _check_board(game, p)
        for symmetry in game.symmetries:
            _check_symmetry(game, p, symmetry)
    return len(positions)


def _is_hashable(p: Any) -> bool:
    try:
        hash(p)
    except TypeError:
        return False
    return True


def repeats(game: Game[P, M], seed: int = 0) -> bool:
    """Return whether a random game repeats a position; raises GameLawError if it never ends."""
    generator, p = random.Random(seed), game.initial()
    seen: set[P] = set()
    while primitive_outcome(game, p) is None:
        if p in seen:
            return True
        law = f"a game ends or repeats a position, but one of {LIMIT:,} moves did neither"
        _require(len(seen) < LIMIT, game, p, law)
        seen.add(p)
        p = game.play(p, generator.choice(_listed_moves(game, p)))
    return False


def _check_signatures(game: Game[P, M]) -> None:
    """Raise GameLawError unless every method takes the arguments that `Game` documents."""
    for name, default in vars(Game).items():
        if name.startswith("_") or not hasattr(default, "__code__"):
            continue
        _, *names = signature(default).parameters
        try:
            signature(getattr(game, name)).bind(*names)
        except TypeError as error:
            raise GameLawError(
                f"{game.spec} breaks a law: {name} takes the arguments ({', '.join(names)})"
            ) from error


def _check_seats(game: Game[P, M]) -> None:
    """Raise GameLawError unless the seats have names and the board a size."""
    start, seats, board = game.initial(), game.seats, game.board
    two = len({str(seat).lower() for seat in seats}) == len(seats) == 2
    _require(two and all(seats), game, start, f"seats are two different names, not {seats!r}")
    sizes = board is None or (len(board) == 2 and all(type(n) is int and n > 0 for n in board))
    _require(sizes, game, start, f"board is None or (columns, rows), not {board!r}")


def _check_text(game: Game[P, M], p: P) -> None:
    kind = type(game.initial())
    one = f"positions have one type, but the first is of type {kind.__name__}"
    _require(type(p) is kind, game, p, one)
    _require(game.turn(p) in game.seats, game, p, f"turn is a seat, not {game.turn(p)!r}")
    for seat in (None, *game.seats):
        text = game.text(p, seat)
        line = isinstance(text, str) and text.isprintable()
        _require(line, game, p, f"text is one line of printable characters, not {text!r:.80}")
        _check_parse(game, p, text, seat)
        drawing = game.render(p, seat)
        _require(isinstance(drawing, str), game, p, f"render is a string, not {drawing!r:.80}")


def _check_parse(game: Game[P, M], p: P, text: str, seat: str | None) -> None:
    try:
        parsed = game.parse(text, seat)
    except IllegalPositionError as error:
        if seat not in (None, game.turn(p)):  # a position may include its side to move
            return
        law = f"parse is the inverse of text, but rejects {text!r}: {error}"
        if type(game).parse is Game.parse:
            law += "; unless positions are numbers, strings and tuples, define text and parse"
        raise GameLawError(f"{game.spec} breaks a law at {p!r}: {law}") from error
    whose = "" if seat is None else f" with {seat} to move"
    _require(parsed == p, game, p, f"parse is the inverse of text, but not for {text!r}{whose}")


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
            moves = list(_listed_moves(game, p))
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
    for code in codes:
        fits = isinstance(code, str) or (type(code) is not bool and abs(code) < LARGEST)
        _require(fits, game, p, f"codes are strings or integers below 2**53, not {code!r}")
    labels = [game.label(p, m) for m in moves]
    for label in labels:
        fits = isinstance(label, str) and label.isprintable() and label == label.strip() != ""
        _require(fits, game, p, f"labels are words that can be typed, not {label!r}")
    alike = next((label for label in labels if labels.count(label) > 1), None)
    _require(alike is None, game, p, f"moves have different labels, but two are {alike!r}")
    for m in moves:
        lower = game.tier(game.play(p, m)) < game.tier(p)
        _require(not lower, game, p, f"no move lowers the tier, but the move {m!r} does")


def _listed_moves(game: Game[P, M], p: P) -> Sequence[M]:
    moves = legal_moves(game, p)
    law = f"moves is a list, a tuple or a range, not {moves!r:.80}"
    _require(isinstance(moves, Sequence), game, p, law)
    _require(all(map(_is_hashable, moves)), game, p, "moves are hashable")
    return moves


def _check_board(game: Game[P, M], p: P) -> None:
    if game.board is None:
        return
    size = game.board[0] * game.board[1]
    for seat in game.seats:
        marks = game.marks(game.text(p, seat))
        one = isinstance(marks, str) and len(marks) == size
        _require(one, game, p, f"marks has a character for each of {size} cells, not {marks!r:.80}")
    for m in game.moves(p) if game.primitive(p) is None else ():
        for place in (game.cell, game.origin):
            cell = place(p, m)
            law = f"{place.__name__} is None or a cell from 0 to {size - 1}, not {cell!r}"
            _require(cell is None or cell in range(size), game, p, law)


def _check_symmetry(game: Game[P, M], p: P, symmetry: Symmetry) -> None:
    image = symmetry.position(p)
    for law in (game.primitive, game.tier, game.canonical):
        same = law(image) == law(p)
        _require(same, game, p, f"{law.__name__} is the same for the image {image!r}")
    canonical = game.canonical(p)
    _require(game.canonical(canonical) == canonical, game, p, "canonical is idempotent")
    if symmetry.cells is not None and game.board is not None:
        marks, seat = game.marks(game.text(p)), game.turn(p)
        moved = [marks[cell] for cell in symmetry.cells]
        same = [*game.marks(game.text(image, seat))] == moved
        _require(same, game, p, "cell i of an image is cell cells[i] of the original")
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
