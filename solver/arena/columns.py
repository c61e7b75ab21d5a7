"""Every position that a game can reach and every move, as columns of numbers.

Takes a table; returns Columns, which play all games of two players at once and say how they end and
when. Positions are numbered ply by ply, the start first; every symmetric image has its own number.
A player is its skill: the probability with which it makes the table's choice, and otherwise any
move. So `random` is 0, `perfect` 1 and `level:P` P.

The moves of position p are the places from `first[p]` up to `first[p + 1]` of `children`. The loops
at the end of this file are compiled for many positions if there is numba.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable
from functools import cache, cached_property
from itertools import accumulate, chain, count, repeat
from typing import Any, NamedTuple

from solver.arena.match import ORDER
from solver.errors import PerfectplayError
from solver.kernels import find_kernel
from solver.rules.kernel import PIECE, Kernel
from solver.rules.positions import explore, one_move_on
from solver.tables.mapped_table import MappedTable
from solver.value import OPEN

FEW = 50_000  # positions that plain rules expand sooner than a kernel is loaded
MOST_PLAIN, MOST = 400_000, 4_000_000  # positions of plain rules, and of a kernel, in memory
REST = 1e-12  # how far the games that are not followed to their ends may move a mean
ENDLESS, DECIDED = 3, 4  # the places after the outcomes in the sums of a ply


class TooLargeError(PerfectplayError, ValueError):
    """The game has too many positions to follow all of them, or they would take too long."""


class Played(NamedTuple):
    """All games of two players, by their plies."""

    ends: list[list[float]]
    """The shares of games that the first player wins, draws and loses in each number of plies."""
    endless: float
    """The share of games that never end."""
    times: Any
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
        self.is_large = total > FEW
        if isinstance(table, MappedTable) and FEW < total <= MOST:
            kernel = find_kernel(table.game)[0]
        if total > (MOST_PLAIN if kernel is None else MOST):
            raise TooLargeError(f"{table.game.spec} has {total:,} positions")
        columns = self._by_rules(table) if kernel is None else self._by_kernel(table, kernel)
        levels, overs, scores, degrees, children = columns
        plies = chain.from_iterable(repeat(ply, len(level)) for ply, level in enumerate(levels))
        self.plies, self.over = array("i", plies), array("b", overs)
        self.scores, self.degrees = array("i", scores), array("i", degrees)
        self.signs = array("b", ((score > 0) - (score < 0) for score in self.scores))
        first = array("q", accumulate(self.degrees, initial=0))
        self.moves = first, array("i", children), self.signs
        self.good = self.column("i", 0)
        """How many moves of each position keep the outcome."""
        self.run(_count_good, self.good)

    def _by_rules(self, table: Any) -> tuple[Any, ...]:
        """Return levels, outcomes of finished games, scores, numbers of moves, and children."""
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
            levels,
            (OPEN if over is None else over for over in overs),
            map(table.probe, positions),
            (len(after[p]) for p in positions),
            (numbers[q] for p in positions for q in after[p]),
        )

    def _by_kernel(self, table: MappedTable, kernel: Kernel) -> tuple[Any, ...]:
        """Return the same from the kernel of the game."""
        import numpy as np

        level: np.ndarray = np.array([table.game.key(table.game.initial())], kernel.dtype)
        known, levels, columns = level, list[np.ndarray](), list[tuple[np.ndarray, ...]]()
        while len(level):
            levels.append(level)
            done = len(columns)
            for start in range(0, len(level), PIECE):
                self.check()
                piece = level[start : start + PIECE]
                over, children = kernel.successors(piece)
                legal = (children >= 0) & (over == OPEN)[:, None]
                scores = table.probe_many(kernel.canonical(piece))
                columns.append((over, scores, legal.sum(axis=1), children[legal]))
            found = np.unique(np.concatenate([column[-1] for column in columns[done:]]))
            level = np.setdiff1d(found.astype(kernel.dtype), known, assume_unique=True)
            known = np.concatenate([known, level])
        *facts, after = map(np.concatenate, zip(*columns, strict=True))
        order = np.argsort(known)
        return levels, *facts, order[np.searchsorted(known[order], after)]

    def column(self, kind: str, value: float) -> array[Any]:
        """Return a column with the same number for every position."""
        return array(kind, [value]) * len(self.plies)

    def run(self, loop: Any, *columns: Any) -> Any:
        """Return what a loop over all positions returns."""
        self.check()
        return (_compiled(loop) if self.is_large else loop)(self.moves, *columns)

    @cached_property
    def best(self) -> array[int]:
        """What the table's choice in each position leads to, as `Scores.best` finds it."""
        traps, best = self.column("d", 0), self.column("i", -1)
        self.run(_find_best, self.scores, self.good, traps, best)
        return best

    @cached_property
    def settled(self) -> tuple[array[float], array[float]]:
        """How likely random play from each position keeps its outcome to the end.

        The second column has how likely the next move is the last one that changes the outcome.
        """
        kept, last = self.column("d", 1), self.column("d", 0)
        while self.run(_average, True, kept, kept) > REST:
            pass
        self.run(_average, False, kept, last)
        return kept, last

    def play(self, first: float, second: float) -> Played:
        """Return all games between players of two skills.

        What is left out of games that may repeat positions changes no share by more than REST.
        """
        kept, last = self.settled
        skills, ending = (first, second), self._ending((first, second))
        games, times = (self.column("d", 0), self.column("b", 0)), self.column("d", 0)
        games[0][0], games[1][0] = 1, 1
        ends, endless, decided = list[list[float]](), 0.0, [kept[0]]
        for ply in count():
            moved, sums = (self.column("d", 0), self.column("b", 0)), array("d", [0] * 5)
            player = self.best, skills[ply % 2], (-1) ** ply, ending[ply % 2]
            left = self.run(_move, player, (self.over, last, times, sums), games, moved)
            ends.append([*sums[:ENDLESS]])
            endless += sums[ENDLESS]
            decided.append(sums[DECIDED])
            games, bounded = moved, 1 not in moved[1]
            if bounded or left * (ply + 1) < REST:
                break
        return Played(ends, endless, times, decided, bounded)

    def _ending(self, skills: tuple[float, float]) -> list[array[int]]:
        """Return from which positions games can end, by the player to move."""
        ending = [array("b", (degree == 0 for degree in self.degrees)) for _ in skills]
        more = [True]
        while any(more):
            more = [
                self.run(_find_ending, self.best, skill, ending[1 - seat], ending[seat])
                for seat, skill in enumerate(skills)
            ]
        return ending

    def count_games(self) -> list[list[int]]:
        """Return how many games the first player wins, draws and loses in each number of plies.

        The fourth number is that of all beginnings of games with as many plies. Games are different
        if a move is. Positions must not repeat.
        """
        first, children, _ = self.moves
        ways, found = {0: 1}, list[list[int]]()
        while ways:
            self.check()
            row, after = [0, 0, 0, sum(ways.values())], defaultdict[int, int](int)
            for p, number in ways.items():
                if not self.degrees[p]:
                    row[ORDER.index(self.over[p] * (-1) ** len(found))] += number
                for q in children[first[p] : first[p + 1]]:
                    after[q] += number
            found.append(row)
            ways = after
        return found


