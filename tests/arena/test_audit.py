"""Audits: right grades for perfect, flawed, random and rogue players."""

from __future__ import annotations

import math
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from solver import InexactPlayerError, TableAgent, boards, grade, load_game, play_exact
from solver.arena.audit import OPPONENTS
from solver.players import Player, PlayerFault
from solver.reports.grade_text import summary, summary_remarks, text, verdict
from tests.conftest import BOTS, ROOT, solved
from tests.support import bots, oracle
from tests.support.heuristics import EXPECTED
from tests.support.solved import graded, player


def choices(boards: list[str]) -> list[str]:
    """Return the boards on which some legal move scores lower than the best."""
    return [
        b
        for b in boards
        if any(oracle.move_value(b, c) != oracle.solve(b) for c in oracle.moves(b))
    ]


def expected_rates(name: str, boards: list[str]) -> tuple[int, int, float, float, float]:
    """Return a player's rates, from the oracle's rules, values and players."""
    good = perfect = regret = 0.0
    for board in choices(boards):
        outcome = oracle.solve(board)[0]
        for cell, share in EXPECTED[name](board).items():
            worth = oracle.move_value(board, cell)
            good += share * (worth[0] == outcome)
            perfect += share * (worth == oracle.solve(board))
            regret += share * (outcome - worth[0])
    size = len(choices(boards))
    return len(boards), size, good / size, perfect / size, regret / size


def reached(name: str, seats: str) -> tuple[list[str], int | None]:
    """Return the boards on which a player may have to move, and the shortest game it may lose."""
    visited: list[str] = []
    lost: list[int] = []  # plies
    for seat in seats:
        queue = [oracle.START]
        seen = {*queue}
        for board in queue:
            if oracle.over(board):
                lost += [9 - board.count(".")] * (oracle.winner(board) not in (seat, None))
                continue
            to_move = oracle.turn(board) == seat
            visited += [board] * to_move
            for cell in EXPECTED[name](board) if to_move else oracle.moves(board):
                child = oracle.play(board, cell)
                if child not in seen:
                    seen.add(child)
                    queue.append(child)
    return visited, min(lost, default=None)


SEATS = {"both": "XO", "first": "X", "second": "O"}


@pytest.mark.slow
@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("name", ["winblock", "think3", "center-first", "minimax", "random"])
@pytest.mark.thinned(15, 5)
def test_grades_against_brute_force(name: str, seats: str) -> None:
    found, marks = graded(name, seats), SEATS[seats]
    visited, shortest = reached(name, marks)
    assert found.reachable == pytest.approx(expected_rates(name, visited))
    everywhere = [board for board in oracle.unfinished() if oracle.turn(board) in marks]
    assert found.all == pytest.approx(expected_rates(name, everywhere))
    assert found.never_loses == (shortest is None)
    assert (found.losing_line is None) == (shortest is None)
    if found.losing_line is not None:
        assert len(found.losing_line) == shortest
    assert found.faults == []
    assert found.method == "exact"


@pytest.mark.no_cover
def test_the_losing_line_can_be_replayed() -> None:
    found = graded("winblock", "both")
    assert found.losing_line
    board = oracle.START
    for step in found.losing_line:
        assert step.turn == oracle.turn(board)
        if step.turn == found.losing_seat:
            assert step.move in EXPECTED["winblock"](board)
        board = oracle.play(board, step.move)
        assert (step.position, step.label) == (board, str(step.move + 1))
    assert oracle.winner(board) not in (found.losing_seat, None)
    assert found.losing_fault is False


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "part"), [("first", "a_first"), ("second", "a_second"), ("both", "both")]
)
@pytest.mark.thinned(3)
def test_results_against_others_are_match_results(agent: TableAgent, seats: str, part: str) -> None:
    against: Any = graded("think3", seats).against
    assert set(against) == set(OPPONENTS)
    for name in OPPONENTS:
        match = play_exact(agent.game, player("think3"), player(name))
        assert against[name] == pytest.approx(getattr(match, part))


def test_blunders_are_right_and_the_worst_come_first() -> None:
    found = graded("winblock", "both")
    assert len(found.blunders) == found.blunder_count > 100
    lost = []
    words = {1: "win", 0: "draw", -1: "loss"}
    for b in found.blunders:
        before, after = oracle.solve(b.position), oracle.move_value(b.position, b.move)
        assert b.move in EXPECTED["winblock"](b.position)
        assert (b.outcome_before, b.outcome_after) == (words[before[0]], words[after[0]])
        best = [c for c in oracle.moves(b.position) if oracle.move_value(b.position, c) == before]
        assert sorted(b.best) == best
        assert before[0] > after[0]
        lost.append(before[0] - after[0])
    assert lost == sorted(lost, reverse=True)
    assert found.blunders[0].missed == "threw a win away"


@pytest.mark.slow
def test_a_missed_win_in_one_is_a_blunder() -> None:
    missed = [b for b in graded("nstep:4", "second").blunders if b.missed == "missed a win in 1"]
    assert missed
    for b in missed:
        assert oracle.solve(b.position) == (1, 1)
        outcome, plies = oracle.move_value(b.position, b.move)
        assert outcome == 1
        assert plies is not None
        assert plies > 1


