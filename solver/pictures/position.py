"""Drawings of positions: boards with stones, pieces, values of moves and arrows.

Takes a game, a position and what is to be shown on it; returns a Drawing, from which every kind of
picture is made. Nothing is worked out here that the rules do not tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from solver.agent.agent import ties
from solver.errors import NoBoardError
from solver.pictures.board_layout import CELL, EDGE, MARGIN, Plan, plan_of
from solver.pictures.shapes import (
    Circle,
    Drawing,
    Line,
    Point,
    Shape,
    Text,
    arrow,
    badge,
    ink_on,
    mark,
    rectangle,
)
from solver.rules.game import Game
from solver.rules.grid import won_lines
from solver.value import Outcome

if TYPE_CHECKING:
    from solver.agent.agent import MoveScore

FOOT = 20  # for the caption below the board


def draw_position(
    game: Game[Any, Any],
    p: Any,
    turn: str | None = None,
    *,
    scores: Sequence[MoveScore] = (),
    last: Iterable[int] = (),
    arrows: Iterable[tuple[int | None, int]] = (),
    sides: tuple[str, str] | None = None,
) -> Drawing:
    """Return the drawing of a position.

    `scores` are the moves' values, best first, to be shown on their cells; `last` the cells of the
    last move; `arrows` pairs of cells, or None and a cell to point at; `sides` the colours of the
    two sides, as #rrggbb. Raises NoBoardError for a game without a board.
    """
    plan = plan_of(game)
    turn = turn or game.turn(p)
    text = game.text(p, turn)
    marks = game.marks(text)
    if len(marks) != plan.columns * plan.rows:
        raise NoBoardError(f"{game.spec}: {marks!r} has not the cells of its board {game.board}")
    arrows = list(arrows)
    goals = [end for start, end in arrows if start is None and plan.style != "rack"]
    shapes = [*_ground(plan), *_tints(plan, last, "tint"), *_tints(plan, goals, "goal")]
    disc = plan.style in ("rack", "points")
    for cell, sign in enumerate(marks):
        shapes += mark(sign, plan.centre(cell), CELL, disc)
    shapes += _line(game, p, plan)
    shapes += _values(game, p, plan, marks, scores)
    for start, end in arrows:
        shapes += _arrow(plan, start, end)
    shapes += _names(plan, marks, bool(scores))
    width, high = plan.left + plan.columns * CELL + EDGE, EDGE + plan.rows * CELL
    high += MARGIN if plan.style in ("squares", "rack") else EDGE
    said = caption(game, p, turn)
    shapes.append(Text((plan.left + plan.columns * CELL / 2, high + 7), said, 11, "note"))
    return Drawing(width, high + FOOT, tuple(shapes), f"{game.spec} {text}: {said}", _sides(sides))


def caption(game: Game[Any, Any], p: Any, turn: str) -> str:
    """Return who is to move, or how the game ended."""
    over = game.primitive(p)
    if over is None:
        return f"{turn} to move"
    return "Draw" if over is Outcome.DRAW else f"{turn if over > 0 else game.other(turn)} has won"


def _ground(plan: Plan) -> list[Shape]:
    """Return the board without anything on it."""
    left, top, right, bottom = plan.left, EDGE, plan.left + plan.columns * CELL, plan.rows * CELL
    bottom += top
    cells = range(plan.columns * plan.rows)
    if plan.style == "points":
        lines = [Line(plan.centre(a), plan.centre(b), "ink", 1.5) for a, b in sorted(plan.joined)]
        return [*lines, *(Circle(plan.centre(cell), 4, "ink") for cell in cells)]
    if plan.style == "rack":
        frame = rectangle(left, top, right - left, bottom - top, "rim", "rim")
        return [frame, *(Circle(plan.centre(cell), CELL * 0.42, "paper") for cell in cells)]
    if plan.style == "squares":
        shapes: list[Shape] = []
        for cell in cells:
            row, column = divmod(cell, plan.columns)
            dark = (plan.rows - row + column) % 2
            x, y = left + column * CELL, top + row * CELL
            shapes.append(rectangle(x, y, CELL, CELL, "dark" if dark else "light"))
        return shapes
    inner = [(left + i * CELL, True) for i in range(1, plan.columns)]
    inner += [(top + i * CELL, False) for i in range(1, plan.rows)]
    return [
        Line((at, top + 2), (at, bottom - 2), "ink", 2)
        if upright
        else Line((left + 2, at), (right - 2, at), "ink", 2)
        for at, upright in inner
    ]


def _tints(plan: Plan, cells: Iterable[int], role: str) -> list[Shape]:
    """Return coloured grounds of cells, to lie below what stands on them."""
    shapes: list[Shape] = []
    for cell in cells:
        x, y = plan.centre(cell)
        if plan.style in ("rack", "points"):
            ring = "ink" if role == "tint" else None
            shapes.append(Circle((x, y), CELL * (0.46 if ring else 0.4), role, ring))
        else:
            half = CELL / 2 - (0 if plan.style == "squares" else 2)
            shapes.append(rectangle(x - half, y - half, 2 * half, 2 * half, role))
    return shapes


def _line(game: Game[Any, Any], p: Any, plan: Plan) -> list[Shape]:
    """Return what shows each line that has ended the game, where the rules tell lines."""
    shapes: list[Shape] = []
    for cells in won_lines(game, p):
        if plan.style in ("rack", "points"):
            shapes += [Circle(plan.centre(cell), CELL * 0.4, None, "sign", 4) for cell in cells]
            continue
        (x1, y1), (x2, y2) = plan.centre(cells[0]), plan.centre(cells[-1])
        dx, dy = ((b > a) - (b < a) for a, b in ((x1, x2), (y1, y2)))
        out = CELL * 0.4
        start, end = (x1 - dx * out, y1 - dy * out), (x2 + dx * out, y2 + dy * out)
        shapes.append(Line(start, end, "sign", 5))
    return shapes


def _values(
    game: Game[Any, Any], p: Any, plan: Plan, marks: str, scores: Sequence[MoveScore]
) -> list[Shape]:
    """Return the values of the moves: on its cell for a placing, at an arrow's tip for a step.

    Where several placings go to one cell the best one's is shown. The best moves have a second
    outline, unless all moves are.
    """
    steps: list[Shape] = []
    values: list[Shape] = []
    targets = [game.cell(p, s.move) for s in scores]
    tied = len(ties(list(scores)))
    for i, (s, end) in enumerate(zip(scores, targets, strict=True)):
        start = game.origin(p, s.move)
        if end is None or (start is None and end in targets[:i]):
            continue
        centre, radius = plan.centre(end), CELL * (0.36 if plan.style == "rack" else 0.29)
        if start is not None:
            near = plan.centre(start)
            if targets.count(end) > 1:
                centre, radius = _toward(centre, near, CELL * 0.35), CELL * 0.2
            elif marks[end] != ".":
                centre, radius = _toward(centre, near, CELL * 0.33), CELL * 0.22
            role = ("loss", "draw", "win")[s.outcome + 1]
            near = _toward(near, centre, CELL * 0.2)
            steps += [Line(near, centre, "paper", 4.5), Line(near, centre, role, 2.5)]
        values += badge(s.outcome, s.distance, centre, radius, i < tied < len(scores))
    return steps + values


def _toward(start: Point, end: Point, far: float) -> Point:
    """Return the point that lies so far from the start on the way to the end."""
    (x1, y1), (x2, y2) = start, end
    share = far / (((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1)
    return x1 + (x2 - x1) * share, y1 + (y2 - y1) * share


def _arrow(plan: Plan, start: int | None, end: int) -> Sequence[Shape]:
    """Return an arrow between two cells, or with no start from above a rack; else nothing."""
    x, y = plan.centre(end)
    if start is not None:
        return arrow(plan.centre(start), (x, y), "sign", 4, CELL * 0.1)
    if plan.style == "rack":
        return arrow((x, EDGE), (x, y), "sign", 4, 0)
    return []


def _names(plan: Plan, marks: str, numbered: bool) -> list[Shape]:
    """Return the names of files and ranks, of columns, or of empty cells in their corners."""
    below = EDGE + plan.rows * CELL + 8
    across = range(plan.columns)
    if plan.style in ("squares", "rack"):
        names = [(i, plan.name(i).rstrip("0123456789") or str(i + 1)) for i in across]
        shapes: list[Shape] = [Text((plan.centre(i)[0], below), n, 10, "note") for i, n in names]
        if plan.style == "squares":
            for row in range(plan.rows):
                centre = (plan.left - 8, plan.centre(row * plan.columns)[1])
                shapes.append(Text(centre, str(plan.rows - row), 10, "note"))
        return shapes
    left, up = (0.39 * CELL, 0.38 * CELL) if plan.style == "cells" else (0.2 * CELL, 0.43 * CELL)
    empty = [cell for cell, sign in enumerate(marks) if sign == "." and numbered]
    places = [(plan.name(cell), *plan.centre(cell)) for cell in empty]
    return [Text((x - left, y - up), name, 9, "note") for name, x, y in places]


def _sides(sides: tuple[str, str] | None) -> Mapping[str, str]:
    """Return what replaces the themes' colours if the two sides have colours of their own."""
    if sides is None:
        return {}
    found: dict[str, str] = {}
    for colour, side, piece in zip(sides, "xo", ("white", "black"), strict=True):
        found |= {side: colour, f"disc-{side}": colour, f"on-{side}": ink_on(colour)}
        found |= {piece: colour, f"edge-{piece}": ink_on(colour)}
    return found
