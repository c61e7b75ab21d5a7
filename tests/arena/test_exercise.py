"""The functions of a class exercise compared with the rules; the solutions are written for it."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from solver.arena.exercise import Compared, compare_rules
from tests.conftest import Command

LISTS = """
X, O, EMPTY = "X", "O", None
ROWS = [[(i, j) for j in range(3)] for i in range(3)]
LINES = [*ROWS, *zip(*ROWS), [(i, i) for i in range(3)], [(i, 2 - i) for i in range(3)]]


def initial_state():
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
STYLES = {
    "strings": LISTS.replace('"X", "O", None', '"x", "o", " "').replace("is EMPTY", "== EMPTY"),
    "numbers": LISTS.replace('"X", "O", None', "1, -1, 0")
    .replace("return None", "return 0")
    .replace("is not None", "!= 0")
    .replace("None: 0", "0: 0")
    .replace("is EMPTY", "== EMPTY"),
    "tuples": LISTS.replace("return after", "return tuple(map(tuple, after))"),
    "arrays": LISTS.replace("X, O", "import numpy as np\nX, O", 1)
    .replace("return {(i, j)", "return [(np.int64(i), j)")
    .replace("is EMPTY}", "is EMPTY]"),
}
RIGHT = {"initial_state": 1, "player": 4520, "actions": 4520, "result": 16167 + 4519}
RIGHT |= {"winner": 5478, "terminal": 5478, "utility": 958}
FAULTS = [  # together, where neither function calls the other
    [
        ("initial_state", "[[EMPTY] * 3", "[[X] * 3", None, "returns XXXXXXXXX, not ........."),
        ("player", "else X", "else O", ".........", "player(board) returns O, not X"),
        ("winner", "*zip(*ROWS), ", "", "OOX..X..X", "winner(board) returns None, not X"),
    ],
    [
        ("initial_state", "3 for _ in range(3)]", "3] * 3", None, "has rows that are one list"),
        ("actions", "for j in range(3) if", "for j in range(2) if", ".........", "not (0, 0)"),
        ("utility", "O: -1", "O: 1", "XXOXO.O..", "utility(board) returns 1, not -1"),
    ],
    [
        ("actions", "return {(i, j)", "return {(i + 1, j)", ".........", "returns one outside"),
        ("winner", "return side", "return board[5][5]", "OO.XXX...", "raises IndexError"),
    ],
    [
        ("result", "[list(row) for row in board]", "board", ".........", "changes the board"),
        ("terminal", " or not actions(board)", "", "OOXXXOOXX", "returns False, not True"),
    ],
    [
        ("result", "if action not in", "if 0 and action not in", "X........", "no exception"),
        ("terminal", "winner(board) is not None or", "", "OO.XXX...", "returns False, not True"),
        ("utility", "def utility", "def utilities", None, "utility is not defined in the file"),
    ],
    [("utility", "{X: 1", "max(iter(int, 1)) or {X: 1", "OO.XXX...", "utility(board) fails: no")],
]


def compared(path: Path, code: str) -> dict[str, Compared]:
    path.write_text(code)
    return {one.function: one for one in compare_rules(str(path), limit=0.5)}


@pytest.mark.slow
@pytest.mark.parametrize("style", [*STYLES])
@pytest.mark.thinned(4)
def test_right_functions_are_right_at_every_position(style: str, tmp_path: Path) -> None:
    found = compared(tmp_path / "own.py", STYLES[style])
    assert {name: one.right for name, one in found.items()} == RIGHT
    assert not any(one.wrong for one in found.values())


@pytest.mark.slow
@pytest.mark.parametrize("faults", FAULTS)
@pytest.mark.thinned(6)
def test_a_fault_is_found_with_its_board(
    faults: list[tuple[str, str, str, str | None, str]], tmp_path: Path
) -> None:
    """The first board by plies; other functions that build on the wrong one may differ, too."""
    code = LISTS
    for _, right, wrong, _, _ in faults:
        assert right in code
        code = code.replace(right, wrong)
    found = compared(tmp_path / "own.py", code)
    for function, _, _, board, said in faults:
        one = found[function]
        assert one.wrong is not None
        assert said in one.wrong
        assert one.board == board


@pytest.mark.slow
def test_grade_compares_rules_and_writes_junit(command: Command, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(LISTS.replace("return side", "return X"))
    arguments = ["grade", "--rules", str(tmp_path / "own.py"), "--junit", "r.xml"]
    assert command(*arguments, "win") == 1
    assert "winner(board) returns X, not O, at" in command.out
    assert "wrong in" in command.err
    suites = ElementTree.parse("r.xml").getroot()
    assert [[s.get("tests"), s.get("failures")] for s in suites] == [["7", "2"], ["1", "1"]]
    assert [s[0].get("name") for s in suites] == ["initial_state", "never-loses"]
