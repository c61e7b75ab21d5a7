"""Drawings of positions: boards with stones, pieces and the values of moves.

Takes a game, a position and what to show on it; returns a Drawing. Everything shown follows from
the rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from solver.agent.agent import MoveScore, ties
from solver.agent.words import value_mark
from solver.errors import NoBoardError
from solver.pictures.board_layout import EDGE, FILES, MARGIN, BoardLayout, layout_of, side_names
from solver.pictures.marks import CELL, badge, grid, mark, toward
from solver.pictures.shapes import Circle, Drawing, Line, Rectangle, Shape, Text
from solver.rules.game import Game
from solver.rules.grid import won_lines
from solver.value import Outcome

FOOT = 20  # the height of the caption below the board


def draw_position(
    game: Game[Any, Any],
    p: Any,
    turn: str | None = None,
    *,
    scores: Sequence[MoveScore] = (),
    last: Iterable[int] = (),
) -> Drawing:
    """Return the drawing of a position.

    `scores` are the values of the moves, best first, shown on their cells; `last` are the cells of
    the last move. Raises NoBoardError for a game without a board.
    """
    layout = layout_of(game)
    turn = turn or game.turn(p)
    text = game.text(p, turn)
    marks = game.marks(text)
    if len(marks) != layout.cells:
        raise NoBoardError(f"{game.spec}: {marks!r} does not fit its {layout.cells} cells")
    shapes = [*_ground(layout), *_tints(layout, last)]
    discs = layout.round or {*marks} <= {*"Wb."}
    for cell, sign in enumerate(marks):
        shapes += mark(sign, layout.centre(cell), discs)
    shapes += _won_lines(game, p, layout)
    shapes += _values(game, p, layout, marks, scores)
    shapes += _names(layout, marks, bool(scores))
    bottom = layout.bottom + (MARGIN if layout.style in ("squares", "rack") else EDGE)
    words = caption(game, p, turn)
    shapes.append(Text(((layout.left + layout.right) / 2, bottom + 7), words, 11, "note"))
    title = f"{game.spec} {text}: {words}"
    return Drawing(layout.right + EDGE, bottom + FOOT, tuple(shapes), title)


def caption(game: Game[Any, Any], p: Any, turn: str) -> str:
    """Return who is to move, or how the game ended."""
    over = game.primitive(p)
    seats = dict(zip(game.seats, side_names(game), strict=True))
    name, other = seats[turn], seats[game.other(turn)]
    if over is None:
        return f"{name} to move"
    return "Draw" if over is Outcome.DRAW else f"{name if over > 0 else other} has won"


def empty_board(layout: BoardLayout) -> list[Shape]:
    """Return the board without stones, with the names of its files and ranks or columns."""
    return [*_ground(layout), *_names(layout, "", numbered=False)]


def _ground(layout: BoardLayout) -> list[Shape]:
    """Return the cells of the board."""
    left, cells = layout.left, range(layout.cells)
    if layout.style == "heaps":
        return []
    if layout.style == "points":
        pairs = [(layout.centre(a), layout.centre(b)) for a, b in sorted(layout.joined)]
        points = [Circle(layout.centre(cell), 4, "ink") for cell in cells]
        return [*(Line(pair, "ink", 1.5) for pair in pairs), *points]
    if layout.style == "rack":
        width, height = layout.columns * CELL, layout.rows * CELL
        holes = [Circle(layout.centre(cell), CELL * 0.42, "paper") for cell in cells]
        return [Rectangle(left, EDGE, width, height, "rim", "rim"), *holes]
    if layout.style == "squares":
        shapes: list[Shape] = []
        for cell in cells:
            row, column = divmod(cell, layout.columns)
            role = "dark" if (layout.rows - row + column) % 2 else "light"
            shapes.append(Rectangle(left + column * CELL, EDGE + row * CELL, CELL, CELL, role))
        return shapes
    return grid(layout.columns, layout.rows, left, EDGE)


def _tints(layout: BoardLayout, cells: Iterable[int]) -> list[Shape]:
    """Return coloured backgrounds of cells."""
    shapes: list[Shape] = []
    for cell in cells:
        x, y = layout.centre(cell)
        if layout.round:
            shapes.append(Circle((x, y), CELL * 0.46, "tint", "ink"))
        else:
            half = CELL / 2 - (0 if layout.style == "squares" else 2)
            shapes.append(Rectangle(x - half, y - half, 2 * half, 2 * half, "tint"))
    return shapes


def _won_lines(game: Game[Any, Any], p: Any, layout: BoardLayout) -> list[Shape]:
    """Return marks on each line that has ended the game, where the rules know lines."""
    shapes: list[Shape] = []
    for cells in won_lines(game, p):
        if layout.round:
            shapes += [Circle(layout.centre(cell), CELL * 0.4, None, "sign", 4) for cell in cells]
            continue
        (x1, y1), (x2, y2) = layout.centre(cells[0]), layout.centre(cells[-1])
        dx, dy = (CELL * 0.4 * ((b > a) - (b < a)) for a, b in ((x1, x2), (y1, y2)))
        shapes.append(Line(((x1 - dx, y1 - dy), (x2 + dx, y2 + dy)), "sign", 5))
    return shapes


def _values(
    game: Game[Any, Any], p: Any, layout: BoardLayout, marks: str, scores: Sequence[MoveScore]
) -> list[Shape]:
    """Return the values of the moves: of placements on their cells, of slides at the end of a line.

    Where several placements share a cell, the best one's is shown. The best moves have a second
    outline, unless all moves are equal.
    """
    steps: list[Shape] = []
    values: list[Shape] = []
    targets = [game.cell(p, s.move) for s in scores]
    tied = len(ties(list(scores)))
    for i, (s, end) in enumerate(zip(scores, targets, strict=True)):
        start = game.origin(p, s.move)
        if end is None or (start is None and end in targets[:i]):
            continue
        centre, radius = layout.centre(end), CELL * (0.36 if layout.style == "rack" else 0.29)
        if start is not None:
            near = layout.centre(start)
            if targets.count(end) > 1:
                centre, radius = toward(centre, near, CELL * 0.35), CELL * 0.2
            elif marks[end] != ".":
                centre, radius = toward(centre, near, CELL * 0.33), CELL * 0.22
            role = ("loss", "draw", "win")[s.outcome + 1]
            path = (toward(near, centre, CELL * 0.2), centre)
            steps += [Line(path, "paper", 4.5), Line(path, role, 2.5)]
        word = value_mark(s.outcome, s.distance)
        values += badge(s.outcome, word, centre, radius, i < tied < len(scores))
    return steps + values


def _names(layout: BoardLayout, marks: str, numbered: bool) -> list[Shape]:
    """Return the names of files and ranks, of columns, or of empty cells in their corners."""
    if layout.style in ("squares", "rack"):
        below, files = layout.bottom + 8, layout.style == "squares"
        shapes: list[Shape] = []
        for column in range(layout.columns):
            name = FILES[column] if files else str(column + 1)
            shapes.append(Text((layout.centre(column)[0], below), name, 10, "note"))
        for row in range(layout.rows if files else 0):
            at = (layout.left - 8, layout.centre(row * layout.columns)[1])
            shapes.append(Text(at, str(layout.rows - row), 10, "note"))
        return shapes
    if layout.style == "heaps":
        return []
    left, up = (0.39 * CELL, 0.38 * CELL) if layout.style == "cells" else (0.2 * CELL, 0.43 * CELL)
    empty = [cell for cell, sign in enumerate(marks) if sign == "." and numbered]
    labels = [(layout.name(cell), *layout.centre(cell)) for cell in empty]
    return [Text((x - left, y - up), name, 9, "note") for name, x, y in labels]
