"""Three solutions of a class exercise, graded as a class hands them in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.arena.test_exercise import LISTS
from tests.conftest import Command

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
PLAIN = LISTS + VALUE + CACHED
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
    "recursion": PLAIN + MINIMAX,
    "lists as moves": PLAIN + PAIRED_LIST,
    "wrong": PLAIN + MINIMAX + SLIP,
}


@pytest.mark.campaign
@pytest.mark.parametrize("style", SOLUTIONS)
def test_a_solution_is_graded_without_a_flag(style: str, command: Command, tmp_path: Path) -> None:
    """Two never lose, with right rules; the third loses after one opening."""
    (tmp_path / "bot.py").write_text(SOLUTIONS[style])
    command("grade", "bot.py", "--json")
    grade = json.loads(command.out)
    assert grade["never_loses"] is (style != "wrong")
    assert not grade["losing_fault"]
    assert command("grade", "--rules", "bot.py") == 0, command.out
