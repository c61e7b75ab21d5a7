"""Boards as people and programs write them, converted to the text that games parse.

Each `from_...` function converts one convention, so the convention is never guessed:

    rows     [['X', None, None], [None, 'O', None], [None, None, None]]
    signs    [1, 0, 0, 0, -1, 0, 0, 0, 0]  1 is X, -1 is O; flat or in rows
    numpad   [' ', ' ', ' ', ' ', ' ', 'O', ' ', 'X', ' ', ' ']   index 0 is ignored, the others
             are the keys of a number pad, 7-8-9 on top

All of these give 'X...O....'. Rows and signs may be those of larger boards, whose rows are
then separated by /. The functions check the marks. The shape, and whether a game leads to the
board, are checked when the game parses the text. Moves are cells 0-8 in reading order;
`numpad_key` and `numpad_cell` convert them. `read` turns a board into bitboards.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from solver.boards.drawings import TABLE, cells_of
from solver.errors import IllegalPositionError, quoted, shorten
from solver.startup import Any

EMPTY = ".-_ "
BLANKS = "BbEe"  # empty, too, on a board with an X or an O
SEPARATORS = "/|\n"
ARRAY = re.compile(r"[][(){},;/|\s]*(-1|[012])(?:\.0*)?")  # a number of an array as it is printed
LISTED = re.compile(r"[\[(][][(),\d\s.-]*")  # a whole array, whatever its numbers are
NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{0,9})?")
IN_JSON = {"null": "None", "true": "True", "false": "False"}
PLAIN = re.compile("[XO.]+")  # a board as games write it
X_BITS, O_BITS = str.maketrans("XO.", "100"), str.maketrans("XO.", "010")
NUMPAD = (7, 8, 9, 4, 5, 6, 1, 2, 3)  # the keys in reading order
SIGNS = {1: "X", -1: "O", 0: "."}
MARKS = {1: "X", 2: "O", 0: "."}
LETTERS = {"X": "X", "O": "O", "x": "X", "o": "O", None: ".", " ": ".", "": "."}


def read(board: Any, columns: int, rows: int, numbered: bool = True) -> tuple[int, int]:
    """Return the bitboards of X and of O, cell i as bit i; see `solver.rules.grid`.

    X and O may be in either case. An empty cell is `.`, `-`, `_`, a space, b or e beside other
    marks or, if `numbered`, its own number, counted from 1. Rows may be separated by `/`, `|` or a
    newline, or the board may be drawn as `drawings.cells_of` reads it. A list or an array, flat or
    in rows, or one as it is printed, has the marks of `from_rows`, or numbers: 1 for X, -1 or 2
    for O, and 0 for an empty cell. Raises IllegalPositionError.
    """
    size = columns * rows
    if isinstance(board, str) and len(board) == size and PLAIN.fullmatch(board):
        backwards = board[::-1]
        return int(backwards.translate(X_BITS), 2), int(backwards.translate(O_BITS), 2)
    if isinstance(board, str):
        board = _printed(board, size)
    text = board if isinstance(board, str) else _from_values(board)
    marks = _run_together(text, columns, rows) or cells_of(text, columns, rows, numbered)
    if len(marks) != size:
        raise IllegalPositionError(
            f"{quoted(text)} is not a board: a board has {size} cells, {columns} in a row, with /"
            f" or | or a newline between all rows or none{_in_the_way(text, columns, rows)}"
        )
    x = o = 0
    for cell, mark in enumerate(marks):
        if mark in "Xx":
            x |= 1 << cell
        elif mark in "Oo":
            o |= 1 << cell
        elif not _is_empty(mark, cell, marks, numbered):
            raise IllegalPositionError(_bad_mark(text, cell, mark, numbered))
    return x, o


def _is_empty(mark: str, cell: int, marks: Sequence[str], numbered: bool) -> bool:
    """Return whether a mark of a board stands for an empty cell."""
    if mark in EMPTY or (numbered and mark == str(cell + 1)):
        return True
    return mark in BLANKS and not {*"XxOo"}.isdisjoint(marks)


def _printed(text: str, size: int) -> Any:
    """Return the list or the numbers of an array as it is printed; another text as it is."""
    has_letters = text.upper().isupper()
    if has_letters and text.lstrip().startswith(("[", "(")):
        from ast import literal_eval  # here, since an agent must start fast
        from contextlib import suppress

        plain = re.sub(r"\b(?:null|true|false)\b", lambda word: IN_JSON[word[0]], text.strip())
        with suppress(ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            return literal_eval(plain)
    if has_letters:
        return text
    number, rest = (NUMBER, "([])") if LISTED.fullmatch(text) else (ARRAY, "])}")
    numbers = number.findall(text)
    if 2 < len(numbers) == size and not number.sub("", text).strip(f"{rest},;/| \r\n"):
        return [int(n) if n.is_integer() else n for n in map(float, numbers)]
    return text


def _run_together(text: str, columns: int, rows: int) -> str:
    """Return the cells of a board with one character for each, and perhaps one between rows."""
    marks = text.replace("\r\n", "\n").strip("\n")
    between = marks[columns :: columns + 1]
    if len(marks) == columns * rows + rows - 1 and {*between} <= {*SEPARATORS}:
        marks = "".join(marks[i : i + columns] for i in range(0, len(marks), columns + 1))
    is_whole = len(marks) == columns * rows and {*SEPARATORS, *TABLE}.isdisjoint(marks)
    return marks if is_whole else ""


def from_rows(rows: Iterable[Iterable[Any]]) -> str:
    """Return the text of rows of marks: 'X', 'O' and None."""
    return _text(_rows(rows), LETTERS)


def from_signs(signs: Iterable[Any]) -> str:
    """Return the text of numbers, 1 for X, -1 for O, 0 for empty, flat or in rows."""
    return _text(_flat_or_rows(signs), SIGNS)


def from_numpad(keys: Sequence[Any]) -> str:
    """Return the text of a list of ten marks, one for each number pad key; index 0 is ignored."""
    values = _items(keys, "a list of ten marks, index 0 ignored")
    if len(values) != 10:
        raise IllegalPositionError(f"a number pad board has 10 entries, this one has {len(values)}")
    return _text([[values[key] for key in NUMPAD]], LETTERS)


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


def _rows(values: Any) -> list[list[Any]]:
    """Return the rows of a board, which have as many cells each."""
    expected = "rows of cells"
    rows = [_items(row, expected) for row in _items(values, expected)]
    if len({*map(len, rows)}) != 1 or not rows[0]:
        sizes = ", ".join(str(len(row)) for row in rows)
        raise IllegalPositionError(f"a board is {expected}; these rows have {sizes or 'no'} cells")
    return rows


def _flat_or_rows(values: Any) -> list[list[Any]]:
    """Return the rows of a board, or all cells of a flat one as one row."""
    items = _items(values, "a list of cells, or of rows of cells")
    check_planes(_shape(items))
    is_flat = any(isinstance(item, str) or not isinstance(item, Iterable) for item in items)
    return [items] if is_flat else _rows(items)


def _text(rows: list[list[Any]], legend: Mapping[Any, str]) -> str:
    """Return the marks that the legend gives for the cells; / is between rows, if not 3 of 3."""
    for cell, value in enumerate(mark for row in rows for mark in row):
        if not isinstance(value, Hashable) or value not in legend:
            marks = ", ".join(repr(mark) for mark in legend)
            raise IllegalPositionError(
                f"cell {cell + 1} is {shorten(repr(value))}; it must be one of {marks}"
            )
    between = "" if [*map(len, rows)] == [3, 3, 3] else "/"
    return between.join("".join(legend[value] for value in row) for row in rows)


def _from_values(board: Any) -> str:
    """Return the text of a board in a list or an array, whose marks say which convention it is."""
    if isinstance(board, bytes | Mapping | AbstractSet) or not isinstance(board, Iterable):
        raise TypeError(
            f"a board is a string such as 'X...O....' or a list, not {type(board).__name__}"
        )
    board = _items(board, "a list of cells, or of rows of cells")
    if all(isinstance(row, str) and len(row) > 1 for row in board):
        board = [[*row] for row in board]
    rows = _flat_or_rows(board)
    text = _text(rows, LETTERS | SIGNS | MARKS | dict.fromkeys(EMPTY, "."))
    values = [value for row in rows for value in row]
    if -1 in values and 2 in values:
        raise IllegalPositionError("a board has -1 or 2 for O, not both")
    blanks = [n for n, value in enumerate(values) if value in (None, "", *EMPTY)]
    if blanks and 0 in values:
        where = f"cell {blanks[0] + 1} is {values[blanks[0]]!r} and cell {values.index(0) + 1} is 0"
        raise IllegalPositionError(f"{where}: write one of them, and only where a cell is empty")
    return text


def _shape(values: Any) -> tuple[int, ...]:
    """Return the lengths of nested lists or arrays, those of the first item at each level."""
    shape: list[int] = []
    while not isinstance(values, str | bytes) and hasattr(values, "__len__") and len(shape) < 4:
        shape.append(len(values))
        values = values[0] if len(values) and not isinstance(values, Mapping) else ""
    return tuple(shape)


def check_planes(shape: tuple[int, ...]) -> None:
    """Raise IllegalPositionError for an array of three dimensions, which is no board."""
    if len(shape) < 3:
        return
    if shape[-1] == 2 or shape[0] == 2:
        one, other = ("x[..., 0]", "x[..., 1]") if shape[-1] == 2 else ("x[0]", "x[1]")
        raise IllegalPositionError(
            f"planes of shape {shape} do not say whose move it is, so they are no board: write"
            f" {one}.astype(int) - {other} if the first plane has X's stones, else the negative;"
            " in PettingZoo the first is that of the side to move"
        )
    raise IllegalPositionError(f"a board has one dimension or two, and not the shape {shape}")


def _bad_mark(text: str, cell: int, mark: str, numbered: bool) -> str:
    """Return the message for a character that is not a mark."""
    where = f"cell {cell + 1} of {quoted(text)} is {mark!r}"
    if numbered and mark.isdecimal():
        return f"{where}; the number of an empty cell must be its own, {cell + 1}"
    return f"{where}; it must be X or O, or one of . - _ or a space if it is empty"


def _in_the_way(text: str, columns: int, rows: int) -> str:
    """Return what is said of a character that no board has, or of the size of an array or a row."""
    if LISTED.fullmatch(text):
        return f"; it has {len(re.findall('[-.0-9]+', text))} numbers"
    characters = "XxOo0123456789,+=\\" + EMPTY + BLANKS + SEPARATORS + "\r\t"
    wrong = next((n for n, c in enumerate(text) if c not in characters), None)
    if wrong is not None:
        return f"; character {wrong + 1} is {text[wrong]!r}"
    lines = re.split("\r?\n|[/|]", text.strip("\r\n"))
    if turned(columns, rows, len(lines), *{*map(len, lines)}):
        return f"; it has {columns} rows of {rows}, so turn it, as zip(*rows) does"
    if not {*"".join(lines)} <= {*"XxOo.-_"}:
        return ""
    if len(lines) == 1:
        return f"; it has {_count_cells(lines[0])}"
    short_or_long = (n for n, line in enumerate(lines) if len(line) != columns)
    row = next(short_or_long, None) if len(lines) == rows else None
    return "" if row is None else f"; row {row + 1} has {_count_cells(lines[row])}, not {columns}"


def turned(columns: int, rows: int, *shape: int) -> bool:
    """Return whether rows and their cells are as many as the board's columns and rows."""
    return shape == (columns, rows) != (rows, columns)


def _count_cells(row: str) -> str:
    return "1 cell" if len(row) == 1 else f"{len(row):,} cells"
