"""All answers about a small game as one JSON value, from which the page plays it by itself.

Takes an agent; returns the nodes of the game's graph with everything that the page shows of them:
values, names and reasons come from here, so that the page has no rules. Of positions that a
symmetry of the cells maps to each other, one is a node. Each move has a number, and each symmetry
says where it takes cells and moves.

    moves        [code, label, cell, origin] of each
    symmetries   {cells, text, moves, after}: cell i of the image is cell `cells[i]`, character i
                 of its text is `text[i]` if texts have this length, `moves[m]` is the image of
                 move m, `after[n]` the symmetry that does n first
    nodes        [text, seat, outcome, distance, marks or null, won cells, moves], the start first;
                 outcome 1, 0 or -1; each of its moves, best first, is [move, node, symmetry,
                 reasons], where the symmetry maps the node to the position after the move
    puzzles      [node, symmetry, difficulty, candidates]

In reasons, {m} stands for the label of move m. In tic-tac-toe, for example, node 1 is X in the top
left corner. Symmetry 3 turns the board by half, so that the first move in the bottom right corner
leads to image 3 of that node:

    nodes[1]       ["X........", 1, 0, ...]
    moves[8]       [8, "9", 8, null]
    nodes[0][6]    [[8, 1, 3, ["of O's 8 replies only {4} does not lose"]], ...]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from solver.agent import words
from solver.agent.agent import TableAgent
from solver.players.puzzles import find_puzzles
from solver.rules.game import IDENTITY, Game, Symmetry, move_image
from solver.rules.grid import won_lines
from solver.tables.json_table import Table
from solver.value import distance, outcome
from solver.web.answers import Whole

MOST = 10_000  # nodes


def is_small(agent: TableAgent) -> bool:
    """Return whether a game is small enough for `whole_game`."""
    return _graph(agent) is not None


def whole_game(agent: TableAgent) -> Whole:
    """Return all answers about a game; raises ValueError without a small JSON table."""
    graph = _graph(agent)
    if graph is None:
        raise ValueError(
            f"{agent.game.spec} cannot be sent as a whole: that takes a JSON table of at most"
            f" {MOST:,} positions up to symmetries of the cells"
        )
    return graph.described()


def _graph(agent: TableAgent) -> _Graph | None:
    """Return the graph of a game with as many symmetries as its texts show; None if too large."""
    table = agent.table
    if not isinstance(table, Table) or table.counts["canonical"] > MOST:
        return None
    for orders in _orders(agent.game):
        graph = _Graph(agent, *zip(*orders, strict=True))
        if graph.fill():
            return graph
    return None


def _orders(game: Game[Any, Any]) -> Iterator[list[tuple[Symmetry, list[int]]]]:
    """Yield symmetries with guesses at how each rearranges the characters of texts.

    Cells are the first characters, as in "x.o.x", or the items of a tuple, as in "(1, 0, 2)".
    """
    count = len(game.text(game.initial()))
    same = IDENTITY._replace(cells=tuple(range(count)))
    others = [s for s in game.symmetries if s.cells and s.cells != (*range(len(s.cells)),)]
    for first, step in ((0, 1), (1, 3)) if others else ():
        orders = [(same._replace(cells=tuple(range(len(others[0].cells or ())))), [*range(count)])]
        for s in others:
            order = [*range(count)]
            for cell, origin in enumerate(s.cells or ()):
                if (index := first + step * cell) < count:
                    order[index] = first + step * origin
            orders.append((s, order))
        yield orders
    yield [(same, [*range(count)])]


class _Graph:
    """The nodes found so far, and the numbers of moves.

    `nodes` has the node and the symmetry of each text with a side to move: in the example above
    `nodes["X........", "O"] == (1, 0)`, and `nodes["........X", "O"] == (1, 3)`.
    """

    def __init__(
        self, agent: TableAgent, symmetries: Sequence[Symmetry], orders: Sequence[list[int]]
    ) -> None:
        self.agent, self.game, self.symmetries = agent, agent.game, symmetries
        self.orders = orders  # of the characters of texts
        cells = [s.cells or () for s in symmetries]
        self.after = [[cells.index(tuple(a[i] for i in b)) for a in cells] for b in cells]
        self.moves: dict[tuple[Any, ...], int] = {}
        self.images: list[dict[int, int]] = [{} for _ in symmetries]  # of moves
        self.nodes: dict[tuple[str, str], tuple[int, int]] = {}
        self.positions: list[tuple[Any, str]] = []

    def fill(self) -> bool:
        """Find all nodes; return False if there are too many or symmetries do not map them."""
        game, start = self.game, self.game.initial()
        waiting = [(start, game.turn(start))]
        for p, seat in waiting:  # which grows
            if (game.text(p, seat), seat) in self.nodes:
                continue
            if len(self.positions) == MOST or not (self.map_texts(p, seat) and self.map_moves(p)):
                return False
            if game.primitive(p) is None:
                waiting += [(game.play(p, m), game.other(seat)) for m in game.moves(p)]
        return True

    def map_texts(self, p: Any, seat: str) -> bool:
        """Add a node and its images; return False if a text is not rearranged as cells are."""
        text, number = self.game.text(p, seat), len(self.positions)
        self.positions.append((p, seat))
        for there, (symmetry, order) in enumerate(zip(self.symmetries, self.orders, strict=True)):
            image = self.game.text(symmetry.position(p), seat)
            if turned(text, order) != image:
                return False
            self.nodes.setdefault((image, seat), (number, there))
        return True

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
        for reply in agent.scores_at(p):
            other = game.other(seat)
            child = self.nodes[game.text(game.play(p, reply.move), other), other]
            why = words.reasons(agent, p, reply, seat, lambda q, m: f"{{{self.move(q, m)}}}")
            moves.append([self.move(p, reply.move), *child, why])
        seats = [*game.seats]
        value = int(outcome(score))
        return [text, seats.index(seat), value, distance(score), marks, won, moves]

    def described(self) -> Whole:
        """Return the nodes and what they refer to."""
        nodes, count = [self.node(p, seat) for p, seat in self.positions], len(self.moves)
        symmetries = [
            {
                "cells": [*(s.cells or ())],
                "text": order,
                "moves": [images.get(m, m) for m in range(count)],
                "after": after,
            }
            for s, order, images, after in zip(
                self.symmetries, self.orders, self.images, self.after, strict=True
            )
        ]
        puzzles = [
            [*self.nodes[z["position"], z["turn"]], z["difficulty"], z["candidates"]]
            for z in find_puzzles(self.agent, len(nodes))
            if (z["position"], z["turn"]) in self.nodes
        ]
        return {
            "game": self.game.spec,
            "moves": [[*move] for move in self.moves],
            "symmetries": symmetries,
            "nodes": nodes,
            "puzzles": puzzles,
        }


def turned(text: str, order: list[int]) -> str:
    """Return a text with its characters in this order, if it has as many."""
    return "".join([text[i] for i in order]) if len(text) == len(order) else text
