"""How a custom player in Python sees the board, and what its answer means.

`CONVENTIONS` has the conventions; `perfectplay players` prints them. A player may leave out the
second of two arguments, and may return a dict of moves to probabilities. `solver.players.asking`
calls players.

The sources are, in this order: Robert Heaton's Programming Projects for Advanced Beginners 3b,
the bots of many blogs, Wesley Beckner's N-Step Look Ahead, mrizwanse's Tic-Tac-Toe AI Game Project,
and Kaggle's ConnectX environment.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from solver import boards
from solver.errors import UnknownPlayerError
from solver.rules import grid
from solver.rules.game import walk

if TYPE_CHECKING:
    from solver.rules.game import Game


class Shape(NamedTuple):
    """The size of a board and of a winning line, and what a move names."""

    columns: int = 0
    rows: int = 0
    k: int = 0
    move: str = "move"
    """'cell', 'column', or 'move' for anything else."""


class Struct(dict[str, Any]):
    """A dict whose items are also attributes, like Kaggle's."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Convention(NamedTuple):
    """How a player is called, which move its answer names, and which boards it can be shown.

    The first five are for people; the example takes the first free cell, column or legal move.
    `mistakes` maps what a player may have in mind to what it meant by an answer.
    """

    arguments: str
    about: str
    returns: str
    example: str
    show: Callable[[Shape, str, str, list[Any]], tuple[Any, ...]]
    """The arguments of a call, from the text of the position, the side to move and the moves."""
    move: Callable[[Shape, Any], Any]
    fits: Callable[[Shape], bool]
    mistakes: dict[str, Callable[[Any], Any]]


def _show_rows(shape: Shape, text: str, side: str, _: list[Any]) -> tuple[Any, ...]:
    marks = [None if mark == "." else mark for mark in text]
    starts = range(0, len(marks), shape.columns)
    return [marks[start : start + shape.columns] for start in starts], side


def _rows_move(shape: Shape, answer: Any) -> int:
    if hasattr(answer, "__index__"):  # arrays and tensors of one number have a length, too
        with suppress(TypeError):
            return operator.index(answer)
    if shape.move != "cell":
        raise TypeError("a move is a column here")
    row, column = (operator.index(part) for part in answer)
    inside = 0 <= row < shape.rows and 0 <= column < shape.columns
    return row * shape.columns + column if inside else -1


def _show_flat(_: Shape, text: str, side: str, __: list[Any]) -> tuple[Any, ...]:
    return [" " if mark == "." else mark for mark in text], side


def _show_cells(shape: Shape, text: str, side: str, _: list[Any]) -> tuple[Any, ...]:
    board = {cell: " " if mark == "." else mark for cell, mark in enumerate(text, 1)}
    lines = grid.lines(*shape[:3])
    return board, [[cell for cell in board if line >> cell - 1 & 1] for line in lines], side


def _show_numpad(_: Shape, text: str, side: str, __: list[Any]) -> tuple[Any, ...]:
    board = [" "] * 10
    for cell, mark in enumerate(text):
        board[boards.numpad_key(cell)] = " " if mark == "." else mark
    return board, side


def _numpad_move(_: Shape, answer: Any) -> int:
    key = operator.index(answer)
    return boards.numpad_cell(key) if 1 <= key <= 9 else -1


def _show_kaggle(shape: Shape, text: str, side: str, _: list[Any]) -> tuple[Any, ...]:
    marks = {".": 0, "X": 1, "O": 2}
    step = len(text) - text.count(".")
    observation = Struct(board=[marks[mark] for mark in text], mark=marks[side], step=step)
    return observation, Struct(columns=shape.columns, rows=shape.rows, inarow=shape.k)


def text_move(_: Shape, answer: Any) -> int | str:
    """Return the code that an answer is."""
    return str.__str__(answer) if isinstance(answer, str) else operator.index(answer)


def _one_less(answer: Any) -> Any:
    return answer - 1 if hasattr(answer, "__index__") else tuple(part - 1 for part in answer)


