"""The listed players written again from their sources, on the oracle's boards.

Each function returns the probabilities of a player's moves on a board.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tests.support import oracle
from tests.support.cyclic_games import SEATS

Shares = dict[int, float]

CENTRE, CORNERS, SIDES = (4,), (0, 2, 6, 8), (1, 3, 5, 7)


def even(cells: list[int]) -> Shares:
    return dict.fromkeys(cells, 1 / len(cells))


@cache
def winning_cells(board: str, mark: str) -> list[int]:
    """Return the cells that complete a line of a mark, by trying each of them."""
    return [
        cell
        for cell, here in enumerate(board)
        if here == "." and oracle.winner(board[:cell] + mark + board[cell + 1 :]) == mark
    ]


def wins(board: str) -> list[int]:
    return winning_cells(board, oracle.turn(board))


def blocks(board: str) -> list[int]:
    return winning_cells(board, SEATS[oracle.turn(board)])


def think3(board: str) -> Shares:
    """The source's three nested loops over a move, a reply and a second move."""
    urgent = wins(board) or blocks(board)
    if urgent:
        return even(urgent[:1])
    me = oracle.turn(board)
    ways: list[int] = []
    for first in oracle.moves(board):
        for reply in oracle.moves(board):
            for second in oracle.moves(board):
                if len({first, reply, second}) == 3:
                    after = list(board)
                    after[first], after[reply], after[second] = me, SEATS[me], me
                    if oracle.winner("".join(after)) == me:
                        ways.append(first)
    if not ways:
        return even(oracle.moves(board))
    most = max(ways.count(cell) for cell in ways)
    return {min(cell for cell in ways if ways.count(cell) == most): 1.0}


def windows(board: str, printed: bool) -> list[str]:
    """The source's rows, columns and diagonals; as printed, the falling diagonal comes twice."""
    rows = [board[i : i + 3] for i in (0, 3, 6)]
    columns = [board[i::3] for i in range(3)]
    falling = board[0] + board[4] + board[8]
    return [*rows, *columns, falling, falling[::-1] if printed else board[2] + board[4] + board[6]]


def lookahead1(board: str, printed: bool = False) -> Shares:
    me = oracle.turn(board)
    scores = {}
    for cell in oracle.moves(board):
        seen = windows(oracle.play(board, cell), printed)
        threes = sum(w.count(me) == 3 for w in seen)
        twos = sum(w.count(me) == 2 and w.count(".") == 1 for w in seen)
        danger = sum(w.count(SEATS[me]) == 2 and w.count(".") == 1 for w in seen)
        scores[cell] = 1000 * threes + twos - 100 * danger
    return even([cell for cell in scores if scores[cell] == max(scores.values())])


def in_order(board: str, *groups: tuple[int, ...]) -> Shares:
    urgent = wins(board)[:1] or blocks(board)[:1]
    if urgent:
        return even(urgent)
    return even(next(free for g in groups if (free := [c for c in g if board[c] == "."])))


def best_outcome(board: str) -> Shares:
    outcome = oracle.solve(board)[0]
    return even([c for c in oracle.moves(board) if oracle.move_value(board, c)[0] == outcome])


def minimax(board: str) -> Shares:
    return even(
        [c for c in oracle.moves(board) if oracle.move_value(board, c) == oracle.solve(board)]
    )


SOURCES: dict[str, Callable[[str], Shares]] = {
    "random": lambda b: even(oracle.moves(b)),
    "win": lambda b: even(wins(b) or oracle.moves(b)),
    "winblock": lambda b: even(wins(b) or blocks(b) or oracle.moves(b)),
    "think1": lambda b: even(wins(b)[:1] or oracle.moves(b)),
    "think2": lambda b: even(wins(b)[:1] or blocks(b)[:1] or oracle.moves(b)),
    "think3": think3,
    "lookahead1": lookahead1,
    "lookahead1:printed": lambda b: lookahead1(b, printed=True),
    "center-first": lambda b: in_order(b, CENTRE, CORNERS, SIDES),
    "corner-first": lambda b: in_order(b, CORNERS, CENTRE, SIDES),
    "minimax": minimax,
    "nstep:9": best_outcome,
}
EXPECTED = {name: cache(choose) for name, choose in SOURCES.items()}
"""By name, the function that returns a player's probabilities on a board."""
