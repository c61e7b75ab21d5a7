"""The two solvers: each against the other, against brute force and against graphs by hand."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Game, GameLawError, SearchDepthError, Table, solve, verify
from solver.games.mnk import Mnk
from solver.solving.search import Search
from solver.tables.json_table import encode
from solver.value import INFINITY, LIMIT, ahead, back, distance, outcome
from tests.conftest import solved
from tests.support import graphs, oracle
from tests.support.graphs import random_graphs, value_iteration
from tests.support.small_games import Chain, Line

SWITCHES = list(product((False, True), repeat=3))


def test_every_entry_is_what_brute_force_says(
    tictactoe: Game[Any, Any], table: Table, known: dict[str, Any]
) -> None:
    """The whole table, and with it all 5,478 positions, against the independent oracle."""
    for board in oracle.reachable():
        p = tictactoe.parse(board)
        canonical, symmetry = tictactoe.orient(p)
        entry = table.entries[tictactoe.text(canonical)]
        assert tuple(entry[:2]) == oracle.solve(board)
        rows = {move: values for move, *values in entry[3]}
        expected = {
            symmetry.move(cell): [*oracle.worth(board, cell), oracle.trap(board, cell)]
            for cell in oracle.moves(board)
        }
        assert rows == expected
        best = [m for m in rows if tuple(rows[m][:2]) == oracle.solve(board)]
        assert entry[2] == best


def test_both_methods_write_the_same_bytes(tictactoe: Game[Any, Any]) -> None:
    assert encode(solve(tictactoe, "search")) == encode(solve(tictactoe, "retrograde"))


@pytest.mark.parametrize("size", [(1, 1, 1), (2, 2, 2), (3, 2, 2), (3, 2, 3), (2, 3, 2), (3, 3, 4)])
def test_both_methods_agree_on_other_boards(size: tuple[int, int, int]) -> None:
    game = Mnk(*size)
    data = encode(solve(game, "search"))
    assert data == encode(solve(game, "retrograde"))
    assert verify(data, game).game == game.spec


@pytest.mark.parametrize(("memo", "symmetry", "alpha_beta"), SWITCHES)
def test_each_saving_saves_and_keeps_the_score(
    tictactoe: Game[Any, Any], memo: bool, symmetry: bool, alpha_beta: bool
) -> None:
    searcher = Search(tictactoe, memo, symmetry, alpha_beta)
    p = tictactoe.parse("X........")
    assert searcher.score(p) == 0
    for off in ({"memo": False}, {"symmetry": False}, {"alpha_beta": False}):
        switches = {"memo": memo, "symmetry": symmetry, "alpha_beta": alpha_beta}
        if switches != switches | off:
            other = Search(tictactoe, **switches | off)
            assert other.score(p) == 0
            assert searcher.visited < other.visited


@pytest.mark.parametrize("case", graphs.ALL, ids=lambda case: str(case[0].edges))
def test_graphs_by_hand(case: tuple[graphs.Graph, dict[str, Any]]) -> None:
    game, worths = case
    table = solved(game, "retrograde")
    assert {text: tuple(entry[:2]) for text, entry in table.entries.items()} == worths
    assert verify(encode(table), game).canonical == len(worths)


def test_search_takes_graphs_without_a_cycle_only() -> None:
    game, _ = graphs.ENDS_OF_ALL_KINDS
    assert encode(solve(game, "search")) == encode(solve(game, "retrograde"))
    for game, _ in (graphs.SELF_LOOP, graphs.DRAW_BY_CYCLE, graphs.FORCED_LOSS):
        with pytest.raises(SearchDepthError, match="with the method retrograde"):
            solve(game, "search")


@given(random_graphs())
def test_retrograde_on_random_graphs(game: graphs.Graph) -> None:
    """Wins and losses are those of bounded games; verify certifies the table, cycles and all."""
    table = solved(game, "retrograde")
    nodes = list(table.entries)
    slow = value_iteration(game, nodes)
    assert {p: tuple(table.entries[p][:2]) for p in nodes} == {
        p: (outcome(slow[p]), distance(slow[p])) for p in nodes
    }
    assert verify(encode(table), game).positions == len(nodes)


def test_positions_are_counted_one_by_one_when_the_start_has_no_symmetry() -> None:
    table = solved(Line(), "retrograde")
    assert table.counts["positions"] == 4  # not the images of 1 and 0 by symmetry, but all found
    assert table.counts["canonical"] == 2
    assert verify(encode(table), Line()).positions == 4


scores = st.one_of(st.just(0), st.integers(1, LIMIT), st.integers(-LIMIT, -1))


@given(scores)
def test_back_steps_towards_a_draw(s: int) -> None:
    assert outcome(back(s)) in (-outcome(s), 0)
    if abs(s) > 1:
        assert outcome(back(s)) == -outcome(s)
        assert distance(back(s)) == (None if s == 0 else (distance(s) or 0) + 1)


@given(scores.filter(lambda s: 0 < abs(s) < LIMIT))
def test_ahead_undoes_back(s: int) -> None:
    assert back(ahead(s)) == s


@given(scores, scores)
def test_a_better_score_is_a_better_result(a: int, b: int) -> None:
    assert (back(a) >= back(b)) or a > b
    assert (outcome(a), a) <= (outcome(b), b) or a > b
    assert -INFINITY < a < INFINITY


def test_long_games() -> None:
    """Too deep for the search, and longer than a score can count for either."""
    with pytest.raises(SearchDepthError, match="with the method retrograde"):
        solve(Chain(5000), "search")
    assert solved(Chain(5000), "retrograde").entries["5000"][:2] == [-1, 5000]
    with pytest.raises(ValueError, match="can last longer than 16384 plies"):
        solve(Chain(LIMIT), "retrograde")


@pytest.mark.parametrize("wrong", [2, False, "win", -2])
def test_an_outcome_that_is_none_is_refused(wrong: Any) -> None:
    class Odd(Chain):
        def primitive(self, p: int) -> Any:
            return wrong if p == 0 else None

    with pytest.raises(GameLawError, match="not an Outcome or None"):
        solve(Odd(3), "retrograde")


def test_a_position_without_a_move_is_refused() -> None:
    class Stuck(Chain):
        def moves(self, p: int) -> tuple[int, ...]:
            return (1,) if p != 2 else ()

    with pytest.raises(GameLawError, match="there is no move"):
        solve(Stuck(3), "retrograde")


def test_a_game_without_the_identity_is_refused() -> None:
    class Asymmetric(Chain):
        symmetries = ()

    with pytest.raises(GameLawError, match="identity"):
        solve(Asymmetric(3))


def test_an_unknown_method_is_refused(tictactoe: Game[Any, Any]) -> None:
    with pytest.raises(ValueError, match="retrograde, search"):
        solve(tictactoe, "magic")
