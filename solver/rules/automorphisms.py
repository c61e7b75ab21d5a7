"""Automorphisms of coloured graphs, as generators of their group.

Takes a graph, and a function that accepts or rejects an automorphism; returns generators of the
group of those accepted, which must be a group. Vertices are told apart by their colours and those
around them, until none can be (refinement); where several remain alike, one is singled out, and
every vertex is tried as its image (individualisation). Images that follow from the generators found
so far are not tried again, so that large groups take few trials. B. D. McKay and A. Piperno,
"Practical graph isomorphism, II", 2014, explain the method.

The work is bounded by counts: the same graph gives the same generators on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Colours = list[int]
MOST_VISITS = 1_500_000  # edges seen by all refinements of a search, about half a second
MOST_REJECTED = 50  # automorphisms of the graph that are rejected before a search ends
BACK = 64  # what the label of an edge grows by from its other end


class Graph:
    """A graph with coloured vertices and labelled edges, each seen from both of its ends."""

    def __init__(self) -> None:
        self.colours: Colours = []
        self.edges: list[list[tuple[int, int]]] = []

    def vertex(self, colour: int) -> int:
        """Add a vertex and return its number."""
        self.colours.append(colour)
        self.edges.append([])
        return len(self.colours) - 1

    def join(self, a: int, b: int, label: int) -> None:
        """Add an edge, which has a direction: its label, below BACK, grows from the other end."""
        self.edges[a].append((label, b))
        self.edges[b].append((label + BACK, a))


class Search:
    """The search for the automorphisms of a graph that `accept` accepts."""

    def __init__(self, graph: Graph, accept: Callable[[Sequence[int]], bool]) -> None:
        self.graph, self.accept = graph, accept
        self.rejected = self.visits = 0
        self._size = sum(map(len, graph.edges))
        self._base: list[int] = []
        self._levels = [self._refine(graph.colours)]
        while (v := _first_alike(self._levels[-1])) is not None:
            self._base.append(v)
            self._levels.append(self._single_out(self._levels[-1], v))

    @property
    def ended(self) -> bool:
        """Whether the search has used up its work, so that there may be more automorphisms."""
        return self.visits > MOST_VISITS or self.rejected >= MOST_REJECTED

    def generators(self) -> list[list[int]]:
        """Return generators: permutations of the vertices."""
        found: list[list[int]] = []
        for depth, v in reversed([*enumerate(self._base)]):
            colours = self._levels[depth]  # of which all generators found so far are automorphisms
            tried = _orbit({v}, found)
            for w, colour in enumerate(colours):
                if colour != colours[v] or w in tried:
                    continue
                image = self._descend(depth, colours, w)
                found += [image] if image else []
                tried = _orbit({*tried, w}, found)
        return found

    def _descend(self, depth: int, colours: Colours, w: int) -> list[int] | None:
        """Return an accepted automorphism that maps the base vertex at this depth to `w`."""
        if self.ended:
            return None
        there, here = self._single_out(colours, w), self._levels[depth + 1]
        if sorted(there) != sorted(here):
            return None
        if depth + 1 == len(self._base):
            place = {colour: v for v, colour in enumerate(there)}
            image = [place[colour] for colour in here]
            if self.accept(image):
                return image
            self.rejected += 1
            return None
        alike = here[self._base[depth + 1]]
        images = (self._descend(depth + 1, there, u) for u, c in enumerate(there) if c == alike)
        return next((image for image in images if image), None)

    def _single_out(self, colours: Colours, v: int) -> Colours:
        return self._refine([hash((c, u == v)) for u, c in enumerate(colours)])

    def _refine(self, colours: Colours) -> Colours:
        """Return colours that differ wherever those around two vertices do.

        They are hashes, so that equal surroundings in two graphs get equal colours.
        """
        classes = 0
        while len(set(colours)) > classes:
            classes = len(set(colours))
            self.visits += self._size
            colours = [
                hash((colour, sum([hash((label, colours[u])) for label, u in edges])))
                for colour, edges in zip(colours, self.graph.edges, strict=True)
            ]
        return colours


def _first_alike(colours: Colours) -> int | None:
    """Return the first vertex that has the colour of another one."""
    seen: dict[int, int] = {}
    pairs = [seen.setdefault(colour, v) for v, colour in enumerate(colours)]
    return min((first for v, first in enumerate(pairs) if first != v), default=None)


def _orbit(start: set[int], generators: list[list[int]]) -> set[int]:
    """Return the vertices that products of generators map the first ones to."""
    found, waiting = set(start), list(start)
    while waiting:
        v = waiting.pop()
        for generator in generators:
            if (w := generator[v]) not in found:
                found.add(w)
                waiting.append(w)
    return found
