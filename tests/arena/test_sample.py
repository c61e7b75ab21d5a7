"""Grades of a sample of positions: estimates of the grade over all of them."""

from __future__ import annotations

import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from solver import MappedTable, grade, open_agent
from solver.arena import audit
from solver.arena.sample import draw_turns
from solver.reports.grade_files import page
from solver.reports.grade_text import summary, verdict
from tests.conftest import Command
from tests.support import oracle
from tests.support.solved import graded, solved_agent
from tests.support.tables import table_path


@pytest.mark.parametrize(("name", "seats"), [("winblock", "both"), ("random", "second")])
@pytest.mark.thinned(2)
def test_a_sample_estimates_the_rates_over_all_positions(name: str, seats: str) -> None:
    found: Any = grade(name, solved_agent("tictactoe"), seats, sample=1000, seed=1)
    whole: Any = graded(name, seats)
    exact = whole.all
    assert (found.sample, found.all.positions) == (1000, 1000)
    for rate, (low, high) in found.intervals.items():
        assert low <= getattr(found.all, rate) <= high
        assert low <= getattr(exact, rate) <= high  # as for 19 seeds of 20
        assert high - low < 0.08
    assert found.all.mean_regret == pytest.approx(exact.mean_regret, rel=0.2)
    assert found.all.choices / 1000 == pytest.approx(exact.choices / exact.positions, rel=0.1)
    known = {(b.position, b.move) for b in whole.blunders}
    assert {(b.position, b.move) for b in found.blunders} <= known
    assert 10 < found.blunder_count == len(found.blunders) < len(known)


@pytest.mark.slow
def test_every_unfinished_position_is_equally_likely() -> None:
    """However many images it has: 8 of most positions, 1 of the empty board."""
    agent = solved_agent("tictactoe")
    turns = draw_turns(agent, ["X", "O"], 13_560, random.Random(0))
    counts = Counter(agent.game.text(p) for p, _ in turns)
    assert counts.keys() <= set(oracle.unfinished())
    assert all(seat == oracle.turn(agent.game.text(p)) for p, seat in turns)
    drawn: dict[int, list[int]] = {}
    for board in oracle.unfinished():
        p = agent.game.parse(board)
        images = len({symmetry.position(p) for symmetry in agent.game.symmetries})
        drawn.setdefault(images, []).append(counts[board])
    assert set(drawn) == {1, 2, 4, 8}
    for found in drawn.values():  # 3 draws of each position, give or take five deviations
        assert sum(found) / len(found) == pytest.approx(3, abs=5 * math.sqrt(3 / len(found)))


def test_the_same_seed_draws_the_same_positions() -> None:
    """What only the whole audit shows is unknown."""
    first, again, other = (
        grade("winblock", solved_agent("tictactoe"), sample=50, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first.blunders != other.blunders
    assert (first.never_loses, first.optimal, first.reachable, first.against) == (None,) * 4


def test_positions_that_name_no_side_are_asked_from_the_audited_side() -> None:
    for seats in ("first", "second", "both"):
        found: Any = grade("random", solved_agent("nim:1,2"), seats, sample=30)
        assert found.all.positions == 30


def test_a_game_too_large_for_an_audit_can_be_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    agent = open_agent(table=table_path("connect4:4x3"))
    assert isinstance(agent.table, MappedTable)
    monkeypatch.setattr(audit, "BUDGET", 1000)
    with pytest.raises(ValueError, match=r"more than 1,000: .* with --sample 1000"):
        grade("perfect", agent)
    with pytest.raises(ValueError, match="1 or more positions, not 0"):
        grade("perfect", agent, sample=0)
    found: Any = grade("perfect", agent, sample=50)
    assert found.all.perfect_move_rate == 1.0


def test_a_sample_whose_time_is_spent_ends_early() -> None:
    found: Any = grade("perfect", solved_agent("tictactoe"), sample=100, total=0)
    asked = found.all.positions
    assert asked < 100
    assert found.not_asked == 100 - asked
    assert found.never_loses is None
    assert verdict(found) == (
        "A sample of 100 positions does not show whether perfect can be beaten. It was asked about"
        f" {asked} of 100 positions: the total of 0 s is spent; --total allows more."
    )


def test_progress_counts_the_distinct_positions_of_the_sample() -> None:
    calls: list[tuple[int, int]] = []
    count: Any = lambda *call: calls.append(call)  # noqa: E731
    grade("perfect", solved_agent("tictactoe"), sample=60, progress=count)
    total = calls[0][1]
    assert 40 < total <= 60
    assert calls == [(done, total) for done in range(1, total + 1)]


def test_the_report_of_a_sample_has_intervals(command: Command) -> None:
    agent = solved_agent("tictactoe")
    found: Any = grade("winblock", agent, sample=300)
    low, high = found.intervals["good_move_rate"]
    assert f"{low:.2%} to {high:.2%}" in page([found], agent.game)
    assert summary([found])[1][:3] == ("winblock", "sample", "-")
    answer = command.json("grade", "winblock", "--sample", "300")
    assert answer["intervals"]["good_move_rate"] == [low, high]
    assert (answer["sample"], answer["never_loses"]) == (300, None)


@pytest.mark.large
def test_a_game_without_a_table_is_sampled_by_random_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    agent = open_agent("connect4:5x4")
    turns = draw_turns(agent, ["X"], 200, random.Random(0))
    assert len(turns) == 200
    assert all(agent.game.primitive(p) is None for p, _ in turns)
    assert len({agent.game.tier(p) for p, _ in turns}) > 5
    both: list[Any] = [grade(name, agent, sample=50, seed=1) for name in ("perfect", "random")]
    perfect, other = both
    assert (perfect.all.good_move_rate, perfect.all.perfect_move_rate) == (1, 1)
    assert 0.3 < other.all.good_move_rate < 0.9
    with pytest.raises(ValueError, match=r"more than .*: grade a sample of them with --sample"):
        grade("random", agent)
