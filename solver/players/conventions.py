"""How a custom player sees the board, and what its answer means.

    rows     f(rows, side): rows of 'X', 'O' and None, the top row first; returns (row, column) or a
             cell from 0 or, where a move is a column, as in Connect 4, a column from 0
    cells    f(board, win_patterns, side): {1: 'X', 2: ' ', ...} in reading order; returns a cell
             from 1
    numpad   f(board, side): a list of ten, index 0 unused, 7-8-9 on top; returns a key from 1 to 9
    kaggle   f(observation, configuration): observation.board of 0, 1 and 2, observation.mark 1 or
             2, configuration.columns, .rows and .inarow; returns a cell, or a column, from 0
    text     f(position, moves, side): the position of any game as text, and the legal moves as
             tables write them; returns one of these

A player may also return a dict of such moves to probabilities. The sources are, in this order:
Robert Heaton's Programming Projects for Advanced Beginners 3b, Wesley Beckner's N-Step Look Ahead,
mrizwanse's Tic-Tac-Toe AI Game Project, and Kaggle's ConnectX environment.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from solver import boards
from solver.errors import UnknownPlayerError
from solver.players.player import PlayerFault
from solver.rules import grid
from solver.rules.game import walk

if TYPE_CHECKING:
    from solver.rules.game import Game

PlayerFunction = Callable[..., Any]


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
    """How to call a player, which move its answer names, and which boards it can be shown."""

    call: Callable[[PlayerFunction, Shape, str, str, list[Any]], Any]
    move: Callable[[Shape, Any], Any]
    fits: Callable[[Shape], bool]


def _call_rows(player: PlayerFunction, shape: Shape, text: str, side: str, _: list[Any]) -> Any:
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


def _call_cells(player: PlayerFunction, shape: Shape, text: str, side: str, _: list[Any]) -> Any:
    board = {cell: " " if mark == "." else mark for cell, mark in enumerate(text, 1)}
    lines = grid.lines(*shape[:3])
    patterns = [[cell for cell in board if line >> cell - 1 & 1] for line in lines]
    return player(board, patterns, side)


def _call_numpad(player: PlayerFunction, shape: Shape, text: str, side: str, _: list[Any]) -> Any:
    board = [" "] * 10
    for cell, mark in enumerate(text):
        board[boards.numpad_key(cell)] = " " if mark == "." else mark
    return player(board, side)


def _numpad_move(_: Shape, answer: Any) -> int:
    key = operator.index(answer)
    return boards.numpad_cell(key) if 1 <= key <= 9 else -1


def _call_kaggle(player: PlayerFunction, shape: Shape, text: str, side: str, _: list[Any]) -> Any:
    marks = {".": 0, "X": 1, "O": 2}
    step = len(text) - text.count(".")
    observation = Struct(board=[marks[mark] for mark in text], mark=marks[side], step=step)
    return player(observation, Struct(columns=shape.columns, rows=shape.rows, inarow=shape.k))


def _call_text(player: PlayerFunction, _: Shape, text: str, side: str, moves: list[Any]) -> Any:
    return player(text, moves, side)


def _text_move(_: Shape, answer: Any) -> int | str:
    return answer if isinstance(answer, str) else operator.index(answer)


CONVENTIONS = {
    "rows": Convention(_call_rows, _rows_move, lambda shape: shape.move != "move"),
    "cells": Convention(
        _call_cells,
        lambda _, answer: operator.index(answer) - 1,
        lambda shape: shape.move == "cell" and shape.k > 0,
    ),
    "numpad": Convention(
        _call_numpad, _numpad_move, lambda shape: (shape.move, *shape[:2]) == ("cell", 3, 3)
    ),
    "kaggle": Convention(
        _call_kaggle,
        lambda _, answer: operator.index(answer),
        lambda shape: shape.move != "move" and shape.k > 0,
    ),
    "text": Convention(_call_text, _text_move, lambda shape: True),
}


def ask(
    player: PlayerFunction, convention: str, shape: Shape, text: str, side: str, moves: list[Any]
) -> Any:
    """Return which of the legal moves a player chooses, or a dict of them to probabilities.

    Moves are codes, as tables write them. Raises PlayerFault, whatever Exception the player raises.
    """
    try:
        called = CONVENTIONS[convention]
        answer = called.call(player, shape, text, side, list(moves))
        if not isinstance(answer, dict):
            return _legal(called, shape, moves, answer)
        shares: dict[Any, float] = {}
        for choice, weight in answer.items():
            share = _share(weight)
            if share:
                move = _legal(called, shape, moves, choice)
                shares[move] = shares.get(move, 0.0) + share
        return shares
    except PlayerFault:
        raise
    except Exception as error:
        raise PlayerFault("exception", describe(error)) from error


def _legal(convention: Convention, shape: Shape, moves: list[Any], answer: Any) -> Any:
    text = convention.move is _text_move
    if isinstance(answer, bool) or (isinstance(answer, str) and not text):
        raise PlayerFault("wrong type", f"{_show(answer)} is not a move")
    try:
        move = convention.move(shape, answer)
    except (TypeError, ValueError) as error:
        raise PlayerFault("wrong type", f"{_show(answer)} is not a move") from error
    if move not in moves:
        kinds = {"cell": "an empty cell", "column": "an open column", "move": "a legal move"}
        raise PlayerFault("illegal move", f"{_show(answer)} is not {kinds[shape.move]}")
    return move


def _share(share: Any) -> float:
    try:
        return float(share)
    except (TypeError, ValueError) as error:
        raise PlayerFault("wrong type", f"{_show(share)} is not a probability") from error


def _show(value: Any) -> str:
    """Return a value's repr, or its type if `repr` fails on it."""
    try:
        return repr(value)[:100]
    except Exception:
        return f"an object of type {type(value).__name__}"


def describe(error: BaseException) -> str:
    """Return an exception's type and message, or only its type if `str` fails on it."""
    try:
        return f"{type(error).__name__}: {error}"[:300]
    except Exception:
        return type(error).__name__


def shape_for(game: Game[Any, Any], convention: str) -> Shape:
    """Return the shape that players of a convention see.

    Raises ValueError for an unknown convention, and UnknownPlayerError for one that does not fit.
    """
    if convention not in CONVENTIONS:
        known = ", ".join(CONVENTIONS)
        raise ValueError(f"the convention is {convention!r}; it must be one of {known}")
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
