"""The grader: right verdicts on the perfect, the flawed, the stochastic and the rogue."""

from __future__ import annotations

import json
import math
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from solver import Grade, TableAgent, boards, grade, load_player, play_exact, solve
from solver.arena.audit import OPPONENTS
from solver.cli.grade_page import page
from solver.cli.grade_report import summary, text, verdict
from solver.players import closing
from tests.conftest import BOTS
from tests.support import bots, graphs, oracle
from tests.support.heuristics import EXPECTED

OPEN = oracle.unfinished()


def choices(boards: list[str]) -> list[str]:
    """Boards on which some legal move scores lower than the best."""
    return [
        b for b in boards if any(oracle.worth(b, c) != oracle.solve(b) for c in oracle.moves(b))
    ]


def rates(name: str, boards: list[str]) -> tuple[int, int, float, float, float]:
    """The rates once more, from the oracle's rules, values and players."""
    good = perfect = regret = 0.0
    for board in choices(boards):
        outcome = oracle.solve(board)[0]
        for cell, share in EXPECTED[name](board).items():
            worth = oracle.worth(board, cell)
            good += share * (worth[0] == outcome)
            perfect += share * (worth == oracle.solve(board))
            regret += share * (outcome - worth[0])
    size = len(choices(boards))
    return len(boards), size, good / size, perfect / size, regret / size


def reached(name: str, seats: str) -> tuple[list[str], int | None]:
    """Where a player comes to move against every opponent, and how short a game it can lose."""
    visited: list[str] = []
    shortest: int | None = None
    for seat in seats:
        seen, level = {oracle.START}, [oracle.START]
        while level:
            after = []
            for board in level:
                if oracle.over(board):
                    if oracle.winner(board) not in (seat, None):
                        plies = 9 - board.count(".")
                        shortest = plies if shortest is None else min(shortest, plies)
                    continue
                mine = oracle.turn(board) == seat
                if mine:
                    visited.append(board)
                for cell in EXPECTED[name](board) if mine else oracle.moves(board):
                    child = oracle.play(board, cell)
                    if child not in seen:
                        seen.add(child)
                        after.append(child)
            level = after
    return visited, shortest


@pytest.mark.no_cover  # most of its time is the oracle's
@pytest.mark.parametrize(("seats", "marks"), [("both", "XO"), ("first", "X"), ("second", "O")])
@pytest.mark.parametrize("name", ["winblock", "think3", "center-first", "minimax", "random"])
def test_grades_against_brute_force(agent: TableAgent, name: str, seats: str, marks: str) -> None:
    found = grade(name, agent, seats)
    visited, shortest = reached(name, marks)
    assert found.reachable is not None
    assert found.all is not None
    assert found.reachable == pytest.approx(rates(name, visited))
    everywhere = [board for board in OPEN if oracle.turn(board) in marks]
    assert found.all == pytest.approx(rates(name, everywhere))
    assert found.never_loses == (shortest is None)
    assert (found.losing_line is None) == (shortest is None)
    if found.losing_line is not None:
        assert len(found.losing_line) == shortest
    assert found.faults == []
    assert found.method == "exact"


def test_the_losing_line_can_be_replayed(agent: TableAgent) -> None:
    for name in ("winblock", "random", "nstep:3"):
        found = grade(name, agent)
        board = oracle.START
        for step in found.losing_line or []:
            assert step.turn == oracle.turn(board)
            if step.turn == found.losing_seat and name in EXPECTED:
                assert step.move in EXPECTED[name](board)
            board = oracle.play(board, step.move)
            assert (step.position, step.label) == (board, str(step.move + 1))
        assert oracle.winner(board) not in (found.losing_seat, None)


def test_the_perfect_are_optimal(agent: TableAgent) -> None:
    for name in ("perfect", "minimax", "perfect-against:winblock"):
        found = grade(name, agent)
        assert found.never_loses
        assert found.optimal
        assert found.blunders == []
        assert found.reachable is not None
        assert found.reachable.perfect_move_rate == 1.0
        assert found.reachable.mean_regret == 0.0
        assert found.meets("optimal")
        assert found.meets("never-loses")
    assert not grade("nstep:9", agent).optimal  # wins, but not as soon as it can
    assert grade("nstep:9", agent).never_loses


def test_results_against_others_are_the_match_results(agent: TableAgent) -> None:
    player = load_player("think3", agent)
    for seats, part in (("both", "both"), ("first", "a_first"), ("second", "a_second")):
        found = grade("think3", agent, seats)
        assert found.against is not None
        for name in OPPONENTS:
            match = play_exact(agent.game, player, load_player(name, agent))
            assert found.against[name] == pytest.approx(getattr(match, part))


