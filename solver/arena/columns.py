"""Every position that a game can reach and every move, as columns of numbers; needs NumPy.

Takes a table; returns Columns, which play all games of two players at once and say how they end and
when. Positions are numbered ply by ply, the start first; every symmetric image has its own number.
A player is its skill: the probability with which it makes the table's choice, and otherwise any
move. So `random` is 0, `perfect` 1 and `level:P` P.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import chain, count, pairwise
from typing import Any, NamedTuple

from solver.arena.match import ORDER
from solver.errors import PerfectplayError, needs_extra
from solver.kernels import find_kernel
from solver.rules.kernel import Kernel
from solver.rules.positions import explore, one_move_on
from solver.tables.mapped_table import MappedTable
from solver.value import OPEN

with needs_extra("a report", "fast"):
    import numpy as np

PIECE = 1 << 16  # positions expanded at once
FEW = 50_000  # positions that plain rules expand sooner than a kernel is loaded
MOST_PLAIN, MOST = 400_000, 8_000_000  # positions of plain rules, and of a kernel, in memory
REST = 1e-12  # how far the games that are not followed to their ends may move a mean

Check = Callable[[], None]


class TooLargeError(PerfectplayError, ValueError):
    """The game has too many positions to follow all of them, or they would take too long."""


class Played(NamedTuple):
    """All games of two players, by their plies."""

    ends: np.ndarray
    """The shares of games that the first player wins, draws and loses in each number of plies."""
    endless: float
    """The share of games that never end."""
    times: np.ndarray
    """How often each position is met on average."""
    decided: list[float]
    """In which shares of games each ply is the first from which random play changes no outcome."""
    bounded: bool
    """Whether no game is longer than the last ply."""


class Columns:
    """The positions of a game; `check` is called often, and may raise an error to stop."""

    plies: np.ndarray
    """The fewest moves in which a game reaches each position."""
    over: np.ndarray
    """The outcome of each finished game for the side to move, and OPEN for the others."""
    scores: np.ndarray
    degrees: np.ndarray
    """How many moves each position has."""
    children: np.ndarray
    """What the moves of each position lead to, in the order of the rules."""

    def __init__(self, table: Any, check: Check) -> None:
        """Raise TooLargeError if a table has too many positions."""
        self.check = check
        total, kernel = table.counts["positions"], None
        if isinstance(table, MappedTable) and FEW < total <= MOST:
            kernel = find_kernel(table.game)[0]
        if total > (MOST_PLAIN if kernel is None else MOST):
            raise TooLargeError(f"{table.game.spec} has {total:,} positions")
        columns = self._by_rules(table) if kernel is None else self._by_kernel(table, kernel)
        self.plies, self.over, self.scores, self.degrees, self.children = columns
        self.first: np.ndarray = np.cumsum(self.degrees) - self.degrees
        self.open: np.ndarray = np.flatnonzero(self.degrees)
        self.signs: np.ndarray = np.sign(self.scores).astype(np.int8)
        self.good: np.ndarray = np.zeros(len(self.plies), np.int64)
        """How many moves of each position keep its outcome."""
        self.best: np.ndarray = np.zeros(len(self.plies), np.int32)
        """What the table's choice leads to in each position that is not over."""
        self._judge()

    def _by_rules(self, table: Any) -> tuple[np.ndarray, ...]:
        game, after = table.game, dict[Any, list[Any]]()

        def following(p: Any) -> list[Any]:
            self.check()
            after[p] = one_move_on(game, p)
            return after[p]

        levels = [*explore([game.initial()], following)]
        positions = [*chain.from_iterable(levels)]
        numbers = {p: n for n, p in enumerate(positions)}
        overs = (game.primitive(p) for p in positions)
        children = (numbers[q] for p in positions for q in after[p])
        return (
            np.repeat(np.arange(len(levels)), [*map(len, levels)]),
            np.array([OPEN if over is None else int(over) for over in overs], np.int8),
            np.array([table.probe(p) for p in positions], np.int16),
            np.array([len(after[p]) for p in positions]),
            np.fromiter(children, np.int32),
        )

    def _by_kernel(self, table: MappedTable, kernel: Kernel) -> tuple[np.ndarray, ...]:
        levels = self._levels(kernel, table.game.key(table.game.initial()))
        plies, keys = np.repeat(np.arange(len(levels)), [*map(len, levels)]), np.concatenate(levels)
        order = np.argsort(keys)
        ascending, columns = keys[order], []
        for start in range(0, len(keys), PIECE):
            self.check()
            piece = keys[start : start + PIECE]
            over, children = kernel.successors(piece)
            legal = (children >= 0) & (over == OPEN)[:, None]
            places = order[np.searchsorted(ascending, children[legal])].astype(np.int32)
            scores = table.probe_many(kernel.canonical(piece))
            columns.append((over, scores, legal.sum(axis=1), places))
        return plies, *map(np.concatenate, zip(*columns, strict=True))

    def _levels(self, kernel: Kernel, key: int) -> list[np.ndarray]:
        """Return the keys of the positions that are first met after each number of plies."""
        level: np.ndarray = np.array([key], kernel.dtype)
        known, levels = level[:0], list[np.ndarray]()
        while len(level):
            levels.append(level)
            known = np.sort(np.concatenate([known, level]), kind="stable")
            pieces = []
            for start in range(0, len(level), PIECE):
                self.check()
                children = kernel.successors(level[start : start + PIECE])[1]
                pieces.append(np.unique(children[children >= 0]))
            found: np.ndarray = np.unique(np.concatenate(pieces)).astype(kernel.dtype)
            places = np.searchsorted(known, found)
            level = found[known[np.minimum(places, len(known) - 1)] != found]
        return levels

    def edges(self, positions: np.ndarray) -> np.ndarray:
        """Return the places in `children` of all moves of some positions."""
        degrees = self.degrees[positions]
        shift = self.first[positions] - (np.cumsum(degrees) - degrees)
        places: np.ndarray = np.arange(degrees.sum()) + np.repeat(shift, degrees)
        return places

    def _pieces(self) -> list[np.ndarray]:
        """Return the positions that are not over in pieces of a ply, whose moves are adjacent."""
        ends = np.flatnonzero(np.diff(self.plies[self.open], append=-1)) + 1
        return [
            self.open[place : min(place + PIECE, end)]
            for start, end in pairwise([0, *ends.tolist()])
            for place in range(start, end, PIECE)
        ]

    def _judge(self) -> None:
        """Find the moves that keep the outcome, and the table's choice, as `Scores.best` does."""
        for rows in self._pieces():
            self.check()
            keeps = self.keeps(rows)
            self.good[rows] = np.add.reduceat(keeps, self._starts(rows), dtype=np.int64)
        traps = np.where(self.signs < 0, 0, self.degrees - self.good) / np.maximum(self.degrees, 1)
        for rows in self._pieces():
            self.check()
            starts, children = self._starts(rows), self.after(rows)
            place = np.arange(len(children))
            is_best = np.ones(len(children), bool)
            for rank in (-self.scores[children], traps[children]):
                ranked = np.where(is_best, rank, -np.inf)
                most = np.maximum.reduceat(ranked, starts)
                is_best &= ranked == np.repeat(most, self.degrees[rows])
            chosen = np.minimum.reduceat(np.where(is_best, place, len(place)), starts)
            self.best[rows] = children[chosen]

    def _starts(self, rows: np.ndarray) -> np.ndarray:
        starts: np.ndarray = self.first[rows] - self.first[rows[0]]
        return starts

    def after(self, rows: np.ndarray) -> np.ndarray:
        """Return what all moves of a piece lead to."""
        start = self.first[rows[0]]
        children: np.ndarray = self.children[start : start + self.degrees[rows].sum()]
        return children

    def keeps(self, rows: np.ndarray) -> np.ndarray:
        """Return whether each move of a piece keeps the outcome."""
        wanted = -np.repeat(self.signs[rows], self.degrees[rows])
        kept: np.ndarray = self.signs[self.after(rows)] == wanted
        return kept

    def mean(self, rows: np.ndarray, column: np.ndarray, kept: bool) -> np.ndarray:
        """Return the mean of a column over the moves of each position of a piece.

        It is taken for 0 at moves that do not keep the outcome or, unless `kept`, that do.
        """
        counted = np.where(self.keeps(rows) == kept, column[self.after(rows)], 0)
        means: np.ndarray = np.add.reduceat(counted, self._starts(rows)) / self.degrees[rows]
        return means

    @cached_property
    def settled(self) -> tuple[np.ndarray, np.ndarray]:
        """Return how likely random play from each position keeps its outcome to the end.

        The second column has how likely the next move is the last one that changes the outcome.
        """
        kept, last = np.ones(len(self.plies)), np.zeros(len(self.plies))
        change = 1.0
        while change > REST:
            change = 0.0
            for rows in reversed(self._pieces()):  # once and again is enough without cycles
                self.check()
                found = self.mean(rows, kept, True)
                change = max(change, float(np.abs(found - kept[rows]).max()))
                kept[rows] = found
        for rows in self._pieces():
            last[rows] = self.mean(rows, kept, False)
        return kept, last

    @cached_property
    def longest(self) -> int | None:
        """The plies of the longest game; None if positions can repeat."""
        ways = np.bincount(self.children, minlength=len(self.plies))
        rows, done = np.zeros(1, np.int64), 0
        for ply in count() if not ways[0] else ():
            self.check()
            done += len(rows)
            met, number = np.unique(self.children[self.edges(rows)], return_counts=True)
            ways[met] -= number
            rows = met[ways[met] == 0]  # no game meets them later
            if not len(rows):
                return ply if done == len(self.plies) else None
        return None

    def count_games(self) -> list[list[int]] | None:
        """Return how many games the first player wins, draws and loses in each number of plies.

        The fourth number is that of all beginnings of games with as many plies. Games are different
        if a move is. None if positions can repeat.
        """
        if self.longest is None:
            return None
        rows, found = np.zeros(1, np.int64), list[list[int]]()
        ways = np.ones(len(self.plies), object)
        while len(rows):
            self.check()
            results = np.where(self.over[rows] == OPEN, OPEN, self.over[rows] * (-1) ** len(found))
            ends = [sum(ways[rows[results == result]].tolist()) for result in ORDER]
            found.append([*ends, sum(ways[rows].tolist())])
            children = self.children[self.edges(rows)]
            each = np.repeat(ways[rows], self.degrees[rows])
            ways = np.zeros(len(self.plies), object)
            np.add.at(ways, children, each)
            rows = np.unique(children)
        return found

    def play(self, first: float, second: float) -> Played:
        """Return all games between players of two skills.

        What is left out of games that may repeat positions changes no share by more than REST.
        """
        kept, last = self.settled
        games: np.ndarray = np.zeros(len(self.plies))
        games[0] = 1.0
        times, ends, endless = np.zeros(len(games)), list[np.ndarray](), 0.0
        decided = [float(kept[0])]
        skills, ending = (first, second), self._ending((first, second))
        active = np.zeros(1, np.int64)
        for ply in count():
            self.check()
            never = active[~ending[ply % 2][active]]
            endless += float(games[never].sum())
            active = active[ending[ply % 2][active]]
            shares, is_over = games[active], self.degrees[active] == 0
            times[active] += shares
            decided.append(float(shares @ last[active]))
            result = self.over[active[is_over]] * (1 - 2 * (ply % 2))  # for the first player
            ends.append(np.bincount(1 - result, shares[is_over], 3))
            rows, shares = active[~is_over], shares[~is_over]
            bounded = not len(rows)
            if bounded or shares.sum() * (ply + 1) < REST:
                return Played(np.array(ends), endless, times, decided, bounded)
            games, active = self._move(rows, shares, skills[ply % 2])
        raise AssertionError

    def _move(
        self, rows: np.ndarray, shares: np.ndarray, skill: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the shares of games at each position one ply later, and which it may be at."""
        met = np.zeros(len(self.plies), bool)  # shares may be too small for a number
        games = np.zeros(len(self.plies))
        if skill > 0:
            games += np.bincount(self.best[rows], shares * skill, len(games))
            met[self.best[rows]] = True
        if skill < 1:
            degrees = self.degrees[rows]
            children = self.children[self.edges(rows)]
            each = np.repeat(shares * (1 - skill) / degrees, degrees)
            games += np.bincount(children, each, len(games))
            met[children] = True
        return games, np.flatnonzero(met)

    def _ending(self, skills: tuple[float, float]) -> list[np.ndarray]:
        """Return from which positions games can end, by the player to move."""
        if self.longest is not None:
            return [np.ones(len(self.plies), bool)] * 2
        ending, before = [self.degrees == 0, self.degrees == 0], -1
        while (size := sum(int(can.sum()) for can in ending)) > before:
            before = size
            for seat, skill in enumerate(skills):
                for rows in self._pieces():
                    self.check()
                    after = ending[1 - seat]
                    can = after[self.best[rows]] & (skill > 0)
                    if skill < 1:
                        can |= np.logical_or.reduceat(after[self.after(rows)], self._starts(rows))
                    ending[seat][rows] |= can
        return ending
