"""How a player of one's own sees the board and answers.

    rows     f(rows, side): rows of 'X', 'O' and None; answers (row, column) or a cell from 0
    cells    f(board, win_patterns, side): {1: 'X', 2: ' ', ...} in reading order; a cell from 1
    numpad   f(board, side): a list of ten, index 0 unused, 7-8-9 on top; a key 1-9
    kaggle   f(observation, configuration): observation.board of 0, 1 and 2, observation.mark 1 or
             2, configuration.columns, .rows and .inarow; a cell from 0

An answer may also be a dict of such moves to probabilities. The sources are, in this order: Robert
Heaton's Programming Projects for Advanced Beginners 3b, Wesley Beckner's N-Step Look Ahead,
mrizwanse's Tic-Tac-Toe AI Game Project, and Kaggle's ConnectX environment.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

from .. import boards, grid

Asked = Callable[..., Any]


class WrongAnswerError(TypeError):
    """The answer has not the form that the convention asks for."""


class IllegalAnswerError(ValueError):
    """The answer is a move, but to no empty cell."""


class Shape(NamedTuple):
    """The size of a board and of a winning line."""

    columns: int
    rows: int
    k: int


class Struct(dict[str, Any]):
    """A dict whose items are attributes, too, as Kaggle's are."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Convention(NamedTuple):
    """How to ask a player, and which cell its answer means (-1 for none on the board)."""

    ask: Callable[[Asked, Shape, str, str], Any]
    cell: Callable[[Shape, Any], int]


def _ask_rows(player: Asked, shape: Shape, text: str, side: str) -> Any:
    marks = [None if mark == "." else mark for mark in text]
    starts = range(0, len(marks), shape.columns)
    return player([marks[start : start + shape.columns] for start in starts], side)


def _rows_cell(shape: Shape, answer: Any) -> int:
    if hasattr(answer, "__index__"):  # arrays and tensors of one number have a length, too
        with suppress(TypeError):
            return operator.index(answer)
    row, column = (operator.index(part) for part in answer)
    inside = 0 <= row < shape.rows and 0 <= column < shape.columns
    return row * shape.columns + column if inside else -1


def _ask_cells(player: Asked, shape: Shape, text: str, side: str) -> Any:
    board = {cell: " " if mark == "." else mark for cell, mark in enumerate(text, 1)}
    lines = grid.lines(*shape)
    patterns = [[cell for cell in board if line >> cell - 1 & 1] for line in lines]
    return player(board, patterns, side)


def _ask_numpad(player: Asked, shape: Shape, text: str, side: str) -> Any:
    board = [" "] * 10
    for cell, mark in enumerate(text):
        board[boards.numpad_key(cell)] = " " if mark == "." else mark
    return player(board, side)


def _numpad_cell(_: Shape, answer: Any) -> int:
    key = operator.index(answer)
    return boards.numpad_cell(key) if 1 <= key <= 9 else -1


def _ask_kaggle(player: Asked, shape: Shape, text: str, side: str) -> Any:
    marks = {".": 0, "X": 1, "O": 2}
    step = len(text) - text.count(".")
    observation = Struct(board=[marks[mark] for mark in text], mark=marks[side], step=step)
    return player(observation, Struct(columns=shape.columns, rows=shape.rows, inarow=shape.k))


CONVENTIONS = {
    "rows": Convention(_ask_rows, _rows_cell),
    "cells": Convention(_ask_cells, lambda _, answer: operator.index(answer) - 1),
    "numpad": Convention(_ask_numpad, _numpad_cell),
    "kaggle": Convention(_ask_kaggle, lambda _, answer: operator.index(answer)),
}


def ask(player: Asked, convention: str, shape: Shape, text: str, side: str) -> Any:
    """Return the cell that a player chooses on a board, or a dict of cells to probabilities.

    Raises WrongAnswerError, IllegalAnswerError, or whatever the player raises.
    """
    how = CONVENTIONS[convention]
    answer = how.ask(player, shape, text, side)
    if not isinstance(answer, dict):
        return _empty_cell(how, shape, text, answer)
    shares: dict[int, float] = {}
    for move, weight in answer.items():
        share = _share(weight)
        if share:
            cell = _empty_cell(how, shape, text, move)
            shares[cell] = shares.get(cell, 0.0) + share
    return shares


def _empty_cell(how: Convention, shape: Shape, text: str, answer: Any) -> int:
    if isinstance(answer, bool | str):
        raise WrongAnswerError(f"{_show(answer)} is no move")
    try:
        cell = how.cell(shape, answer)
    except (TypeError, ValueError) as error:
        raise WrongAnswerError(f"{_show(answer)} is no move") from error
    if not 0 <= cell < len(text) or text[cell] != ".":
        raise IllegalAnswerError(f"{_show(answer)} is no empty cell")
    return cell


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
