"""Tests of the laws that every game obeys, on the positions of random games."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from math import inf
from typing import Any

from solver.clock import thread_time
from solver.errors import GameLawError, IllegalPositionError
from solver.rules.declared import check_declared, is_word, takes_its_arguments
from solver.rules.default_keys import with_keys
from solver.rules.game import (
    Game,
    checked_key,
    checked_text,
    checked_tier,
    legal_moves,
    primitive_outcome,
)
from solver.rules.kinds import is_same
from solver.rules.positions import check_types
from solver.startup import M, P
from solver.value import LIMIT

Laws = Iterable[tuple[bool, str]]  # whether a law holds, and the law in words

MOST_PLIES = 200  # of a random game, which may cycle
PATIENCE = 5.0  # seconds that random games take, and the laws at their positions
FEWEST = 10  # random games that show whether games end
WALKS = 20  # random games in which a repeated position is looked for
LARGEST = 2**53  # the codes of moves are smaller, as JSON numbers must be


def check_game(game: Game[P, M], walks: int = 100, seed: int = 0) -> int:
    """Test the laws of `solver.rules.game` on the positions of random games.

    Returns the number of distinct positions tested, fewer if the rules are slow. Raises
    GameLawError, which names the broken law and a position where it fails.
    """
    if not isinstance(game, Game):
        raise TypeError(f"expected a Game, such as load_game returns, not {game!r:.80}")
    check_declared(game)
    return int(with_keys(game, lambda: _check(game, walks, seed)))


def _check(game: Game[P, M], walks: int, seed: int) -> int:
    start, until = game.initial(), thread_time() + PATIENCE
    _require(game, start, _rule_laws(game, start))
    kind = type(start)
    law = f"equal positions are ==: make {kind.__name__} a NamedTuple, or a frozen dataclass"
    _require(game, start, [(kind.__eq__ is not object.__eq__, law)])
    law = "initial gives the same position after each game: it uses no chance, and keeps nothing"
    for walk in range(max(walks, FEWEST)):
        random_length(game, seed + walk, until)
        _require(game, start, [(game.initial() == start, f"{law} in self")])
    met = _positions(game, walks, random.Random(seed), until + PATIENCE)
    positions = [*{repr(p): p for p in met}.values()]  # 1.0 and 1 are equal, but not the same
    by_key, known = dict[int, P](), dict[P, P]()
    for p in positions:  # texts and keys first, since the other laws rely on them
        _require(game, p, _value_laws(game, p))
        _require(game, p, _text_laws(game, p))
        check_types(game, p)
        first, law = known.setdefault(p, p), "equal positions are the same in all that they hold"
        _require(game, p, [(is_same(first, p), f"{law}, but {first!r} is equal and not the same")])
        twin = by_key.setdefault(game.key(p), p)
        _require(game, p, [(twin == p, f"key is injective, but {twin!r} has the same key")])
    until = thread_time() + PATIENCE
    for number, p in enumerate(positions):
        if number and thread_time() > until:
            return number
        moves = [] if game.primitive(p) is not None else [*game.moves(p)]
        _require(game, p, _key_and_move_laws(game, p, moves))
        _require(game, p, _board_laws(game, p, moves))
        _require(game, p, _canonical_laws(game, p))
        if game.symmetries:
            _require(game, p, _symmetry_laws(game, p, moves))
    return len({*positions})


def random_length(game: Game[P, M], seed: int = 0, until: float = inf) -> int | None:
    """Return how many plies a random game lasts, or None if it repeats a position.

    It ends early at a time of this thread. Raises GameLawError if it does neither.
    """
    generator, p = random.Random(seed), game.initial()
    seen: set[P] = set()
    law = f"a game ends or repeats a position, but one of {LIMIT:,} moves did neither"
    while primitive_outcome(game, p) is None and thread_time() < until:
        if p in seen:
            return None
        _require(game, p, [(len(seen) < LIMIT, law)])
        seen.add(p)
        p = game.play(p, generator.choice(legal_moves(game, p)))
    return len(seen)


def can_repeat(game: Game[Any, Any]) -> bool:
    """Return whether a position repeats in one of some random games."""
    return any(random_length(game, seed) is None for seed in range(WALKS))


def _require(game: Game[Any, Any], p: Any, laws: Laws) -> None:
    """Raise GameLawError unless all laws hold at a position; the first that does not is named."""
    for holds, law in laws:
        if not holds:
            raise GameLawError(f"{game.spec} breaks a law at {p!r:.300}: {law}")


def _rule_laws(game: Game[P, M], start: P) -> Laws:
    """Yield the laws of the whole game; each method takes the arguments that `Game` documents."""
    images = [symmetry.position(start) for symmetry in game.symmetries]
    yield start in images, "the identity is among the symmetries"
    for name, default in vars(Game).items():
        if name.startswith("_") or not hasattr(default, "__code__"):
            continue
        yield takes_its_arguments(game, name)
    first, second = game.seats
    law = f"turn is {second!r} at the start, but seats name {first!r} as the side that moves first"
    yield game.turn(start) != second, law


def _value_laws(game: Game[P, M], p: P) -> Laws:
    for method in (game.primitive, game.tier, game.turn):
        yield method(p) == method(p), f"{method.__name__} gives two answers for one position"
    checked_key(game, p)
    checked_tier(game, p)
    turn = game.turn(p)
    yield turn in game.seats, f"turn returns one of {', '.join(game.seats)}, not {turn!r}"


def _text_laws(game: Game[P, M], p: P) -> Laws:
    for seat in (None, *game.seats):
        text = checked_text(game, p, seat)
        yield from _parse_laws(game, p, text, seat)
        if game.board is not None and type(game).render is Game.render:
            continue  # it draws the marks
        drawing = game.render(p, seat)
        yield isinstance(drawing, str), f"render is a string, not {drawing!r:.80}"
        lines = drawing.replace("\n", "").isprintable()
        yield lines, f"render is lines of printable characters, not {drawing!r:.80}"


def _parse_laws(game: Game[P, M], p: P, text: str, seat: str | None) -> Laws:
    try:
        parsed = game.parse(text, seat)
    except IllegalPositionError as error:
        if seat not in (None, game.turn(p)):  # a position may include its side to move
            return
        law = f"parse is the inverse of text, but rejects {text!r}: {error}"
        if type(game).parse is Game.parse:
            law += "; unless positions are numbers, strings and tuples, define text and parse"
        yield False, law
    else:
        whose = "" if seat is None else f" with {seat} to move"
        yield parsed == p, f"parse is the inverse of text, but not for {text!r}{whose}"
        if type(game).parse is Game.parse:
            way = "int(...), or tolist() of an array" if "np." in repr(p) else "plain tuples"
            law = f"places have the types that they have at the start, but {p!r:.200} is read back"
            yield repr(parsed) == repr(p), f"{law} as {parsed!r:.200}: write {way}"


def _positions(game: Game[P, M], walks: int, generator: random.Random, until: float) -> Iterator[P]:
    """Yield the positions of random games, up to a time of this thread."""
    for _ in range(walks):
        p = game.initial()
        for _ in range(MOST_PLIES):
            before = game.text(p)
            yield p
            if primitive_outcome(game, p) is not None or thread_time() > until:
                break
            moves = list(legal_moves(game, p))
            same = moves == list(legal_moves(game, p))
            odd = [type(m).__name__ for m in moves if type(m).__eq__ is object.__eq__]
            law = "moves is pure: two calls return the same moves"
            law += f"; a move is a number, a string or a tuple, not a {odd[0]}" if odd else ""
            _require(game, p, [(same, law)])
            m = generator.choice(moves)
            q = game.play(p, m)
            same = game.play(p, m) == q
            law = f"play gives one result for a position and the move {m!r}: it"
            law += " uses no chance, and keeps nothing in self"
            _require(game, p, [(same, law)])
            same = game.text(p) == before
            _require(game, p, [(same, "play is pure: it modifies no position")])
            p = q


def _key_and_move_laws(game: Game[P, M], p: P, moves: list[M]) -> Laws:
    try:
        same = game.position(game.key(p)) == p
    except ValueError:
        same = False
    yield same, "position is the inverse of key"
    yield from _code_laws([game.code(m) for m in moves])
    labels = [game.label(p, m) for m in moves]
    for label in labels:
        way = "" if isinstance(label, str) else ": return str(...)"
        yield is_word(label), f"labels are words that can be typed, not {label!r}{way}"
    alike = next((label for label in labels if labels.count(label) > 1), None)
    yield alike is None, f"moves have different labels, but two are {alike!r}"
    after, again = ([game.play(p, m) for m in order] for order in (moves, moves[::-1]))
    law = "play gives one result for a position and a move, whatever was played before: it"
    yield after == again[::-1], f"{law} uses no chance, and keeps nothing in self"
    texts = {game.text(p, seat) for seat in game.seats}  # several if p may be either side's
    turn = game.turn(p) if len(texts) == 1 and type(game).turn is not Game.turn else None
    for m, q, label in zip(moves, after, labels, strict=True):
        tier = game.tier(q)
        yield type(tier) is int, f"tier is a whole number, not {tier!r} after the move {label}"
        yield tier >= game.tier(p), f"no move lowers the tier, but the move {m!r} does"
        law = f"turn is {turn!r} before and after the move {label}: if a side moves again,"
        yield game.turn(q) != turn, f"{law} the other one has a forced pass in between"


def _code_laws(codes: list[Any]) -> Laws:
    for code in codes:
        way = ": write 0 and 1" if type(code) is bool else ""
        small = hasattr(code, "__index__") and type(code) is not bool and abs(code) < LARGEST
        law = f"codes are strings or integers below 2**53, not {code!r:.80}{way}"
        yield small or isinstance(code, str), law
        encoded = not isinstance(code, str) or code.encode(errors="ignore").decode() == code
        yield encoded, f"codes can be written in UTF-8, but {code!r:.80} cannot"
    alike = next((code for code in codes if codes.count(code) > 1), None)
    law = f"moves are listed once and have different codes, but two have {alike!r:.80}"
    yield alike is None, law


def _board_laws(game: Game[P, M], p: P, moves: list[M]) -> Laws:
    if not game.has_cells:
        return
    columns, rows = game.board or (len(game.cell_places), 1)
    size = columns * rows
    for seat in game.seats:
        marks = game.marks(game.text(p, seat))
        one = isinstance(marks, str) and len(marks) == size
        way = ": define marks(text)" * (type(game).marks is Game.marks)
        yield one, f"marks has a character for each of {size} cells, not {marks!r:.80}{way}"
        yield marks.isprintable(), f"marks are printable characters, not {marks!r:.80}"
    for m in moves:
        for shown in (game.cell, game.origin):
            cell = shown(p, m)
            fits = cell is None or (hasattr(cell, "__index__") and cell in range(size))
            yield fits, f"{shown.__name__} is None or a cell from 0 to {size - 1}, not {cell!r}"


def _canonical_laws(game: Game[P, M], p: P) -> Laws:
    canonical = game.canonical(p)
    yield game.canonical(canonical) == canonical, "canonical is idempotent"
    images = [each.position(p) for each in game.symmetries]
    why = f"canonical is one of the images under the symmetries, not {canonical!r:.80}: declare"
    yield canonical in images, f"{why} symmetries, which check --symmetries proposes, in its place"


def _symmetry_laws(game: Game[P, M], p: P, moves: list[M]) -> Laws:
    laws = game.primitive, game.tier, game.canonical
    facts, after = [law(p) for law in laws], [game.play(p, m) for m in moves]
    for number, symmetry in enumerate(game.symmetries, 1):
        image, name = symmetry.position(p), f"symmetry {number}"
        for law, fact in zip(laws, facts, strict=True):
            same = law(image) == fact
            yield same, f"{law.__name__} is the same for the image {image!r} under {name}"
        if symmetry.cells is not None and game.board is not None:
            marks, seat = game.marks(game.text(p)), game.turn(p)
            moved = [marks[cell] for cell in symmetry.cells]
            same = [*game.marks(game.text(image, seat))] == moved
            yield same, "cell i of an image is cell cells[i] of the original"
        legal = [*game.moves(image)] if moves else []
        if symmetry.move is None:
            same = {*map(symmetry.position, after)} == {game.play(image, m) for m in legal}
            mapped = "symmetries map the positions one move on to those of the image"
            yield same, f"{mapped}: leave symmetries out, or correct them"
            continue
        images, where = [*map(symmetry.move, moves)], f"legal in {image!r}"
        for m, q, n in zip(moves, after, images, strict=True):
            yield n in legal, f"{name} maps the legal move {m!r} to {n!r}, which is not {where}"
            same = symmetry.position(q) == game.play(image, n)
            yield same, f"{name} commutes with play, but not for the move {m!r}"
        for n in legal:
            yield n in images, f"{name} maps no legal move to {n!r}, which is {where}"
