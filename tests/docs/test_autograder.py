"""The autograder for a class exercise; the solutions are written for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from examples.autograder import autograder

RULES = """
X, O, EMPTY = "X", "O", None
ROWS = [[(i, j) for j in range(3)] for i in range(3)]
LINES = [*ROWS, *zip(*ROWS), [(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]


def initial_state():
    print("asked")
    return [[EMPTY] * 3 for _ in range(3)]


def player(board):
    cells = sum(board, [])
    return O if cells.count(X) > cells.count(O) else X


def actions(board):
    return {(i, j) for i in range(3) for j in range(3) if board[i][j] is EMPTY}


def result(board, action):
    if action not in actions(board):
        raise ValueError("not a legal action")
    after = [list(row) for row in board]
    after[action[0]][action[1]] = player(board)
    return after


def winner(board):
    for side in (X, O):
        if any(all(board[i][j] == side for i, j in line) for line in LINES):
            return side
    return None


def terminal(board):
    return winner(board) is not None or not actions(board)


def utility(board):
    return {X: 1, O: -1, None: 0}[winner(board)]
"""
MINIMAX = """
import solver

best = solver.TableAgent().best_move


def minimax(board):
    return divmod(best(solver.boards.from_rows(board)), 3)
"""
FAULTS = [  # together, where neither function calls the other
    [
        ("initial_state", "[[EMPTY] * 3", "[[X] * 3", "XXXXXXXXX, but right is: ........."),
        ("player", "else X", "else O", "player(.........): O, but right is: X"),
        ("winner", "*zip(*ROWS), ", "", "winner(OOX..X..X): ., but right is: X"),
    ],
    [
        ("initial_state", "3 for _ in range(3)]", "3] * 3", "has rows that are one list"),
        ("actions", "for j in range(3) if", "for j in range(2) if", "actions(.........): [0, 1,"),
        ("utility", "O: -1", "O: 1", "utility(XXOXO.O..): 1, but right is: -1"),
    ],
    [
        ("result", "[list(row) for row in board]", "board", "changes the board"),
        ("terminal", " or not actions(board)", "", "terminal(OOXXXOOXX): False, but right"),
    ],
    [
        ("result", "if action not in", "if 0 and action not in", "right is: raises an exception"),
        ("utility", "def utility", "def utilities", "utility cannot be called: KeyError"),
        ("winner", "return side", "return board[5][5]", "winner(OO.XXX...): raises an exception"),
        ("terminal", "return winner(board) is", "return max(iter(int, 1)) is", "takes more than"),
    ],
]


def graded(folder: Path, code: str) -> dict[str, Any]:
    (folder / "tictactoe.py").write_text(code)
    autograder.main(str(folder / "tictactoe.py"), str(folder / "results.json"))
    tests = json.loads((folder / "results.json").read_text())["tests"]
    assert [test["max_score"] for test in tests] == [1] * 7 + [5]
    return {test["name"]: (test["score"], test["output"]) for test in tests}


@pytest.mark.slow
def test_a_right_solution_has_all_points(tmp_path: Path) -> None:
    found = graded(tmp_path, RULES + MINIMAX)
    assert found.pop("minimax") == (5, "minimax never loses")
    assert {*found.values()} == {(1, "")}
    assert len(found) == 7


@pytest.mark.slow
def test_a_minimax_that_can_lose_has_some_points(tmp_path: Path) -> None:
    code = RULES + "def minimax(board):\n    return min(actions(board))\n"
    score, output = graded(tmp_path, code)["minimax"]
    assert 0 < score < 2.5
    assert output.startswith("minimax can lose: X 1, O ")
    score, output = graded(tmp_path, RULES)["minimax"]
    assert score == 0
    assert "minimax" in output


@pytest.mark.slow
@pytest.mark.parametrize("faults", FAULTS)
@pytest.mark.thinned(4)
def test_a_fault_is_found_with_its_board(
    faults: list[tuple[str, str, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autograder, "LIMIT", 5.0)
    monkeypatch.setattr(autograder, "grade_minimax", lambda _: (0, ""))
    code = RULES
    for _, right, wrong, _ in faults:
        assert right in code
        code = code.replace(right, wrong)
    found = graded(tmp_path, code)
    for function, _, _, said in faults:
        assert found[function][0] == 0
        assert said in found[function][1]
