"""How a game's board is laid out: where its cells lie, in which style, and what they are called.

Takes a game; returns a Plan, which follows from the rules alone: pieces stand on chequered squares,
stones that fall drop into a rack, men that slide stand on points with lines between them, and all
else is written into cells.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from solver.errors import NoBoardError, printable
from solver.pictures.shapes import Point
from solver.rules.game import Game, walk

CELL, EDGE, MARGIN = 40, 7, 15  # of a cell, around the board, for the names of ranks and columns
FILES = "abcdefghijklmnopqrstuvwxyz"
WALK = 500  # plies of a walk that finds which points are joined


class Plan(NamedTuple):
    """Where the cells of a board lie, and in which style it is drawn."""

    columns: int
    rows: int
    style: str
    left: float
    joined: frozenset[tuple[int, int]]

    def centre(self, cell: int) -> Point:
        """Return the middle of a cell."""
        row, column = divmod(cell, self.columns)
        return self.left + (column + 0.5) * CELL, EDGE + (row + 0.5) * CELL

    def name(self, cell: int) -> str:
        """Return what people call a cell: e4 on squares, the column in a rack, else its number."""
        row, column = divmod(cell, self.columns)
        if self.style == "squares":
            return f"{FILES[column]}{self.rows - row}"
        return str(column + 1 if self.style == "rack" else cell + 1)


def plan_of(game: Game[Any, Any]) -> Plan:
    """Return how a game's board is drawn; raises NoBoardError for a game without one."""
    if game.board is None:
        raise NoBoardError(f"{game.spec} cannot be drawn: it has no board of cells")
    columns, rows = game.board
    start = game.initial()
    signs = set(game.marks(game.text(start))) - set("XO.")
    style, pairs = "cells", _joined(game)
    if signs and columns <= len(FILES):
        style = "squares"
    elif not signs and pairs:
        style = "points"
    elif rows > 1 and game.primitive(start) is None:
        cells = sorted(cell for m in game.moves(start) if (cell := game.cell(start, m)) is not None)
        if cells == list(range(columns * (rows - 1), columns * rows)):
            style = "rack"
    return Plan(columns, rows, style, MARGIN if style == "squares" else EDGE, pairs)


def _joined(game: Game[Any, Any]) -> frozenset[tuple[int, int]]:
    """Return the pairs of cells between which men slide, found on a walk and its images."""
    if type(game).origin is Game.origin:
        return frozenset()
    found = set()
    for p in walk(game, WALK):
        for m in game.moves(p) if game.primitive(p) is None else ():
            start, end = game.origin(p, m), game.cell(p, m)
            if start is not None and end is not None:
                found.add((min(start, end), max(start, end)))
    for symmetry in game.symmetries:
        if cells := symmetry.cells:
            found |= {(min(a, b), max(a, b)) for a, b in ((cells[i], cells[j]) for i, j in found)}
    return frozenset(found)


def find_cell(game: Game[Any, Any], p: Any, name: str) -> int:
    """Return the cell that people call by this name; raises ValueError.

    In a rack a column's number stands for its topmost stone.
    """
    plan = plan_of(game)
    marks = game.marks(game.text(p))
    found = [cell for cell in range(len(marks)) if plan.name(cell) == name.lower()]
    if not found:
        ends = [plan.name(0), plan.name(len(marks) - 1)]
        if plan.style == "squares":
            ends = [plan.name(len(marks) - plan.columns), plan.name(plan.columns - 1)]
        raise ValueError(
            f"{printable(name, 40)!r} is no cell of {game.spec};"
            f" they go from {ends[0]} to {ends[1]}"
        )
    stones = [cell for cell in found if marks[cell] != "."]
    return stones[0] if stones else found[-1]
