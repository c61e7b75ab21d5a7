"""The value of every position of a game as a strip, with marks on moves that gave something away.

Takes a review; returns a Drawing. A bar up means that the first side wins, a bar down that the
other one does, the longer the sooner; a dot is a draw, and a dashed frame is not proved.
"""

from __future__ import annotations

from solver.agent.answers import Review
from solver.pictures.shapes import Circle, Drawing, Line, Rectangle, Shape, Text

STEP, BAR, HEIGHT, LEAST = 22, 16, 48, 12  # from ply to ply; of a bar
LEFT, EDGE = 70, 22
MIDDLE, BOTTOM = EDGE + HEIGHT, EDGE + 2 * HEIGHT
ROLES = ("disc-x", "disc-o")  # of the bars of the two sides


def draw_strip(review: Review, seats: tuple[str, str]) -> Drawing:
    """Return the strip of a review: a column for the start and for the position after each move."""
    moves = review["moves"]
    columns = [*((m["turn"], m["before"]) for m in moves), (review["turn"], review["value"])]
    right = LEFT + STEP * len(columns)
    most = max(value["distance"] or 1 if value else 1 for _, value in columns)
    shapes: list[Shape] = [Line(((LEFT, MIDDLE), (right, MIDDLE)), "rim", 2)]
    words = f"{seats[0]} wins", "draw", f"{seats[1]} wins"
    for y, word in zip((EDGE + 6, MIDDLE, BOTTOM - 6), words, strict=True):
        shapes.append(Text((8, y), word, 11, "ink", align="start"))
    for ply, (turn, value) in enumerate(columns):
        left = LEFT + STEP * ply + (STEP - BAR) / 2
        x = left + BAR / 2
        if value is None:
            shapes.append(
                Rectangle(left, MIDDLE - LEAST, BAR, 2 * LEAST, None, "note", 1, dashed=True)
            )
        elif value["distance"] is None:
            shapes.append(Circle((x, MIDDLE), 4, "draw"))
        else:
            winner = seats.index(turn) ^ (value["outcome"] == "loss")
            length = HEIGHT - (HEIGHT - LEAST) * value["distance"] / most
            top = MIDDLE if winner else MIDDLE - length
            shapes.append(Rectangle(left, top, BAR, length, ROLES[winner], "ink", 1))
        if ply:
            shapes.append(Text((x, BOTTOM + EDGE / 2), str(ply), 10, "note"))
        if ply and (regret := moves[ply - 1]["regret"]):
            shapes.append(Text((x, EDGE / 2), "?" * regret, 14, "bad", bold=True))
    title = f"{review['game']}: the value over the game"
    return Drawing(right + 12, BOTTOM + EDGE, tuple(shapes), title, review["verdict"])
