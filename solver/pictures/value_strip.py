"""The value of every position of a game as a strip, with the moves that gave something away.

Takes a review; returns a Drawing. A bar up means that the first side wins, a bar down that the
other one does, the longer the sooner; a dot is a draw, and a dashed frame is not proved.
"""

from __future__ import annotations

from solver.agent.answers import Review, Value
from solver.pictures.shapes import Circle, Drawing, Group, Line, Rectangle, Shape, Text

STEP, BAR, HEIGHT, LEAST = 22, 16, 48, 12  # from ply to ply; of a bar
LEFT, RIGHT, TOP, BOTTOM = 70, 12, 22, 22
ROLES = ("disc-x", "disc-o")  # of the bars of the two sides
SIGNS = {1: "?", 2: "??"}  # of moves with this regret


def draw_strip(review: Review, seats: tuple[str, str]) -> Drawing:
    """Return the strip of a review: a column for the start and for the position after each move."""
    moves, middle = review["moves"], TOP + HEIGHT
    columns = [(move["turn"], move["before"]) for move in moves] + [
        (review["turn"], review["value"])
    ]
    right = LEFT + STEP * len(columns)
    most = max((value["distance"] or 0 for _, value in columns if value), default=0)
    shapes: list[Shape] = [Line(((LEFT, middle), (right, middle)), "rim", 2)]
    words = f"{seats[0]} wins", "draw", f"{seats[1]} wins"
    for y, word in zip((TOP + 6, middle, middle + HEIGHT - 6), words, strict=True):
        shapes.append(Text((8, y), word, 11, "ink", align="start"))
    for ply, (turn, value) in enumerate(columns):
        x = LEFT + STEP * (ply + 0.5)
        drawn = [*_column(x, middle, value, seats.index(turn), most)]
        title = "start"
        if ply:
            move = moves[ply - 1]
            title = f"{ply}. {move['turn']} {move['label']}"
            sign = SIGNS.get(move["regret"] or 0)
            drawn.append(Text((x, middle + HEIGHT + BOTTOM / 2), str(ply), 10, "note"))
            if sign:
                drawn.append(Text((x, TOP / 2), sign, 14, "bad", bold=True))
        shapes.append(Group(tuple(drawn), title=title))
    title = f"{review['game']}: the value over the game"
    return Drawing(
        right + RIGHT, middle + HEIGHT + BOTTOM, tuple(shapes), title, review["verdict"]
    )


def _column(x: float, middle: float, value: Value | None, side: int, most: int) -> list[Shape]:
    """Return what shows the value of a position for the side to move, the first or the second."""
    left = x - BAR / 2
    if value is None:
        return [Rectangle(left, middle - LEAST, BAR, 2 * LEAST, None, "note", 1, dashed=True)]
    if value["outcome"] == "draw":
        return [Circle((x, middle), 4, "draw")]
    winner = side if value["outcome"] == "win" else 1 - side
    length = HEIGHT - (HEIGHT - LEAST) * (value["distance"] or 0) / max(most, 1)
    top = middle if winner else middle - length
    return [Rectangle(left, top, BAR, length, ROLES[winner], "ink", 1)]
