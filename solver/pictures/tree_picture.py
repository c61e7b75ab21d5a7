"""Game trees as pictures: the root on top, a layer for each ply, values below the boards.

Takes a tree and the rules; returns SVG. Whose layer it is stands at its left; a chosen branch is a
bold line, and the line of chosen branches from the root has its positions framed.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.agent.tree import legend
from solver.pictures import svg as pictures
from solver.pictures.shapes import BLUE, ORANGE
from solver.value import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from solver.agent.tree import Branch, Tree
    from solver.rules.game import Game

TOP, MARGIN = 92, 20  # around the tree, in pixels
CHIP = 18  # the height of a value
BELOW = 22  # the height of the words below a value
EDGE = 60  # from layer to layer
LOW = 0.74  # how far down its line a move is written
GAP = 20  # from one position to the next
TINTS = {Outcome.WIN: BLUE, Outcome.LOSS: ORANGE}


class Place(NamedTuple):
    """Where a branch is drawn: its middle, its layer from 0, and the branches below it."""

    branch: Branch
    x: float
    layer: int
    line: bool
    """Whether all moves from the root to here are chosen."""
    below: tuple[Place, ...]


def draw_tree(tree: Tree, game: Game[Any, Any]) -> str:
    """Return a tree as an SVG picture."""
    return _Drawing(tree, game).picture()


class _Drawing:
    """One picture, and the measures of its positions."""

    def __init__(self, tree: Tree, game: Game[Any, Any]) -> None:
        self.tree, self.game = tree, game
        branches = list(_all(tree.root))
        words = max(len(b.value) for b in branches) * 6.2 + 12
        if game.board is None:
            self.wide = max(len(game.marks(b.position)) for b in branches) * 7.5 + 16
            self.scale, self.high = 1.0, 28.0
        else:
            columns, rows = game.board
            self.wide = max(54.0, columns * 14.0)
            self.scale = self.wide / (columns * pictures.CELL)
            self.high = rows * pictures.CELL * self.scale
        self.chip = max(self.wide, words)
        labels = (max(len(b.label or "") for b in branches) * 7.4 + 6) / LOW
        self.slot = max(self.chip, labels) + GAP
        self.step = self.high + CHIP + BELOW + EDGE
        sides = 6.8 * max(len(seat) + len(" to move") for seat in game.seats)
        self.free = MARGIN + sides + GAP + self.slot / 2  # where the next branch at an end stands

    def picture(self) -> str:
        """Return the whole picture."""
        tree, root = self.tree, self.tree.root
        place = self._place(root, 0, True)
        layers = 1 + max(p.layer for p in _places(place))
        parts = [*self._edges(place), *(self._position(p) for p in _places(place))]
        sides = [self._side(layer) for layer in range(layers)]
        title = f"{self.game.spec}: the tree below {root.position}, {root.turn} to move"
        said = [legend(tree).replace("> marks the chosen move", "the bold line is the chosen move")]
        if any(b.end == "cut" for b in _all(root)):
            said.append(f"Cut after {tree.depth} plies: +2 means that 2 moves are not shown.")
        if any(b.end == "repeats" for b in _all(root)):
            said.append("A position that stands above on its own line repeats.")
        lines = ((title, "text", 18), (said[0], "note", 13), (" ".join(said[1:]), "note", 13))
        head = "".join(
            f'<text class="{kind}" x="20" y="{y}" font-size="{size}">{escape(line)}</text>'
            for y, (line, kind, size) in zip((30, 52, 70), lines, strict=True)
        )
        told = f"<desc>{escape(' '.join(said))} {tree.positions} positions.</desc>"
        width = max(
            self.free - self.slot / 2 + MARGIN, 40 + 6.6 * max(len(said[0]), 1.45 * len(title))
        )
        height = TOP + layers * self.step - EDGE + 20
        body = f"{told}{head}{''.join(sides)}{''.join(parts)}"
        return pictures.picture(round(width), round(height), body, title)

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

    def _side(self, layer: int) -> str:
        """Return what stands at the left of a layer: whose move it is, max or min."""
        mine = (self.tree.root.turn == self.tree.view) == (layer % 2 == 0)
        seat, word = (self.tree.view, "max") if mine else (self.tree.other, "min")
        y = self._top(layer) + self.high / 2
        return (
            f'<text class="text" x="20" y="{y:.1f}" font-size="13">{escape(seat)} to move</text>'
            f'<text class="note" x="20" y="{y + 17:.1f}" font-size="13">{word}</text>'
        )

    def _edges(self, place: Place) -> Iterator[str]:
        """Yield the lines from a position to those below it, thin ones first, and their labels."""
        start = self._top(place.layer) + self.high + CHIP + (10 if place.line else 5)
        end = self._top(place.layer + 1) - 6
        for part in sorted(place.below, key=lambda p: p.branch.chosen):
            bold = part.branch.chosen
            yield (
                f'<path class="ink" stroke-width="{4 if bold else 1}" stroke-linecap="round"'
                f' d="M{place.x:.1f} {start:.1f}L{part.x:.1f} {end:.1f}"/>'
            )
        for part in place.below:
            yield self._label(part, start, end, place.x)
            yield from self._edges(part)

    def _label(self, part: Place, start: float, end: float, x: float) -> str:
        """Return the move, written on the lower part of its line."""
        label = part.branch.label or ""
        wide = 7.4 * len(label) + 6
        x, y = x + (part.x - x) * LOW, start + (end - start) * LOW
        weight = ' font-weight="bold"' if part.branch.chosen else ""
        return (
            f'<rect class="paper" x="{x - wide / 2:.1f}" y="{y - 9:.1f}" width="{wide:.1f}"'
            f' height="16" rx="3"/><text class="text" x="{x:.1f}" y="{y + 4:.1f}" font-size="13"'
            f' text-anchor="middle"{weight}>{escape(label)}</text>'
        )

    def _position(self, place: Place) -> str:
        """Return a position with its value, and a frame if it is on the chosen line."""
        branch, top = place.branch, self._top(place.layer)
        tint = TINTS.get(branch.outcome)
        dashes = ' stroke-dasharray="4 3"' if branch.outcome is Outcome.LOSS else ""
        fill = f'fill="{tint}" fill-opacity=".3" stroke="{tint}"' if tint else 'class="paper ink"'
        y = top + self.high + 4
        parts = [
            self._frame(place) if place.line else "",
            self._board(branch, place.x - self.wide / 2, top),
            f'<rect {fill} x="{place.x - self.chip / 2:.1f}" y="{y:.1f}" width="{self.chip:.1f}"'
            f' height="{CHIP}" rx="4"{dashes}/><text class="text" x="{place.x:.1f}"'
            f' y="{y + 13:.1f}" font-size="12" text-anchor="middle">{branch.value}</text>',
        ]
        why = {"cut": f"+{branch.moves}", "repeats": "repeats"}.get(branch.end or "")
        if why:
            parts.append(
                f'<text class="note" x="{place.x:.1f}" y="{y + CHIP + 17:.1f}" font-size="11"'
                f' text-anchor="middle">{why}</text>'
            )
        return "".join(parts)

    def _frame(self, place: Place) -> str:
        wide = self.chip + 10
        return (
            f'<rect class="ink" fill="none" stroke-width="2" x="{place.x - wide / 2:.1f}"'
            f' y="{self._top(place.layer) - 5:.1f}" width="{wide:.1f}"'
            f' height="{self.high + CHIP + 14:.1f}" rx="7"/>'
        )

    def _board(self, branch: Branch, x: float, y: float) -> str:
        """Return the board of a position, or its text in a box where a game has no board."""
        marks = self.game.marks(branch.position)
        if self.game.board is None:
            return (
                f'<rect class="paper ink" x="{x:.1f}" y="{y:.1f}" width="{self.wide:.1f}"'
                f' height="{self.high:.1f}" rx="3"/><text class="text" x="{x + self.wide / 2:.1f}"'
                f' y="{y + 18:.1f}" font-size="13" text-anchor="middle">{escape(marks)}</text>'
            )
        drawn = pictures.board(marks, self.game.board[0])
        return f'<g transform="translate({x:.1f} {y:.1f})scale({self.scale:.4g})">{drawn}</g>'


def _all(branch: Branch) -> Iterator[Branch]:
    yield branch
    for part in branch.branches:
        yield from _all(part)


def _places(place: Place) -> Iterator[Place]:
    yield place
    for part in place.below:
        yield from _places(part)
