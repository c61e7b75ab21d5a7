"""Symmetries to propose for a game: candidates that commute with its rules in random games.

A candidate rearranges the places of positions (see `solver.rules.symmetry`). The places are read as
boards of equal size, one after the other, with a few places before or behind them:

    ("x.o", "x")            places 0 to 2 are a row of three cells, place 3 is left over
    0b0_000101_100010       bits 0 to 5 and 6 to 11 are two boards of 3x2, bit 12 is left over

Each turn, reflection and rotation of the cells is tried with exchanges of two boards, of values and
of the two values of a place that is left over. If the game declares its `board` or `cell_places`,
those cells are tried first. A candidate is kept if at every position of the sample the images of
the children are the children of the image, with the same outcome and tier. Only a solve, which
compares all positions, shows that it holds elsewhere. The rules alone decide the result.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations, permutations, product
from math import atan2
from typing import Any, NamedTuple

from solver.rules.game import Game, Symmetry, walk
from solver.rules.packing import ascending, places, shape_of
from solver.rules.plain import as_plain
from solver.rules.positions import successors
from solver.rules.symmetry import rearrange, symmetry_group

PLIES = 3000  # of random games
TESTED = 300  # positions at which each candidate is tested; generators are at all
FEW = 40  # positions at which products of generators are tested
WIDEST = 256  # places
MOST_LEFT = 2  # places that are not on boards, if these are guessed
MOST_BOARDS = 4
MOST_PAIRED = 6  # values of cells, so that exchanges of four are tried
MOST_TURNED = 32  # points of a ring
MOST_CANDIDATES = 60_000

Cells = Sequence[tuple[int, int]]
Exchange = tuple[Any, Any, list[int]]  # two values, and the places where they are exchanged
Expansion = tuple[Any, int, int, set[Any]]  # outcome, tier, number of children, children
Array = tuple[int, int, Cells]  # first place, number of boards, where cells are


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
        tested = self.positions[:: max(1, len(self.positions) // TESTED)]
        self.tested = tested[len(tested) // 2 :] + tested[: len(tested) // 2]  # late ones first
        self._expanded: dict[Any, Expansion | None] = {}
        everywhere = [*self.positions, *(q for p in self.positions for q in successors(game, p))]
        columns = _columns(game, everywhere)
        self.seen = [ascending({*column}) for column in columns]
        """The values of each place, ascending."""

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


def find_symmetries(game: Game[Any, Any]) -> Proposal:
    """Return the symmetries of a game that candidates show.

    Raises ValueError if positions have no fixed places.
    """
    sample, start = Sample(game), game.initial()
    size = len(sample.seen)
    kept: list[Symmetry] = []
    for arrays in (_declared_arrays(game, size), _guessed_arrays(size)):
        kept = kept or sorted(_kept(sample, arrays), key=_moved)
    chosen = [rearrange(range(size))]
    group = _group(chosen)
    for one in kept:
        if one.place_map in group or sample.failure(one.position, sample.positions):
            continue
        try:
            larger = _group([*chosen, one])
        except ValueError:  # more than a group may have
            continue
        if not any(sample.failure(s.position, sample.tested[:FEW]) for s in larger.values()):
            group, chosen = larger, [*chosen, one]
    several = [s for s in (*kept, *group.values()) if s.place_map in group and _is_written(s)]
    fixing = _generators(chosen[:1], [s for s in several if s.position(start) == start])
    moving = _generators([chosen[0], *fixing], several)
    fixed = sum(s.position(start) == start for s in group.values())
    return Proposal(fixing, moving, fixed, len(group), sample)


def fits_turned_board(game: Game[Any, Any]) -> bool:
    """Return whether the rules are mirrored on a board with rows for columns, not on the declared.

    Raises ValueError if positions have no fixed places.
    """
    turned, sample = copy.copy(game), Sample(game)
    columns, rows = game.board or (0, 0)
    turned.board = rows, columns
    size = len(sample.seen)
    one, other = (len([*_kept(sample, _declared_arrays(g, size))]) for g in (game, turned))
    return other > one


def _group(generators: Sequence[Symmetry]) -> dict[Any, Symmetry]:
    """Return the products of symmetries, the first of which is the identity, by place map."""
    products = (generators[0], *symmetry_group(*generators)[1:])
    return {s.place_map: s for s in products}


def _is_written(one: Symmetry) -> bool:
    """Return whether `rearrange` makes it: each value that changes becomes one that becomes it."""
    _, changes = one.place_map or ((), ())
    return all((w, v) in pairs for pairs in changes for v, w in pairs)


def _moved(one: Symmetry) -> int:
    """Return how many places of a position a symmetry may change."""
    maps = enumerate(zip(*(one.place_map or ()), strict=True))
    return sum(origin != place or changes != () for place, (origin, changes) in maps)


def _columns(game: Game[Any, Any], positions: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Return the values of each place in all positions; raises ValueError."""
    with suppress(TypeError):
        positions = [as_plain(p) if isinstance(p, tuple) else p for p in positions]
    if all(type(p) is int and p >= 0 for p in positions):
        width = max(positions).bit_length()
        if 0 < width <= WIDEST:
            return [tuple(p >> bit & 1 for p in positions) for bit in range(width)]
    try:
        shapes = [*map(shape_of, positions)]
        fixed = shapes[0] is not None and all(shape == shapes[0] for shape in shapes)
    except TypeError:
        fixed = False
    if not fixed or len(places(positions[0])) > WIDEST:
        raise ValueError(
            f"{game.spec}: symmetries are only found if positions are numbers from 0, or if all"
            f" have the same places, at most {WIDEST}: texts, or tuples, of one length"
        )
    return [*zip(*map(places, positions), strict=True)]


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