@cache
def _compiled(loop: Any) -> Any:
    """Return a loop as numba compiles it, or as it is if there is no numba."""
    try:
        from solver.loops import compiled
    except ImportError:
        return loop
    return compiled(loop)


def _count_good(moves, good):  # type: ignore[no-untyped-def]
    """Count the moves of each position that keep its outcome."""
    first, children, signs = moves
    for p in range(len(good)):
        for place in range(first[p], first[p + 1]):
            if signs[children[place]] == -signs[p]:
                good[p] += 1


def _find_best(moves, scores, good, traps, best):  # type: ignore[no-untyped-def]
    """Find the move to the lowest score, then to the most traps, that comes first."""
    first, children, signs = moves
    for p in range(len(best)):
        degree = first[p + 1] - first[p]
        if degree and signs[p] >= 0:
            traps[p] = (degree - good[p]) / degree
    for p in range(len(best)):
        for place in range(first[p], first[p + 1]):
            q, other = children[place], best[p]
            if other < 0 or (-scores[q], traps[q]) > (-scores[other], traps[other]):
                best[p] = q


def _average(moves, keeps, column, result):  # type: ignore[no-untyped-def]
    """Average a column over the moves that keep the outcome, or do not; return the change."""
    first, children, signs = moves
    change = 0.0
    for p in range(len(result) - 1, -1, -1):
        degree, total = first[p + 1] - first[p], 0.0
        for place in range(first[p], first[p + 1]):
            q = children[place]
            if (signs[q] == -signs[p]) == keeps:
                total += column[q]
        if degree:
            change = max(change, abs(total / degree - result[p]))
            result[p] = total / degree
    return change


def _find_ending(moves, best, skill, after, ending):  # type: ignore[no-untyped-def]
    """Find more positions of a player from which games can end; return whether there are."""
    first, children, _ = moves
    more = False
    for p in range(len(ending) - 1, -1, -1):
        if ending[p]:
            continue
        if skill > 0 and after[best[p]]:
            ending[p] = 1
        if skill < 1:
            for place in range(first[p], first[p + 1]):
                if after[children[place]]:
                    ending[p] = 1
        more = more or ending[p] == 1
    return more


def _move(moves, player, shares, before, after):  # type: ignore[no-untyped-def]
    """Move the shares of games at each position one ply on; return what is left.

    Positions are marked, too, since a share may be too small for a number.
    """
    first, children, _ = moves
    best, skill, sign, ending = player
    over, last, times, sums = shares
    (games, met), (moved, reached), left = before, after, 0.0
    for p in range(len(games)):
        if not met[p]:
            continue
        share, degree = games[p], first[p + 1] - first[p]
        if not ending[p]:
            sums[ENDLESS] += share
            continue
        times[p] += share
        sums[DECIDED] += share * last[p]
        if degree == 0:
            sums[1 - sign * over[p]] += share
            continue
        left += share
        if skill > 0:
            moved[best[p]] += share * skill
            reached[best[p]] = 1
        if skill < 1:
            for place in range(first[p], first[p + 1]):
                moved[children[place]] += share * (1 - skill) / degree
                reached[children[place]] = 1
    return left
