"""Parsing of moves as people type them, and of whole games.

Takes a position and a text; returns the legal move, or moves, that the text names. A text that
names no legal move is rejected with a list of the legal ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from solver.errors import IllegalMoveError, printable
from solver.rules.game import Game, legal_moves
from solver.startup import M, P

SEPARATORS = ", \t\r\n"
MOST_MOVES = 1000  # in the record of a game
WAITS = ("pass", "wait")  # labels of moves that change nothing but the side to move


def find_move(game: Game[P, M], p: P, typed: str, label: Callable[[P, M], str] | None = None) -> M:
    """Return the move whose label is `typed`, or whose code is, if codes are strings.

    Case, and the + and # of chess moves, do not matter. `label(p, m)` replaces `game.label`. Raises
    IllegalMoveError.
    """
    if game.primitive(p) is not None:
        raise IllegalMoveError(f"{printable(typed, 40)!r} is not a legal move: the game is over")
    label = label or game.label
    legal = {label(p, m): m for m in game.moves(p)}
    names = {_plain(name): m for name, m in legal.items()}
    codes = ((game.code(m), m) for m in legal.values())
    names = {code: m for code, m in codes if isinstance(code, str)} | names | legal
    for name in (typed, _plain(typed)):
        if name in names:
            return names[name]
    right = ", ".join(sort_labels(legal))
    raise IllegalMoveError(
        f"{printable(typed, 40)!r} is not a legal move; the legal moves are {right}"
    )


def sort_labels(labels: Iterable[str]) -> list[str]:
    """Return the labels of moves in the order in which people read them: 2 before 10."""
    return sorted(labels, key=lambda label: (len(label), label))


def replay(game: Game[Any, Any], p: Any, record: str) -> list[tuple[Any, Any]]:
    """Return the position and the move for each move of a record, such as "5 1 9".

    The record starts at `p`; spaces or commas separate its moves. Raises IllegalMoveError, which
    names the first illegal move and the moves that would be legal.
    """
    count = len(record.replace(",", " ").split())
    if not 0 < count <= MOST_MOVES:
        raise IllegalMoveError(
            f"the record of a game has 1 to {MOST_MOVES:,} moves separated by spaces, not {count:,}"
        )
    played: list[tuple[Any, Any]] = []
    while rest := record.lstrip(SEPARATORS):
        word = _first(game, p, rest)
        try:
            move = find_move(game, p, word)
        except IllegalMoveError as error:
            raise IllegalMoveError(f"move {len(played) + 1} of the record: {error}") from error
        played.append((p, move))
        p, record = game.play(p, move), rest[len(word) :]
    return played


def _first(game: Game[Any, Any], p: Any, record: str) -> str:
    """Return the first move of a record: a label such as "(0, 1)", else all up to a separator."""
    moves = () if game.primitive(p) is not None else game.moves(p)
    labels = sorted((game.label(p, m) for m in moves), key=len, reverse=True)
    ends = ("", *SEPARATORS)
    whole = (n for n in labels if record.startswith(n) and record[len(n) : len(n) + 1] in ends)
    return next(whole, record.replace(",", " ").split()[0])


def _plain(name: str) -> str:
    return name.lower().rstrip("+#")


def forced_wait(game: Game[P, M], p: P) -> M | None:
    """Return the only legal move of a position if it is called pass or wait, else None."""
    moves = legal_moves(game, p)
    label = game.label(p, moves[0]).lower() if len(moves) == 1 else ""
    return moves[0] if label in WAITS else None
