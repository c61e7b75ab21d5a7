"""Game trees as pictures: the root on top, a layer for each ply, values below the boards.

Takes a tree and the rules; returns a Drawing. The side to move in a layer is named at its left; a
chosen branch is a bold line, and the positions on the line of chosen branches from the root are
framed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from solver.agent.tree import Branch
from solver.pictures.marks import CELL, board
from solver.pictures.shapes import Drawing, Group, Line, Rectangle, Shape, Text
from solver.rules.game import Game
from solver.value import Outcome

TOP, MARGIN = 92, 20  # above and around the tree
CHIP = 18  # the height of a value
BELOW = 22  # the height of the words below a value
EDGE = 60  # from layer to layer
LOW = 0.74  # how far down its line the label of a move is
GAP = 20  # between neighbouring positions
TINTS = {Outcome.WIN: "good", Outcome.LOSS: "bad"}


def draw_tree(tree: Branch, game: Game[Any, Any]) -> Drawing:
    """Return the drawing of a tree."""
    every, other = tree.every, game.other(tree.turn)
    title = f"{game.spec}: the tree below {tree.position}, {tree.turn} to move"
    how = (
        f"Values are {tree.turn}'s: {tree.turn} takes the largest (max), {other} the smallest"
        " (min); the bold line is the chosen move."
    )
    notes = {
        "cut": f"Cut after {tree.depth} plies: +2 means that 2 moves are not shown.",
        "repeats": "A position that occurs above on its own line is marked as repeats.",
    }
    ends = {branch.end for branch in every}
    more = " ".join(note for end, note in notes.items() if end in ends)
    layout = _TreeLayout(every, game)
    _, drawn = layout.draw(tree, 0, True)
    shapes = [
        Text((MARGIN, 23.7), title, 18, "ink", align="start"),
        Text((MARGIN, 47.5), how, 13, "note", align="start"),
        Text((MARGIN, 65.5), more, 13, "note", align="start"),
        *(shape for layer in range(1 + tree.depth) for shape in layout.side(tree, layer)),
        *drawn,
    ]
    words = 2 * MARGIN + 6.6 * max(len(how), 1.45 * len(title))
    width = max(layout.free - layout.slot / 2 + MARGIN, words)
    height = layout.top(1 + tree.depth) - EDGE + MARGIN
    about = " ".join([how, *([more] if more else []), f"{len(every)} positions."])
    return Drawing(round(width), round(height), tuple(shapes), title, description=about)


class _TreeLayout:
    """The measures of one tree's picture, and its parts."""

    def __init__(self, every: list[Branch], game: Game[Any, Any]) -> None:
        self.game = game
        if game.board is None:
            self.width, self.height = max(len(b.position) for b in every) * 7.5 + 16, 28.0
        else:
            columns, rows = game.board
            self.width = max(54.0, columns * 14.0)
            self.height = rows * self.width / columns
        self.chip = max(self.width, max(len(b.value) for b in every) * 6.2 + 12)
        labels = (max(len(b.label or "") for b in every) * 7.4 + 6) / LOW
        self.slot = max(self.chip, labels) + GAP
        sides = 6.8 * max(len(seat) + len(" to move") for seat in game.seats)
        self.free = MARGIN + sides + GAP + self.slot / 2  # the middle of the next leaf

    def top(self, layer: int) -> float:
        """Return the upper edge of the boards of a layer."""
        return TOP + layer * (self.height + CHIP + BELOW + EDGE)

    def side(self, tree: Branch, layer: int) -> list[Shape]:
        """Return the words at the left of a layer: the side to move, and max or min."""
        seat, word = (self.game.other(tree.turn), "min") if layer % 2 else (tree.turn, "max")
        y = self.top(layer) + self.height / 2
        return [
            Text((MARGIN, y - 4.5), f"{seat} to move", 13, "ink", align="start"),
            Text((MARGIN, y + 12.5), word, 13, "note", align="start"),
        ]

    def draw(self, branch: Branch, layer: int, line: bool) -> tuple[float, list[Shape]]:
        """Return the middle of a branch and the shapes of all from there on, from left to right.

        `line` says whether all moves from the root to here are chosen.
        """
        below = [(b, *self.draw(b, layer + 1, line and b.chosen)) for b in branch.branches]
        x = (below[0][1] + below[-1][1]) / 2 if below else self.free
        self.free += 0 if below else self.slot
        start = self.top(layer) + self.height + CHIP + (10 if line else 5)
        end = self.top(layer + 1) - 6
        shapes: list[Shape] = []
        for part, at, _ in sorted(below, key=lambda b: b[0].chosen):
            shapes.append(Line(((x, start), (at, end)), "ink", 4 if part.chosen else 1))
        for part, at, _ in below:
            label = part.label or ""
            width = 7.4 * len(label) + 6
            left, y = x + (at - x) * LOW - width / 2, start + (end - start) * LOW
            shapes.append(Rectangle(left, y - 9, width, 16, "paper", radius=3))
            shapes.append(Text((left + width / 2, y - 0.5), label, 13, "ink", part.chosen))
        shapes += self.position(branch, x, self.top(layer), line)
        return x, [*shapes, *(shape for _, _, inner in below for shape in inner)]

    def position(self, branch: Branch, x: float, top: float, framed: bool) -> Iterator[Shape]:
        """Yield a position with its value."""
        if framed:
            width, height = self.chip + 10, self.height + CHIP + 14
            yield Rectangle(x - width / 2, top - 5, width, height, None, "ink", radius=7)
        left = x - self.width / 2
        if self.game.board is not None:
            columns = self.game.board[0]
            marks = board(self.game.marks(branch.position), columns)
            yield Group(marks, left, top, self.width / (columns * CELL))
        else:
            yield Rectangle(left, top, self.width, self.height, "paper", "ink", 1, radius=3)
            yield Text((x, top + 13.5), branch.position, 13, "ink")
        tint, y = TINTS.get(branch.outcome), top + self.height + 4
        fill, edge, opacity = (tint, tint, 0.3) if tint else ("paper", "ink", 1.0)
        dashed = branch.outcome is Outcome.LOSS
        yield Rectangle(x - self.chip / 2, y, self.chip, CHIP, fill, edge, 1, 4, opacity, dashed)
        yield Text((x, y + CHIP / 2), branch.value, 12, "ink")
        if branch.end in ("cut", "repeats"):
            end = f"+{branch.moves}" if branch.end == "cut" else "repeats"
            yield Text((x, y + CHIP + 13), end, 11, "note")