def test_blunders_are_what_they_say_and_the_worst_come_first(agent: TableAgent) -> None:
    found = grade("winblock", agent)
    assert len(found.blunders) > 100
    lost = []
    words = {1: "win", 0: "draw", -1: "loss"}
    for b in found.blunders:
        before, after = oracle.solve(b.position), oracle.worth(b.position, b.move)
        assert b.move in EXPECTED["winblock"](b.position)
        assert (b.outcome_before, b.outcome_after) == (words[before[0]], words[after[0]])
        best = [c for c in oracle.moves(b.position) if oracle.worth(b.position, c) == before]
        assert sorted(b.best) == best
        assert before[0] > after[0]
        lost.append(before[0] - after[0])
    assert lost == sorted(lost, reverse=True)
    assert found.blunders[0].missed == "threw a win away"


def test_a_missed_win_in_one_is_a_blunder(agent: TableAgent) -> None:
    missed = {b.missed for b in grade("nstep:4", agent).blunders}
    assert "missed a win in 1" in missed
    assert "missed a win in 1" in {b.missed for b in grade("random", agent).blunders}


def test_python_functions_are_graded_in_this_process(agent: TableAgent) -> None:
    in_process = grade(bots.first_free, agent)
    outside = grade(f"{BOTS}:first_free", agent)
    assert in_process._replace(player="") == outside._replace(player="")
    assert in_process.player == "first_free"
    assert grade(bots.Trained(), agent).player == "Trained"
    assert (
        grade(bots.sees_kaggle, agent, convention="kaggle", deterministic=True).never_loses is False
    )
    assert grade("perfect").optimal  # the agent is the shipped one if none is given
    assert grade(load_player("perfect", agent)).optimal


def test_a_distribution_is_graded_exactly(agent: TableAgent) -> None:
    mine, random = grade(bots.shares, agent), grade("random", agent)
    assert mine.method == "exact"
    assert mine.reachable == pytest.approx(random.reachable)
    assert mine.losing_line == random.losing_line
    assert len(mine.blunders) == len(random.blunders)


@pytest.mark.no_cover
def test_untold_chances_are_estimated(agent: TableAgent) -> None:
    found = grade(f"{BOTS}:by_chance", agent, repeats=5, seed=3)
    again = grade(f"{BOTS}:by_chance", agent, repeats=5, seed=3)
    assert found == again
    assert found.method == "sampled"
    exact = grade("random", agent)
    assert found.all is not None
    assert exact.all is not None
    assert math.isclose(found.all.good_move_rate, exact.all.good_move_rate, abs_tol=0.05)


def test_progress_is_told(agent: TableAgent) -> None:
    heard: list[tuple[int, int]] = []
    grade("perfect", agent, "first", progress=lambda *done: heard.append(done))
    assert heard[-1][0] == heard[-1][1] == len([b for b in OPEN if oracle.turn(b) == "X"])


@pytest.mark.parametrize(
    ("name", "kind"),
    [("cheats", "illegal move"), ("crashes", "exception"), ("answers_words", "wrong type")],
)
def test_faults_are_losses_and_are_listed(agent: TableAgent, name: str, kind: str) -> None:
    found = grade(f"{BOTS}:{name}", agent, deterministic=True)
    assert {fault.kind for fault in found.faults} == {kind}
    assert found.never_loses is False
    assert not found.optimal
    assert found.all is not None
    assert found.all.good_move_rate < 1
    faulty = {fault.position for fault in found.faults}
    if name == "cheats":
        assert faulty == {board for board in OPEN if board[4] != "."}
        assert [step.label for step in found.losing_line or []] == ["5"]
        assert found.losing_seat == "O"
    if name == "answers_words":
        assert faulty == set(OPEN)
        assert (found.losing_line, found.losing_seat) == ([], "X")
        assert found.against is not None
        assert found.against["random"].loss == pytest.approx(1)


def test_a_fault_spoils_optimality_even_where_there_is_no_choice(agent: TableAgent) -> None:
    """All first moves draw, so the empty board is no choice; a crash there is no best move."""

    def mostly_perfect(board: bots.Rows, side: str) -> Any:
        if len(bots.empties(board)) == 9:
            raise RuntimeError("stage fright")
        return agent.best_move(boards.from_rows(board))

    found = grade(mostly_perfect, agent, deterministic=True)
    assert not found.optimal
    assert found.never_loses is False
    assert (found.losing_line, found.losing_seat, found.losing_fault) == ([], "X", True)
    assert "as X: and then it gives no legal answer." in text(found)


def test_the_smallest_chance_of_a_wrong_move_is_not_optimal(agent: TableAgent) -> None:
    """A rate may round to 1; what the player may do does not."""

    def nearly(board: bots.Rows, side: str) -> dict[int, float]:
        scores = agent.scores(boards.from_rows(board))
        if len(scores) == 1:
            return {scores[0].move: 1.0}
        return {scores[0].move: 1 - 1e-15, scores[-1].move: 1e-15}

    found = grade(nearly, agent)
    assert found.never_loses is False
    assert not found.optimal


