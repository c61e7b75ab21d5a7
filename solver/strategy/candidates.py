"""The graph of all strategies of one side that keep what the side has, from a solved table.

A node is a position up to symmetry with one side to move; of the claimant's moves there are those
that keep its win or its draw, the best first, and of the other side's all. A strategy is a choice
of one child at each node of the claimant; its nodes are those that the start then leads to.

The table gives the values of moves and the rules everything else. Nodes are numbered in the order
in which a search in breadth meets them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import chain
from typing import Any, NamedTuple

from solver.rules.game import Game
from solver.rules.positions import explore
from solver.strategy.file import Node, encode
from solver.strategy.rules_check import ENDS, is_forced
from solver.value import Outcome, outcome

MOST = 1_000_000  # nodes: less than 2 GB of memory

Progress = Callable[[int, int], None]


class Candidates(NamedTuple):
    """The graph, its nodes numbered from 0, the start, in sequences or arrays of integers."""

    position: Callable[[int], Any]
    """Returns the canonical position of a node."""
    turns: Any
    """1 for each node in which the claimant is to move, else 0."""
    first: Any
    """Where the children of each node begin in `children`, and where those of the last end."""
    children: Any
    """The nodes that the moves lead to, each once for a node; none if the game is over."""
    weights: Any
    """1 for each node that counts, else 0."""
    aim: str
    """'wins' or 'holds', what the claimant can do."""

    def after(self, n: int) -> list[int]:
        """Return the children of a node."""
        return [int(k) for k in self.children[self.first[n] : self.first[n + 1]]]


def find_candidates(
    table: Any, side: str | None, fewest: str, progress: Progress = lambda done, total: None
) -> tuple[str, Candidates]:
    """Return the side, by default one that does not lose, and the graph of its strategies.

    `fewest` says which nodes count: positions, decisions or cards. Raises ValueError if the side
    loses, or has too many positions to choose among.
    """
    game = table.game
    side, own = _claimed(table, side)
    numbers = {(game.canonical(game.initial()), side == "first"): 0}
    nodes = [*numbers]
    first, children, weights = array("q", [0]), array("q"), array("q")
    for p, is_own in nodes:  # which grows
        moves = () if game.primitive(p) is not None else game.moves(p)
        is_decision = is_own and len(moves) > 0
        if is_decision:
            scores = sorted(table.move_scores(p), key=lambda s: -s[1])
            moves = [m for m, score in scores if outcome(score) >= own]
        if is_decision and fewest == "cards":
            forced = [m for m in moves if is_forced(game, p, m)]
            moves, is_decision = forced or moves, not forced
        after = dict.fromkeys((game.canonical(game.play(p, m)), not is_own) for m in moves)
        for node in after:
            if node not in numbers:
                numbers[node] = len(nodes)
                nodes.append(node)
        if len(nodes) > MOST:
            raise ValueError(f"{game.spec} has more than {MOST:,} positions to choose among")
        children.extend(numbers[node] for node in after)
        first.append(len(children))
        weights.append(int(fewest == "positions" or is_decision))
        progress(len(weights), len(nodes))
    turns = array("q", (is_own for _, is_own in nodes))
    aim = "wins" if own > 0 else "holds"
    return side, Candidates(lambda n: nodes[n][0], turns, first, children, weights, aim)


def _claimed(table: Any, side: str | None) -> tuple[str, Outcome]:
    """Return a side, by default one that does not lose, and its outcome; raises ValueError."""
    value = outcome(table.probe(table.game.initial()))
    side = side or ("second" if value is Outcome.LOSS else "first")
    own = value if side == "first" else -value
    if own is Outcome.LOSS:
        other = "second" if side == "first" else "first"
        raise ValueError(f"the {side} player of {table.game.spec} loses; --side {other} wins")
    return side, own


def few_decisions(found: Candidates) -> int:
    """Return how many nodes count in a strategy that is made at once, of moves with small trees.

    If positions can repeat, it is made of the best moves. There may be much smaller ones.
    """
    after = [found.after(n) for n in range(len(found.weights))]
    trees = list[int](found.weights)
    try:
        for n in TopologicalSorter(dict(enumerate(after))).static_order():  # children first
            if found.turns[n]:
                after[n] = [min(after[n], key=trees.__getitem__)] if after[n] else []
            trees[n] += sum(trees[k] for k in after[n])
    except CycleError:
        after = [some[:1] if own else some for some, own in zip(after, found.turns, strict=True)]
    met = chain.from_iterable(explore([0], after.__getitem__))
    return sum(found.weights[n] for n in met)


def write(
    game: Game[Any, Any], side: str, found: Candidates, choice: Sequence[int], fewest: str
) -> bytes:
    """Return the file of the strategy that chooses these children, by their indices among them.

    Positions are written as play from the start first meets them, so that the seat to move is
    always that of the line.
    """
    at, moves = {0: game.initial()}, dict[int, Any]()
    after = dict[int, list[int]]()
    for n in (order := [0]):  # which grows: breadth first
        p, chosen = at[n], found.after(n)
        if found.turns[n] and chosen:
            chosen = [chosen[choice[n]]]
        numbers = {found.position(k): k for k in chosen}
        after[n] = []
        for m in game.moves(p) if chosen else ():
            child = game.play(p, m)
            k = numbers.get(game.canonical(child), -1)
            if k >= 0 and k not in after[n]:
                after[n].append(k)
                moves[n] = m
                if k not in at:
                    at[k] = child
                    order.append(k)
    if found.aim == "wins":
        order = [*TopologicalSorter(after).static_order()][::-1]
    line_of = {n: i for i, n in enumerate(order, 1)}
    lines = []
    for n in order:
        p, is_own = at[n], found.turns[n]
        seat = game.seats[(side == "first") != bool(is_own)]
        kind, end, move = "m" if is_own else "t", "", "-"
        if (over := game.primitive(p)) is not None:
            end = ENDS[over if is_own else -over]
        elif is_own:
            move = game.label(p, moves[n])
            kind = "f" if fewest == "cards" and is_forced(game, p, moves[n]) else "m"
        lines.append(
            Node(kind, end, sorted(line_of[k] for k in after[n]), move, game.text(p, seat))
        )
    return encode(game.spec, side, found.aim, len(game.symmetries) > 1, lines)
