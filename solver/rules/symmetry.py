"""Symmetries as data: where the places of a position move, and which values are exchanged.

The places of a position are the characters of a text and the items of a tuple, at any depth, and
the bits of a number, the lowest first. For example, a row of three cells and the side to move:

    position                                          ("x.o", "x")
    rearrange((2, 1, 0, 3))                           ("o.x", "x")    mirrored
    rearrange((0, 1, 2, 3), "xo")                     ("o.x", "o")    the sides exchanged

A map of places permutes positions, so that its inverse undoes it, and compiled rules can apply it
to keys. Whether it is a symmetry of the rules is a claim: a solve compares every canonical position
with all its images, and a proof does not rely on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter

from solver.rules.game import IDENTITY, Symmetry
from solver.rules.packing import bit_image, bit_targets, places, with_places
from solver.startup import Any

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from solver.rules.game import PlaceMap

MOST_ELEMENTS = 1024  # of a group


def rearrange(
    order: Sequence[int], *exchanges: Sequence[Any], cells: Sequence[int] | None = None
) -> Symmetry:
    """Return the symmetry that permutes the places of positions and exchanges values.

    Place i of the image has what is at place `order[i]` of the original. An exchange is a pair of
    values, as in "xo" or (1, 2), which are exchanged at all places, or such a pair and the places
    of the image where they are: (0, 1, [9]). `cells` says the same for the cells of the board, if
    that is all that the symmetry does; see `Symmetry`. The image of a move is the move that leads
    to the image of the position that it leads to.

    Raises ValueError unless this is a permutation of positions: `order` has every number from 0 to
    its length once, and no value is exchanged with two others at one place.
    """
    if sorted(order) != [*range(len(order))]:
        raise ValueError(f"the order of places has each number from 0 once, but it is {order!r}")
    values: list[dict[Any, Any]] = [{} for _ in order]
    for first, second, *where in exchanges:
        texts = [v for v in (first, second) if isinstance(v, str)]
        if len(texts) == 1 or any(len(v) != 1 for v in texts):
            raise ValueError(f"{first!r} and {second!r} are not the values of one place")
        for place in where[0] if where else range(len(order)):
            if {first, second} & {*values[place]}:
                raise ValueError(f"{first!r} or {second!r} is exchanged twice at place {place}")
            values[place] |= {first: second, second: first}
    return _symmetry(tuple(order), values, None if cells is None else tuple(cells))


def symmetry_group(*generators: Symmetry) -> tuple[Symmetry, ...]:
    """Return all products of symmetries made by `rearrange`, the identity first.

    Raises ValueError if they have different numbers of places, or more than 1,024 products.
    """
    sizes = {len(_map_of(one)[0]) for one in generators}
    if len(sizes) != 1:
        raise ValueError(f"the symmetries have {sorted(sizes)} places; all need the same number")
    cells = generators[0].cells
    same = rearrange(range(sizes.pop()), cells=None if cells is None else range(len(cells)))
    group = {_map_of(same): same}
    waiting = [same]
    for one in waiting:  # which grows
        for then in generators:
            product = _product(one, then)
            if _map_of(product) not in group:
                group[_map_of(product)] = product
                waiting.append(product)
        if len(group) > MOST_ELEMENTS:
            raise ValueError(f"the group has more than {MOST_ELEMENTS:,} symmetries")
    return IDENTITY, *waiting[1:]


def _map_of(one: Symmetry) -> PlaceMap:
    if one.place_map is None:
        raise ValueError("a symmetry of a group is made by rearrange")
    return one.place_map


def _product(first: Symmetry, then: Symmetry) -> Symmetry:
    """Return the symmetry that does one after the other."""
    (before, changes), (order, later) = _map_of(first), _map_of(then)
    values = []
    for place, pairs in zip(order, later, strict=True):
        changed, after = dict(changes[place]), dict(pairs)
        both = {v: after.get(w, w) for v, w in changed.items()} | {
            v: w for v, w in after.items() if v not in changed
        }
        values.append(both)
    cells = None
    if first.cells is not None and then.cells is not None:
        cells = tuple(first.cells[cell] for cell in then.cells)
    return _symmetry(tuple(before[place] for place in order), values, cells)


def _symmetry(
    order: tuple[int, ...], values: Sequence[dict[Any, Any]], cells: tuple[int, ...] | None
) -> Symmetry:
    """Return the symmetry with a map of places; values that stay are left out of the map."""
    changes = [{v: w for v, w in pairs.items() if v != w} for pairs in values]
    place_map = order, tuple(tuple(sorted(c.items(), key=repr)) for c in changes)
    changed = [(place, pairs) for place, pairs in enumerate(changes) if pairs]
    moved: Any = itemgetter(*order) if len(order) > 1 else lambda p: tuple([p[i] for i in order])
    numbers: Callable[[int], int] | None = None

    def position(p: Any) -> Any:
        nonlocal numbers
        if type(p) is int:
            numbers = numbers or bit_image(bit_targets(place_map))
            return numbers(p)
        items = p if type(p) is str else places(p)
        is_flat = type(p) is tuple and items == [*p]
        if len(items) != len(order):
            raise ValueError(f"{p!r} has {len(items)} places, but a symmetry has {len(order)}")
        items = moved(items)
        if changed:
            items = [*items]
            for place, pairs in changed:
                items[place] = pairs.get(items[place], items[place])
        if type(p) is str:
            return "".join(items)
        return tuple(items) if is_flat else with_places(p, iter(items))

    position.place_map = place_map  # type: ignore[attr-defined]
    return Symmetry(position, None, cells)
