"""Default keys: small, one to one, and in the order of the positions."""

from __future__ import annotations

from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Game, Outcome
from solver.rules.default_keys import describe_keys, use_keys, with_keys
from solver.rules.packing import Numbers, Packing, Texts, keys_of, order
from tests.support.properties import examples
from tests.support.user_games import Row, Word

ATOMS = st.one_of(st.integers(-3, 9), st.booleans(), st.none(), st.sampled_from("xo."))
SHAPES = st.recursive(
    st.one_of(st.just(None), st.integers(2, 4)),
    lambda inner: st.lists(inner, min_size=1, max_size=3).map(tuple),
    max_leaves=5,
)


def positions_of(shape: Any) -> st.SearchStrategy[Any]:
    if shape is None:
        return ATOMS
    if isinstance(shape, int):
        return st.text("xo.-", min_size=shape, max_size=shape)
    return st.tuples(*map(positions_of, shape))


LISTS = SHAPES.flatmap(lambda shape: st.lists(positions_of((shape,)), min_size=1, max_size=6))


@examples(200)
@given(LISTS)
def test_keys_are_one_to_one_and_in_order(positions: list[Any]) -> None:
    keys = keys_of(positions)
    assert isinstance(keys, Packing)
    assert keys.size == prod(map(len, keys.values))
    for p in positions:
        assert 0 <= keys.key(p) < keys.size
        assert keys.position(keys.key(p)) == p
    assert len({*map(keys.key, positions)}) == len({*positions})
    assert sorted(positions, key=order) == sorted(positions, key=keys.key)


def test_every_key_is_that_of_one_position() -> None:
    keys = keys_of([("xo", 1), (".o", 3), ("x.", 1)])
    assert isinstance(keys, Packing)
    assert keys.values == ((".", "x"), (".", "o"), (1, 3))
    assert [keys.position(i) for i in range(keys.size)] == [
        ("".join(cells), n) for *cells, n in product(".x", ".o", (1, 3))
    ]


@given(st.integers())
def test_numbers_are_their_own_keys_unless_negative_or_large(p: int) -> None:
    keys = Numbers()
    assert keys.key(p) >= 0
    assert keys.position(keys.key(p)) == p
    if 0 <= p < 1 << 64:
        assert keys.key(p) == p


def test_texts_of_different_lengths_keep_their_bytes_as_keys() -> None:
    game = Word()
    assert isinstance(game.keys, Texts)
    assert describe_keys(game) == "texts"
    assert game.position(game.key("uq")) == "uq"


def test_described_keys_are_used_again_and_impossible_ones_refused(tmp_path: Path) -> None:
    game, other, pair = Row(), Row(), [".", "X"]
    described = describe_keys(game)
    assert described == [4, [pair] * 4]
    use_keys(other, [4, [[*pair, "c"], pair, pair, pair]])
    assert other.key("c..X") == 2 * 8 + 1
    for wrong in ([4, [["X", "."], pair, pair, pair]], [4, [pair]], [4, 5], "x", 5):
        with pytest.raises((ValueError, TypeError)):
            use_keys(other, wrong)


class Doubled(Game[Any, Any]):
    """Numbers with more values than can be listed; only few are met in samples."""

    def initial(self) -> Any:
        return (1, 0)

    def moves(self, p: Any) -> Any:
        return (0, 1)

    def play(self, p: Any, m: int) -> Any:
        return (2 * p[0] + m, 0)

    def primitive(self, p: Any) -> Outcome | None:
        return Outcome.LOSS if p[0] > 1 << 17 else None


@pytest.mark.no_cover
def test_a_place_of_ever_more_values_does_not_start_a_solve_for_ever() -> None:
    game = Doubled()
    starts: list[str] = []
    with_keys(game, lambda: [game.key((n, 0)) for n in range(1, 1 << 14)], starts.append)
    assert isinstance(game.keys, Texts)
    assert 1 < len(starts) < 20
