"""Game trees as pictures: the root on top, a layer for each ply, values below the boards.

Takes a tree and the rules; returns a Drawing. The side to move in a layer is named at its left; a
chosen branch is a bold line, and the positions on the line of chosen branches from the root are
framed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

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


class Place(NamedTuple):
    """Where a branch is drawn: its middle, its layer from 0, and the branches below it."""

    branch: Branch
    x: float
    layer: int
    line: bool
    """Whether all moves from the root to here are chosen."""
    below: tuple[Place, ...]


def draw_tree(tree: Branch, game: Game[Any, Any]) -> Drawing:
    """Return the drawing of a tree."""
    return _TreeLayout(tree, game).drawing()


class _TreeLayout:
    """The measures of one tree's picture, and its parts."""

    def __init__(self, tree: Branch, game: Game[Any, Any]) -> None:
        self.tree, self.game = tree, game
        branches = list(_all_branches(tree))
        self.ends = {b.end for b in branches}
        if game.board is None:
            self.width = max(len(b.position) for b in branches) * 7.5 + 16
            self.scale, self.height = 1.0, 28.0
        else:
            columns, rows = game.board
            self.width = max(54.0, columns * 14.0)
            self.scale = self.width / (columns * CELL)
            self.height = rows * CELL * self.scale
        self.chip = max(self.width, max(len(b.value) for b in branches) * 6.2 + 12)
        labels = (max(len(b.label or "") for b in branches) * 7.4 + 6) / LOW
        self.slot = max(self.chip, labels) + GAP
        self.step = self.height + CHIP + BELOW + EDGE
        sides = 6.8 * max(len(seat) + len(" to move") for seat in game.seats)
        self.free = MARGIN + sides + GAP + self.slot / 2  # the middle of the next leaf

    def drawing(self) -> Drawing:
        """Return the whole picture."""
        tree, other = self.tree, self.game.other(self.tree.turn)
        place = self._place(tree, 0, True)
        layers = 1 + tree.depth
        title = f"{self.game.spec}: the tree below {tree.position}, {tree.turn} to move"
        notes = [
            f"Values are {tree.turn}'s: {tree.turn} takes the largest (max), {other} the smallest"
            " (min); the bold line is the chosen move."
        ]
        if "cut" in self.ends:
            notes.append(f"Cut after {tree.depth} plies: +2 means that 2 moves are not shown.")
        if "repeats" in self.ends:
            notes.append("A position that occurs above on its own line is marked as repeats.")
        shapes: list[Shape] = [
            Text((MARGIN, 23.7), title, 18, "ink", align="start"),
            Text((MARGIN, 47.5), notes[0], 13, "note", align="start"),
            Text((MARGIN, 65.5), " ".join(notes[1:]), 13, "note", align="start"),
        ]
        for layer in range(layers):
            shapes += self._side(layer)
        shapes += self._edges(place)
        shapes += self._positions(place)
        words = 2 * MARGIN + 6.6 * max(len(notes[0]), 1.45 * len(title))
        width = max(self.free - self.slot / 2 + MARGIN, words)
        height = TOP + layers * self.step - EDGE + MARGIN
        description = f"{' '.join(notes)} {tree.positions} positions."
        return Drawing(round(width), round(height), tuple(shapes), title, description=description)

    def _place(self, branch: Branch, layer: int, line: bool) -> Place:
        """Return where a branch and all below it are drawn, from left to right."""
        below = tuple(self._place(b, layer + 1, line and b.chosen) for b in branch.branches)
        if below:
            return Place(branch, (below[0].x + below[-1].x) / 2, layer, line, below)
        x = self.free
        self.free += self.slot
        return Place(branch, x, layer, line, below)

    def _top(self, layer: int) -> float:
        return TOP + layer * self.step

    def _side(self, layer: int) -> list[Shape]:
        """Return the words at the left of a layer: the side to move, and max or min."""
        view = self.tree.turn
        seat, word = (self.game.other(view), "min") if layer % 2 else (view, "max")
        y = self._top(layer) + self.height / 2
        return [
            Text((MARGIN, y - 4.5), f"{seat} to move", 13, "ink", align="start"),
            Text((MARGIN, y + 12.5), word, 13, "note", align="start"),
        ]

    def _edges(self, place: Place) -> Iterator[Shape]:
        """Yield the lines from a position to those below it, thin ones first, and their labels."""
        start = self._top(place.layer) + self.height + CHIP + (10 if place.line else 5)
        end = self._top(place.layer + 1) - 6
        for part in sorted(place.below, key=lambda p: p.branch.chosen):
            yield Line(((place.x, start), (part.x, end)), "ink", 4 if part.branch.chosen else 1)
        for part in place.below:
            label = part.branch.label or ""
            width = 7.4 * len(label) + 6
            x, y = place.x + (part.x - place.x) * LOW, start + (end - start) * LOW
            yield Rectangle(x - width / 2, y - 9, width, 16, "paper", radius=3)
            yield Text((x, y - 0.5), label, 13, "ink", part.branch.chosen)
            yield from self._edges(part)

    def _positions(self, place: Place) -> Iterator[Shape]:
        """Yield a position and those below it, each with its value, framed on the chosen line."""
        branch, x, top = place.branch, place.x, self._top(place.layer)
        if place.line:
            width, height = self.chip + 10, self.height + CHIP + 14
            yield Rectangle(x - width / 2, top - 5, width, height, None, "ink", radius=7)
        left = x - self.width / 2
        if self.game.board is not None:
            marks = self.game.marks(branch.position)
            yield Group(board(marks, self.game.board[0]), left, top, self.scale)
        else:
            yield Rectangle(left, top, self.width, self.height, "paper", "ink", 1, radius=3)
            yield Text((x, top + 13.5), branch.position, 13, "ink")
        tint, y = TINTS.get(branch.outcome), top + self.height + 4
        fill, line, opacity = (tint, tint, 0.3) if tint else ("paper", "ink", 1.0)
        dashed = branch.outcome is Outcome.LOSS
        yield Rectangle(x - self.chip / 2, y, self.chip, CHIP, fill, line, 1, 4, opacity, dashed)
        yield Text((x, y + CHIP / 2), branch.value, 12, "ink")
        if branch.end in ("cut", "repeats"):
            end = f"+{branch.moves}" if branch.end == "cut" else "repeats"
            yield Text((x, y + CHIP + 13), end, 11, "note")
        for part in place.below:
            yield from self._positions(part)


def _all_branches(branch: Branch) -> Iterator[Branch]:
    yield branch
    for part in branch.branches:
        yield from _all_branches(part)
