"""Walks over the positions of games."""

from __future__ import annotations

from typing import Any

import pytest

from solver import Game, load_game
from solver.rules.positions import every_position, explore, reachable
from tests.support import oracle


def test_explore_yields_each_position_once_in_order_of_distance() -> None:
    calls = []

    def following(n: int) -> list[int]:
        calls.append(n)
        return [m for m in (2 * n, n - 1, n) if 0 < m < 9]

    assert [*explore([3], following)] == [[3], [6, 2], [5, 4, 1], [8], [7]]
    assert sorted(calls) == [1, 2, 3, 4, 5, 6, 7, 8]
    assert next(explore([7, 8], following)) == [7, 8]
    assert [*explore([], following)] == []


def test_every_position_matches_the_oracle(tictactoe: Game[Any, Any]) -> None:
    found = [tictactoe.text(p) for p in every_position(tictactoe)]
    assert len(found) == len(set(found))
    assert set(found) == set(oracle.reachable())
    assert [board.count(".") for board in found] == sorted(
        (board.count(".") for board in found), reverse=True
    )


def test_reachable_stops_at_a_limit(tictactoe: Game[Any, Any], known: dict[str, Any]) -> None:
    counts = known["tictactoe"]["canonical_by_ply"]
    tiers = reachable(tictactoe, sum(counts).__ge__)
    assert {tier: len(found) for tier, found in tiers.items()} == dict(enumerate(counts))
    assert reachable(tictactoe, sum(counts).__gt__) == {}


def test_a_board_may_have_as_many_cells_as_its_game_takes() -> None:
    assert load_game("breakthrough:5x6").board == (5, 6)
    with pytest.raises(ValueError, match="at most 30 cells"):
        load_game("breakthrough:4x8")