@pytest.mark.parametrize(
    ("varies", "times", "said"),
    [
        (False, 2, "asked twice at each of 2,097 positions, never differed"),
        (True, 5, "it was asked several times about each position"),
    ],
)
def test_a_player_is_asked_twice_and_oftener_once_an_answer_differs(
    agent: TableAgent, varies: bool, times: int, said: str
) -> None:
    asked: Counter[str] = Counter()

    def bot(position: str, moves: list[int], side: str) -> int:
        asked[position] += 1
        return moves[-(varies and position == "X........" and asked[position] == 2)]

    found: Any = grade(bot, agent, "second", convention="text", repeats=5)
    assert (found.method, found.times) == ("sampled", times)
    assert said in " ".join(text(found).split())
    assert times <= min(asked.values()) <= max(asked.values()) <= times + 3
    assert not found.meets("never-loses")


@pytest.mark.large
def test_unknown_probabilities_are_estimated(agent: TableAgent) -> None:
    found: Any = grade(f"{BOTS}:by_chance", agent, "second", repeats=2, seed=3, limit=120)
    assert found.method == "sampled"
    exact: Any = graded("random", "second")
    assert math.isclose(found.all.good_move_rate, exact.all.good_move_rate, abs_tol=0.05)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "kind"), [(bots.cheats, "illegal move"), (bots.answers_words, "wrong type")]
)
@pytest.mark.thinned(2)
def test_faults_are_losses_and_are_listed(agent: TableAgent, player: Any, kind: str) -> None:
    found: Any = grade(player, agent, deterministic=True)
    assert {fault.kind for fault in found.faults} == {kind}
    assert found.never_loses is False
    assert not found.optimal
    assert found.all.good_move_rate < 1
    counted = Counter(fault.position for fault in found.faults)
    assert set(counted.values()) == {1}
    if player is bots.cheats:
        assert counted.keys() == {board for board in oracle.unfinished() if board[4] != "."}
        assert [step.label for step in found.losing_line or []] == ["5"]
        assert (found.losing_seat, found.losing_fault) == ("O", True)
    if player is bots.answers_words:
        assert len(counted) == 20, "it misunderstands the interface, so it is asked no more"
        assert found.not_asked == 4500
        assert "gives no legal answer" in verdict(found)
        assert (found.losing_line, found.losing_seat) == ([], "X")
        assert found.against["random"].loss == pytest.approx(1)


@pytest.mark.parametrize("fails_at", [".........", ".X.O....."])
def test_a_fault_counts_where_the_player_can_get_to(agent: TableAgent, fails_at: str) -> None:
    """A crash on the empty board loses, though no move is bad; it never opens with cell 2."""

    def mostly_perfect(board: bots.Rows, side: str) -> Any:
        if (text := boards.from_rows(board)) == fails_at:
            raise SystemExit
        return agent.best_move(text)

    found = grade(mostly_perfect, agent, "first", deterministic=True)
    assert [fault.position for fault in found.faults] == [fails_at]
    loses = fails_at == oracle.START
    assert (found.optimal, found.never_loses) == (not loses, not loses)
    if loses:
        assert (found.losing_line, found.losing_seat, found.losing_fault) == ([], "X", True)
        assert "As X it loses at once: it gives no legal answer." in text(found)


@pytest.mark.slow
def test_the_smallest_probability_of_a_wrong_move_is_not_optimal(agent: TableAgent) -> None:
    """A rate may round to 1; what the player may do does not."""

    def nearly(board: bots.Rows, side: str) -> dict[int, float]:
        scores = agent.scores(boards.from_rows(board))
        if len(scores) == 1:
            return {scores[0].move: 1.0}
        return {scores[0].move: 1 - 1e-15, scores[-1].move: 1e-15}

    found = grade(nearly, agent, "second")
    assert found.never_loses is False
    assert not found.optimal


def timed(monkeypatch: pytest.MonkeyPatch, seconds: Callable[[str], float]) -> Any:
    """Return a player that takes the first free cell, as slowly as a pretended clock says.

    The other part has the positions that it is asked about, in the order of the first questions.
    """
    clock = [0.0]
    monkeypatch.setattr("solver.arena.answers.monotonic", lambda: clock[0])
    asked: dict[str, None] = {}

    def move(position: str, moves: list[int], side: str) -> int:
        clock[0] += seconds(position)
        asked[position] = None
        return moves[0]

    return move, asked


SPENT = "8 of 4,520 positions: the total of 40 s is spent; --total allows more."
THRICE = "12 of 4,520 positions: 3 answers were too slow."


