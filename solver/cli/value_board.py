"""Boards for the terminal that show the value of each move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.agent.agent import MoveScore
from solver.agent.words import value_mark
from solver.rules import grid
from solver.rules.game import Game

WIDEST = 79  # columns of a terminal that a board with values may fill


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
    plain = game.render(p, turn)
    if game.board is None or not scores or any(game.origin(p, s.move) is not None for s in scores):
        return plain
    columns, marks = game.board[0], game.marks(game.text(p, turn))
    values: dict[int | None, str] = {}
    for s in scores:
        values.setdefault(game.cell(p, s.move), value_mark(s.outcome, s.distance, s.waits))
    if plain == grid.draw(marks, columns):
        plain = grid.draw(marks, columns, numbers)
        valued = grid.draw(marks, columns, numbers, values)
    elif plain.rpartition("\n")[2].split() == [str(i + 1) for i in range(columns)]:
        below = {cell % columns: value for cell, value in values.items() if cell is not None}
        row = "".join(f" {below.get(i, ''):^3}" for i in range(columns)).rstrip()
        valued = f"{plain}\n{row}" if row else plain
    else:
        return plain
    return valued if max(map(len, valued.splitlines())) <= WIDEST else plain
