"""What the moves and ends of sampled positions have in common: patterns of literals.

A literal is a place and its value (see `solver.rules.readings`). A pattern is a set of literals,
each with a role: those that a move takes and brings, those on which it depends, and those that end
a game. A literal matters to a move or an end that would not be there with another value.

If sides see the board as their own, every place changes with each move. So the probe first finds
where the value of each place usually goes; only what differs from that counts as a change.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any

from solver.rules.game import Game, legal_moves, primitive_outcome
from solver.rules.packing import order
from solver.rules.readings import AnyReading, Values

Literal = tuple[int, Any]
Entry = tuple[str, int, Any]  # a role and a literal
Pattern = tuple[Entry, ...]
Class = tuple[str, tuple[Any, ...]]  # a kind, and the roles and values of its patterns
Patterns = dict[Class, Counter[Pattern]]

SAMPLED, PLIES = (1500, 5000), 80  # distinct positions; plies of a random game, which may cycle
MOVES = 25  # sampled for each sampled position, at most
MOST_CLASSES = 3_000  # of moves; with more of them there are too few of each to compare
TESTED = 300  # positions on which candidates are tested
TRIED = 20_000  # moves or ends that are tried with another value at one place
STEPS = 400  # moves that show where values usually go
PAIRS = 4  # groups of classes with equal numbers of patterns that are tried alone
MOST_ENTRIES = 8_000  # entries of the patterns of a selection


class Sample:
    """Positions of random games, each with its outcome or its children."""

    def __init__(self, game: Game[Any, Any], seed: int, size: int = SAMPLED[-1]) -> None:
        self.game = game
        self.expanded: dict[Any, tuple[Any, list[Any]]] = {}
        generator = random.Random(seed)
        moves = 0
        for _ in range(size):
            p = game.initial()
            for _ in range(PLIES):
                if p not in self.expanded:
                    self.expanded[p] = expand(game, p)
                    moves += len(self.expanded[p][1])
                over, children = self.expanded[p]
                if over is not None or len(self.expanded) == size or moves > MOVES * size:
                    break
                # only random() gives the same numbers in every version of Python
                p = children[int(generator.random() * len(children))]
        after = {q: None for _, children in self.expanded.values() for q in children}
        self.positions = [*(dict.fromkeys(self.expanded) | after)]
        self.tested = [*self.expanded][:: max(1, len(self.expanded) // TESTED)]


def expand(game: Game[Any, Any], p: Any) -> tuple[Any, list[Any]]:
    """Return the outcome of a position, or None, and its children."""
    over = primitive_outcome(game, p)
    return over, [] if over is not None else [game.play(p, m) for m in legal_moves(game, p)]


class Probe:
    """A sample as one reading sees it."""

    def __init__(self, sample: Sample, reading: AnyReading) -> None:
        self.sample, self.reading = sample, reading
        self.values: dict[Any, Values] = {p: reading.values(p) for p in sample.positions}
        columns = [*zip(*self.values.values(), strict=True)]
        self.times = Counter((c, v) for c, column in enumerate(columns) for v in column)
        """How often each literal was seen."""
        self.seen = [sorted({*column}, key=order) for column in columns]
        """The values of each place."""
        moves = [(p, q) for p, (_, children) in sample.expanded.items() for q in children]
        some = moves[:: max(1, len(moves) // STEPS)]
        self.ways = _ways([self.values[p] for p, _ in some], [self.values[q] for _, q in some])
        """For each place the one where its value usually goes, and what it becomes there."""
        turned = [
            c for c, (d, to) in enumerate(self.ways) if c == d and any(v != to[v] for v in to)
        ]
        self._clocks = [c for c in turned if all(v != w for v, w in self.ways[c][1].items())]
        self._counters = {c for c in turned if self.seen.count(self.seen[c]) == 1}

    def nexts(self) -> list[tuple[Literal, Literal]]:
        """Return pairs of literals of which moves usually turn the first into the second."""
        pairs = [((c, v), (d, w)) for c, (d, to) in enumerate(self.ways) for v, w in to.items()]
        return [(a, b) for a, b in pairs if a != b]

    def selections(self, needs: bool) -> list[dict[Class, list[Pattern]]]:
        """Return selections of patterns, with what moves depend on or without.

        They leave out classes that may lack some patterns. Classes are judged one by one, or all of
        a size together: colours that are exchanged are then both in or both out. For the same
        reason, classes of moves with equal numbers of patterns are tried without all others.
        """
        moves, ends = self._moves, self._ends
        found = []
        for part in [moves | ends | self._needs()] if needs else [moves, moves | ends]:
            for name in (lambda kind: (kind[0], len(kind[1])), lambda kind: kind):
                groups = [*_grouped(part, name).values()]
                found += [_sure(groups, 2), _sure(groups, 1)]
        equal = _grouped(moves, lambda kind: (len(kind[1]), len(moves[kind])))
        pairs = sorted((some for some in equal.values() if len(some) > 1), key=_size)[-PAIRS:]
        return [*found, *(_sure(some, 1) for some in (pairs, *([pair] for pair in pairs)))]

    @cached_property
    def _moves(self) -> Patterns:
        """Return what moves take and bring; the side to move belongs to it."""
        found: Patterns = {}
        for p, (_, children) in self.sample.expanded.items():
            f = self.values[p]
            for q in children:
                g = self.values[q]
                changed = self._changed(f, g)
                goes = [("goes", c, f[c]) for c in (*changed, *self._clocks)]
                _add(found, "move", goes + [("comes", d, g[d]) for d in changed.values()])
            if len(found) > MOST_CLASSES:
                return {}
        return found

    @cached_property
    def _ends(self) -> Patterns:
        """Return what matters to the ends of games."""
        found: Patterns = {}
        tried = 0
        for p, (over, _) in self.sample.expanded.items():
            if over is not None and tried < TRIED:
                f = self.values[p]
                others = [*self._others(f)]
                tried += len(others)
                matters = [("is", c, f[c]) for c, values in others if self._over(values) != over]
                _add(found, str(over), matters)
        return found

    def _needs(self) -> Patterns:
        """Return what matters to moves, with what they take; counters are left out."""
        found: Patterns = {}
        tried = 0
        for p in self.sample.tested:
            f, after = self.values[p], [self.values[q] for q in self.sample.expanded[p][1]]
            if not after or tried >= TRIED:
                continue
            changes = [self._changed(f, g) for g in after]
            entries = [[("goes", c, f[c]) for c in changed] for changed in changes]
            for c, values in self._others(f):
                (d, to), reached = self.ways[c], self._reached(values)
                tried += len(after)
                for g, changed, some in zip(after, changes, entries, strict=True):
                    if c not in changed and (*g[:d], to.get(values[c]), *g[d + 1 :]) not in reached:
                        some.append(("is", c, f[c]))
            for some in entries:
                _add(found, "need", [entry for entry in some if entry[1] not in self._counters])
        return found

    def _changed(self, f: Values, g: Values) -> dict[int, int]:
        """Return the places whose values a move changes, and where these usually go."""
        return {c: d for c, (d, to) in enumerate(self.ways) if to.get(f[c], f[c]) != g[d]}

    def _others(self, f: Values) -> Iterator[tuple[int, Values]]:
        """Yield the values at the places of a position with another one at one place."""
        for c, some in enumerate(self.seen):
            for value in some:
                if value != f[c]:
                    yield c, (*f[:c], value, *f[c + 1 :])

    def _over(self, values: Values) -> Any:
        try:
            return self.sample.game.primitive(self.reading.position(values))
        except Exception:  # whatever rules raise at a position that no game reaches
            return "error"

    def _reached(self, values: Values) -> set[Values]:
        try:
            _, children = expand(self.sample.game, self.reading.position(values))
            return {self.reading.values(q) for q in children}
        except Exception:  # whatever rules raise at a position that no game reaches
            return set()


def _add(found: Patterns, kind: str, entries: Iterable[Entry]) -> None:
    """Count the pattern of some entries in its class."""
    named = sorted({(role, c, order(v)): (role, c, v) for role, c, v in entries}.items())
    values = tuple(sorted((role, value) for (role, _, value), _ in named))
    pattern = tuple(entry for _, entry in named)
    found.setdefault((kind, values), Counter())[pattern] += 1


def _grouped(patterns: Patterns, name: Callable[[Class], Any]) -> dict[Any, Patterns]:
    """Return the classes of equal names together."""
    groups: dict[Any, Patterns] = {}
    for kind, some in patterns.items():
        groups.setdefault(name(kind), {})[kind] = some
    return groups


def _size(group: Patterns) -> int:
    """Return the number of entries of all patterns."""
    return sum(len(some) * len(kind[1]) for kind, some in group.items())


def _sure(groups: list[Patterns], sureness: int) -> dict[Class, list[Pattern]]:
    """Return the patterns of those groups of classes that are sure enough, the smallest first."""
    chosen: dict[Class, list[Pattern]] = {}
    room = MOST_ENTRIES
    for group in sorted(groups, key=_size):
        room -= _size(group)
        times = Counter(n for some in group.values() for n in some.values())
        if room >= 0 and _sureness(times) >= sureness:
            chosen.update({kind: [*some] for kind, some in group.items()})
    return chosen


def _sureness(times: Counter[int]) -> int:
    """Return 2 if no pattern is lacking, 1 if that is likely and 0 otherwise.

    `times` is how many patterns were seen once, twice and so on.
    """
    if not times[1] + times[2]:
        return 2
    unseen = times[1] * (times[1] - 1) / (2 * (times[2] + 1))  # as estimated by A. Chao, 1984
    average = sum(n * some for n, some in times.items()) / times.total()
    return 1 if average >= 4 and unseen < 0.5 else 0


def _ways(before: Sequence[Values], after: Sequence[Values]) -> list[tuple[int, dict[Any, Any]]]:
    """Return for each place where moves take its value, and the values that it has there.

    No two values, and no two places, go to the same one.
    """
    columns = [[_masks(column) for column in zip(*some, strict=True)] for some in (before, after)]
    found = []
    for c, masks in enumerate(columns[0]):
        for d, others in enumerate(columns[1]):
            pairs = [
                (v, w, (a & b).bit_count()) for v, a in masks.items() for w, b in others.items()
            ]
            to: dict[Any, Any] = {}
            for v, w, n in sorted(pairs, key=lambda pair: (-pair[2], pair[0] != pair[1])):
                if n and v not in to and w not in to.values():
                    to[v] = w
            hits = sum(n for v, w, n in pairs if v in to and to[v] == w)
            found.append((-hits, c != d, c, d, to))
    ways: dict[int, tuple[int, dict[Any, Any]]] = {}
    taken = set()
    for _, _, c, d, to in sorted(found, key=lambda way: way[:4]):
        if c not in ways and d not in taken:
            ways[c] = d, to
            taken.add(d)
    return [ways[c] for c in sorted(ways)]


def _masks(column: Sequence[Any]) -> dict[Any, int]:
    """Return where each value is in a column, as the bits of a number."""
    found = dict.fromkeys(sorted({*column}, key=order), 0)
    for i, value in enumerate(column):
        found[value] |= 1 << i
    return found