@pytest.mark.parametrize(("total", "said"), [(40.0, SPENT), (600.0, THRICE)])
def test_a_player_that_hangs_at_some_positions_is_named(
    agent: TableAgent, monkeypatch: pytest.MonkeyPatch, total: float, said: str
) -> None:
    """The total ended while it hung, and so it was called exact and stood before others."""
    clock = [0.0]
    monkeypatch.setattr("solver.arena.answers.monotonic", lambda: clock[0])
    asked = []

    def hangs(p: Any, seat: str) -> Any:
        asked.append(game.text(p, seat))
        clock[0] += 1
        if len(asked) % 4:
            return game.moves(p)[0]
        clock[0] = min(clock[0] + 20, player.deadline)
        raise PlayerFault("too slow", "no answer within 10 s")

    game, player = agent.game, Player("bot", hangs)
    player.limit = 10
    found, good = grade(player, agent, total=total), grade("random", agent, "first", sample=5)
    others = f"(and {len(found.faults) - 1} other"
    assert f" no answer within 10 s at {asked[3]} {others}" in verdict(found)
    assert verdict(found).endswith(f"It was asked about {said}")
    assert [row[:2] for row in summary([found, good])[1:]] == [
        ("random", "sample"),
        ("bot", "partial"),
    ]
    assert "Where the method is partial" in "".join(summary_remarks([found]))


def test_late_positions_are_asked_first(agent: TableAgent, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that slows down by a factor of ten with each free cell runs out of time."""
    move, asked = timed(monkeypatch, lambda board: 10.0 ** board.count(".") / 1e7)
    found: Any = grade(move, agent, convention="text", deterministic=True, total=100)
    free = [board.count(".") for board in asked]
    assert free == sorted(free)
    assert free[-1] == 7
    assert found.not_asked == 4520 - len(asked)
    assert found.all.positions == len(asked)
    assert (found.never_loses, found.reachable, found.against) == (None, None, None)
    assert "the total of 100 s is spent; --total allows more" in verdict(found)
    assert "asked about" in text(found)


def test_a_steady_player_is_first_asked_about_what_it_can_reach(
    agent: TableAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All positions would take 4,520 s, but the 232 that it can reach fit into the total."""
    move, asked = timed(monkeypatch, lambda board: 1.0)
    found: Any = grade(move, agent, convention="text", deterministic=True, total=600)
    assert found.never_loses is False
    assert found.reachable.positions == 232
    assert found.against
    assert 600 <= len(asked) <= 602
    assert found.not_asked == 4520 - len(asked)


@pytest.mark.parametrize("sample", [None, 100])
def test_a_declared_player_that_varies_is_not_graded(agent: TableAgent, sample: int | None) -> None:
    def varies(rows: Any, side: str) -> Any:
        return random.choice(bots.empties(rows))

    with pytest.raises(InexactPlayerError, match=r"varies gave two answers at [XO.]{9}, first \d"):
        grade(varies, agent, deterministic=True, sample=sample)


@pytest.mark.slow
def test_a_silent_program_is_given_up_when_the_total_is_spent(
    agent: TableAgent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first answer alone may take ten minutes by the clock; nothing said what was wrong."""
    monkeypatch.setattr("solver.arena.answers.WAIT", 0.1)
    reports: list[str] = []
    command = f"command:{sys.executable} {ROOT}/tests/bots/commands/does_not_flush.py"
    found = grade(command, agent, deterministic=True, total=1, report=reports.append)
    assert len(reports) == 1
    assert "has not answered for 0.1 s" in reports[0]
    assert (found.all, found.never_loses, found.not_asked) == (None, None, 4520)
    assert re.search(
        r"cannot be graded: the total of 1 s is spent; --total allows more; no answer within "
        r"[\d.]+ s \(does it flush its output and end its line\?\)\.$",
        verdict(found),
    )


@pytest.mark.slow
def test_a_slow_answer_leaves_open_whether_the_player_loses(agent: TableAgent) -> None:
    def slow_once(p: Any, seat: str) -> Any:
        if agent.game.text(p, seat) == "X........":
            raise PlayerFault("too slow", "no answer within 10 s")
        return agent.table.best(p)

    found: Any = grade(Player("slow", slow_once), agent)
    assert (found.never_loses, found.optimal, found.not_asked) == (None, None, 0)
    assert (found.method, found.basis) == ("partial", "partial")
    assert found.reachable.good_move_rate < 1
    assert found.against
    said = "slow can be beaten. It hangs: no answer within 10 s at X........; --limit allows longer"
    assert verdict(found) == f"It is not known whether {said} ones."
    assert "--limit allows longer answers" in text(found)


@pytest.mark.slow
def test_probabilities_with_a_fault_are_not_called_sampled(agent: TableAgent) -> None:
    def shares(rows: Any, side: str) -> Any:
        free = bots.empties(rows)
        if len(free) == 2:
            raise RuntimeError("no idea")
        return dict.fromkeys(free, 1 / len(free))

    found = grade(shares, agent, "second")
    assert found.method == "exact"
    assert found.faults
    assert "Exact results" in text(found)


def test_a_line_that_is_lost_by_the_last_move_is_found() -> None:
    """In misère tic-tac-toe the player that made three in a row has lost."""
    agent = TableAgent(solved(load_game("mnk:3,3,3,misere")))
    found = grade(bots.first_free, agent, "first")
    assert found.losing_line
    assert found.losing_line[-1].turn == found.losing_seat
