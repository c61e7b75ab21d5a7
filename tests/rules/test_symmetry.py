"""Symmetries as data: rearranged places, exchanged values, and their groups."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from solver import Game, Outcome, Symmetry, rearrange, symmetry_group
from solver.compiling import images
from solver.rules.game import IDENTITY
from solver.rules.packing import all_images, joined, order, shape_of
from tests.support.soundness import Edge
from tests.support.user_games import Heap

PLACES = 4
SHAPES = ("abca", tuple("abca"), ("abc", ("a",)), (("a", "b"), "ca"))
PAIRS: list[Any] = [[], ["ab"], ["bc"], [("a", "c", [0, 3])]]
EXCHANGES = st.sampled_from(PAIRS)
MAPS = st.tuples(st.permutations(range(PLACES)), EXCHANGES).map(lambda m: rearrange(m[0], *m[1]))
FLIPS = st.sets(st.integers(0, PLACES - 1), max_size=2)
BIT_MAPS = st.tuples(st.permutations(range(PLACES)), FLIPS).map(
    lambda m: rearrange(m[0], *[(0, 1, [i]) for i in m[1]])
)


def every(shape: Any) -> list[Any]:
    """Return some positions of a shape."""
    texts = ("abca", "aabb", "cccc", "bacb", "cabc")
    return [joined(iter(text), shape_of(shape)) for text in texts]


def test_places_move_and_values_are_exchanged() -> None:
    p = "x.o", "x"
    assert rearrange((2, 1, 0, 3)).position(p) == ("o.x", "x")
    assert rearrange((0, 1, 2, 3), "xo").position(p) == ("o.x", "o")
    assert rearrange((2, 1, 0, 3), ("x", "o", [3])).position(p) == ("o.x", "o")
    assert rearrange((1, 0)).position((True, None)) == (None, True)
    assert rearrange((1, 2, 0), (0, 1, [2])).position(0b001) == 0b000  # bit 2 of it is bit 0
    assert rearrange((1, 0)).position(0b1101) == 0b1110  # higher bits stay


@given(st.lists(BIT_MAPS, max_size=3), st.integers(0, 40))
def test_all_images_of_a_number_are_those_found_one_by_one(maps: list[Symmetry], p: int) -> None:
    images = [s.position for s in (IDENTITY, *maps)]
    find = all_images(images, [(), *(s.place_map for s in maps)])
    assert [*find(p)] == [image(p) for image in images]


@given(st.lists(MAPS, min_size=1, max_size=2), st.sampled_from(SHAPES))
def test_a_group_is_closed(generators: list[Symmetry], shape: Any) -> None:
    group = _group(*generators)
    p = every(shape)[0]
    assert group[0].position(p) == p
    assert len({s.place_map for s in group}) == len(group)
    images = {s.position(p) for s in group}
    assert {shape_of(image) for image in images} == {shape_of(p)}
    for generator in generators:
        assert {generator.position(q) for q in images} == images
    assert len(group) % len(images) == 0


@given(
    st.lists(MAPS, min_size=1, max_size=2),
    st.lists(st.sampled_from([None, True, False, 1, 2, "a", "b"]), min_size=4, max_size=4),
)
def test_the_canonical_image_has_the_least_order(generators: list[Symmetry], p: list[Any]) -> None:
    """Values that Python does not compare, such as None and 1, are ordered as keys are."""
    game = Heap()
    game.symmetries = _group(*generators)
    images = [s.position(tuple(p)) for s in game.symmetries]
    found, symmetry = game.orient(tuple(p))
    assert order(found) == min(map(order, images))
    assert repr(symmetry.position(tuple(p))) == repr(found)


def _group(*generators: Symmetry) -> tuple[Symmetry, ...]:
    """Return a group unless it is too large."""
    try:
        return symmetry_group(*generators)
    except ValueError:
        reject()


@given(BIT_MAPS, BIT_MAPS)
def test_a_group_of_bits_has_the_products(first: Symmetry, then: Symmetry) -> None:
    group = _group(first, then)
    for p in (0b0000, 0b1110, 0b0001, 0b11101):
        images = [s.position(p) for s in group]
        assert then.position(first.position(p)) in images
        assert {first.position(q) for q in images} == {*images}


def test_cells_of_products() -> None:
    turn, mirror = (
        rearrange((1, 2, 3, 0), cells=(1, 2, 3, 0)),
        rearrange((1, 0, 3, 2), cells=(1, 0, 3, 2)),
    )
    group = symmetry_group(turn, mirror)
    assert len(group) == 8
    for s in group[1:]:
        assert s.place_map is not None
        assert s.cells == s.place_map[0]
    mixed = symmetry_group(turn, rearrange(range(4), "xo"))
    assert [s.cells is None for s in mixed[1:]].count(True) == 4


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rearrange((0, 2)), r"each number from 0 once, but it is \(0, 2\)"),
        (lambda: rearrange((1, 0)).position("abc"), "'abc' has 3 places, but a symmetry has 2"),
        (lambda: symmetry_group(rearrange((0,)), rearrange((1, 0))), r"have \[1, 2\] places"),
        (
            lambda: symmetry_group(
                rearrange((1, 2, 3, 4, 5, 6, 0)), rearrange((1, 0, *range(2, 7)))
            ),
            "1,024",
        ),
        (lambda: rearrange((0, 1), "xo", "o."), "'o' or '.' is exchanged twice at place 0"),
        (lambda: rearrange((0, 1), ("x", "oo")), "'x' and 'oo' are not the values of one place"),
        (lambda: rearrange((0, 1), (1, 2)).position(3), "whose bits are only 0 or 1"),
        (lambda: symmetry_group(Symmetry(str, None, None)), "is made by rearrange"),
    ],
)
def test_impossible_maps_are_refused(make: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


class Marks(Game[Any, int]):
    """Mark one of four places with either of two values, in a text, a tuple or a number."""

    def __init__(self, start: Any) -> None:
        self.start = start

    def initial(self) -> Any:
        return self.start

    def moves(self, p: Any) -> list[int]:
        if isinstance(p, int):
            return [i for i in range(4) if not p >> i & 1]
        return [i for i in range(4) if p[i] in (".", 0)]

    def play(self, p: Any, m: int) -> Any:
        if isinstance(p, int):
            return p | 1 << m
        mark: Any = "x" if isinstance(p, str) else (1,)
        return p[:m] + mark + p[m + 1 :]

    def primitive(self, p: Any) -> Outcome | None:
        return Outcome.LOSS if len(self.moves(p)) < 2 else None


STARTS: dict[Any, tuple[Any, ...]] = {  # and values that may be exchanged
    "....": tuple(".x"),
    (0, 0, 0, 0): (0, 1),
    0: (0, 1, [0, 1, 2, 3]),
}


@given(st.sampled_from([*STARTS]), st.permutations(range(4)), st.booleans())
def test_compiled_images_are_those_of_the_maps(start: Any, order: list[int], swap: bool) -> None:
    """Compiled rules apply a map to keys with tables for digits."""
    game = Marks(start)
    game.symmetries = symmetry_group(rearrange(order, *[STARTS[start]] * swap))
    cells = product(*[STARTS[start][:2]] * 4)
    each: Any = range(16) if start == 0 else cells if start != "...." else map("".join, cells)
    keys = np.array([*map(game.key, each)], np.int64)
    tables = images.digit_tables(game)
    for number, symmetry in enumerate(game.symmetries):
        found = np.empty(len(keys), np.int64)
        images.images_under(keys, *tables, number, found)
        positions = map(game.position, keys.tolist())
        assert found.tolist() == [game.key(symmetry.position(p)) for p in positions]


def test_the_first_place_may_have_one_value() -> None:
    game: Any = Edge()
    assert images.digit_tables(game).sizes.prod() == game.keys.size
