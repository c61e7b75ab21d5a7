"""Moves written as a row and a column, as in "[[1, 1], [0, 0]]", where moves are cells.

Takes the pairs of a whole record; returns them as a text, and the labels that moves have there.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any

from solver.errors import IllegalMoveError
from solver.rules.game import Game

PAIR = re.compile(r"[\[(]\s*(\d+)[\s,]+(\d+)[\s,]*[\])]")  # a row and a column
PAIRS = re.compile(rf"([\[(]?)\s*(?:{PAIR.pattern}[\s,;]*)+[\])]?")


def pairs_as_text(game: Game[Any, Any], p: Any, moves: Sequence[object]) -> str | None:
    """Return moves that are pairs of row and column as the text of a record; None for others."""
    if not moves or has_tuples(game, p) or not are_cells(game, p):
        return None
    try:
        pairs = [tuple(map(operator.index, move)) for move in moves]  # type: ignore[call-overload]
    except TypeError:
        return None
    if any(isinstance(number, bool) for move in moves for number in move):  # type: ignore[attr-defined]
        return None
    return str([*pairs]) if {*map(len, pairs)} == {2} else None


def find_pairs(game: Game[Any, Any], p: Any, record: str) -> list[tuple[int, int]] | None:
    """Return the pairs that a record consists of; None if it is none, or a single pair alone."""
    match = PAIRS.fullmatch(record)
    if match is None or has_tuples(game, p):
        return None
    pairs = [(int(row), int(column)) for row, column in PAIR.findall(record)]
    return pairs if match[1] or len(pairs) > 1 else None


def are_cells(game: Game[Any, Any], p: Any) -> bool:
    """Return whether the moves in a position are cells of a board."""
    legal = game.moves(p) if game.primitive(p) is None else ()
    return game.board is not None and all(game.cell(p, m) == game.code(m) for m in legal)


def has_tuples(game: Game[Any, Any], p: Any) -> bool:
    """Return whether labels of moves, or positions, are written with parentheses."""
    moves = () if game.primitive(p) is not None else game.moves(p)
    return game.text(p).startswith("(") or any("(" in game.label(p, m) for m in moves)


def read_pairs(
    game: Game[Any, Any], p: Any, pairs: Sequence[tuple[int, int]], from_zero: bool
) -> tuple[str, Callable[[Any, Any], str]]:
    """Return pairs as a text, and how moves are called there; raises IllegalMoveError.

    They count from 0 where a 0 occurs or with `from_zero`, and from 1 where a number is as large as
    the board. Pairs that can count from both are refused.
    """
    legal = game.moves(p) if game.primitive(p) is None else ()
    if game.board is None or not are_cells(game, p):
        example = game.label(p, legal[0]) if legal else "5"
        raise IllegalMoveError(
            f"a move of {game.spec} is not a row and a column: write its label, such as {example}"
        )
    columns, rows = game.board
    is_zero = from_zero or any(0 in pair for pair in pairs)
    is_one = not is_zero and any(row >= rows or column >= columns for row, column in pairs)
    if not is_zero and not is_one:
        labels = {game.cell(p, m): game.label(p, m) for m in legal}
        shown = (
            " ".join(labels.get((r - base) * columns + c - base, f"({r},{c})") for r, c in pairs)
            for base in (0, 1)
        )
        raise IllegalMoveError(
            f"these rows and columns can count from 0 and from 1: write {' or '.join(shown)}; with"
            " --from-zero or from_zero=True they count from 0"
        )

    def label(p: Any, m: Any) -> str:
        if game.cell(p, m) != game.code(m):  # it moves a man that has been placed
            return game.label(p, m)
        row, column = divmod(m, columns)
        return f"({row + is_one},{column + is_one})"

    return " ".join(f"({row},{column})" for row, column in pairs), label
