"""Matches: exact results against known values, brute force and samples; faults; tournaments."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

from solver import (
    InexactPlayerError,
    Match,
    MatchTooLargeError,
    Player,
    Result,
    TableAgent,
    play_exact,
    play_sampled,
    play_tournament,
)
from solver.arena.match import interval, play_match
from solver.players.player import PlayerFault
from tests.support import oracle
from tests.support.heuristics import EXPECTED
from tests.support.solved import exact_match, player


def slow(board: str, first: str, second: str, known: dict[str, list[Fraction]]) -> list[Fraction]:
    """Return win, draw and loss of X in fractions, by the oracle's rules and players."""
    if board not in known:
        if oracle.over(board):
            won = {"X": 0, None: 1, "O": 2}[oracle.winner(board)]
            known[board] = [Fraction(i == won) for i in range(3)]
        else:
            total = [Fraction(0)] * 3
            shares = EXPECTED[first if oracle.turn(board) == "X" else second](board)
            for cell, share in shares.items():
                below = slow(oracle.play(board, cell), first, second, known)
                exact = Fraction(share).limit_denominator(100)
                total = [t + exact * b for t, b in zip(total, below, strict=True)]
            known[board] = total
    return known[board]


@pytest.mark.parametrize("a", [name for name in EXPECTED if name != "nstep:9"])
@pytest.mark.parametrize("b", ["random", "think3", "lookahead1", "corner-first"])
@pytest.mark.thinned(12, 6)
@pytest.mark.slow
def test_exact_results_against_fractions(a: str, b: str) -> None:
    """The error is below 1e-12."""
    played = exact_match(a, b)
    first = slow(oracle.START, a, b, {})
    second = slow(oracle.START, b, a, {})[::-1]
    for result, exact in ((played.a_first, first), (played.a_second, second)):
        assert all(abs(x - y) < 1e-12 for x, y in zip(result, exact, strict=True))
        assert math.isclose(sum(result), 1, abs_tol=1e-12)
    means = [(x + y) / 2 for x, y in zip(first, second, strict=True)]
    assert played.both == pytest.approx([float(mean) for mean in means], abs=1e-12)


@pytest.mark.slow
def test_a_large_sample_agrees(agent: TableAgent) -> None:
    games, exact = 2_000, exact_match("think3", "lookahead1")
    sampled = play_sampled(agent.game, player("think3"), player("lookahead1"), games, seed=7)
    assert sampled.method == "sampled"
    for name, size in (("a_first", games // 2), ("a_second", games // 2), ("both", games)):
        for share, true in zip(getattr(sampled, name), getattr(exact, name), strict=True):
            low, high = interval(share, size)
            margin = 2 * (high - low)  # five standard deviations, not the usual two
            assert low - margin <= true <= high + margin


def test_a_seed_repeats_a_sample(agent: TableAgent) -> None:
    def sample(seed: int) -> Match:
        return play_sampled(agent.game, player("random"), player("winblock"), 51, seed)

    assert sample(1) == sample(1)
    assert sample(1) != sample(2)
    assert sample(1).games == 51


def test_a_match_of_too_many_positions_is_refused(
    agent: TableAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.arena.match.BUDGET", 100)
    for refused in (play_exact, lambda game, a, b: play_match(game, a, b, 10, 0)):
        with pytest.raises(MatchTooLargeError, match="more than 100 positions.*--games"):
            refused(agent.game, player("random"), player("random"))
    assert play_exact(agent.game, player("perfect"), player("perfect")).both == Result(0, 1, 0)


def test_unknown_probabilities_are_refused_or_sampled(agent: TableAgent) -> None:
    unknown = Player("unknown", lambda p, _: agent.game.moves(p)[0], deterministic=False)
    with pytest.raises(InexactPlayerError, match="dict of moves to probabilities"):
        play_exact(agent.game, unknown, player("perfect"))
    played = play_match(agent.game, unknown, player("perfect"), games=10, seed=0)
    assert (played.method, played.games) == ("sampled", 10)


def test_an_illegal_move_loses_at_once_and_is_recorded_once(agent: TableAgent) -> None:
    """Every position with a fault is recorded, in exact and in sampled matches."""
    cheat = Player("cheat", lambda p, _: 0)  # takes the first cell, free or not
    played = play_exact(agent.game, cheat, player("random"))
    taken = (("X", 8), ("X", 7), ("O", 6))  # by whom, and how many cells are free then
    expected = [b for b in oracle.unfinished() if (b[0], b.count(".")) in taken]
    assert len(expected) == 1 + 8 + 28
    assert sorted(fault.position for fault in played.faults) == sorted(expected)
    assert {(fault.player, fault.kind) for fault in played.faults} == {("cheat", "illegal move")}
    sampled = play_sampled(agent.game, cheat, player("random"), 1000, 0)
    assert sorted(fault.position for fault in sampled.faults) == sorted(expected)
    assert sampled.both == Result(0, 0, 1)
    assert played.both.loss == pytest.approx(1, abs=1e-12)


def test_faults_of_both_players_are_recorded(agent: TableAgent) -> None:
    """Also where both fail in the same position."""
    a, b = (Player(name, lambda p, _: -1) for name in "ab")
    played = play_exact(agent.game, a, b)
    assert [(fault.player, fault.position) for fault in played.faults] == [
        ("a", "........."),
        ("b", "........."),
    ]
    assert (played.a_first, played.a_second) == (Result(0, 0, 1), Result(1, 0, 0))


def test_a_player_that_is_gone_has_one_fault(agent: TableAgent) -> None:
    def leaves(p: Any, seat: str) -> int:
        raise PlayerFault("ended", "its process has ended", final=True)

    gone = Player("gone", leaves)
    first_cell_first = Player("first", lambda p, _: agent.game.moves(p)[0])
    for played in (
        play_exact(agent.game, player("random"), gone),
        play_sampled(agent.game, first_cell_first, gone, 20, 0),
    ):
        (fault,) = played.faults
        assert (fault.player, fault.kind, fault.position) == ("gone", "ended", "X........")
        assert played.both.win == pytest.approx(1, abs=1e-12)


def test_wilson_intervals() -> None:
    assert interval(0.5, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)  # the usual example
    assert interval(0.0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert interval(1.0, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    assert interval(0.5, 0) == (0.0, 1.0)


def test_a_tournament_ranks_by_points(agent: TableAgent) -> None:
    names = ["random", "perfect", "winblock"]
    calls: list[tuple[int, int]] = []
    players = [player(name) for name in names]
    result = play_tournament(agent.game, players, progress=lambda *call: calls.append(call))
    assert [s.player for s in result.standings] == ["perfect", "winblock", "random"]
    assert [s.rank for s in result.standings] == [1, 2, 3]
    assert calls == [(0, 3), (1, 3), (2, 3), (3, 3)]
    best = result.standings[0]
    exact = [exact_match("perfect", name).both for name in ("random", "winblock")]
    assert best.points == pytest.approx(sum(r.win + r.draw / 2 for r in exact) / 2)
    assert result.results["perfect", "random"] == pytest.approx(exact[0])
    assert result.results["random", "perfect"].win == 0.0
