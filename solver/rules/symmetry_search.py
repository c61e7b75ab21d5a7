"""Symmetries of opaque rules, found from the positions of random games.

Takes a game; returns a group of maps. A map sends each literal, a place with its value such as an X
on the third cell, to a literal: it permutes the places and, at each place, the values. So it may
exchange the colours or the sides, too.

1. Moves and ends of sampled positions give patterns of literals (see `solver.rules.patterns`).
2. A graph joins places, literals and patterns. Its automorphisms are the candidates.
3. Those that commute with the rules in the sample are kept: the images of the children of a
   position are the children of its image, and both have the same outcome.

If the sample lacks patterns, symmetries are missed. Generators are tested on the whole sample, and
their products on a part of it; only a proof shows that they hold elsewhere. The rules and the seed
alone decide the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from solver.errors import UnpackedPositionError
from solver.rules.automorphisms import Graph, Search
from solver.rules.game import Game
from solver.rules.grid import permutations
from solver.rules.packing import bit_image, order
from solver.rules.patterns import SAMPLED, TESTED, Class, Literal, Pattern, Probe, Sample, expand
from solver.rules.readings import Values, readings

LiteralMap = Mapping[Literal, Literal]
Permutation = tuple[int, ...]  # of the literals, by their numbers
MOST_MAPS = 1024
QUICK = 12  # positions on which a candidate is tested before all others
CHECKED = 3000  # images on which the products of generators are tested
ROLES = {"goes": 1, "comes": 2, "is": 3, "next": 4}  # the labels of edges


class Rearrangement(NamedTuple):
    """What a map does to the cells of the board or, without a board, to the places of positions."""

    cells: tuple[int, ...]
    """Cell i of the image is cell `cells[i]` of the original, as in `Symmetry`."""
    columns: int
    board: bool
    exchanged: list[tuple[str, str]]
    """The marks, or values, that are exchanged, and last the seats if they are."""
    sides: bool
    """Whether the seats are."""


class FoundGroup:
    """The symmetries that were found of a game, and how they read its positions."""

    def __init__(
        self, probe: Probe, literals: Sequence[Literal], found: Sequence[Sequence[Permutation]]
    ) -> None:
        self.sample, self.reading, self._seen = probe.sample, probe.reading, probe.seen
        self.generators, self.maps = (
            [{literals[a]: literals[b] for a, b in enumerate(g)} for g in some] for some in found
        )

    @property
    def order(self) -> int:
        """The number of elements of the group."""
        return len(self.maps)

    def image(self, literals: LiteralMap, p: Any) -> Any:
        """Return the image of a position; raises UnpackedPositionError if it has a new value."""
        try:
            return self.reading.position(_moved(self.reading.values(p), literals))
        except KeyError:
            raise UnpackedPositionError(p) from None

    def rearrangement(self, literals: LiteralMap) -> Rearrangement:
        """Return what a map does to the cells of the board, or else to the places."""
        game, tested = self.sample.game, self.sample.tested
        images = [self.image(literals, p) for p in tested]
        sides = all(game.turn(p) != game.turn(q) for p, q in zip(tested, images, strict=True))
        seats = [game.seats] if sides else []
        if game.board is not None:
            before, after = (
                [*zip(*(game.marks(game.text(p)) for p in some), strict=True)]
                for some in (tested, images)
            )
            if cells := _matched(before, after):
                pairs = {
                    (v, w)
                    for d, c in enumerate(cells)
                    for v, w in zip(before[c], after[d], strict=True)
                }
                return Rearrangement(cells, game.board[0], True, _swaps(pairs) + seats, sides)
        origins = {d: c for (c, _), (d, _) in literals.items()}
        seen = {(c, v) for c, some in enumerate(self._seen) for v in some}
        pairs = {(v, w) for (c, v), (_, w) in literals.items() if (c, v) in seen}
        places = tuple(origins[d] for d in range(len(origins)))
        return Rearrangement(places, min(len(places), 16), False, _swaps(pairs) + seats, sides)


def _matched(before: Sequence[Any], after: Sequence[Any]) -> tuple[int, ...]:
    """Return for each column of marks one before that has the same ones, but for their names.

    Returns nothing if there is none.
    """
    names = [tuple(map(column.index, column)) for column in before]
    found: list[int] = []
    for i, column in enumerate(after):
        name = tuple(map(column.index, column))
        alike = [c for c, other in enumerate(names) if other == name and c not in found]
        if not alike:
            return ()
        found.append(i if i in alike else alike[0])
    return tuple(found)


def _swaps(pairs: Collection[tuple[Any, Any]]) -> list[tuple[str, str]]:
    """Return the pairs of values that go to each other."""
    names = [(str(v), str(w)) for v, w in pairs if v != w and (w, v) in pairs]
    return sorted((v, w) for v, w in names if v < w)


def find_symmetries(game: Game[Any, Any], seed: int = 0, of_keys: bool = False) -> FoundGroup:
    """Return the largest group that any way to read the positions shows.

    If `of_keys`, only the way is used in which default keys read them. Raises ValueError if the
    positions have no fixed places.
    """
    for size in SAMPLED:
        sample = Sample(game, seed, size)
        finders = [_Finder(Probe(sample, way)) for way in readings(game, sample.positions, of_keys)]
        certain = [finder.find(needs=False) for finder in finders]
        if all(certain):
            break
    else:
        for finder, is_certain in zip(finders, certain, strict=True):
            if not is_certain:
                finder.find(needs=True)
    found = [finder.group() for finder in finders]
    if not found:
        raise ValueError(
            f"{game.spec}: symmetries are only found if positions are numbers, or if all have the"
            " same number of places: texts, or tuples, of one length"
        )
    return max(found, key=lambda group: group.order)


def failure(
    sample: Sample, image: Callable[[Any], Any], tested: Iterable[Any]
) -> tuple[Any] | None:
    """Return the first position at which a map does not commute with the rules, if there is one."""
    for p in tested:
        over, children = sample.expanded[p]
        try:
            image_over, after = expand(sample.game, image(p))
            kept = image_over == over and {*map(image, children)} == {*after}
        except Exception:  # whatever rules raise at a position that no game reaches
            kept = False
        if not kept:
            return (p,)
    return None


class _Finder:
    """The search for the symmetries that one way to read positions shows."""

    def __init__(self, probe: Probe) -> None:
        self.probe, self.sample = probe, probe.sample
        self._values = _alphabets(probe.seen)
        self.literals = [(c, v) for c, some in enumerate(self._values) for v in some]
        self.numbers = {literal: i for i, literal in enumerate(self.literals)}
        self._verdicts: dict[tuple[Permutation, int], bool] = {}
        self._identity = tuple(range(len(self.literals)))
        self._generators: dict[Permutation, None] = {}
        self._tried: list[Mapping[Class, Sequence[Pattern]]] = [{}]

    def find(self, needs: bool) -> bool:
        """Add what selections of patterns show; return whether more can only show less.

        This is so where the automorphisms of a graph are all symmetries.
        """
        certain = False
        for chosen in self.probe.selections(needs):
            if chosen not in self._tried:
                some, rejected = self._found(chosen)
                certain |= len(some) > 0 == rejected
                self._generators |= dict.fromkeys(some)
                self._tried.append(chosen)
        self._generators |= dict.fromkeys(filter(self._commutes, self._of_board()))
        return certain

    def group(self) -> FoundGroup:
        """Return the group of what was found."""
        return FoundGroup(self.probe, self.literals, self._closed([*self._generators]))

    def _of_board(self) -> Iterator[Permutation]:
        """Yield the maps that turn or reflect the board, if the places are its cells."""
        columns, rows = self.sample.game.board or (0, 0)
        width, size = len(self._values), columns * rows
        for cells in permutations(columns, rows) if size and width >= size else ():
            origins = [cells[c % size] + c - c % size for c in range(width // size * size)]
            places = {c: d for d, c in enumerate(origins)}
            moved = [(places.get(c, c), v) for c, v in self.literals]
            if all(literal in self.numbers for literal in moved):
                yield tuple(self.numbers[literal] for literal in moved)

    def _found(self, chosen: Mapping[Class, Sequence[Pattern]]) -> tuple[list[Permutation], int]:
        """Return generators that a selection of patterns shows, and how many were rejected."""
        found: list[Permutation] = []
        graph, vertices = self._graph(chosen)
        literals = {vertex: literal for literal, vertex in vertices.items()}

        def accept(images: Sequence[int]) -> bool:
            moved = {literal: literals[images[vertex]] for literal, vertex in vertices.items()}
            candidate = self._completed(moved)
            if self._commutes(candidate):
                found.append(candidate)
                return True
            return False

        search = Search(graph, accept)
        search.generators()
        return found, search.rejected

    def _graph(self, chosen: Mapping[Class, Sequence[Pattern]]) -> tuple[Graph, dict[Literal, int]]:
        """Return the graph of some patterns, and the vertices of the literals in it."""
        graph, nexts = Graph(), self.probe.nexts()
        used = {(c, v) for some in chosen.values() for pattern in some for _, c, v in pattern}
        used |= {literal for pair in nexts for literal in pair}
        live = [literal for literal in self.literals if literal in used]
        places = {c: graph.vertex(0) for c in dict.fromkeys(c for c, _ in live)}
        vertices = {literal: graph.vertex(1) for literal in live}
        for literal, vertex in vertices.items():
            graph.join(places[literal[0]], vertex, ROLES["is"])
        for a, b in nexts:
            graph.join(vertices[a], vertices[b], ROLES["next"])
        colours: dict[tuple[str, int], int] = {}
        for (kind, values), some in chosen.items():
            colour = colours.setdefault((kind, len(values)), 2 + len(colours))
            for pattern in some:
                vertex = graph.vertex(colour)
                for role, c, v in pattern:
                    graph.join(vertex, vertices[c, v], ROLES[role])
        return graph, vertices

    def _completed(self, moved: Mapping[Literal, Literal]) -> Permutation:
        """Return a map of all literals; () if places have different numbers of values.

        Values at places outside the graph change as most of those in it. Values that are not in it
        at all change to those that are as common where the places go.
        """
        places = {c: d for (c, _), (d, _) in moved.items()}
        wishes: dict[Any, list[Any]] = {}
        for v in dict.fromkeys(v for _, v in self.literals):
            usual = Counter(w for (_, u), (_, w) in moved.items() if u == v)
            wishes[v] = [w for w, _ in usual.most_common()] or self._alike(v, places)
        images, taken = dict(moved), {*moved.values()}
        for c, v in self.literals:
            if (c, v) in images:
                continue
            d = places.get(c, c)
            left = [(d, w) for w in (*wishes[v], v)] + [a for a in self.literals if a[0] == d]
            free = [some for some in left if some in self.numbers and some not in taken]
            if not free:
                return ()
            images[c, v] = free[0]
            taken.add(free[0])
        return tuple(self.numbers[images[literal]] for literal in self.literals)

    def _alike(self, v: Any, places: Mapping[int, int]) -> list[Any]:
        """Return the values that some places of `v` can have, the most alike in numbers first."""
        times, own = self.probe.times, [c for c, u in self.literals if u == v]
        others = dict.fromkeys(w for c in own for w in self._values[places.get(c, c)])

        def difference(w: Any) -> tuple[int, bool]:
            return sum(abs(times[c, v] - times[places.get(c, c), w]) for c in own), w != v

        return sorted(others, key=difference)

    def _commutes(self, candidate: Permutation, positions: int = TESTED) -> bool:
        """Return whether a map commutes with the rules, as far as some positions show."""
        if not candidate:
            return False
        image, tested = self._image(candidate), self.sample.tested
        for most in (QUICK, positions):
            if (verdict := self._verdicts.get((candidate, most))) is None:
                some = tested[:: max(1, len(tested) // max(1, most))]
                verdict = not failure(self.sample, image, some)
                self._verdicts[candidate, most] = verdict
            if not verdict:
                return False
        return True

    def _closed(self, found: Sequence[Permutation]) -> tuple[list[Permutation], list[Permutation]]:
        """Return generators, and all their products, which commute with the rules, too.

        Of maps that do the same to all positions, only one is returned.
        """
        generators: list[Permutation] = []
        maps = [self._identity]
        for one in found:
            if one in maps or self._same(one):
                continue
            if failure(self.sample, self._image(one), self.sample.expanded):
                continue
            products = _products([*generators, one], MOST_MAPS)
            each = CHECKED // max(1, len(products))
            if products and all(self._commutes(g, each) for g in products if g not in maps):
                generators.append(one)
                maps = products
        return generators, self._distinct(maps)

    def _distinct(self, maps: list[Permutation]) -> list[Permutation]:
        """Return one of the maps that do the same to all positions."""
        same = [self._identity, *(g for g in maps[1:] if self._same(g))]
        if len(same) == 1:
            return maps
        return [g for g in maps if g == min(_product(g, h) for h in same)]

    def _same(self, one: Permutation) -> bool:
        """Return whether a map leaves all sampled positions as they are."""
        image = self._image(one)
        return one == self._identity or all(image(p) == p for p in self.sample.positions)

    def _image(self, one: Permutation) -> Callable[[Any], Any]:
        """Return a map of positions."""
        table = {literal: self.literals[b] for literal, b in zip(self.literals, one, strict=True)}
        values, reading = self.probe.values, self.probe.reading
        if reading.is_number and all(len(some) == 2 for some in self._values):
            zeros, ones = ([table[c, bit] for c in range(len(self._values))] for bit in (0, 1))
            return bit_image([(d, (v, w)) for (d, v), (_, w) in zip(zeros, ones, strict=True)])
        return lambda p: reading.position(_moved(values[p], table))


def _moved(values: Values, literals: LiteralMap) -> list[Any]:
    """Return the values at the places of an image; raises KeyError if one was not seen before."""
    found = [*values]
    for literal in enumerate(values):
        place, value = literals[literal]
        found[place] = value
    return found


def _alphabets(seen: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return the values of each place, with those of places that share some."""
    alphabets = [dict.fromkeys(some) for some in seen]
    for one in alphabets:
        for other in alphabets:
            if one.keys() & other.keys():
                one.update(other)
                other.update(one)
    return [sorted(some, key=order) for some in alphabets]


def _products(generators: Sequence[Permutation], most: int) -> list[Permutation]:
    """Return all products of generators, the identity first; none if they are too many."""
    found = {tuple(range(len(generators[0]))): None}
    waiting = [*found]
    for one in waiting:  # which grows
        for generator in generators:
            if (product := _product(one, generator)) not in found:
                found[product] = None
                waiting.append(product)
        if len(found) > most:
            return []
    return waiting


def _product(first: Permutation, then: Permutation) -> Permutation:
    return tuple([then[a] for a in first])
