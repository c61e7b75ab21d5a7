"""Open a table in either form; the bytes of its file decide which one it is."""

from __future__ import annotations

from solver.tables.json_table import decode
from solver.tables.store import HEAD, is_mapped, read_table

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    import os
    from mmap import mmap
    from typing import Any

    from solver.rules.game import Game
    from solver.tables.json_table import Table
    from solver.tables.mapped_table import MappedTable


def open_table(
    path: str | os.PathLike[str], game: Game[Any, Any] | None = None
) -> Table | MappedTable:
    """Return the table in a file; raises OSError and TableFormatError."""
    return table_of(read_table(path), game)


def table_of(data: bytes | mmap, game: Game[Any, Any] | None = None) -> Table | MappedTable:
    """Return the table in a file's bytes, read or mapped; raises TableFormatError."""
    if is_mapped(data[:HEAD]):
        from solver.tables.mapped_table import MappedTable

        return MappedTable(data, game)
    return decode(bytes(data), game)
