"""Tournaments: every pair of players meets, and points decide the order."""

from __future__ import annotations

import pytest

from solver import TableAgent, play_tournament
from tests.support.solved import exact_match, player


def test_a_tournament_ranks_by_points(agent: TableAgent) -> None:
    names = ["random", "perfect", "winblock"]
    calls: list[tuple[int, int]] = []
    players = [player(name) for name in names]
    result = play_tournament(agent.game, players, progress=lambda *call: calls.append(call))
    assert [s.player for s in result.standings] == ["perfect", "winblock", "random"]
    assert [s.rank for s in result.standings] == [1, 2, 3]
    assert calls == [(1, 3), (2, 3), (3, 3)]
    best = result.standings[0]
    exact = [exact_match("perfect", name).both for name in ("random", "winblock")]
    assert best.points == pytest.approx(sum(r.win + r.draw / 2 for r in exact) / 2)
    assert result.match("perfect", "random").both == pytest.approx(exact[0])
    assert result.match("random", "perfect").both.win == 0.0
    with pytest.raises(KeyError, match="did not play"):
        result.match("random", "nobody")


def test_two_players_are_enough(agent: TableAgent) -> None:
    found = play_tournament(agent.game, [player("random"), player("perfect")])
    assert [(s.rank, s.player) for s in found.standings] == [(1, "perfect"), (2, "random")]
    assert found.matches == [exact_match("random", "perfect")]
    assert found.faults == []
