"""Walks over the positions of games."""

from __future__ import annotations

from typing import Any

import pytest

from solver import Game, GameLawError, load_game
from solver.rules.positions import children, every_position, explore, orbits, reachable, successors
from tests.support import oracle
from tests.support.graphs import LONG_WAY_ROUND
from tests.support.small_games import Chain, Line


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


def test_every_position_of_a_graph_with_cycles() -> None:
    game, values = LONG_WAY_ROUND
    assert sorted(every_position(game)) == sorted(values)


def test_successors_are_distinct_and_children_are_one_per_move(tictactoe: Game[Any, Any]) -> None:
    start = tictactoe.initial()
    assert successors(tictactoe, start) == [tictactoe.play(start, m) for m in range(9)]
    assert len(children(tictactoe, start)) == 9
    assert len(set(children(tictactoe, start))) == 3
    over = tictactoe.parse("XXXOO....")
    assert successors(tictactoe, over) == children(tictactoe, over) == []
    assert successors(Line(), 1) == [0, 2]
    assert children(Line(), 1) == [0, 1]


def test_a_position_without_a_move_breaks_a_law() -> None:
    class Stuck(Chain):
        def moves(self, p: int) -> tuple[int, ...]:
            return ()

    for walk in (successors, children):
        with pytest.raises(GameLawError, match="there is no move"):
            walk(Stuck(2), 2)


def test_reachable_stops_at_a_limit(tictactoe: Game[Any, Any], known: dict[str, Any]) -> None:
    counts = known["tictactoe"]["canonical_by_ply"]
    tiers = reachable(tictactoe, sum(counts).__ge__)
    assert {tier: len(found) for tier, found in tiers.items()} == dict(enumerate(counts))
    assert reachable(tictactoe, sum(counts).__gt__) == {}


def test_orbits_count_images_or_reachable_positions() -> None:
    assert orbits(Line(), [0, 1]) == {0: 2, 1: 2}
    assert orbits(Chain(3), [3, 2, 1, 0]) == dict.fromkeys(range(4), 1)


def test_a_board_may_have_as_many_cells_as_its_game_takes() -> None:
    assert load_game("breakthrough:5x6").board == (5, 6)
    with pytest.raises(ValueError, match="at most 30 cells"):
        load_game("breakthrough:4x8")