def _cell_maps(cells: Cells) -> Iterator[list[int]]:
    """Yield turns, reflections and rotations: cell i of the image is cell `map[i]`."""
    width, height = max(x for x, _ in cells) + 1, max(y for _, y in cells) + 1
    upright = [[*cells], [(x, height - 1 - y) for x, y in cells]]
    both = upright + [[(width - 1 - x, y) for x, y in board] for board in upright]
    maps = [turned for board in both for turned in (board, [(y, x) for x, y in board])]
    rings = (width - 1, width) if width <= MOST_TURNED else ()
    for ring, board in product(rings, upright):  # a row, with its last cell or without
        for n, way in product(range(ring), (1, -1)):
            maps.append([((n + way * x) % ring if x < ring else x, y) for x, y in board])
    for i in range(width // 2) if width == height else ():  # of rows and columns at once
        pairs = {i: i + 1, i + 1: i, width - 1 - i: width - 2 - i, width - 2 - i: width - 1 - i}
        maps.append([(pairs.get(x, x), pairs.get(y, y)) for x, y in cells])
    border = [cell for cell in cells if cell[0] in (0, width - 1) or cell[1] in (0, height - 1)]
    border.sort(key=lambda cell: atan2(2 * cell[1] - height + 1, 2 * cell[0] - width + 1))
    for n in range(len(border)) if len(border) <= MOST_TURNED else ():
        after = dict(zip(border, border[n:] + border[:n], strict=True))
        maps.append([after.get(cell, cell) for cell in cells])
    for moved in maps:
        if {*moved} == {*cells}:
            yield [*map(cells.index, moved)]


def _kept(sample: Sample, arrays: Iterator[Array]) -> Iterator[Symmetry]:
    """Yield the candidates that commute with the rules at the tested positions."""
    tried = {rearrange(range(len(sample.seen))).place_map}
    for array in arrays:
        for origins, exchanges in _candidates(sample, *array):
            one = rearrange(origins, *exchanges)
            if one.place_map in tried:
                continue
            tried.add(one.place_map)
            if len(tried) > MOST_CANDIDATES:
                return
            changes = any(one.position(p) != p for p in sample.positions)
            if changes and not sample.failure(one.position, sample.tested):
                yield one


def _candidates(
    sample: Sample, first: int, boards: int, cells: Cells
) -> Iterator[tuple[list[int], list[Exchange]]]:
    """Yield maps of boards: where each place comes from, and what is exchanged."""
    count, seen = len(cells), sample.seen
    inside = [*range(first, first + boards * count)]
    coins = [i for i, group in enumerate(seen) if i not in inside and len(group) == 2]
    everywhere = [i for i in range(len(seen)) if i not in coins]
    exchanges: list[list[Exchange]] = [[]]
    if type(sample.positions[0]) is not int or boards == 1:  # else a bit says what is on a cell
        for pairs in _exchanges({v for i in inside for v in seen[i]}):
            for where in (inside, everywhere):
                exchanges.append(
                    [(v, w, [i for i in where if {v, w} & {*seen[i]}]) for v, w in pairs]
                )
    flips: list[list[Exchange]] = [
        [(*seen[place], [place]) for place in group]
        for n in range(len(coins) + 1)
        if n in (0, len(coins)) or len(coins) <= MOST_LEFT + 1
        for group in combinations(coins, n)
    ]
    for boards_from, cell_map in product(permutations(range(boards)), _cell_maps(cells)):
        origins = [*range(len(seen))]
        origins[first : first + boards * count] = [
            first + board * count + cell for board in boards_from for cell in cell_map
        ]
        for exchanged, flipped in product(exchanges, flips):
            yield origins, exchanged + flipped


def _exchanges(values: set[Any]) -> list[tuple[tuple[Any, Any], ...]]:
    """Return exchanges of two or four values of one type."""
    if len({*map(type, values)}) != 1:
        return []
    pairs = [*combinations(ascending(values), 2)]
    both = combinations(pairs, 2) if len(values) <= MOST_PAIRED else ()
    return [*((pair,) for pair in pairs), *((a, b) for a, b in both if not {*a} & {*b})]


def _generators(base: Sequence[Symmetry], several: Sequence[Symmetry]) -> list[Symmetry]:
    """Return few of some symmetries; with those that are known they generate all of them."""
    chosen: list[Symmetry] = []
    group = _group(base)
    for one in several:
        if one.place_map not in group:
            chosen.append(one)
            group = _group([*base, *chosen])
    for one in [*chosen]:
        rest = [s for s in chosen if s is not one]
        chosen = rest if len(_group([*base, *rest])) == len(group) else chosen
    return chosen
