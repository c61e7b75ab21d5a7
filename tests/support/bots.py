"""Players such as people submit: good ones, bad ones and rogues."""

from __future__ import annotations

import contextlib
import os
import random
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

Rows = list[list[str | None]]


def empties(board: Rows) -> list[tuple[int, int]]:
    return [(r, c) for r in range(3) for c in range(3) if board[r][c] is None]


def first_free(board: Rows, side: str) -> tuple[int, int]:
    return empties(board)[0]


first_free.deterministic = True  # type: ignore[attr-defined]


def undeclared(board: Rows, side: str) -> tuple[int, int]:
    return empties(board)[0]


def by_chance(board: Rows, side: str) -> tuple[int, int]:
    return random.choice(empties(board))


def shares(board: Rows, side: str) -> dict[tuple[int, int], float]:
    cells = empties(board)
    return dict.fromkeys(cells, 1 / len(cells))


def sees_cells(board: dict[int, str], win_patterns: list[list[int]], player_label: str) -> int:
    assert len(win_patterns) == 8
    assert [1, 2, 3] in win_patterns
    assert player_label in "XO"
    return next(cell for cell in board if board[cell] == " ")


def noisy(board: Rows, side: str) -> tuple[int, int]:
    """Prints, reads, and changes the board that it is handed."""
    print("thinking", flush=True)
    print("hard", file=sys.stderr, flush=True)
    os.write(1, b"on the file descriptor\n")
    assert sys.stdin.read() == ""
    move = empties(board)[0]
    for row in board:
        row[:] = ["X"] * 3
    return move


def cheats(board: Rows, side: str) -> tuple[int, int]:
    """Takes the centre, free or not."""
    return (1, 1)


def answers_words(board: Rows, side: str) -> Any:
    return "centre"


def after_the_centre(act: Callable[[], object]) -> Callable[[Rows, str], tuple[int, int]]:
    """Return a player that does this once the centre is taken, and else takes the first cell."""

    def move(board: Rows, side: str) -> tuple[int, int]:
        if board[1][1] is not None:
            act()
        return empties(board)[0]

    return move


def burn() -> None:
    while True:
        pass


crashes = after_the_centre(lambda: int("no idea"))
exits, dies = (after_the_centre(partial(end, 3)) for end in (sys.exit, os._exit))
hangs, burns = after_the_centre(partial(time.sleep, 3600)), after_the_centre(burn)


def forges(board: Rows, side: str) -> tuple[int, int]:
    """Writes to every pipe that it finds."""
    for descriptor in range(3, 20):
        with contextlib.suppress(OSError):
            os.write(descriptor, b"[]\n")
    return empties(board)[0]


class Trained:
    """A trained agent is often an object that can be called."""

    deterministic = True

    def __call__(self, board: Rows, side: str) -> tuple[int, int]:
        return empties(board)[-1]


trained = Trained()
