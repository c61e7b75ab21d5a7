"""Boards as people and programs write them, converted to the text that games parse.

Each `from_...` function converts one convention, so the convention is never guessed:

    rows     [['X', None, None], [None, 'O', None], [None, None, None]]
    cells    {1: 'X', 5: 'O'}              cells 1-9 in reading order, ' ' or None if empty
    signs    [1, 0, 0, 0, -1, 0, 0, 0, 0]  1 is X, -1 is O; flat or in rows
    marks    [1, 0, 0, 0, 2, 0, 0, 0, 0]   1 is X, 2 is O; flat or in rows
    numpad   [' ', ' ', ' ', ' ', ' ', 'O', ' ', 'X', ' ', ' ']   index 0 is ignored, the others
             are the keys of a number pad, 7-8-9 on top

All of these give 'X...O....'. The functions check the shape and the marks. Whether a game leads to
the board is checked when the game parses the text. Moves are cells 0-8 in reading order;
`numpad_key` and `numpad_cell` convert them. `read` turns a text into bitboards.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from solver.errors import IllegalPositionError, quoted, shorten
from solver.startup import Any

EMPTY = ".-_ "
SEPARATORS = "/|\n"
NUMPAD = (7, 8, 9, 4, 5, 6, 1, 2, 3)  # the keys in reading order
SIGNS = {1: "X", -1: "O", 0: "."}
MARKS = {1: "X", 2: "O", 0: "."}
LETTERS = {"X": "X", "O": "O", "x": "X", "o": "O", None: ".", " ": ".", "": "."}


def read(text: str, columns: int, rows: int, numbered: bool = True) -> tuple[int, int]:
    """Return the bitboards of X and of O, cell i as bit i; see `solver.rules.grid`.

    X and O may be in either case. An empty cell is `.`, `-`, `_`, a space or, if `numbered`, its
    own number, counted from 1. Rows may be separated by `/`, `|` or a newline. Raises
    IllegalPositionError.
    """
    if not isinstance(text, str):
        raise TypeError(
            f"a board is a string such as 'X...O....', not {type(text).__name__};"
            " solver.boards converts lists, dicts and arrays"
        )
    size = columns * rows
    marks = text.replace("\r\n", "\n")
    if len(marks) == size + rows - 1 and all(
        c in SEPARATORS for c in marks[columns :: columns + 1]
    ):
        marks = "".join(marks[i : i + columns] for i in range(0, len(marks), columns + 1))
    if len(marks) != size:
        raise IllegalPositionError(
            f"{quoted(text)} is not a board: a board has {size} cells, {columns} in a row, with /"
            " or | or a newline between all rows or none"
        )
    x = o = 0
    for cell, mark in enumerate(marks):
        if mark in "Xx":
            x |= 1 << cell
        elif mark in "Oo":
            o |= 1 << cell
        elif mark not in EMPTY and not (numbered and mark == str(cell + 1)):
            raise IllegalPositionError(_bad_mark(text, cell, mark, numbered))
    return x, o


def from_rows(rows: Iterable[Iterable[Any]]) -> str:
    """Return the text of three rows of three marks: 'X', 'O' and None."""
    return _text(_three_rows(rows), LETTERS)


def from_cells(cells: Mapping[int, Any]) -> str:
    """Return the text of a dict of cells 1-9 in reading order; missing cells are empty."""
    if not isinstance(cells, Mapping):
        raise IllegalPositionError(f"{shorten(repr(cells))} is not a dict of cells 1-9")
    unknown = [cell for cell in cells if cell not in range(1, 10)]
    if unknown:
        raise IllegalPositionError(f"there is no cell {unknown[0]!r}; the cells are 1 to 9")
    return _text([cells.get(cell) for cell in range(1, 10)], LETTERS)


def from_signs(signs: Iterable[Any], layout: str = "reading") -> str:
    """Return the text of nine numbers, 1 for X, -1 for O, 0 for empty, flat or in three rows.

    With `layout="numpad"` the board is flat, in the order of the number pad keys 1 to 9.
    """
    if layout == "reading":
        return _text(_nine(signs), SIGNS)
    if layout == "numpad":
        flat = _nine(signs)
        return _text([flat[key - 1] for key in NUMPAD], SIGNS)
    raise ValueError(f"the layout is {layout!r}; it must be 'reading' or 'numpad'")


def from_marks(marks: Iterable[Any]) -> str:
    """Return the text of nine numbers, 1 for X, 2 for O, 0 for empty, flat or in three rows."""
    return _text(_nine(marks), MARKS)


def from_numpad(keys: Sequence[Any]) -> str:
    """Return the text of a list of ten marks, one for each number pad key; index 0 is ignored."""
    values = _items(keys, "a list of ten marks, index 0 ignored")
    if len(values) != 10:
        raise IllegalPositionError(f"a number pad board has 10 entries, this one has {len(values)}")
    return _text([values[key] for key in NUMPAD], LETTERS)


def numpad_key(cell: int) -> int:
    """Return the number pad key of a cell 0-8: 7 for the first cell, 3 for the last."""
    if cell not in range(9):
        raise ValueError(f"there is no cell {cell!r}; the cells are 0 to 8")
    return NUMPAD[cell]


def numpad_cell(key: int) -> int:
    """Return the cell 0-8 of a number pad key 1-9."""
    if key not in NUMPAD:
        raise ValueError(f"there is no key {key!r}; the keys are 1 to 9")
    return NUMPAD.index(key)


def _items(values: Any, expected: str) -> list[Any]:
    """Return the items of a list, tuple or array."""
    if isinstance(values, str | bytes | Mapping | AbstractSet) or not isinstance(values, Iterable):
        raise IllegalPositionError(f"{shorten(repr(values))} is not {expected}")
    return list(values)


def _three_rows(rows: Any) -> list[Any]:
    """Return the nine items of three rows of three."""
    expected = "three rows of three cells"
    items = [_items(row, expected) for row in _items(rows, expected)]
    if [len(row) for row in items] != [3, 3, 3]:
        sizes = ", ".join(str(len(row)) for row in items)
        raise IllegalPositionError(f"a board is {expected}; these rows have {sizes or 'no'} cells")
    return [mark for row in items for mark in row]


def _nine(values: Any) -> list[Any]:
    """Return the nine items of a flat board or of three rows of three."""
    items = _items(values, "nine numbers")
    if len(items) == 9:
        return items
    if len(items) == 3:
        return _three_rows(items)
    raise IllegalPositionError(f"a board has 9 cells, this one has {len(items)}")


def _text(values: list[Any], legend: Mapping[Any, str]) -> str:
    """Return the marks that the legend gives for the values of nine cells."""
    for cell, value in enumerate(values):
        if not isinstance(value, Hashable) or value not in legend:
            known = ", ".join(repr(mark) for mark in legend)
            raise IllegalPositionError(
                f"cell {cell + 1} is {shorten(repr(value))}; it must be one of {known}"
            )
    return "".join(legend[value] for value in values)


def _bad_mark(text: str, cell: int, mark: str, numbered: bool) -> str:
    """Return the message for a character that is not a mark."""
    where = f"cell {cell + 1} of {quoted(text)} is {mark!r}"
    if numbered and mark.isdecimal():
        return f"{where}; the number of an empty cell must be its own, {cell + 1}"
    return f"{where}; it must be X or O, or one of . - _ or a space if it is empty"
