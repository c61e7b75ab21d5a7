"""The graph of all strategies of one side that keep what the side has, from a solved table.

A node is a position up to symmetry with one side to move; of the claimant's moves there are those
that keep its win or its draw, the best first, and of the other side's all. A strategy is a choice
of one child at each node of the claimant; its nodes are those that the start then leads to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from graphlib import TopologicalSorter
from typing import Any, NamedTuple

from solver.rules.game import Game
from solver.strategy.file import Node, encode
from solver.strategy.rules_check import ENDS, is_forced
from solver.value import Outcome, outcome

MOST_NODES = 1_000_000  # about a gigabyte of memory

Place = tuple[Any, bool]  # a canonical position, and whether the claimant is to move


class Candidates(NamedTuple):
    """The graph, its nodes numbered from 0, the start."""

    places: list[Place]
    children: list[list[int]]
    """The nodes that the moves lead to, each once; none if the game is over."""
    weights: list[int]
    """1 for each node that counts, else 0."""
    aim: str
    """'wins' or 'holds', what the claimant can do."""


def find_candidates(
    table: Any,
    side: str | None,
    fewest: str,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> tuple[str, Candidates]:
    """Return the side, by default one that does not lose, and the graph of its strategies.

    `fewest` says which nodes count: positions, decisions or cards. Raises ValueError if the side
    loses.
    """
    game, start = table.game, table.game.initial()
    value = outcome(table.probe(start))
    side = side or ("second" if value is Outcome.LOSS else "first")
    own = value if side == "first" else -value
    if own is Outcome.LOSS:
        other = "second" if side == "first" else "first"
        raise ValueError(f"the {side} player of {game.spec} loses; --side {other} wins")
    numbers: dict[Place, int] = {(game.canonical(start), side == "first"): 0}
    places, children, weights = [*numbers], list[list[int]](), list[int]()
    for p, is_own in places:  # which grows
        over, is_card = game.primitive(p), False
        moves = () if over is not None else game.moves(p)
        if is_own and moves:
            scores = sorted(table.move_scores(p), key=lambda s: -s[1])
            moves = [m for m, score in scores if outcome(score) >= own]
            forced = [m for m in moves if fewest == "cards" and is_forced(game, p, m)]
            is_card, moves = not forced, forced or moves
        after = dict.fromkeys((game.canonical(game.play(p, m)), not is_own) for m in moves)
        for place in after:
            if place not in numbers:
                numbers[place] = len(places)
                places.append(place)
        if len(places) > MOST_NODES:
            raise ValueError(f"{game.spec} has more than {MOST_NODES:,} positions to choose among")
        children.append([numbers[place] for place in after])
        weights.append(int(fewest == "positions" or is_card))
        progress(len(children), len(places))
    return side, Candidates(places, children, weights, "wins" if own > 0 else "holds")


def write(
    game: Game[Any, Any], side: str, found: Candidates, choice: Sequence[int], fewest: str
) -> bytes:
    """Return the file of the strategy that chooses these children, by their places among them.

    Positions are written as play from the start first meets them, so that the seat to move is
    always that of the line.
    """
    numbers = {place: n for n, place in enumerate(found.places)}
    at, moves = {0: game.initial()}, dict[int, Any]()
    after = dict[int, list[int]]()
    for n in (order := [0]):  # which grows: breadth first
        p, is_own = at[n], found.places[n][1]
        chosen = found.children[n][choice[n]] if is_own and found.children[n] else None
        after[n] = []
        for m in game.moves(p) if found.children[n] else ():
            child = game.play(p, m)
            k = numbers.get((game.canonical(child), not is_own), -1)
            if (k == chosen or not is_own) and k not in after[n]:
                after[n].append(k)
                moves[n] = m
                if k not in at:
                    at[k] = child
                    order.append(k)
    if found.aim == "wins":
        order = [*TopologicalSorter(after).static_order()][::-1]
    place = {n: i for i, n in enumerate(order, 1)}
    lines = []
    for n in order:
        p, is_own = at[n], found.places[n][1]
        seat = game.seats[(side == "first") != is_own]
        kind, end, move = "m" if is_own else "t", "", "-"
        if (over := game.primitive(p)) is not None:
            end = ENDS[over if is_own else -over]
        elif is_own:
            move = game.label(p, moves[n])
            kind = "f" if fewest == "cards" and is_forced(game, p, moves[n]) else "m"
        lines.append(Node(kind, end, sorted(place[k] for k in after[n]), move, game.text(p, seat)))
    return encode(game.spec, side, found.aim, len(game.symmetries) > 1, lines)
