"""Positions and moves as numbers for learning programs: planes of a board and action numbers.

The planes of a board have the shape (rows, columns, 2), as a flat list. For each cell, row by row,
the first number is 1 if the side to move has a stone there, and the second is 1 if the other side
has one:

    X . .     X to move: 1 0  0 0  0 0
    . O .                0 0  0 1  0 0
    . . .                0 0  0 0  0 0
"""

from __future__ import annotations

from typing import Any

from solver.rules.game import Game, walk

WALKED = 1000  # positions of random games whose moves are examined


def check_planes(game: Game[Any, Any]) -> tuple[int, int]:
    """Return the numbers of rows and columns of a game's planes; raises ValueError if none."""
    if game.board is None:
        raise ValueError(f"{game.spec} has no planes: its positions are not boards of cells")
    marks = set(game.marks(game.text(game.initial())))
    if any(len(seat) != 1 for seat in game.seats) or not marks <= {*game.seats, "."}:
        raise ValueError(
            f"{game.spec} has no planes: its pieces are not X for one side and O for the other"
        )
    columns, rows = game.board
    return rows, columns


def planes(game: Game[Any, Any], p: Any) -> list[int]:
    """Return the planes of a position as a flat list; raises ValueError for other pieces."""
    seat = game.turn(p)
    bits = {seat: (1, 0), game.other(seat): (0, 1), ".": (0, 0)}
    marks = game.marks(game.text(p, seat))
    if not set(marks) <= bits.keys():
        raise ValueError(f"{game.spec} has no planes: {marks!r} has pieces other than X and O")
    return [bit for mark in marks for bit in bits[mark]]


def count_actions(game: Game[Any, Any]) -> int | None:
    """Return the number of actions if every move is a cell or a column of the board, else None.

    The codes of the moves are then 0, 1, 2 and so on, and all of them are legal at the start.
    """
    start = game.initial()
    if game.board is None or game.primitive(start) is not None:
        return None
    columns, rows = game.board
    codes = [game.code(m) for m in game.moves(start)]
    count = len(codes)
    if count not in (columns, columns * rows) or {*codes} != {*range(count)}:
        return None
    for p in walk(game, WALKED):
        if game.primitive(p) is None and any(game.code(m) not in codes for m in game.moves(p)):
            return None
    return count