FROM_ONE = "if it counts from 1, it must count from 0"
SCORED: dict[str, Callable[[Any], Any]] = {
    "if it returns (score, move), it must return the move alone": lambda answer: answer[1],
    "if it returns (move, score), it must return the move alone": lambda answer: answer[0],
}
CONVENTIONS = {
    "rows": Convention(
        "(rows, side)",
        "rows of 'X', 'O' and None, the top row first; side is 'X' or 'O'",
        "(row, column) or a cell, from 0; where a move is a column, a column from 0",
        "def move(rows, side):\n    cells = [mark for row in rows for mark in row]\n"
        "    return cells.index(None)",
        _show_rows,
        _rows_move,
        lambda shape: shape.move != "move",
        {FROM_ONE: _one_less, "if it returns (column, row), swap them": lambda move: move[::-1]}
        | SCORED,
    ),
    "flat": Convention(
        "(board, side)",
        "a flat list of cells, row by row; free cells are spaces; side is 'X' or 'O'",
        "a cell from 0; where a move is a column, a column from 0",
        "def move(board, side):\n    return board.index(' ')",
        _show_flat,
        lambda _, answer: operator.index(answer),
        lambda shape: shape.move != "move",
        {FROM_ONE: _one_less} | SCORED,
    ),
    "cells": Convention(
        "(board, win_patterns, side)",
        "a dict of cells from 1, such as {1: 'X', 2: ' ', ...}; lines as lists of cells; the side",
        "a cell from 1",
        "def move(board, win_patterns, side):\n"
        "    return next(cell for cell in board if board[cell] == ' ')",
        _show_cells,
        lambda _, answer: operator.index(answer) - 1,
        lambda shape: shape.move == "cell" and shape.k > 0,
        {"if it counts from 0, it must count from 1": lambda move: move + 1},
    ),
    "numpad": Convention(
        "(board, side)",
        "a list of ten, index 0 unused, 7-8-9 on top; free cells are spaces; side is 'X' or 'O'",
        "a key from 1 to 9",
        "def move(board, side):\n    return board.index(' ', 1)",
        _show_numpad,
        _numpad_move,
        lambda shape: (shape.move, *shape[:2]) == ("cell", 3, 3),
        {"if 1 is its top left, it must be 7": lambda move: boards.numpad_key(move - 1)},
    ),
    "kaggle": Convention(
        "(observation, configuration)",
        "Kaggle's Connect X: observation.board, a flat list of 0, 1 and 2, .mark and .step;"
        " configuration.columns, .rows and .inarow",
        "a column from 0, or where a move is a cell, a cell from 0",
        "def agent(observation, configuration):\n"
        "    columns = range(configuration.columns)\n"
        "    return next(c for c in columns if observation.board[c] == 0)",
        _show_kaggle,
        lambda _, answer: operator.index(answer),
        lambda shape: shape.move != "move" and shape.k > 0,
        {FROM_ONE: _one_less} | SCORED,
    ),
    "text": Convention(
        "(position, moves, side)",
        "any position as text; the legal moves as tables write them; the side to move",
        "one of the moves",
        "def move(position, moves, side):\n    return moves[0]",
        lambda _, text, side, moves: (text, moves, side),
        text_move,
        lambda shape: True,
        {},
    ),
}


def shape_for(game: Game[Any, Any], convention: str) -> Shape:
    """Return the shape that players of a convention see.

    Raises ValueError for an unknown convention, and UnknownPlayerError for one that does not fit.
    """
    if convention not in CONVENTIONS:
        names = ", ".join(CONVENTIONS)
        raise ValueError(f"the convention is {convention!r}; it must be one of {names}")
    shape = shape_of(game)
    if not CONVENTIONS[convention].fits(shape):
        fitting = ", ".join(name for name, known in CONVENTIONS.items() if known.fits(shape))
        raise UnknownPlayerError(
            f"the convention {convention} does not fit {game.spec}; conventions that fit: {fitting}"
        )
    return shape


def shape_of(game: Game[Any, Any]) -> Shape:
    """Return the size of a game's board and what its moves name, as random walks show."""
    if game.board is None:
        return Shape()
    columns, rows = game.board
    codes: set[Any] = set()
    cells = True  # whether every move's code is the cell on which it is shown
    for p in walk(game, 200):
        for m in game.moves(p) if game.primitive(p) is None else ():
            codes.add(game.code(m))
            cells = cells and game.code(m) == game.cell(p, m)
    kind = "move"
    if cells and codes == set(range(columns * rows)):
        kind = "cell"
    elif codes == set(range(columns)):
        kind = "column"
    return Shape(columns, rows, getattr(game, "k", 0), kind)


def usual_convention(game: Game[Any, Any]) -> str:
    """Return how custom players see a game's board unless it is said."""
    return "rows" if CONVENTIONS["rows"].fits(shape_of(game)) else "text"
