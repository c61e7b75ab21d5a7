"""All answers about a small game as one JSON value, from which the page plays it by itself.

Takes an agent; returns the nodes of the game's graph with everything that the page shows of them:
values, names and reasons come from here, so that the page has no rules. Of positions that a
symmetry of the cells maps to each other, one is a node. Each move has a number, and each symmetry
says where it takes cells and moves.

    moves        [code, label, cell, origin] of each
    symmetries   {cells, moves, after}: cell i of the image is cell `cells[i]`, `moves[m]` the image
                 of move m, `after[n]` the symmetry that does n first
    nodes        [text, seat, outcome, distance, marks or null, won cells, moves], the start first;
                 outcome 1, 0 or -1; each of its moves, best first, is [move, node, symmetry,
                 reasons], where the symmetry maps the node to the position after the move
    puzzles      [node, symmetry, difficulty, candidates]

In reasons, {m} stands for the label of move m.
"""

from __future__ import annotations

from typing import Any

from solver.agent import words
from solver.agent.agent import TableAgent
from solver.agent.answers import Whole
from solver.arena.puzzles import find_puzzles
from solver.rules.game import IDENTITY, Game, Symmetry, move_image, walk
from solver.rules.grid import won_lines
from solver.tables.json_table import Table
from solver.value import distance, outcome

MOST = 10_000  # nodes
WALKED = 300  # positions on which a symmetry is compared with its map of cells


def is_small(agent: TableAgent) -> bool:
    """Return whether a game is small enough for `whole_game`."""
    table = agent.table
    return isinstance(table, Table) and table.counts["canonical"] <= MOST


def whole_game(agent: TableAgent) -> Whole:
    """Return all answers about a game; raises ValueError for one that is too large."""
    if is_small(agent):
        symmetries = _of_cells(agent.game)
        for some in {len(symmetries): symmetries, 1: symmetries[:1]}.values():
            graph = _Graph(agent, some)
            if graph.fill():
                return graph.described()
    raise ValueError(
        f"{agent.game.spec} is too large to be sent as a whole: at most {MOST:,} positions can be,"
        " up to symmetries of the cells, from a JSON table"
    )


def _of_cells(game: Game[Any, Any]) -> list[Symmetry]:
    """Return the symmetries that rearrange the characters of texts, with their cells."""
    count = len(game.text(game.initial()))
    same = Symmetry(IDENTITY.position, IDENTITY.move, tuple(range(count)))
    others = [s for s in game.symmetries if s.cells not in (None, same.cells)]
    for p in walk(game, WALKED):
        text = game.text(p)
        for s in others:
            image = "".join(text[i] for i in s.cells or () if i < len(text))
            if image != game.text(s.position(p)):
                return [same]
    return [same, *others]


class _Graph:
    """The nodes found so far, and the numbers of moves."""

    def __init__(self, agent: TableAgent, symmetries: list[Symmetry]) -> None:
        self.agent, self.game, self.symmetries = agent, agent.game, symmetries
        cells = [s.cells or () for s in symmetries]
        self.after = [[cells.index(tuple(a[i] for i in b)) for a in cells] for b in cells]
        self.moves: dict[tuple[Any, ...], int] = {}
        self.images: list[dict[int, int]] = [{} for _ in symmetries]  # of moves
        self.places: dict[tuple[str, str], tuple[int, int]] = {}
        self.found: list[tuple[Any, str]] = []
        self.nodes: list[list[Any]] = []

    def fill(self) -> bool:
        """Add all nodes; return False if there are too many or symmetries do not map moves."""
        start = self.game.initial()
        self.place(start, self.game.turn(start))
        for p, seat in self.found:  # which grows
            if len(self.found) > MOST or not self.map_moves(p):
                return False
            self.nodes.append(self.node(p, seat))
        return True

    def place(self, p: Any, seat: str) -> tuple[int, int]:
        """Return the node of a position, and the symmetry that maps the node to the position."""
        text = self.game.text(p, seat)
        if (text, seat) not in self.places:
            images = [s.position(p) for s in self.symmetries]
            texts = [self.game.text(q, seat) for q in images]
            number = len(self.found)
            self.found.append((p, seat))
            for there, image in enumerate(texts):
                self.places.setdefault((image, seat), (number, there))
        return self.places[text, seat]

    def move(self, p: Any, m: Any) -> int:
        """Return the number of a move."""
        game = self.game
        key = game.code(m), game.label(p, m), game.cell(p, m), game.origin(p, m)
        return self.moves.setdefault(key, len(self.moves))

    def map_moves(self, p: Any) -> bool:
        """Add the images of a position's moves; return False if they contradict others."""
        if self.game.primitive(p) is not None:
            return True
        return all(
            images.setdefault(self.move(p, m), image) == image
            for symmetry, images in zip(self.symmetries, self.images, strict=True)
            for m in self.game.moves(p)
            for image in (self.move(symmetry.position(p), move_image(self.game, symmetry, p, m)),)
        )

    def node(self, p: Any, seat: str) -> list[Any]:
        game, agent = self.game, self.agent
        text, score = game.text(p, seat), agent.table.probe(p)
        marks = game.marks(text) if game.has_cells else None
        won = sorted({cell for cells in won_lines(game, p) for cell in cells})
        moves = []
        for found in agent.scores_at(p):
            child = self.place(game.play(p, found.move), game.other(seat))
            why = words.reasons(agent, p, found, seat, lambda q, m: f"{{{self.move(q, m)}}}")
            moves.append([self.move(p, found.move), *child, why])
        seats = [*game.seats]
        value = int(outcome(score))
        return [text, seats.index(seat), value, distance(score), marks, won, moves]

    def described(self) -> Whole:
        """Return the nodes and what they refer to."""
        count = len(self.moves)
        symmetries = [
            {
                "cells": [*(s.cells or ())],
                "moves": [images.get(m, m) for m in range(count)],
                "after": after,
            }
            for s, images, after in zip(self.symmetries, self.images, self.after, strict=True)
        ]
        puzzles = [
            [*self.places[z["position"], z["turn"]], z["difficulty"], z["candidates"]]
            for z in find_puzzles(self.agent, len(self.nodes))
            if (z["position"], z["turn"]) in self.places
        ]
        return {
            "game": self.game.spec,
            "moves": [[*move] for move in self.moves],
            "symmetries": symmetries,
            "nodes": self.nodes,
            "puzzles": puzzles,
        }
