"""Rows and boards as the lines of a terminal: columns that align, and a board with its values.

Takes texts, or the scores of the moves in a position; returns text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.agent import words
from solver.agent.agent import MoveScore
from solver.errors import one_line
from solver.rules import grid
from solver.rules.game import Game

WIDEST = 79  # columns of a terminal that a board with values may fill


def align(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines of text in which each column starts at the same place."""
    shown = [[*map(one_line, row)] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    padded = ([c.ljust(w) for c, w in zip(row, widths, strict=True)] for row in shown)
    return ["  ".join(cells).rstrip() for cells in padded]


def draw_values(
    game: Game[Any, Any],
    p: Any,
    turn: str,
    scores: Sequence[MoveScore],
    numbers: Sequence[int] | None = None,
) -> str:
    """Return the board with the value of each move.

    Values are beside the numbers of the cells or below those of the columns. Other boards, and
    those that would be too wide, are drawn without values. `scores` come best first; of several
    moves to one cell the best counts. `numbers` are the cells' numbers, from 1 by default.
    """
    drawn = game.render(p, turn)
    if game.board is None or not scores or any(game.origin(p, s.move) is not None for s in scores):
        return drawn
    columns, marks = game.board[0], game.marks(game.text(p, turn))
    values: dict[int | None, str] = {}
    for s in scores:
        values.setdefault(game.cell(p, s.move), words.value_mark(s.outcome, s.distance))
    if drawn == grid.draw(marks, columns):
        drawn = grid.draw(marks, columns, numbers)
        valued = grid.draw(marks, columns, numbers, values)
    elif drawn.rpartition("\n")[2].split() == [str(i + 1) for i in range(columns)]:
        below = {cell % columns: value for cell, value in values.items() if cell is not None}
        row = "".join(f" {below.get(i, ''):^3}" for i in range(columns)).rstrip()
        valued = f"{drawn}\n{row}" if row else drawn
    else:
        return drawn
    return valued if max(map(len, valued.splitlines())) <= WIDEST else drawn
