"""The program that runs the rules of a class exercise in a process of its own.

Its argument is FILE.py. Its first line of output is that of `external_host`. Each line that it then
reads is a list of calls in JSON, `[FUNCTION, BOARD, CELL]`: a board such as X...O.... is what the
function is given, and a cell is its action; either may be null. It answers with JSON, too,
`{"answers": [...]}`: for each call `{"is": VALUE}`, or `{"wrong": WORDS}` if the function raises or
returns nothing of the kind.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from json import dumps, loads  # bound here, so that the rules cannot replace them
from operator import index
from types import ModuleType
from typing import Any

from solver.players.asking import describe, shown
from solver.players.external_host import hide_package, load_module, take_streams

Marks = dict[str, Any]


def main() -> None:
    """Answer questions about one file until standard input ends."""
    path = sys.argv[1]
    questions, replies = take_streams()

    def reply(answer: dict[str, Any]) -> None:
        replies.write(dumps(answer) + "\n")
        replies.flush()

    hide_package()
    try:
        module = load_module(path)
    except BaseException as error:
        reply({"fault": f"{path} cannot be loaded: {describe(error)}"})
        return
    reply({"deterministic": True})
    for question in questions:
        reply({"answers": [_answer(module, *call) for call in loads(question)]})


def _answer(module: ModuleType, name: str, text: str | None, cell: int | None) -> dict[str, Any]:
    """Call a function; return its value in plain terms, or what is wrong with it."""
    marks = {sign: getattr(module, sign, sign) for sign in "XO"}
    marks["."] = getattr(module, "EMPTY", None)
    boards = [] if text is None else [_board(marks, text)]
    action = [] if cell is None else [divmod(cell, 3)]
    try:
        value = getattr(module, name)(*boards, *action)
    except BaseException as error:
        return {"wrong": f"raises {describe(error)}"}
    try:
        if READ[name] is _text and _shares_rows(value):
            return {"wrong": "has rows that are one list: a mark in one of them is in all"}
        if text is not None and boards != [_board(marks, text)]:
            return {"wrong": "changes the board that it is given"}
        return {"is": READ[name](marks, value)}
    except BaseException:  # also of methods of what it returns
        return {"wrong": f"returns {shown(value)}"}


def _board(marks: Marks, text: str) -> list[list[Any]]:
    return [[marks[sign] for sign in text[row : row + 3]] for row in (0, 3, 6)]


def _text(marks: Marks, rows: Any) -> str:
    if [len(row) for row in rows] != [3, 3, 3]:
        raise TypeError
    return "".join([_sign(marks, mark) for row in rows for mark in row])


def _shares_rows(board: Any) -> bool:
    """Return whether two rows of a board are the same list, as those of [[EMPTY] * 3] * 3."""
    rows = [id(row) for row in board if isinstance(row, list)] if isinstance(board, list) else []
    return len({*rows}) < len(rows)


def _sign(marks: Marks, value: Any) -> str:
    return next(sign for sign, mark in marks.items() if value is mark or value == mark)


def _winner(marks: Marks, value: Any) -> str:
    return "." if value is None else _sign(marks, value)


def _cells(_: Marks, actions: Any) -> list[int]:
    cells = [(index(row), index(column)) for row, column in actions]
    return sorted(3 * i + j if i in range(3) and j in range(3) else -1 for i, j in cells)


def _terminal(_: Marks, value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


READ: dict[str, Callable[[Marks, Any], Any]] = {
    "initial_state": _text,
    "player": _sign,
    "actions": _cells,
    "result": _text,
    "winner": _winner,
    "terminal": _terminal,
    "utility": lambda _, value: index(value),
}
"""The functions of the exercise, and what turns their values into plain terms: a board into a text,
a mark into X, O or a dot, actions into cells from 0."""
