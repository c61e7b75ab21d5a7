"""An independent oracle for tic-tac-toe, slow and simple.

It shares no code with the package: boards are strings of 9 characters, X moves first, and values
come from plain minimax.
"""

from __future__ import annotations

from functools import cache

WINS = ("012", "345", "678", "036", "147", "258", "048", "246")
START = "." * 9


def signs(board: str) -> list[int]:
    """Return 1 for each X, -1 for each O and 0 for each empty cell."""
    return [{"X": 1, "O": -1, ".": 0}[mark] for mark in board]


@cache
def turn(board: str) -> str:
    return "X" if board.count("X") == board.count("O") else "O"


@cache
def winner(board: str) -> str | None:
    for line in WINS:
        marks = "".join(board[int(cell)] for cell in line)
        if marks in ("XXX", "OOO"):
            return marks[0]
    return None


@cache
def over(board: str) -> bool:
    return winner(board) is not None or "." not in board


@cache
def moves(board: str) -> list[int]:
    return [] if over(board) else [i for i, mark in enumerate(board) if mark == "."]


def play(board: str, cell: int) -> str:
    return board[:cell] + turn(board) + board[cell + 1 :]


@cache
def solve(board: str) -> tuple[int, int | None]:
    """Return outcome (1, 0, -1) for the side to move and distance in plies (None for a draw)."""
    if winner(board):
        return -1, 0
    children = [solve(play(board, cell)) for cell in moves(board)]
    if not children:
        return 0, None
    wins = [plies for outcome, plies in children if outcome == -1 and plies is not None]
    if wins:
        return 1, min(wins) + 1
    if any(outcome == 0 for outcome, _ in children):
        return 0, None
    return -1, max(plies for _, plies in children if plies is not None) + 1


@cache
def move_value(board: str, cell: int) -> tuple[int, int | None]:
    """Return outcome and distance of a move for the side that makes it."""
    outcome, plies = solve(play(board, cell))
    return -outcome, None if plies is None else plies + 1


@cache
def trap(board: str, cell: int) -> float:
    """Return the share of the replies that worsen the outcome of the side that makes them."""
    after = play(board, cell)
    if over(after):
        return 0.0
    best, _ = solve(after)
    replies = [move_value(after, reply)[0] for reply in moves(after)]
    return sum(outcome < best for outcome in replies) / len(replies)


@cache
def reachable() -> tuple[str, ...]:
    """Return every board that a game can reach."""
    seen = {START: None}
    for board in (queue := [START]):
        for cell in moves(board):
            child = play(board, cell)
            if child not in seen:
                seen[child] = None
                queue.append(child)
    return tuple(seen)


@cache
def unfinished() -> tuple[str, ...]:
    """Return every reachable board on which the game is not over."""
    return tuple(board for board in reachable() if not over(board))
