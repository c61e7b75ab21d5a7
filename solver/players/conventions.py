"""How a player of one's own sees the board and answers.

    rows     f(rows, side): rows of 'X', 'O' and None, the top one first; answers (row, column) or a
             cell from 0, or where a move is a column, as in Connect 4, the column from 0
    cells    f(board, win_patterns, side): {1: 'X', 2: ' ', ...} in reading order; a cell from 1
    numpad   f(board, side): a list of ten, index 0 unused, 7-8-9 on top; a key 1-9
    kaggle   f(observation, configuration): observation.board of 0, 1 and 2, observation.mark 1 or
             2, configuration.columns, .rows and .inarow; a cell, or a column, from 0
    text     f(position, moves, side): any game's position as text, and the legal moves as a table
             writes them; answers one of these

An answer may also be a dict of such moves to probabilities. The sources are, in this order: Robert
Heaton's Programming Projects for Advanced Beginners 3b, Wesley Beckner's N-Step Look Ahead,
mrizwanse's Tic-Tac-Toe AI Game Project, and Kaggle's ConnectX environment.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from solver import boards
from solver.rules import grid

Asked = Callable[..., Any]


class WrongAnswerError(TypeError):
    """The answer has not the form that the convention asks for."""


class IllegalAnswerError(ValueError):
    """The answer is a move, but not a legal one."""


class Shape(NamedTuple):
    """The size of a board and of a winning line, and what a move names."""

    columns: int = 0
    rows: int = 0
    k: int = 0
    move: str = "move"
    """'cell', 'column', or 'move' for anything else."""


class Struct(dict[str, Any]):
    """A dict whose items are attributes, too, as Kaggle's are."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Convention(NamedTuple):
    """How to ask a player, what move its answer names, and which boards it can be shown."""

    ask: Callable[[Asked, Shape, str, str, list[Any]], Any]
    move: Callable[[Shape, Any], Any]
    fits: Callable[[Shape], bool]


def _ask_rows(player: Asked, shape: Shape, text: str, side: str, _: list[Any]) -> Any:
    marks = [None if mark == "." else mark for mark in text]
    starts = range(0, len(marks), shape.columns)
    return player([marks[start : start + shape.columns] for start in starts], side)


def _rows_move(shape: Shape, answer: Any) -> int:
    if hasattr(answer, "__index__"):  # arrays and tensors of one number have a length, too
        with suppress(TypeError):
            return operator.index(answer)
    if shape.move != "cell":
        raise TypeError("a move is a column here")
    row, column = (operator.index(part) for part in answer)
    inside = 0 <= row < shape.rows and 0 <= column < shape.columns
    return row * shape.columns + column if inside else -1


def _ask_cells(player: Asked, shape: Shape, text: str, side: str, _: list[Any]) -> Any:
    board = {cell: " " if mark == "." else mark for cell, mark in enumerate(text, 1)}
    lines = grid.lines(*shape[:3])
    patterns = [[cell for cell in board if line >> cell - 1 & 1] for line in lines]
    return player(board, patterns, side)


def _ask_numpad(player: Asked, shape: Shape, text: str, side: str, _: list[Any]) -> Any:
    board = [" "] * 10
    for cell, mark in enumerate(text):
        board[boards.numpad_key(cell)] = " " if mark == "." else mark
    return player(board, side)


def _numpad_move(_: Shape, answer: Any) -> int:
    key = operator.index(answer)
    return boards.numpad_cell(key) if 1 <= key <= 9 else -1


def _ask_kaggle(player: Asked, shape: Shape, text: str, side: str, _: list[Any]) -> Any:
    marks = {".": 0, "X": 1, "O": 2}
    step = len(text) - text.count(".")
    observation = Struct(board=[marks[mark] for mark in text], mark=marks[side], step=step)
    return player(observation, Struct(columns=shape.columns, rows=shape.rows, inarow=shape.k))


def _ask_text(player: Asked, _: Shape, text: str, side: str, moves: list[Any]) -> Any:
    return player(text, moves, side)


def _text_move(_: Shape, answer: Any) -> int | str:
    return answer if isinstance(answer, str) else operator.index(answer)


CONVENTIONS = {
    "rows": Convention(_ask_rows, _rows_move, lambda shape: shape.move != "move"),
    "cells": Convention(
        _ask_cells,
        lambda _, answer: operator.index(answer) - 1,
        lambda shape: shape.move == "cell" and shape.k > 0,
    ),
    "numpad": Convention(
        _ask_numpad, _numpad_move, lambda shape: (shape.move, *shape[:2]) == ("cell", 3, 3)
    ),
    "kaggle": Convention(
        _ask_kaggle,
        lambda _, answer: operator.index(answer),
        lambda shape: shape.move != "move" and shape.k > 0,
    ),
    "text": Convention(_ask_text, _text_move, lambda shape: True),
}


def ask(
    player: Asked, convention: str, shape: Shape, text: str, side: str, moves: list[Any]
) -> Any:
    """Return which of the legal moves a player chooses, or a dict of them to probabilities.

    Moves are codes, as a table writes them. Raises WrongAnswerError, IllegalAnswerError, or
    whatever the player raises.
    """
    how = CONVENTIONS[convention]
    answer = how.ask(player, shape, text, side, list(moves))
    if not isinstance(answer, dict):
        return _legal(how, shape, moves, answer)
    shares: dict[Any, float] = {}
    for one, weight in answer.items():
        share = _share(weight)
        if share:
            move = _legal(how, shape, moves, one)
            shares[move] = shares.get(move, 0.0) + share
    return shares


def _legal(how: Convention, shape: Shape, moves: list[Any], answer: Any) -> Any:
    if isinstance(answer, bool) or (isinstance(answer, str) and how.move is not _text_move):
        raise WrongAnswerError(f"{_show(answer)} is no move")
    try:
        move = how.move(shape, answer)
    except (TypeError, ValueError) as error:
        raise WrongAnswerError(f"{_show(answer)} is no move") from error
    if move not in moves:
        kind = {"cell": "empty cell", "column": "open column", "move": "legal move"}[shape.move]
        raise IllegalAnswerError(f"{_show(answer)} is no {kind}")
    return move


def _show(value: Any) -> str:
    """Return what a value looks like, whatever its class makes of that."""
    try:
        return repr(value)[:100]
    except Exception:
        return f"a {type(value).__name__}"


def _share(share: Any) -> float:
    try:
        return float(share)
    except (TypeError, ValueError) as error:
        raise WrongAnswerError(f"{_show(share)} is no probability") from error
