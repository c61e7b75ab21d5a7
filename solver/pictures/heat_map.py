"""A table of results as a picture: colours and numbers, row against column."""

from __future__ import annotations

from collections.abc import Sequence

from solver.pictures.shapes import Drawing, Rectangle, Shape, Text

WIDE, HIGH = 58, 34  # of a cell


def draw_heat_map(
    names: Sequence[str], values: Sequence[Sequence[float | None]], title: str
) -> Drawing:
    """Return the drawing of a table of values from -1 to 1; None leaves its cell empty.

    Blue is good for the row, orange is bad.
    """
    room = 8 + 7.2 * max(len(name) for name in names)  # for the names of the rows
    top = room * 0.72 + 40
    shapes: list[Shape] = [Text((8, 17), title, 15, "ink", align="start")]
    for i, (name, row) in enumerate(zip(names, values, strict=True)):
        y = top + i * HIGH
        shapes.append(Text((room - 6, y + 18), name, 12, "ink", align="end"))
        above = (room + (i + 0.5) * WIDE + 1, top - 11)
        shapes.append(Text(above, name, 12, "ink", align="start", angle=-45))
        for j, value in enumerate(row):
            if value is not None:
                x, share = room + j * WIDE, min(1.0, abs(value))
                role = "good" if value >= 0 else "bad"
                shapes.append(Rectangle(x, y, WIDE - 2, HIGH - 2, role, opacity=share))
                ink = "on-value" if share > 0.7 else "ink"
                shapes.append(Text((x + WIDE / 2 - 1, y + 17), f"{value:+.2f}", 12, ink))
    width = room + len(names) * WIDE + room * 0.72
    return Drawing(round(width), round(top + len(names) * HIGH + 12), tuple(shapes), title)
