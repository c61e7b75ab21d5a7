"""The card of a link: a board, what it is, how each move went, and a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from solver.pictures.shapes import Drawing, Group, Rectangle, Shape, Text

WIDTH, HEIGHT = 1200, 630  # pixels that sites show large
MARGIN, GAP = 48, 56
WIDEST = 0.58  # of a letter, in font sizes
SQUARE = 40  # the most of a square's side


def draw_card(
    board: Drawing, title: str, what: str, rows: Mapping[str, Sequence[bool]], question: str
) -> Drawing:
    """Return the drawing of a card.

    `rows` has the moves of each side: whether they kept the value. They are squares, those that
    did not with a line through them.
    """
    scale = min((HEIGHT - 2 * MARGIN) / board.height, WIDTH / 2 / board.width)
    x = MARGIN + board.width * scale + GAP
    room = WIDTH - MARGIN - x
    shapes: list[Shape] = [
        Group(board.shapes, MARGIN, (HEIGHT - board.height * scale) / 2, scale),
        Text((x, 84), "perfectplay", 28, "note", align="start"),
        Text((x, 172), title, _fitting(title, 64, room), "ink", bold=True, align="start"),
        Text((x, 250), what, _fitting(what, 44, room), "ink", align="start"),
    ]
    for i, (side, kept) in enumerate(rows.items()):
        shapes += _squares(x, 340 + i * 60, side, kept, room)
    shapes.append(
        Text((x, 536), question, _fitting(question, 80, room), "good", bold=True, align="start")
    )
    return Drawing(WIDTH, HEIGHT, tuple(shapes), f"{title}: {what}")


def _fitting(text: str, size: float, room: float) -> float:
    """Return the size of a line of text, smaller if it has too little room."""
    return min(size, room / (WIDEST * len(text)))


def _squares(x: float, y: float, side: str, kept: Sequence[bool], room: float) -> list[Shape]:
    """Return a row: the name of a side, then a square for each of its moves."""
    shapes: list[Shape] = [Text((x, y), side, _fitting(side, 30, 110), "note", align="start")]
    start = 56 if len(side) < 3 else 120
    pitch = min(SQUARE + 8, (room - start) / max(1, len(kept)))
    for i, good in enumerate(kept):
        left, width = x + start + i * pitch, pitch * 0.84
        role = "win" if good else "loss"
        shapes.append(Rectangle(left, y - width / 2, width, width, role))
        if not good:
            shapes.append(Rectangle(left, y - width * 0.08, width, width * 0.16, "paper"))
    return shapes