def test_a_sampled_grade_says_that_it_is_one(agent: TableAgent) -> None:
    found = grade(agent_move(agent), agent, repeats=1)
    assert found.method == "sampled"
    assert verdict(found).startswith("As far as sampling shows: ")
    assert "Estimated results" in text(found)
    assert "Estimated results" in page([found], agent.game)
    with pytest.raises(ValueError, match="cannot be asked 0 times"):
        grade("perfect", agent, repeats=0)


def agent_move(agent: TableAgent) -> Any:
    def move(board: bots.Rows, side: str) -> Any:
        return agent.best_move(boards.from_rows(board))

    return move


@pytest.mark.parametrize("wrong", [None, 3, BOTS])
def test_what_cannot_be_graded(agent: TableAgent, wrong: Any) -> None:
    with pytest.raises(TypeError, match="a name or a function"):
        grade(wrong, agent)


def test_a_name_can_be_given(agent: TableAgent) -> None:
    assert grade(lambda b, s: 0, agent, deterministic=True, name="mine").player == "mine"


def test_what_was_found_before_a_player_went_is_kept(agent: TableAgent) -> None:
    """It is asked about the positions that it can reach first."""

    def leaves(board: bots.Rows, side: str) -> Any:
        text = boards.from_rows(board)
        if text == ".X.O.....":  # it begins with the first cell, never the second
            raise SystemExit
        return agent.best_move(text)

    found = grade(leaves, agent, deterministic=True)
    assert found.optimal
    assert [fault.position for fault in found.faults] == [".X.O....."]


def test_a_players_own_process_is_left_to_its_owner(agent: TableAgent) -> None:
    player = load_player(f"{BOTS}:first_free", agent)
    with closing(player):
        grade(player, agent)
        assert player.answer(agent.game, agent.game.initial(), "X") == 0


def test_other_games_are_graded_too() -> None:
    """A game without `threats` has no blocks, and so no results against winblock."""
    game, _ = graphs.ENDS_OF_ALL_KINDS
    found = grade("random", TableAgent(solve(game)))
    assert found.against is not None
    assert set(found.against) == {"random", "perfect"}
    assert found.never_loses is False


@pytest.mark.parametrize(
    ("name", "kind"), [("dies", "ended"), ("exits", "ended"), ("hangs", "too slow")]
)
def test_a_player_that_is_gone_ends_its_grade(agent: TableAgent, name: str, kind: str) -> None:
    found = grade(f"{BOTS}:{name}", agent, deterministic=True, limit=0.3)
    assert found.faults[-1].kind == kind
    assert found.faults[-1].position[4] != "."
    assert (found.never_loses, found.optimal, found.reachable, found.all) == (None,) * 4
    assert not found.meets("never-loses")
    assert "ended early" in verdict(found)
    assert kind in text(found)
    assert json.loads(json.dumps(found.as_dict()))["reachable"] is None


def test_wrong_arguments(agent: TableAgent) -> None:
    with pytest.raises(ValueError, match="first, second or both"):
        grade("perfect", agent, "third")
    with pytest.raises(ValueError, match="never-loses and optimal can"):
        grade("perfect", agent).meets("elegant")


# reports


@pytest.fixture(scope="module")
def grades(agent: TableAgent) -> list[Grade]:
    names = ["winblock", "perfect", f"{BOTS}:cheats"]
    return [grade(name, agent, deterministic=True) for name in names]


def test_the_text_says_it_all(grades: list[Grade]) -> None:
    said = text(grades[0])
    assert "winblock can be beaten." in said
    assert "To replay it: printf '%s\\n' 1 2 3 4 5 7 9 | perfectplay play --o human" in said
    assert re.search(r"it can reach +4,382 +3,491 ", said)
    assert re.search(r"perfect +0\.00% ", said)
    assert "plays perfectly" in text(grades[1])
    assert "illegal move  (1, 1) is not an empty cell" in text(grades[2])


def test_the_summary_ranks(grades: list[Grade]) -> None:
    rows = summary(grades)
    assert [row[0].rpartition(":")[2] for row in rows] == [
        "player",
        "perfect",
        "winblock",
        "cheats",
    ]
    assert rows[1] == ("perfect", "exact", "yes", "100.0%", "100.0%", "0.000", "0")


def test_the_page_stands_alone(grades: list[Grade], agent: TableAgent) -> None:
    """Well-formed, with pictures, and without a reference to anything outside."""
    for chosen in (grades, grades[:1]):
        html = page(chosen, agent.game)
        body = html.removeprefix("<!doctype html>\n").replace('<meta charset="utf-8">', "")
        body = body.replace('content="width=device-width, initial-scale=1">', 'content=""/>')
        root = ET.fromstring(body)
        assert root.find(".//{http://www.w3.org/2000/svg}svg") is not None
        assert "src=" not in html
        assert "href=" not in html
        assert "winblock" in html


def test_names_in_a_page_are_text(agent: TableAgent) -> None:
    named: Any = grade("perfect", agent)._replace(player="<script>alert(1)</script>")
    assert "<script>" not in page([named], agent.game)
