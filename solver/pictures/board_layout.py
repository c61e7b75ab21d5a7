"""The layout of a game's board: where its cells are, how they are drawn and what they are called.

Takes a game; returns a BoardLayout. It follows from the rules alone: pieces stand on chequered
squares, counters lie in rows, stones that fall drop into a rack, stones that slide stand on points
joined by lines, and everything else goes into plain cells.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from solver.errors import NoBoardError
from solver.pictures.marks import CELL
from solver.pictures.shapes import Point
from solver.rules.declared import check_declared
from solver.rules.game import Game, walk

EDGE, MARGIN = 7, 15  # around the board; for the names of ranks and columns
FILES = "abcdefghijklmnopqrstuvwxyz"
WALK = 500  # plies of the walk that finds which points are joined


class BoardLayout(NamedTuple):
    """The cells of a board and the style in which it is drawn."""

    columns: int
    rows: int
    style: str
    """'cells', 'squares', 'points', 'rack' or 'heaps'."""
    left: float
    """The left edge of the first column."""
    joined: frozenset[tuple[int, int]]
    """The pairs of cells joined by a line."""
    places: tuple[tuple[int, int], ...]
    """The column and row of each cell, if there is no board."""

    @property
    def cells(self) -> int:
        """The number of cells."""
        return len(self.places) or self.columns * self.rows

    @property
    def right(self) -> float:
        """The right edge of the last column."""
        return self.left + self.columns * CELL

    @property
    def bottom(self) -> float:
        """The lower edge of the last row."""
        return EDGE + self.rows * CELL

    @property
    def round(self) -> bool:
        """Whether cells are round, so that X and O are drawn as discs."""
        return self.style in ("rack", "points", "heaps")

    def centre(self, cell: int) -> Point:
        """Return the middle of a cell."""
        column, row = (
            self.places[cell] if self.places else (cell % self.columns, cell // self.columns)
        )
        return self.left + (column + 0.5) * CELL, EDGE + (row + 0.5) * CELL

    def name(self, cell: int) -> str:
        """Return the name of a cell: e4 on squares, its column in a rack, else its number."""
        row, column = divmod(cell, self.columns)
        if self.style == "squares":
            return f"{FILES[column]}{self.rows - row}"
        return str(column + 1 if self.style == "rack" else cell + 1)


def side_names(game: Game[Any, Any]) -> tuple[str, ...]:
    """Return what people call the sides, by the colours of the discs in a rack."""
    try:
        falls = layout_of(game).style == "rack"
    except NoBoardError:
        falls = False
    return ("Red", "Yellow") if falls and set(game.seats) == {*"XO"} else tuple(game.seats)


def layout_of(game: Game[Any, Any]) -> BoardLayout:
    """Return the layout of a game's board; raises NoBoardError for a game without one."""
    if not game.has_cells:
        raise NoBoardError(f"{game.spec} cannot be drawn: it has no board of cells")
    check_declared(game)
    places = tuple(game.cell_places)
    columns, rows = game.board or (max(each) + 1 for each in zip(*places, strict=True))
    start = game.initial()
    pieces = set(game.marks(game.text(start))) - set("XO.")
    style, joined = "cells", _joined(game)
    if pieces == {"|"}:
        style = "heaps"
    elif pieces and columns <= len(FILES):
        style = "squares"
    elif not pieces and joined:
        style = "points"
    elif rows > 1 and game.primitive(start) is None:
        cells = sorted(cell for m in game.moves(start) if (cell := game.cell(start, m)) is not None)
        if cells == list(range(columns * (rows - 1), columns * rows)):
            style = "rack"
    left = MARGIN if style == "squares" else EDGE
    return BoardLayout(columns, rows, style, left, joined, places)


def _joined(game: Game[Any, Any]) -> frozenset[tuple[int, int]]:
    """Return the pairs of cells between which stones slide, from a walk and its symmetries."""
    if type(game).origin is Game.origin:
        return frozenset()
    pairs = set()
    for p in walk(game, WALK):
        for m in game.moves(p) if game.primitive(p) is None else ():
            start, end = game.origin(p, m), game.cell(p, m)
            if start is not None and end is not None:
                pairs.add((min(start, end), max(start, end)))
    for symmetry in game.symmetries:
        if cells := symmetry.cells:
            pairs |= {(min(a, b), max(a, b)) for a, b in ((cells[i], cells[j]) for i, j in pairs)}
    return frozenset(pairs)
