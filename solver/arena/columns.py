"""Every position that a game can reach and every move, as columns of numbers; needs NumPy.

Takes a table; returns Columns, which play all games of two players at once and say how they end and
when. Positions are numbered ply by ply, the start first; every symmetric image has its own number.
A player is its skill: the probability with which it makes the table's choice, and otherwise any
move. So `random` is 0, `perfect` 1 and `level:P` P.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import chain, count
from typing import Any, NamedTuple

from solver.arena.match import ORDER
from solver.errors import PerfectplayError, needs_extra
from solver.kernels import find_kernel
from solver.rules.kernel import PIECE, Kernel
from solver.rules.positions import explore, one_move_on
from solver.tables.mapped_table import MappedTable
from solver.value import OPEN

with needs_extra("a report", "fast"):
    import numpy as np

FEW = 50_000  # positions that plain rules expand sooner than a kernel is loaded
MOST_PLAIN, MOST = 400_000, 4_000_000  # positions of plain rules, and of a kernel, in memory
REST = 1e-12  # how far the games that are not followed to their ends may move a mean


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

    def __init__(self, table: Any, check: Callable[[], None]) -> None:
        """Raise TooLargeError if a table has too many positions."""
        self.check, total, kernel = check, table.counts["positions"], None
        if isinstance(table, MappedTable) and FEW < total <= MOST:
            kernel = find_kernel(table.game)[0]
        if total > (MOST_PLAIN if kernel is None else MOST):
            raise TooLargeError(f"{table.game.spec} has {total:,} positions")
        columns = self._by_rules(table) if kernel is None else self._by_kernel(table, kernel)
        self.plies, self.over, self.scores, self.degrees, self.children = columns
        self.first: np.ndarray = np.cumsum(self.degrees) - self.degrees
        self.open: np.ndarray = np.flatnonzero(self.degrees)
        self.signs: np.ndarray = np.sign(self.scores).astype(np.int8)
        wanted = -np.repeat(self.signs, self.degrees)
        self.keeps: np.ndarray = self.signs[self.children] == wanted
        """Whether each move keeps the outcome."""
        self.good: np.ndarray = self.over_moves(np.add, self.keeps.astype(np.int64))
        """How many moves of each position keep the outcome."""

    def _by_rules(self, table: Any) -> tuple[np.ndarray, ...]:
        """Return plies, outcomes of finished games, scores, numbers of moves, and children."""
        game, after = table.game, dict[Any, list[Any]]()

        def following(p: Any) -> list[Any]:
            self.check()
            after[p] = one_move_on(game, p)
            return after[p]

        levels = [*explore([game.initial()], following)]
        positions = [*chain.from_iterable(levels)]
        numbers = {p: n for n, p in enumerate(positions)}
        overs = (game.primitive(p) for p in positions)
        return (
            np.repeat(np.arange(len(levels)), [*map(len, levels)]),
            np.array([OPEN if over is None else int(over) for over in overs]),
            np.array([table.probe(p) for p in positions]),
            np.array([len(after[p]) for p in positions]),
            np.array([numbers[q] for p in positions for q in after[p]], np.int32),
        )

    def _by_kernel(self, table: MappedTable, kernel: Kernel) -> tuple[np.ndarray, ...]:
        """Return the same from the kernel of the game."""
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
        known, levels = level, list[np.ndarray]()
        while len(level):
            levels.append(level)
            pieces = []
            for start in range(0, len(level), PIECE):
                self.check()
                children = kernel.successors(level[start : start + PIECE])[1]
                pieces.append(np.unique(children[children >= 0]))
            found: np.ndarray = np.unique(np.concatenate(pieces)).astype(kernel.dtype)
            level = np.setdiff1d(found, known, assume_unique=True)
            known = np.concatenate([known, level])
        return levels

    def over_moves(self, function: Any, column: np.ndarray) -> np.ndarray:
        """Return what a function makes of a column of all moves for each position, 0 at ends."""
        self.check()
        found = np.zeros(len(self.plies), column.dtype)
        found[self.open] = function.reduceat(column, self.first[self.open])
        return found

    @cached_property
    def best(self) -> np.ndarray:
        """What the table's choice in each position leads to, as `Scores.best` finds it."""
        wrong = np.where(self.signs < 0, 0, self.degrees - self.good)
        traps = wrong / np.maximum(self.degrees, 1)
        places = np.arange(len(self.children))
        is_best = np.ones(len(places), bool)
        for rank in (-self.scores, traps):
            ranked = np.where(is_best, rank[self.children], -np.inf)
            most = self.over_moves(np.maximum, ranked)
            is_best &= ranked == np.repeat(most, self.degrees)
        chosen = self.over_moves(np.minimum, np.where(is_best, places, len(places)))
        best: np.ndarray = self.children[np.minimum(chosen, len(places) - 1)]
        return best

    @cached_property
    def settled(self) -> tuple[np.ndarray, np.ndarray]:
        """How likely random play from each position keeps its outcome to the end.

        The second column has how likely the next move is the last one that changes the outcome.
        """
        kept, before, degrees = np.ones(len(self.plies)), None, np.maximum(self.degrees, 1)
        while before is None or np.abs(kept - before).max() > REST:
            before = kept
            kept = self.over_moves(np.add, np.where(self.keeps, kept[self.children], 0)) / degrees
            kept[self.degrees == 0] = 1
        last = self.over_moves(np.add, np.where(self.keeps, 0, kept[self.children])) / degrees
        return kept, last

    def play(self, first: float, second: float) -> Played:
        """Return all games between players of two skills.

        What is left out of games that may repeat positions changes no share by more than REST.
        """
        kept, last = self.settled
        skills, ending = (first, second), self._ending((first, second))
        games: np.ndarray = np.zeros(len(self.plies))
        games[0] = 1.0
        times, ends, endless = np.zeros(len(games)), list[np.ndarray](), 0.0
        decided, met = [float(kept[0])], np.zeros(1, np.int64)
        for ply in count():
            self.check()
            can_end = ending[ply % 2][met]
            endless += float(games[met[~can_end]].sum())
            met = met[can_end]
            shares, is_over = games[met], self.degrees[met] == 0
            times[met] += shares
            decided.append(float(shares @ last[met]))
            result = self.over[met[is_over]] * (-1) ** ply  # for the first player
            ends.append(np.bincount(1 - result, shares[is_over], 3))
            rows, shares = met[~is_over], shares[~is_over]
            bounded = not len(rows)
            if bounded or shares.sum() * (ply + 1) < REST:
                break
            games, met = self._move(rows, shares, skills[ply % 2])
        return Played(np.array(ends), endless, times, decided, bounded)

    def _move(
        self, rows: np.ndarray, shares: np.ndarray, skill: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the shares of games at each position one ply later, and which it may be at."""
        games = np.zeros(len(self.plies))
        met = np.zeros(len(games), bool)  # since shares may be too small for a number
        if skill > 0:
            games += np.bincount(self.best[rows], shares * skill, len(games))
            met[self.best[rows]] = True
        if skill < 1:
            children, degrees = self.children[self.edges(rows)], self.degrees[rows]
            each = np.repeat(shares * (1 - skill) / degrees, degrees)
            games += np.bincount(children, each, len(games))
            met[children] = True
        return games, np.flatnonzero(met)

    def edges(self, rows: np.ndarray) -> np.ndarray:
        """Return the places in `children` of all moves of some positions."""
        degrees = self.degrees[rows]
        shift = self.first[rows] - (np.cumsum(degrees) - degrees)
        places: np.ndarray = np.arange(degrees.sum()) + np.repeat(shift, degrees)
        return places

    def _ending(self, skills: tuple[float, float]) -> list[np.ndarray]:
        """Return from which positions games can end, by the player to move."""
        ending, before = [self.degrees == 0, self.degrees == 0], -1
        while (size := sum(int(can.sum()) for can in ending)) > before:
            before = size
            for seat, skill in enumerate(skills):
                after = ending[1 - seat]
                if skill > 0:
                    ending[seat] = ending[seat] | after[self.best] & (self.degrees > 0)
                if skill < 1:
                    can = self.over_moves(np.logical_or, after[self.children])
                    ending[seat] = ending[seat] | can
        return ending

    def count_games(self) -> list[list[int]]:
        """Return how many games the first player wins, draws and loses in each number of plies.

        The fourth number is that of all beginnings of games with as many plies. Games are different
        if a move is. Positions must not repeat.
        """
        rows, found = np.zeros(1, np.int64), list[list[int]]()
        ways = np.ones(len(self.plies), object)
        while len(rows):
            self.check()
            over = self.over[rows]
            results = np.where(over == OPEN, OPEN, over * (-1) ** len(found))
            ends = [sum(ways[rows[results == result]].tolist()) for result in ORDER]
            found.append([*ends, sum(ways[rows].tolist())])
            children = self.children[self.edges(rows)]
            each = np.repeat(ways[rows], self.degrees[rows])
            ways = np.zeros(len(self.plies), object)
            np.add.at(ways, children, each)
            rows = np.unique(children)
        return found
