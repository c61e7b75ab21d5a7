"""The laws of what a game declares of itself, on which messages, pictures and pages rely."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from inspect import isasyncgenfunction, iscoroutinefunction, signature, unwrap

from solver.errors import GameLawError
from solver.rules.game import Game, Symmetry, overrides
from solver.startup import Any

LARGEST_SIDE = 1000  # columns or rows of a picture


def check_declared(game: Game[Any, Any]) -> None:
    """Raise GameLawError, which names the broken law, unless all laws of this file hold."""
    for holds, law in declared_laws(game):
        if not holds:
            raise GameLawError(f"{game.spec} breaks a law: {law}")


def declared_laws(game: Game[Any, Any]) -> Iterator[tuple[bool, str]]:
    """Yield whether each law of the methods, seats, texts and places of a game holds."""
    for name in ("initial", "moves", "play", "primitive"):
        yield callable(getattr(game, name)), f"{name} is a method: write def {name}(self, ...)"
        yield takes_its_arguments(game, name)
    group = game.symmetries
    are_all = isinstance(group, Sequence) and all(isinstance(one, Symmetry) for one in group)
    yield are_all, f"symmetries are what symmetry_group returns, not {group!r:.80}"
    keys = overrides(game, "key"), overrides(game, "position")
    yield keys[0] == keys[1], "key and position are each other's inverse: define both or neither"
    seats, board, places = game.seats, game.board, game.cell_places
    two = isinstance(seats, Sequence) and len(seats) == 2 and all(map(is_word, seats))
    different = two and len({seat.lower() for seat in seats}) == 2
    yield different, f"seats are two different names, each a printable word, not {seats!r:.80}"
    title, about = game.title, game.about
    yield isinstance(title, str) and title.isprintable(), f"title is printable, not {title!r:.80}"
    lines = isinstance(about, str) and "".join(about.split()).isprintable()
    yield lines, f"about is printable text, not {about!r:.80}"
    sizes = board is None or (_are_two(board) and min(board) > 0)
    yield sizes, f"board is None or (columns, rows), not {board!r:.80}"
    pairs = isinstance(places, Sequence) and all(
        _are_two(place) and all(0 <= n < LARGEST_SIDE for n in place) for place in places
    )
    yield pairs, f"cell_places are (column, row) of each cell, not {places!r:.80}"


def takes_its_arguments(game: Game[Any, Any], name: str) -> tuple[bool, str]:
    """Return whether a method takes the arguments that `Game` documents, and what to write."""
    names, method = [*signature(getattr(Game, name)).parameters], getattr(game, name)
    if iscoroutinefunction(unwrap(method)) or isasyncgenfunction(unwrap(method)):
        return False, f"{name} is written with async def: leave async out"
    try:
        signature(method).bind(*names[1:])
    except (TypeError, ValueError):
        return False, f"{name} takes other arguments: write {name}({', '.join(names)})"
    return True, ""


def is_word(text: Any) -> bool:
    """Return whether a value is a text that people can read and type."""
    return isinstance(text, str) and text.isprintable() and text == text.strip() != ""


def _are_two(pair: Any) -> bool:
    """Return whether a value is two whole numbers."""
    return isinstance(pair, Sequence) and len(pair) == 2 and all(type(n) is int for n in pair)
