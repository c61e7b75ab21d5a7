"""What stands on boards: marks and pieces, and the values of moves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import cos, hypot, pi, sin

from solver.pictures.shapes import Circle, Line, Point, Polygon, Rectangle, Shape, Text

CELL = 40  # the side of a cell


def arc(centre: Point, radius: float, start: float, end: float) -> list[Point]:
    """Return points of an arc, in degrees clockwise from the right."""
    x, y = centre
    steps = max(2, round(abs(end - start) / 15))
    angles = [(start + (end - start) * i / steps) * pi / 180 for i in range(steps + 1)]
    return [(x + radius * cos(a), y + radius * sin(a)) for a in angles]


# Chess pieces: the right half of each outline from the top, in a square from -1 to 1
_FOOT: list[Point] = [(0.40, 0.42), (0.58, 0.60), (0.58, 0.84)]
_HALVES: dict[str, list[Point]] = {
    "P": [
        *arc((0, -0.42), 0.32, -90, 50),
        *((0.32, -0.10), (0.32, 0.02), (0.15, 0.02), (0.24, 0.38), (0.52, 0.60), (0.52, 0.84)),
    ],
    "Q": [
        *arc((0, -0.76), 0.12, -90, 60),
        *((0.15, -0.12), *arc((0.42, -0.68), 0.12, -210, 60), (0.40, -0.02)),
        *(*arc((0.80, -0.44), 0.12, -200, 90), *_FOOT),
    ],
    "K": [
        *((0.09, -0.98), (0.09, -0.84), (0.24, -0.84), (0.24, -0.67), (0.09, -0.67)),
        *((0.09, -0.46), *arc((0.40, -0.14), 0.36, -125, 50), *_FOOT),
    ],
}


def mark(sign: str, centre: Point, disc: bool = False) -> list[Shape]:
    """Return the shapes of what stands on a cell.

    X and O are a cross and a ring, with `disc` on discs in the colours of the two sides. A bar is
    a counter of either side. Other letters are pieces, upper case White's: of chess, or a disc with
    the letter, without it for W and b with `disc`. A dot is empty.
    """
    if sign == ".":
        return []
    if sign in ("X", "O"):
        side = sign.lower()
        if not disc:
            return cross_or_ring(sign, centre, CELL * 0.3, side, CELL * 0.1)
        small = cross_or_ring(sign, centre, CELL * 0.16, f"on-{side}", CELL * 0.07)
        return [Circle(centre, CELL * 0.38, f"disc-{side}"), *small]
    if sign == "|":
        return [Circle(centre, CELL * 0.36, "dark", "ink", CELL * 0.04)]
    side, other = ("white", "black") if sign.isupper() else ("black", "white")
    if sign.upper() in _HALVES:
        x, y = centre
        half = _HALVES[sign.upper()]
        whole = [*half, *((-a, b) for a, b in reversed(half))]
        points = tuple((x + a * CELL * 0.42, y + b * CELL * 0.42) for a, b in whole)
        return [Polygon(points, side, f"edge-{side}", CELL * 0.04)]
    letters = [Text(centre, sign.upper(), CELL * 0.42, other)] * (not disc or sign not in "Wb")
    return [Circle(centre, CELL * 0.3, side, f"edge-{side}", CELL * 0.05), *letters]


def cross_or_ring(sign: str, centre: Point, r: float, line: str, width: float) -> list[Shape]:
    """Return a cross for X, a ring for any other sign."""
    x, y = centre
    if sign != "X":
        return [Circle(centre, r, None, line, width)]
    return [
        Line(((x - r, y - r), (x + r, y + r)), line, width),
        Line(((x - r, y + r), (x + r, y - r)), line, width),
    ]


def signs(marks: Iterable[str]) -> dict[str, list[Shape]]:
    """Return marks, and the discs and the frames of values, by name, around (0, 0).

    Every frame of a value has a second outline, so that one of the two is seen on any square.
    """
    named = {f"mark-{sign}": mark(sign, (0, 0)) for sign in sorted({*marks, "X", "O"})}
    named |= {f"disc-{sign}": mark(sign, (0, 0), disc=True) for sign in "XOWb"}
    for value, word in enumerate(("loss", "draw", "win"), -1):
        for name, best in ((f"value-{word}", False), (f"best-{word}", True)):
            outer = _frame(value, (0, 0), CELL / 4 * 1.13, "paper", "ink", CELL * 0.022)
            shapes = badge(value, "", (0, 0), CELL / 4, best)[:-1]  # without its text
            named[name] = shapes if best else [outer, *shapes]
    return named


def board(
    marks: str, columns: int, bad: int | None = None, best: Sequence[int] = ()
) -> tuple[Shape, ...]:
    """Return a plain board with its top left corner at (0, 0).

    The cell of a bad move has a dashed frame with the word bad, those of the best ones a frame with
    the word best.
    """
    shapes: list[Shape] = grid(columns, len(marks) // columns)
    for cell, sign in enumerate(marks):
        x, y = cell % columns * CELL, cell // columns * CELL
        shapes += mark(sign, (x + CELL / 2, y + CELL / 2))
        for word, line, framed in (("best", "good", cell in best), ("bad", "bad", cell == bad)):
            if framed:
                side = CELL - 6
                shapes += [
                    Rectangle(x + 3, y + 3, side, side, None, line, 3, dashed=word == "bad"),
                    Text((x + CELL / 2, y + CELL / 2), word, 12, "ink"),
                ]
    return tuple(shapes)


def grid(columns: int, rows: int, left: float = 0, top: float = 0) -> list[Shape]:
    """Return the lines between the cells of a board."""
    right, bottom = left + columns * CELL, top + rows * CELL
    across = [left + i * CELL for i in range(1, columns)]
    down = [top + i * CELL for i in range(1, rows)]
    return [
        *(Line(((x, top + 2), (x, bottom - 2)), "ink", 2) for x in across),
        *(Line(((left + 2, y), (right - 2, y)), "ink", 2) for y in down),
    ]


def badge(outcome: int, word: str, centre: Point, radius: float, best: bool) -> list[Shape]:
    """Return the value of a move: W2 in a circle, D in a square, L1 in a diamond.

    The badges of the best moves have a second outline around them.
    """
    role = ("loss", "draw", "win")[outcome + 1]
    around = [_frame(outcome, centre, radius * 1.27, "paper", "ink", radius * 0.12)] * best
    shape = _frame(outcome, centre, radius, role, "paper", radius * 0.1)
    size = radius * (1.0 if len(word) < 3 else 0.8)
    return [*around, shape, Text(centre, word, size, "on-value", True)]


def _frame(
    outcome: int, centre: Point, radius: float, fill: str, line: str, width: float
) -> Circle | Polygon:
    """Return a circle for a win, a square for a draw, a diamond for a loss."""
    if outcome > 0:
        return Circle(centre, radius, fill, line, width)
    x, y = centre
    if outcome < 0:
        r = radius * 1.2
        return Polygon(((x, y - r), (x + r, y), (x, y + r), (x - r, y)), fill, line, width)
    r = radius * 0.86
    corners = ((x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r))
    return Polygon(corners, fill, line, width)


def toward(start: Point, end: Point, length: float) -> Point:
    """Return the point at this distance from the start on the way to the end."""
    (x1, y1), (x2, y2) = start, end
    share = length / (hypot(x2 - x1, y2 - y1) or 1)
    return x1 + (x2 - x1) * share, y1 + (y2 - y1) * share
