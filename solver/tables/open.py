"""Open a table in either form; the bytes of its file decide which."""

from __future__ import annotations

import os

from solver.errors import TableFormatError
from solver.files import open_regular
from solver.tables.format import BOOK, STRATEGY
from solver.tables.json_table import decode
from solver.tables.source import TableBytes, open_source
from solver.tables.store import MOST_BYTES

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from mmap import mmap
    from typing import Any

    from solver.rules.game import Game
    from solver.tables.book import Book
    from solver.tables.json_table import Table
    from solver.tables.mapped_table import MappedTable
    from solver.tables.oracle import Oracle

HEAD = 9  # bytes that show the form of a table: a header's length and a brace


def open_table(
    path: str | os.PathLike[str], game: Game[Any, Any] | None = None
) -> Table | MappedTable:
    """Return the table in a file; raises OSError, and TableFormatError that names the file."""
    try:
        return table_of(open_source(path), game)
    except TableFormatError as error:
        raise TableFormatError(f"{os.fspath(path)}: {error}") from error


def is_strategy(path: str | os.PathLike[str]) -> bool:
    """Return whether a file starts as that of a strategy, which is no table; raises OSError."""
    with open_regular(path) as file:
        return file.read(len(STRATEGY)) == STRATEGY


def is_book(source: TableBytes) -> bool:
    """Return whether a file is a book, or would be if it were whole."""
    mark = f'{{"format":"{BOOK}"'.encode()
    return source.read_at(0, min(len(mark), source.size)) == mark


def open_book(path: str, game: Game[Any, Any] | None = None) -> Book:
    """Return the book in a file; raises OSError, and TableFormatError that names the file."""
    from solver.tables.book import open_book as opened

    return opened(path, game)


def open_oracle(game: Game[Any, Any]) -> Oracle | None:
    """Return what searches for the values of a game that has a search, if it is the game's own."""
    from solver.tables.oracle import find_oracle

    return find_oracle(game)


def table_of(
    data: bytes | mmap | TableBytes, game: Game[Any, Any] | None = None
) -> Table | MappedTable:
    """Return the table in a file or its bytes; raises OSError and TableFormatError."""
    source = data if isinstance(data, TableBytes) else TableBytes(data)
    head = source.read_at(0, min(HEAD, source.size))
    if head[:1] != b"{" and head[HEAD - 1 :] == b"{":
        from solver.tables.mapped_table import MappedTable

        return MappedTable(source, game)
    if source.read_at(0, min(len(STRATEGY), source.size)) == STRATEGY:
        raise TableFormatError(
            "a strategy, not a table: best, line, play, info, verify and render take it"
        )
    if source.size > MOST_BYTES:
        raise TableFormatError(
            f"not a table: it has {source.size:,} bytes without the header of a mapped table; a"
            f" JSON table has at most {MOST_BYTES:,}"
        )
    last = min(4, source.size)
    if head[:1] != b"{" or b"}" not in source.read_at(source.size - last, last):
        raise TableFormatError("not a complete JSON file: a table starts with { and ends with }")
    return decode(source.read_at(0, source.size), game)
