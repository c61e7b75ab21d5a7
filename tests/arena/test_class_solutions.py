"""Solutions of a class exercise in other styles, graded as a class hands them in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Command
from tests.docs.test_autograder import RULES

VALUE = """

def value(board):
    if terminal(board):
        return utility(board)
    best = max if player(board) == X else min
    return best(value(result(board, action)) for action in actions(board))
"""
MINIMAX = """

def minimax(board):
    if terminal(board):
        return None
    best = max if player(board) == X else min
    return best(actions(board), key=lambda action: value(result(board, action)))
"""
CACHED = """
from functools import lru_cache
VALUES = lru_cache(None)(lambda rows: VALUE([list(row) for row in rows]))
VALUE, value = value, lambda board: VALUES(tuple(map(tuple, board)))
"""
PLAIN = RULES + VALUE + CACHED
NUMPY = """

import numpy as np

def winner(board):
    cells = np.array(board, dtype=object)
    flipped = np.fliplr(cells)
    for line in [*cells, *cells.T, cells.diagonal(), flipped.diagonal()]:
        for side in (X, O):
            if (line == side).all():
                return side
    return None

def actions(board):
    return {(int(i), int(j)) for i, j in np.argwhere(np.array(board, dtype=object) == None)}
"""
TUPLES = """

def initial_state():
    return ((EMPTY,) * 3,) * 3

def player(board):
    return X if sum(row.count(EMPTY) for row in board) % 2 else O

def result(board, action):
    if action not in actions(board):
        raise ValueError(action)
    i, j = action
    row = (*board[i][:j], player(board), *board[i][j + 1 :])
    return (*board[:i], row, *board[i + 1 :])
"""
PAIRED_LIST = """

def minimax(board):
    if terminal(board):
        return None
    scored = [[value(result(board, list_action)), list_action] for list_action in actions(board)]
    scored.sort(reverse=player(board) == X)
    return list(scored[0][1])
"""
SLIP = """

right = minimax

def minimax(board):
    return (0, 1) if board == [[X, None, None], [None] * 3, [None] * 3] else right(board)
"""
SOLUTIONS = {
    "numpy": RULES + NUMPY + VALUE + CACHED + MINIMAX,
    "tuples, and lists as moves": RULES + TUPLES + VALUE + CACHED + PAIRED_LIST,
    "wrong": PLAIN + MINIMAX + SLIP,
}


@pytest.mark.campaign
@pytest.mark.parametrize("style", SOLUTIONS)
def test_a_solution_is_graded_without_a_flag(style: str, command: Command, tmp_path: Path) -> None:
    """The last one loses after one opening."""
    (tmp_path / "bot.py").write_text(SOLUTIONS[style])
    command("grade", "bot.py", "--json")
    grade = json.loads(command.out)
    assert grade["never_loses"] is (style != "wrong")
    assert not grade["losing_fault"]
