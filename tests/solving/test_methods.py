"""The two methods compared with each other, with an oracle and with graphs solved by hand."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import solver.solving.in_memory
from solver import GameLawError, Outcome, SearchDepthError, Table, solve, verify
from solver.games.mnk import Mnk
from solver.solving.search import AlphaBeta
from solver.solving.solve import SolveOptions, solve_file
from solver.solving.steps import check_length
from solver.tables.json_table import encode
from solver.value import LIMIT, back, distance, outcome
from tests.conftest import solved
from tests.support import graphs
from tests.support.brute import solve_by_force
from tests.support.graphs import random_graphs
from tests.support.small_games import Chain, Line

SWITCHES = list(product((False, True), repeat=3))


@pytest.mark.parametrize(
    "size", [(3, 3, 3), (1, 1, 1), (2, 2, 2), (3, 2, 2), (3, 2, 3), (2, 3, 2), (3, 3, 4)]
)
@pytest.mark.thinned(3)
@pytest.mark.slow
def test_both_methods_write_the_same_bytes(size: tuple[int, int, int]) -> None:
    game = Mnk(*size)
    data = encode(solve(game, "search"))
    assert data == encode(solve(game, "retrograde"))
    assert verify(data, game).game == game.spec


@cache
def visited(memo: bool, symmetry: bool, alpha_beta: bool) -> int:
    """Return the number of positions that a search visits with these switches."""
    game = Mnk(3, 3, 3)
    searcher = AlphaBeta(game, memo, symmetry, alpha_beta)
    assert searcher.score(game.parse("X........")) == 0
    return searcher.visited


@pytest.mark.parametrize("switches", SWITCHES)
def test_each_switch_saves_visits_and_preserves_the_score(switches: tuple[bool, ...]) -> None:
    for i, on in enumerate(switches):
        if on:
            assert visited(*switches) < visited(*switches[:i], False, *switches[i + 1 :])


def test_search_rejects_graphs_with_a_cycle() -> None:
    game, _ = graphs.ENDS_OF_ALL_KINDS
    assert encode(solve(game, "search")) == encode(solve(game, "retrograde"))
    for game, _ in (graphs.SELF_LOOP, graphs.DRAW_BY_CYCLE, graphs.FORCED_LOSS):
        with pytest.raises(SearchDepthError, match="with the method retrograde"):
            solve(game, "search")


@given(random_graphs())
def test_retrograde_on_random_graphs(game: graphs.Graph) -> None:
    """The values are those of brute force, and the table is proved."""
    table = solved(game, "retrograde")
    right = solve_by_force(game)
    assert {p: tuple(entry[:2]) for p, entry in table.entries.items()} == right
    assert verify(encode(table), game).positions == len(right)


def test_positions_are_counted_one_by_one_if_the_start_is_not_symmetric() -> None:
    table = solved(Line(), "retrograde")
    assert table.counts["positions"] == 4
    assert table.counts["canonical"] == 2
    assert verify(encode(table), Line()).positions == 4


scores = st.one_of(st.just(0), st.integers(1, LIMIT), st.integers(-LIMIT, -1))


@given(scores)
def test_back_steps_towards_a_draw(s: int) -> None:
    assert outcome(back(s)) in (-outcome(s), 0)
    if abs(s) > 1:
        assert outcome(back(s)) == -outcome(s)
        assert distance(back(s)) == (None if s == 0 else (distance(s) or 0) + 1)


@pytest.mark.parametrize("wrong", [2, False, "win", -2])
def test_an_invalid_outcome_is_rejected(wrong: Any) -> None:
    class Odd(Chain):
        def primitive(self, p: int) -> Any:
            return wrong if p == 0 else None

    with pytest.raises(GameLawError, match="not an Outcome or None"):
        solve(Odd(3), "retrograde")


@pytest.mark.parametrize("score", [1, -1])
def test_a_distance_that_fits_no_score_is_refused(score: int) -> None:
    with pytest.raises(ValueError, match="the distances of tables end at 16,382"):
        check_length("chain", [2, -2, score])


@pytest.mark.parametrize("bits", [64, 65])
def test_a_table_is_mapped_as_long_as_its_keys_have_64_bits(
    bits: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Wide(Chain):
        def key(self, p: int) -> int:
            return p | 1 << bits - 1

        def position(self, key: int) -> int:
            return key & 0xFF

    monkeypatch.setattr(solver.solving.in_memory, "SMALL", 3)
    table = solve(Wide(5), "search")
    assert isinstance(table, Table) is (bits > 64)
    assert (outcome(table.probe(5)), distance(table.probe(5))) == (1, 5)


def test_a_table_of_draws_alone_is_proved(tmp_path: Path) -> None:
    class Drawn(Chain):
        def primitive(self, p: int) -> Outcome | None:
            return None if p else Outcome.DRAW

    path = tmp_path / "drawn.safetensors"
    solve_file(Drawn(3), str(path), SolveOptions("search"))
    proof = verify(path.read_bytes(), Drawn(3))
    assert (proof.positions, proof.draw) == (4, 4)
