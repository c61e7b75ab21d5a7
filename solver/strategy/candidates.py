"""The graph of all strategies of one side that keep what the side has, from a solved table.

A node is a position up to symmetry with one side to move; of the claimant's moves there are those
that keep its win or its draw, the best first, and of the other side's all. A strategy is a choice
of one child at each node of the claimant; its nodes are those that the start then leads to.

The graph of a large table comes from the game's kernel, a ply at a time in arrays, that of another
one from the rules. Both number the nodes in the order in which a search in breadth meets them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from graphlib import TopologicalSorter
from typing import Any, NamedTuple

from solver.compiling.find import find_kernel
from solver.rules.game import Game, start_key
from solver.rules.kernel import PIECE, Kernel
from solver.strategy.file import Node, encode
from solver.strategy.rules_check import ENDS, is_forced
from solver.tables.mapped_table import MappedTable
from solver.value import INFINITY, LIMIT, OPEN, Outcome, outcome

LARGE = 100_000  # canonical positions of a table: beyond that, the game's kernel is asked
BY_RULES, BY_KERNEL = 1_000_000, 10_000_000  # nodes at most: less than 2 GB of memory
MOST_BITS = 62  # of a key, beside which the side to move has one
# Scores of moves that win, or let the other side win, at once.
WINS, LETS_WIN = LIMIT - 1, 2 - LIMIT

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
    value = outcome(table.probe(game.initial()))
    side = side or ("second" if value is Outcome.LOSS else "first")
    own = value if side == "first" else -value
    if own is Outcome.LOSS:
        other = "second" if side == "first" else "first"
        raise ValueError(f"the {side} player of {game.spec} loses; --side {other} wins")
    asked = table, side == "first", own, fewest, progress
    kernel, remark = None, ""
    if table.counts["canonical"] > LARGE and isinstance(table, MappedTable):
        kernel, remark = find_kernel(game)
    if kernel is None or kernel.bits > MOST_BITS:
        return side, _by_rules(*asked, f"; {remark}" * bool(remark))
    return side, _by_kernel(kernel, *asked)


def _by_rules(
    table: Any, begins: bool, own: Outcome, fewest: str, progress: Progress, remark: str = ""
) -> Candidates:
    """Return the graph; the rules are asked about each position."""
    game = table.game
    numbers = {(game.canonical(game.initial()), begins): 0}
    places = [*numbers]
    first, children, weights = array("q", [0]), array("q"), array("q")
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
        _check_size(game, len(places), BY_RULES, remark)
        children.extend(numbers[place] for place in after)
        first.append(len(children))
        weights.append(int(fewest == "positions" or is_card))
        progress(len(weights), len(places))
    turns = array("q", (is_own for _, is_own in places))
    aim = "wins" if own > 0 else "holds"
    return Candidates(lambda n: places[n][0], turns, first, children, weights, aim)


def _check_size(game: Game[Any, Any], nodes: int, most: int, remark: str = "") -> None:
    if nodes > most:
        raise ValueError(f"{game.spec} has more than {most:,} positions to choose among{remark}")


def _by_kernel(
    kernel: Kernel, table: Any, begins: bool, own: Outcome, fewest: str, progress: Progress
) -> Candidates:
    """Return the graph; a kernel and the table are asked about all positions of a ply at once."""
    import numpy as np

    level = known = np.array([2 * start_key(table.game) + begins], np.int64)  # see `listed`
    plies = list[tuple[Any, ...]]()
    while len(level):
        parts = (level[i : i + PIECE] for i in range(0, len(level), PIECE))
        made = [_expand(kernel, table, part, own, fewest) for part in parts]
        after, counts, weights = map(np.concatenate, zip(*made, strict=True))
        plies.append((level, counts, after, weights))
        fresh, found = np.unique(after, return_index=True)
        is_new = np.isin(fresh, known, assume_unique=True, invert=True)
        level = fresh[is_new][np.argsort(found[is_new])]
        progress(len(known), len(known) + len(level))
        known = np.union1d(known, level)
        _check_size(table.game, len(known), BY_KERNEL)
    joined: list[Any] = [np.concatenate(some) for some in zip(*plies, strict=True)]
    turns, aim = joined[0] & 1, "wins" if own > 0 else "holds"
    return listed(table.game, turns, aim, *joined)


def _expand(kernel: Kernel, table: Any, places: Any, own: Outcome, fewest: str) -> tuple[Any, ...]:
    """Return the children of some nodes of one side, how many each has, and the nodes' weights."""
    import numpy as np

    is_own, keys = bool(places[0] & 1), places >> 1
    outcomes, children = kernel.expand(keys.astype(kernel.dtype))
    children[outcomes != OPEN] = -1
    is_card = (outcomes == OPEN) & is_own
    if is_own:
        is_move = children >= 0
        found = table.probe_many(children[is_move])
        scores = np.full(children.shape, -INFINITY, np.int16)
        scores[is_move] = np.sign(found) - found  # see `back`
        if fewest == "cards":
            wins, safe = scores == WINS, is_move & (scores != LETS_WIN)
            forced = np.where(wins.any(1)[:, None], wins, safe & (safe.sum(1) == 1)[:, None])
            is_card &= ~forced.any(1)
            scores[~is_card[:, None] & ~forced] = -INFINITY
        children[np.sign(scores) < own] = -1
        children = np.take_along_axis(children, np.argsort(-scores, axis=1, kind="stable"), 1)
    order = np.argsort(children, axis=1, kind="stable")  # the first of equals first
    ordered = np.take_along_axis(children, order, 1)
    ordered[:, 1:][ordered[:, 1:] == ordered[:, :-1]] = -1
    np.put_along_axis(children, order, ordered, 1)
    after = 2 * children[children >= 0] + (not is_own)
    return after, (children >= 0).sum(1), is_card | (fewest == "positions")


def listed(
    game: Game[Any, Any], turns: Any, aim: str, places: Any, counts: Any, after: Any, weights: Any
) -> Candidates:
    """Return a graph, given its places, and of each the number of children, and these.

    A place is twice the key of a canonical position, and one more if the first of two sides is to
    move there, whichever that is.
    """
    import numpy as np

    order = np.argsort(places)
    children = order[np.searchsorted(places, after, sorter=order)]
    first = np.concatenate([[0], counts.cumsum()])
    return Candidates(
        lambda n: game.position(int(places[n]) >> 1), turns, first, children, weights, aim
    )


def write(
    game: Game[Any, Any], side: str, found: Candidates, choice: Sequence[int], fewest: str
) -> bytes:
    """Return the file of the strategy that chooses these children, by their places among them.

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
    place = {n: i for i, n in enumerate(order, 1)}
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
        lines.append(Node(kind, end, sorted(place[k] for k in after[n]), move, game.text(p, seat)))
    return encode(game.spec, side, found.aim, len(game.symmetries) > 1, lines)
