"""Compares a whole data set of others with the values here, and prints every line that differs.

    python -m scripts.data_set FILE

The file is one that the UCI Machine Learning Repository has: tic-tac-toe.data, the boards at the
end of tic-tac-toe, or connect-4.data, positions of Connect 4 after 8 plies. Its lines have a cell
after the other, x, o or b, and a class. The exit status is 1 if a line differs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from solver import IllegalPositionError, Outcome, open_agent

MARKS = {"x": "X", "o": "O", "b": "."}
COLUMNS, ROWS = 7, 6


def differences(lines: Iterable[str]) -> Iterator[str]:
    """Yield what is wrong with the lines of a data set: a class, a board, or a line twice."""
    seen = dict[str, int]()
    for number, line in enumerate(lines, 1):
        *cells, stated = line.strip().split(",")
        board = "".join(MARKS[cell] for cell in cells)
        try:
            value = final_value(board) if len(board) == 9 else connect4_value(board)
        except IllegalPositionError as error:
            value = f"illegal: {error}"
        if value != stated:
            yield f"line {number}: {board} is {stated!r} there, and {value!r} here"
        if board in seen:
            yield f"line {number}: {board} stands in line {seen[board]}, too"
        seen.setdefault(board, number)


def final_value(board: str) -> str:
    """Return the class of a board of tic-tac-toe, by rows: whether X has won."""
    game = open_agent("tictactoe").game
    p = game.parse(board)
    over = game.primitive(p)
    if over is None:
        return "not over"
    return "positive" if over is Outcome.LOSS and game.turn(p) == "O" else "negative"


def connect4_value(cells: str) -> str:
    """Return the class of a board of Connect 4, by columns from below: its value for X."""
    agent = open_agent("connect4:7x6")
    rows = range(ROWS - 1, -1, -1)
    board = "".join(cells[ROWS * column + row] for row in rows for column in range(COLUMNS))
    p = agent.game.parse(board)
    outcome = agent.outcome(p)
    return str(outcome if agent.game.turn(p) == "X" else -outcome)


def main() -> None:
    """Compare the file that is named."""
    parser = argparse.ArgumentParser(description="Compare a data set with the values here.")
    parser.add_argument("file", type=Path, help="tic-tac-toe.data or connect-4.data")
    lines = parser.parse_args().file.read_text().split()
    found = 0
    for found, difference in enumerate(differences(lines), 1):  # noqa: B007
        print(difference)
    print(f"{len(lines):,} lines, {found:,} differences")
    sys.exit(found > 0)


if __name__ == "__main__":
    main()
