"""Boards as people draw them: a function for each form, and the cells that it shows."""

from __future__ import annotations

import re

TABLE = ",;\t"  # between the cells of a spreadsheet, which may be empty
FRAME = re.compile(r"(?=.*[-+=]{2})[-+=| \t]*")  # a line between two rows, such as ---+---+---
VALUE = re.compile(r"[WDL][0-9]*|\.")  # of a move, in a drawing with values
FILES = "abcdefghijklmnopqrstuvwxyz"


def cells_of(text: str, columns: int, rows: int, numbered: bool = True) -> list[str]:
    """Return the cells of a board as people draw it; none if the text is no such board.

    It is a drawing, with bars or spaces between the cells of a row, and perhaps with lines between
    rows and the names of rows and columns around; or a table with commas, semicolons or tabs; or
    all cells follow each other, with spaces or commas between them; or digits stand for as many
    empty cells.
    """
    drawing = _table_with_bars(text, columns)
    lines = _lines_of_drawing(drawing, columns, rows)
    if len(lines) == 1 != rows:
        lines = re.split(r"\s*/\s*", drawing.strip(" \r\n,"))
    if len(lines) == 1 != rows:
        lines = _lines_of_words(lines[0], columns)
    is_record = len(lines) > 1 and all(map(str.isdecimal, lines)) and "/" not in text
    if len(lines) != rows or is_record:  # a column of numbers is a game
        return []
    cells = [cell for n, line in enumerate(lines) for cell in _row(line, columns, str(rows - n))]
    for n, cell in enumerate(cells):
        if cell == "" or (numbered and _is_number(cell, n + 1)):
            cells[n] = "."
    is_whole = len(cells) == rows * columns and all(len(cell) == 1 for cell in cells)
    return cells if is_whole else []


def _table_with_bars(text: str, columns: int) -> str:
    """Return a table of a spreadsheet as a drawing; another text as it is."""
    if not re.search("[0-9]", text):
        for mark in TABLE:
            if {line.count(mark) for line in text.strip("\r\n").splitlines()} == {columns - 1}:
                text = text.replace(mark, "|")
    return text


def _lines_of_drawing(text: str, columns: int, rows: int) -> list[str]:
    """Return the lines of a drawing that have cells: no frames, names or values below."""
    lines = [line for line in re.split("[\r\n]+", text) if line.strip()]
    if len(lines) > rows:
        lines = [line for line in lines if not FRAME.fullmatch(line)]
    names = [*FILES[:columns]], [str(n + 1) for n in range(columns)]
    if len(lines) == rows + 2 and all(map(VALUE.fullmatch, lines[-1].split())):
        lines.pop()
    if len(lines) == rows + 1:  # the names of the columns are above or below
        lines = lines[1:] if lines[0].split() in names else lines
        lines = lines[:-1] if lines[-1].split() in names else lines
    return lines


def _lines_of_words(line: str, columns: int) -> list[str]:
    """Return the rows of a board in one line: each of them a word, or each cell."""
    words = re.split(r"[\s,]+", line)
    if {*map(len, words)} == {columns} and not re.search("[0-9]", line):
        return words
    return [" ".join(words[i : i + columns]) for i in range(0, len(words), columns)]


def _is_number(cell: str, number: int) -> bool:
    """Return whether an empty cell has its number, perhaps with the value of a move there."""
    first, *values = cell.split()
    return first == str(number) and all(map(VALUE.fullmatch, values))


def _row(line: str, columns: int, name: str) -> list[str]:
    """Return the cells of a row of a drawing, which may begin with the row's name."""
    cells = line.split()
    if "|" in line:
        cells = [cell.strip() for cell in line.split("|")]
        cells = cells[1:-1] if len(cells) == columns + 2 and cells[0] == cells[-1] == "" else cells
    if len(cells) == columns + 1 and cells[0] == name:
        cells = cells[1:]
    if len(cells) == 1 and columns > 1:
        cells = _with_digits(cells[0], columns)
    return cells if len(cells) == columns else []


def _with_digits(row: str, columns: int) -> list[str]:
    """Return the cells of a row in which a number stands for as many empty cells."""
    return [*re.sub("[0-9]{1,3}", lambda empty: "." * min(int(empty[0]), columns), row)]


def rows_of(text: str, columns: int, rows: int, letters: str, turn: str | None) -> str:
    """Return a board as its rows, from the top, and the letter of the side to move.

    `letters` are those of the sides. The text is a board of `cells_of`, with such a letter after it
    unless `turn` says whose turn it is; another text is returned as it is.
    """
    for board, side in ((text, (turn or "")[:1].lower()), (text[:-1].rstrip(" _\n"), text[-1:])):
        cells = cells_of(board, columns, rows) if side and side in letters else []
        if cells:
            marks = "".join(cells)
            return "/".join(re.findall("." * columns, marks)) + f" {side}"
    return text
