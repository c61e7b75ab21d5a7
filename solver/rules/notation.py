"""Moves as people type them, and games written as a row of them.

Takes a text and a position; returns the legal move or moves that it names. Nothing is guessed: what
names no legal move is refused, with the moves that would be right.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver.errors import IllegalMoveError, printable
from solver.rules.game import Game

MOST_MOVES = 1000  # of a game that is replayed


def find_move(
    game: Game[Any, Any], p: Any, typed: str, label: Callable[[Any, Any], str] | None = None
) -> Any:
    """Return the move that `typed` names by its label, or by its code where that is a text.

    In either case of letters, and without the signs + and # of chess. `label(p, m)` tells what
    people call a move, if not `game.label`. Raises IllegalMoveError.
    """
    if game.primitive(p) is not None:
        raise IllegalMoveError(f"{printable(typed, 40)!r} is no move: the game is over")
    legal = {(label or game.label)(p, m): m for m in game.moves(p)}
    names = {_plain(name): m for name, m in legal.items()}
    codes = ((game.code(m), m) for m in legal.values())
    names = {code: m for code, m in codes if isinstance(code, str)} | names | legal
    for name in (typed, _plain(typed)):
        if name in names:
            return names[name]
    right = ", ".join(sorted(legal, key=lambda name: (len(name), name)))
    raise IllegalMoveError(f"{printable(typed, 40)!r} is not a move here; the moves are {right}")


def replay(game: Game[Any, Any], p: Any, record: str) -> list[tuple[Any, Any]]:
    """Return for each move of a record, separated by spaces, where it was played and the move.

    Raises IllegalMoveError, which tells which move is wrong and what would be right.
    """
    words = record.replace(",", " ").split()
    if not 0 < len(words) <= MOST_MOVES:
        raise IllegalMoveError(
            f"a game's record is 1 to {MOST_MOVES:,} moves with spaces between them, not"
            f" {len(words):,}"
        )
    played = []
    for number, word in enumerate(words, 1):
        try:
            move = find_move(game, p, word)
        except IllegalMoveError as error:
            raise IllegalMoveError(f"move {number} of the record: {error}") from error
        played.append((p, move))
        p = game.play(p, move)
    return played


def _plain(name: str) -> str:
    return name.lower().rstrip("+#")
