"""What `check` says to the author of a game: likely slips, and what the rules could declare.

Takes the rules and positions of random games; returns lines. A solve checks what is declared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from operator import itemgetter
from types import FunctionType
from typing import TYPE_CHECKING, Any

from solver.advice.doubts import doubts, ends_in_words, undefined_turn
from solver.rules.game import Game, Symmetry, overrides
from solver.rules.laws import WALKS, random_length
from solver.rules.positions import successors
from solver.units import counted

if TYPE_CHECKING:
    from solver.rules.symmetry_search import Proposal

MOST_TIERS = 1000  # that are proposed
ALIKE = 0.8  # from which on a method's name is taken for a misspelling


def seen(game: Game[Any, Any], games: list[list[Any]]) -> Iterator[str]:
    """Yield what the positions of random games show that an author may have meant otherwise."""
    attributes = vars(type(game))
    usual = {name for name in vars(Game) if not name.startswith("_")} - {*attributes}
    for name in [name for name in attributes if isinstance(attributes[name], FunctionType)]:
        like = get_close_matches(name, usual, 1, ALIKE)
        if like and not name.startswith("_") and not hasattr(Game, name):
            yield f"{name} is no method of Game: did you mean {like[0]}?"
    if ends := ends_in_words(game, games):
        yield ends
    elif all(random_length(game, seed) is None for seed in range(WALKS)):
        yield "no random game ends: primitive returns an Outcome when the game is over"
    yield from _seen_on_board(game, [p for one in games for p in one])
    yield from undefined_turn(game, games)
    yield from doubts(game, games)


def _seen_on_board(game: Game[Any, Any], walked: list[Any]) -> Iterator[str]:
    """Yield signs that a board has other rows and columns than its author thinks."""
    if game.board is None or type(game).cell is Game.cell:
        return
    columns, rows = game.board
    size = f"board says {columns} columns and {rows} rows"
    opened = [p for p in dict.fromkeys(walked) if game.primitive(p) is None]
    moves = [(p, m) for p in opened for m in game.moves(p)]
    drawn = [game.marks(game.text(p, game.seats[0])) for p in walked]
    at: set[int | None] = {
        cell for cell, marks in enumerate(zip(*drawn, strict=True)) if len({*marks}) > 1
    }
    at |= {f(p, m) for p, m in moves for f in (game.cell, game.origin)}
    if missed := [str(cell) for cell in range(columns * rows) if cell not in at]:
        cells = ", ".join(missed)
        yield f"no move of these games changes cell {cells}, counted from 0, and {size}"
    with suppress(ValueError, ImportError):
        from solver.rules.symmetry_search import fits_turned_board

        if columns != rows and fits_turned_board(game):
            yield f"{size}, but the rules are mirrored on one of {rows} columns and {columns} rows"


def proposed_tier(game: Game[Any, Any], positions: list[Any]) -> Iterator[str]:
    """Yield a tier to declare, such as the stones on the board, which no sampled move lowers.

    Nothing uses it unless it is declared, since samples prove nothing.
    """
    if overrides(game, "tier"):
        return
    moves = [(p, q) for p in positions for q in successors(game, p)]
    best, tiers = "", 2
    for text, number in _numbers(positions):
        met = {*map(number, positions)}
        levels = len(met) if max(map(abs, met)) < MOST_TIERS else 0  # no bits of a board
        for sign, name in ((1, text), (-1, f"-{text}")):
            if levels > tiers and all(sign * number(p) <= sign * number(q) for p, q in moves):
                best, tiers = name, levels
    if best:
        yield (
            f"no move of these games lowers {best}: with def tier(self, p): return {best}, a solve"
            " takes less memory"
        )


def _numbers(positions: list[Any]) -> Iterator[tuple[str, Callable[[Any], int]]]:
    """Yield the numbers in positions, and how often each mark is in them, as rules write them."""
    parts: list[tuple[str, Callable[[Any], Any]]] = [("p", lambda p: p)]
    if all(isinstance(p, tuple) for p in positions):
        parts += [(f"p[{i}]", itemgetter(i)) for i in range(min(map(len, positions)))]
    for text, part in parts:
        values = {*map(part, positions)}
        if all(type(value) is int for value in values):
            yield text, part
        elif all(isinstance(value, str | tuple) for value in values):
            for mark in {mark for value in values for mark in value}:
                yield f"{text}.count({mark!r})", partial(_count, part, mark)


def _count(part: Callable[[Any], Any], mark: Any, p: Any) -> int:
    """Return how often a mark is in a part of a position."""
    number: int = part(p).count(mark)
    return number


def undeclared(game: Game[Any, Any], name: str) -> Iterator[str]:
    """Yield what symmetries would save that a game does not declare."""
    with suppress(ValueError, ImportError):  # positions have no fixed places
        from solver.rules.symmetry_search import find_symmetries

        group, start = find_symmetries(game), game.initial()
        share = group.fixed // sum(s.position(start) == start for s in game.symmetries)
        if share >= 2:
            part = {2: "half", 4: "a quarter", 8: "an eighth"}.get(share, f"1/{share}")
            yield (
                f"{group.fixed} symmetries found: tables would be about {part} as large; see"
                f" 'perfectplay check {name} --symmetries'"
            )


def proposed(group: Proposal, declared: int) -> Iterator[str]:
    """Yield what was found, and lines that declare it; if some leave the start, others comments."""
    if group.order == 1:
        yield "no symmetry was found except the identity"
        return
    start = ""
    if group.fixed < group.order:
        fixed = "one leaves" if group.fixed == 1 else f"{group.fixed} leave"
        start = f", of which {fixed} the start as it is"
    number = counted(group.order, "symmetry", "symmetries")
    yield f"at least {number} found{start}; others may exist"
    if declared >= max(group.fixed, 2):  # what can be declared is, but for the identity alone
        return
    yield "to declare them, add the import to the file and the other lines to the class:\n"
    yield "from solver import rearrange, symmetry_group\n\n    symmetries = symmetry_group("
    yield from (f"        {declaration(group, one)}," for one in group.fixing)
    form = "        # {},  # moves the start" if group.fixing else "        {},"
    yield from (form.format(declaration(group, one)) for one in group.moving)
    yield "    )"


def declaration(group: Proposal, one: Symmetry) -> str:
    """Return the call of `rearrange` that makes a symmetry."""
    origins, changes = one.place_map or ((), ())
    where: dict[tuple[Any, Any], list[int]] = {}
    for place, pairs in enumerate(changes):
        for v, w in pairs:
            if (w, v) not in where:
                where.setdefault((v, w), []).append(place)
    words = [repr(origins)]
    for pair, at in where.items():
        seen = enumerate(group.sample.seen)
        others = [i for i, values in seen if i not in at and {*pair} & {*values}]
        named = {*map(type, pair)} == {str} and "".join(pair).isalnum()
        text = f'"{"".join(pair)}"' if named else repr(pair)
        words.append(f"({pair[0]!r}, {pair[1]!r}, {at})" if others else text)
    return f"rearrange({', '.join(words)})"
