"""Weak solving: a strategy of one side, found by search where a table would be too large.

Takes a game and a side; asks whether that side can force a win, and returns the strategy of the
side that does, or of the one that prevents it. What is found counts only once `rules_check` has
proved it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, takewhile
from typing import Any

import numpy as np

from solver.compiling.kernel import CompiledKernel
from solver.errors import NotCompiledError, SearchDepthError, SearchLimitError
from solver.kernels import find_kernel
from solver.rules.game import Game, start_key, walk
from solver.rules.laws import can_repeat
from solver.rules.positions import one_move_on
from solver.strategy import proof_search as proofs
from solver.strategy.candidates import Candidates
from solver.tables.format import name_of_rules

SLICE = 1 << 15  # positions searched before Python hears of Ctrl-C
ENTRY = 16  # bytes
FEWEST, GROWTH = 1 << 16, 4  # entries of a table, and by how much a larger one is larger
FULL = 0.6  # share of its entries from which on a table grows
PATIENCE = 16  # positions searched for each entry of the largest table before giving up
LONGEST, WIDEST = 1 << 12, 1 << 18  # plies of a game, and moves on the way
WALKED = 1000  # positions of random games in which the tier must rise
SIDES = ("first", "second")

Progress = Callable[[str, int, int | None], None]


def solve_weakly(
    game: Game[Any, Any],
    side: str,
    room: int,
    progress: Progress = lambda stage, done, total: None,
    report: Callable[[str], None] = lambda text: None,
) -> tuple[str, Candidates]:
    """Return a side, and its strategy: that of `side` if it wins, else that of the other one.

    No position may repeat: this is looked for in random games, in which a declared tier must rise
    with every move, and on the way to each position that the search expands. A table of the search
    takes up to `room` bytes. Raises ValueError if the rules are not compiled, SearchLimitError if
    the answer is not found, and SearchDepthError for a game that is too long or may repeat.
    """
    kernel, remark = find_kernel(game, handwritten=False)
    if not isinstance(kernel, CompiledKernel):
        raise ValueError(f"--weak needs compiled rules; {remark}")
    if game.primitive(game.initial()) is not None:
        raise ValueError(f"{game.spec} is over at its start")
    if can_repeat(game):
        raise may_repeat(game, "one did in random games")
    if (p := _without_rise(game)) is not None:
        raise may_repeat(game, f"a move at {game.text(p)!r:.100} does not raise the tier")
    search = ProofSearch(kernel, side, room, progress)
    try:
        found = search.solve(search.root)
    except KeyboardInterrupt:
        report(f"stopped: {search.known}")
        raise
    wins = proofs.is_won(found) == (side == "first")
    return side if wins else SIDES[side == "first"], search.strategy(wins)


def may_repeat(game: Game[Any, Any], why: str) -> SearchDepthError:
    """Return the error about a game in which a position repeats, or may do so."""
    return SearchDepthError(
        f"positions of {game.spec} may repeat: {why}; --weak needs a game in which none does, but"
        f" perfectplay solve {name_of_rules(game.spec)} answers, with a table"
    )


def _without_rise(game: Game[Any, Any]) -> Any:
    """Return a position of random games with a move that does not raise the tier, if declared."""
    if type(game).tier is Game.tier:
        return None
    for p in walk(game, WALKED):
        if any(game.tier(q) <= game.tier(p) for q in one_move_on(game, p)):
            return p
    return None


class ProofSearch:
    """A search for a win of one side, and its table."""

    def __init__(self, kernel: CompiledKernel, side: str, room: int, progress: Progress) -> None:
        self.kernel, self.side, self.progress = kernel, side, progress
        self.root: int = 2 * start_key(kernel.game) + (side == "first")
        """The node of the start."""
        progress("searched", 0, None)
        self._most = max(proofs.WAYS, room * GROWTH // (GROWTH + 1) // ENTRY)
        sizes = takewhile(
            lambda size: size * GROWTH <= self._most, (FEWEST * GROWTH**i for i in count())
        )
        self._sizes = [*sizes, self._most][::-1]  # of tables yet to come
        self._table = self._new_table()
        self._counts = np.zeros(5, np.int64)
        self._frames = np.zeros((LONGEST, 7), np.int64)
        self._nodes, self._numbers = np.zeros((2, WIDEST), np.int64)
        self._row = np.zeros((1, 64), np.int64)

    def _new_table(self) -> np.ndarray:
        return np.zeros(self._sizes.pop() * ENTRY // 8, np.int64)

    def solve(self, node: int) -> int:
        """Return the numbers of a node, once one of them is known to be 0."""
        frames, counts = self._frames, self._counts
        frames[0] = node, proofs.MOST, proofs.MOST, 0, 0, 0, 0
        counts[proofs.TOP] = 0
        while (why := self._search()) != proofs.SOLVED:
            if why == proofs.FULL:
                old, self._table = self._table, self._new_table()
                counts[proofs.STORED] = 0
                proofs.store_all(self._table, counts, old)
            elif why == proofs.WIDE:
                self._row = np.zeros((1, 2 * self._row.shape[1]), np.int64)
            elif why == proofs.BROKEN:
                kernel, key = self.kernel, int(counts[proofs.LATEST])
                kernel.expand(np.array([key], np.int64))  # raises what the rules do in Python
                at = f"{kernel.game.position(key)!r:.200}"
                raise NotCompiledError(f"the compiled rules fail at {at}")
            elif why == proofs.REPEATED:
                done = f"{counts[proofs.POSITIONS]:,} positions"
                raise may_repeat(self.kernel.game, f"one did in a search of {done}")
            elif why == proofs.DEEP:
                raise SearchDepthError(f"a game of {self.kernel.game.spec} is too long to search")
            elif counts[proofs.POSITIONS] > PATIENCE * self._most:
                raise SearchLimitError(
                    f"{self.known}; the table of the search is too small, so more --memory may help"
                )
            self.progress("searched", int(counts[proofs.POSITIONS]), None)
        return int(counts[proofs.RESULT])

    def _search(self) -> int:
        """Search a slice, and return why it ends."""
        limit = self._counts[proofs.POSITIONS] + SLICE
        full = int(FULL * len(self._table) * 8 // ENTRY) if self._sizes else 1 << 62
        stack, row = (self._frames, self._nodes, self._numbers), self._row
        rules = self.kernel.code.expand, self.kernel.orient_loop, tuple(self.kernel.tables)
        search = proofs.search_loop()
        try:
            why = search(*rules, self._table, self._counts, stack, row, (limit, full))
        except Exception:  # what the rules may raise in Python, too, and overflows
            return proofs.BROKEN
        return int(why)

    @property
    def known(self) -> str:
        """What is known before the start is solved, in words."""
        frame, counts = self._frames[0], self._counts
        if frame[proofs.NODE] != self.root or not frame[proofs.STOP]:
            return "the strategy is not complete"
        found, _, _ = proofs.summed(self._numbers, frame[proofs.FIRST], frame[proofs.STOP])
        numbers = [proofs.phi_of(found), proofs.delta_of(found)]
        proof, disproof = numbers if self.side == "first" else numbers[::-1]
        return (
            f"whether the {self.side} player wins is not known after"
            f" {counts[proofs.POSITIONS]:,} positions: proof number {proof:,}, disproof number"
            f" {disproof:,}"
        )

    def strategy(self, wins: bool) -> Candidates:
        """Return the strategy of the side, if it `wins`, else of the other one.

        Of several good moves, that with the smallest proof is chosen. What the table has lost is
        searched again. The search must be over, and ends with this.
        """
        todo = known = np.array([self.root], np.int64)
        nodes, counts, after = list[np.ndarray](), list[np.ndarray](), list[np.ndarray]()
        is_drawn = False
        while len(todo):
            outcomes, children = self.kernel.expand(todo >> 1)
            next_nodes = np.where(children < 0, -1, 2 * children + 1 - (todo & 1)[:, None])
            is_drawn |= bool((outcomes == 0).any())
            own = ((todo & 1) == wins) & (next_nodes >= 0).any(axis=1)
            for row in np.flatnonzero(own):
                chosen = self._chosen(int(todo[row]), next_nodes[row])
                next_nodes[row] = -1
                next_nodes[row, 0] = chosen
            nodes.append(todo)
            counts.append((next_nodes >= 0).sum(axis=1))
            after.append(next_nodes[next_nodes >= 0])
            todo = np.setdiff1d(after[-1], known)
            known = np.union1d(known, todo)
            self.progress("followed", len(known), None)
        del self._table
        found, counted, children = map(np.concatenate, (nodes, counts, after))
        turns, aim = (found & 1) == wins, "holds" if is_drawn else "wins"
        return _listed(self.kernel.game, turns, aim, found, counted, children)

    def _chosen(self, node: int, children: np.ndarray) -> int:
        """Return the child of a node whose proof is the smallest."""
        sizes = np.zeros(len(children), np.int64)
        proofs.proof_sizes(self._table, children, sizes)
        if not sizes.any():  # the table has lost them
            self.solve(node)
            stop = self._frames[0, proofs.STOP]
            children, numbers = self._nodes[:stop], self._numbers[:stop]
            sizes = np.where(proofs.is_lost(numbers), proofs.delta_of(numbers), 0)
        return int(children[np.where(sizes > 0, sizes, proofs.MOST).argmin()])


def _listed(
    game: Game[Any, Any], turns: Any, aim: str, nodes: Any, counts: Any, after: Any
) -> Candidates:
    """Return a strategy, given its nodes, and of each the number of children, and these.

    A node is twice the key of a canonical position, and one more if the first of two sides is to
    move there, whichever that is.
    """
    order = np.argsort(nodes)
    children = order[np.searchsorted(nodes, after, sorter=order)]
    first = np.concatenate([[0], counts.cumsum()])
    weights = np.ones_like(nodes)
    return Candidates(
        lambda n: game.position(int(nodes[n]) >> 1), turns, first, children, weights, aim
    )
