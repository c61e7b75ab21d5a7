"""Symmetries to propose for a game: candidates that commute with its rules in random games.

A candidate is a map of places (see `solver.rules.symmetry`). The places are read as boards of equal
size, one after the other, with a few places before or behind them:

    ("x.o", "x")            places 0 to 2 are a row of three cells, place 3 is left over
    0b0_000101_100010       bits 0 to 5 and 6 to 11 are two boards of 3x2, bit 12 is left over

Each turn, reflection and rotation of the cells is tried with exchanges of two boards, of values and
of the two values of a place that is left over. If the game declares its `board` or `cell_places`,
those cells are tried first. A candidate is kept if at every position of the sample the images of
the children are the children of the image, with the same outcome and tier. Only a solve, which
compares all positions, shows that it holds elsewhere. The rules alone decide the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain, combinations, product
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.rules.game import Game, Symmetry, walk
from solver.rules.packing import ascending, joined, order, places, shape_of
from solver.rules.positions import successors
from solver.rules.symmetry import rearrange, symmetry_group

if TYPE_CHECKING:
    from solver.rules.game import PlaceMap

PLIES = 3000  # of random games
TESTED = 300  # positions at which each candidate is tested; generators are at all
FEW = 40  # positions at which products of generators are tested
COMMON = 20  # a value is common at a place if one position of so many has it there
WIDEST = 256  # places
MOST_LEFT = 2  # places that are not on boards, if these are guessed
MOST_BOARDS = 4
MOST_VALUES, MOST_PAIRED = 12, 6  # of cells, so that exchanges of two values, of four are tried
MOST_TURNED = 32  # points of a ring
MOST_CANDIDATES = 60_000

Cells = tuple[int, ...]
Changes = dict[int, dict[Any, Any]]  # for each place what its values become
Expansion = tuple[Any, int, int, set[Any]]  # outcome, tier, number of children, children
Array = tuple[int, int, list[tuple[int, int]]]  # first place, number of boards, where cells are


class Proposal(NamedTuple):
    """The symmetries found: those that leave the start as it is, and all."""

    fixing: list[Symmetry]
    """Generators of the symmetries that leave the start as it is."""
    moving: list[Symmetry]
    """What generates, with the others, all symmetries."""
    fixed: int
    """The number of symmetries that leave the start as it is."""
    order: int
    """The number of all symmetries."""
    sample: Sample


class Sample:
    """Positions of random games as values at places, and what the rules say of them."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        self.positions = list(dict.fromkeys(walk(game, PLIES)))
        self.tested = self.positions[:: max(1, len(self.positions) // TESTED)]
        self._expanded: dict[Any, Expansion | None] = {}
        everywhere = [*self.positions, *(q for p in self.positions for q in successors(game, p))]
        values, self.joined = _read(game, everywhere)
        self.values = cache(values)
        self.is_number = type(self.positions[0]) is int
        self.size = len(self.values(self.positions[0]))
        columns = [*zip(*map(self.values, everywhere), strict=True)]
        self.seen = [ascending({*column}) for column in columns]
        """The values of each place, ascending."""
        rare = len(everywhere) // COMMON
        self.common = [[v for v, n in Counter(c).items() if n > rare] for c in columns]

    def expand(self, p: Any) -> Expansion | None:
        """Return what the rules say of a position; None if they raise an error."""
        if p not in self._expanded:
            try:
                after = {*successors(self.game, p)}
                self._expanded[p] = self.game.primitive(p), self.game.tier(p), len(after), after
            except Exception:  # whatever rules raise at a position that no game reaches
                self._expanded[p] = None
        return self._expanded[p]

    def failure(self, image: Callable[[Any], Any], positions: Sequence[Any]) -> tuple[Any] | None:
        """Return the first position at which a map does not commute with the rules, if any."""
        for p in positions:
            here = self.expand(p)
            try:
                there = self.expand(image(p))
                kept = (
                    here and there and here[:3] == there[:3] and {*map(image, here[3])} == there[3]
                )
            except Exception:
                kept = False
            if not kept:
                return (p,)
        return None


def declared_symmetries(sample: Sample) -> tuple[int, list[tuple[int, str]]]:
    """Return how many symmetries a game declares that hold, and the numbers, from 1, of others.

    With each of these there is a position at which it is wrong.
    """
    game, right, wrong = sample.game, set(), []
    for number, one in enumerate(game.symmetries, 1):
        if broken := sample.failure(one.position, sample.tested):
            wrong.append((number, game.text(*broken)))
        else:
            right.add(tuple(map(one.position, sample.tested)))
    return len(right), wrong


def find_symmetries(game: Game[Any, Any]) -> Proposal:
    """Return the symmetries of a game that candidates show.

    Raises ValueError if positions have no fixed places.
    """
    sample = Sample(game)
    kept: list[Symmetry] = []
    for arrays in (_declared_arrays(game, sample.size), _guessed_arrays(sample.size)):
        kept = kept or sorted(_kept(sample, arrays), key=_moved)
    same = rearrange(range(sample.size))
    group, chosen = _group([same]), [same]
    for one in kept:
        if one.place_map not in group and not sample.failure(one.position, sample.positions):
            try:
                larger = _group([*chosen, one])
            except ValueError:  # more than a group may have
                continue
            if not any(sample.failure(s.position, sample.tested[-FEW:]) for s in larger.values()):
                group, chosen = larger, [*chosen, one]
    start = game.initial()
    several = [s for s in kept if s.place_map in group]
    several += [s for s in group.values() if _is_written(s)]
    fixing = _generators([same], [s for s in several if s.position(start) == start])
    moving = _generators([same, *fixing], several)
    fixed = sum(s.position(start) == start for s in group.values())
    return Proposal(fixing, moving, fixed, len(group), sample)


def _moved(one: Symmetry) -> int:
    """Return how many places of a position a symmetry may change."""
    maps = enumerate(zip(*(one.place_map or ()), strict=True))
    return sum(origin != place or changes != () for place, (origin, changes) in maps)


def _is_written(one: Symmetry) -> bool:
    """Return whether `rearrange` makes it: each value that changes becomes one that becomes it."""
    _, changes = one.place_map or ((), ())
    return all((w, v) in some for some in changes for v, w in some)


def _group(generators: Sequence[Symmetry]) -> dict[PlaceMap | None, Symmetry]:
    """Return the products of symmetries, of which the first is the identity."""
    products = (generators[0], *symmetry_group(*generators)[1:])
    return {s.place_map: s for s in products}


def _read(
    game: Game[Any, Any], positions: Sequence[Any]
) -> tuple[Callable[[Any], Sequence[Any]], Callable[[Sequence[Any]], Any]]:
    """Return how a position becomes values at places, and back; raises ValueError."""
    first = positions[0]
    if all(type(p) is int and p >= 0 for p in positions):
        width = max(positions).bit_length()
        if 0 < width <= WIDEST:
            return (
                lambda p: [int(bit) for bit in reversed(f"{p:0{width}b}")],
                lambda values: int("".join(map(str, reversed(values))), 2),
            )
    try:
        shape = shape_of(first)
        fixed = shape is not None and all(shape_of(p) == shape for p in positions)
    except TypeError:
        fixed = False
    if not fixed or len(places(first)) > WIDEST:
        raise ValueError(
            f"{game.spec}: symmetries are only found if positions are numbers from 0, or if all"
            f" have the same places, at most {WIDEST}: texts, or tuples, of one length"
        )
    return places, lambda values: joined(iter(values), shape)


def _declared_arrays(game: Game[Any, Any], size: int) -> Iterator[Array]:
    """Yield the ways to read places as boards of the cells that the game declares."""
    columns, rows = game.board or (0, 0)
    cells = list(game.cell_places) or [(i % columns, i // columns) for i in range(columns * rows)]
    boards = min(MOST_BOARDS, size // len(cells)) if cells else 0
    for first in {0: None, size - boards * len(cells): None} if boards else ():
        yield first, boards, cells


def _guessed_arrays(size: int) -> Iterator[Array]:
    """Yield ways to read places as boards, or as one row, a ring or a heap of places."""
    for left in range(MOST_LEFT + 1):
        for first, boards in product(range(left + 1), range(1, MOST_BOARDS + 1)):
            count = max(0, size - left) // boards
            if count < 2 or boards * count != size - left:
                continue
            for columns in range(2, count + 1):
                if count % columns == 0:
                    yield first, boards, [(i % columns, i // columns) for i in range(count)]


def _cell_maps(cells: Sequence[tuple[int, int]]) -> Iterator[Cells]:
    """Yield turns, reflections and rotations: cell i of the image is cell `map[i]`."""
    width, height = max(x for x, _ in cells) + 1, max(y for _, y in cells) + 1
    upright = [*cells], [(x, height - 1 - y) for x, y in cells]
    found = [*upright, *([(width - 1 - x, y) for x, y in some] for some in upright)]
    found += [[(y, x) for x, y in some] for some in found]
    rings = (width - 1, width) if width <= MOST_TURNED else ()
    for ring, some in product(rings, upright):  # a row, with its last cell or without
        for n, way in product(range(ring), (1, -1)):
            found.append([((n + way * x) % ring if x < ring else x, y) for x, y in some])
    found.append([(x, (y + 1) % height) for x, y in cells])
    found.append([(1 - x if x < 2 else x, y) for x, y in cells])
    for i in range(width // 2) if width == height else ():  # of rows and columns at once
        pairs = {i: i + 1, i + 1: i, width - 1 - i: width - 2 - i, width - 2 - i: width - 1 - i}
        found.append([(pairs.get(x, x), pairs.get(y, y)) for x, y in cells])
    half = [(x, 0) for x in range(width)] + [(width - 1, y) for y in range(1, height)]
    border = [*dict.fromkeys([*half, *((width - 1 - x, height - 1 - y) for x, y in half)])]
    for n in range(len(border)) if len(border) <= MOST_TURNED else ():
        after = dict(zip(border, border[n:] + border[:n], strict=True))
        found.append([after.get(cell, cell) for cell in cells])
    for moved in found:
        if {*moved} == {*cells}:
            yield tuple(map(cells.index, moved))


def _kept(sample: Sample, arrays: Iterator[Array]) -> Iterator[Symmetry]:
    """Yield the candidates that commute with the rules at the tested positions."""
    tried: set[Any] = {(tuple(range(sample.size)), ())}
    quick = sample.tested[len(sample.tested) // 2 :][:FEW]
    for origins, changes in chain.from_iterable(_candidates(sample, *array) for array in arrays):
        name = origins, tuple((place, *some.items()) for place, some in changes.items())
        if name in tried or not _fits(sample, origins, changes):
            continue
        tried.add(name)
        if len(tried) > MOST_CANDIDATES:
            return
        image = partial(_image, sample, origins, changes)
        if sample.failure(image, quick) or sample.failure(image, sample.tested):
            continue
        if any(image(p) != p for p in sample.positions):
            pairs = [(v, w, [i]) for i, some in changes.items() for v, w in some.items()]
            yield rearrange(origins, *(one for one in pairs if order(one[0]) < order(one[1])))


def _image(sample: Sample, origins: Cells, changes: Changes, p: Any) -> Any:
    """Return the image of a position that is in the sample, or a child of one that is."""
    values = sample.values(p)
    found = [values[origin] for origin in origins]
    for place, some in changes.items():
        found[place] = some.get(found[place], found[place])
    return sample.joined(found)


def _candidates(
    sample: Sample, first: int, boards: int, cells: Sequence[tuple[int, int]]
) -> Iterator[tuple[Cells, Changes]]:
    """Yield maps of boards: where each place comes from, and what values become."""
    count, seen = len(cells), sample.seen
    inside = range(first, first + boards * count)
    coins = [i for i, some in enumerate(seen) if i not in inside and len(some) == 2]
    flipped = [*product((False, True), repeat=len(coins))]
    if len(coins) > MOST_LEFT + 1:
        flipped = [flipped[0], flipped[-1]]
    everywhere = [i for i in range(sample.size) if i not in coins]
    exchanges: list[Changes] = [{}]
    if not sample.is_number or boards == 1:  # else a bit says what stands on a cell
        for values, where in product(
            _exchanges({v for i in inside for v in seen[i]}), (inside, everywhere)
        ):
            exchanges.append({i: values for i in where if {*values} & {*seen[i]}})
    for boards_from, cell_map in product(_swaps(range(boards)), _cell_maps(cells)):
        origins = [*range(sample.size)]
        origins[inside.start : inside.stop] = [
            first + origin * count + cell for origin in boards_from for cell in cell_map
        ]
        for exchanged, flips in product(exchanges, flipped):
            changes = exchanged | {
                place: dict(zip(seen[place], reversed(seen[place]), strict=True))
                for place, flip in zip(coins, flips, strict=True)
                if flip
            }
            yield tuple(origins), changes


def _swaps(things: Sequence[Any]) -> list[list[Any]]:
    """Return a sequence, and it with one pair exchanged, or two."""
    found = [[*things]]
    pairs = [*combinations(range(len(things)), 2)]
    for some in [(one,) for one in pairs] + [*combinations(pairs, 2)]:
        swapped = [*things]
        for a, b in some:
            swapped[a], swapped[b] = swapped[b], swapped[a]
        if len({i for pair in some for i in pair}) == 2 * len(some):
            found.append(swapped)
    return found


def _exchanges(values: set[Any]) -> list[dict[Any, Any]]:
    """Return exchanges of two or four values of one type, and of upper and lower case."""
    if len({*map(type, values)}) != 1 or len(values) > MOST_VALUES:
        return []
    some = ascending(values)
    swapped = _swaps(some)[1:]
    maps = [{v: w for v, w in zip(some, one, strict=True) if v != w} for one in swapped]
    cases = {v: v.swapcase() for v in some if type(v) is str and v != v.swapcase() in values}
    return [*(m for m in maps if len(m) == 2 or len(values) <= MOST_PAIRED), cases]


def _fits(sample: Sample, origins: Cells, changes: Changes) -> bool:
    """Return whether the images of common values are ever seen where they go."""
    for i, (origin, seen) in enumerate(zip(origins, sample.seen, strict=True)):
        some = changes.get(i, {})
        if any(some.get(v, v) not in seen for v in sample.common[origin]):
            return False
    return True


def _generators(known: Sequence[Symmetry], several: Iterable[Symmetry]) -> list[Symmetry]:
    """Return few of some symmetries; with those that are known they generate all of them."""
    chosen: list[Symmetry] = []
    found = _group(known)
    for one in several:
        if one.place_map not in found:
            chosen.append(one)
            found = _group([*known, *chosen])
    for one in [*chosen]:
        rest = [s for s in chosen if s is not one]
        if len(_group([*known, *rest])) == len(found):
            chosen = rest
    return chosen
