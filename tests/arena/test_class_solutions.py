"""Ten solutions of a class exercise in as many styles, graded as a class hands them in."""

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
PAIR = """

def minimax(board):
    return None if terminal(board) else (high if player(board) == X else low)(board)[1]

def high(board, alpha=-2, beta=2):
    if terminal(board):
        return utility(board), None
    top = -2, None
    for action in actions(board):
        found = low(result(board, action), max(alpha, top[0]), beta)[0]
        if found > top[0]:
            top = found, action
        if top[0] >= beta:
            break
    return top

def low(board, alpha=-2, beta=2):
    if terminal(board):
        return utility(board), None
    top = 2, None
    for action in actions(board):
        found = high(result(board, action), alpha, min(beta, top[0]))[0]
        if found < top[0]:
            top = found, action
        if top[0] <= alpha:
            break
    return top
"""
CLASS = """

class Node:
    seen = {}

    def __init__(self, board):
        self.board = board

    @property
    def value(self):
        key = str(self.board)
        if key not in self.seen:
            self.seen[key] = utility(self.board) if terminal(self.board) else self.best()[0]
        return self.seen[key]

    def best(self):
        found = [(Node(result(self.board, a)).value, a) for a in sorted(actions(self.board))]
        return max(found) if player(self.board) == X else min(found)

def minimax(board):
    return None if terminal(board) else Node(board).best()[1]
"""
NEGAMAX = """

def minimax(board):
    return None if terminal(board) else search("".join(c or "." for row in board for c in row))[1]

@__import__("functools").cache
def search(text):
    board = [[None if c == "." else c for c in text[i : i + 3]] for i in (0, 3, 6)]
    if terminal(board):
        return utility(board) * (1 if player(board) == X else -1), None
    found = []
    for i, j in actions(board):
        child = text[: 3 * i + j] + player(board) + text[3 * i + j + 1 :]
        found.append((-search(child)[0], (i, j)))
    return max(found)
"""
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
DEEPCOPY = """

import copy

def result(board, action):
    if action not in actions(board):
        raise Exception("invalid")
    after = copy.deepcopy(board)
    after[action[0]][action[1]] = player(board)
    return after
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
GENERATOR = """

def options(board):
    yield from ((i, j) for i, row in enumerate(board) for j, c in enumerate(row) if c is EMPTY)

def minimax(board):
    if terminal(board):
        return None
    goal = value(board)
    return next(a for a in options(board) if value(result(board, a)) == goal)
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
    "recursion": PLAIN + MINIMAX,
    "alpha-beta": RULES + PAIR,
    "class": RULES + CLASS,
    "negamax": RULES + NEGAMAX,
    "numpy": RULES + NUMPY + VALUE + CACHED + MINIMAX,
    "deepcopy": RULES + DEEPCOPY + VALUE + CACHED + MINIMAX,
    "tuples": RULES + TUPLES + VALUE + CACHED + MINIMAX,
    "generator": PLAIN + GENERATOR,
    "lists as moves": PLAIN + PAIRED_LIST,
    "wrong": PLAIN + MINIMAX + SLIP,
}


@pytest.mark.campaign
@pytest.mark.parametrize("style", SOLUTIONS)
def test_a_solution_is_graded_without_a_flag(style: str, command: Command, tmp_path: Path) -> None:
    """Nine never lose; the tenth loses after one opening."""
    (tmp_path / "bot.py").write_text(SOLUTIONS[style])
    command("grade", "bot.py", "--json")
    grade = json.loads(command.out)
    assert grade["never_loses"] is (style != "wrong")
    assert not grade["losing_fault"]
