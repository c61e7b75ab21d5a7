"""The command `pack`, and what `solve --packed` shares with it."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from solver.cli import options
from solver.cli.output import progress
from solver.cli.tables import table_file
from solver.files import check_writable
from solver.games import load_game
from solver.rules.game import Game
from solver.startup import M, P
from solver.tables.mapped_table import MappedTable
from solver.tables.open import open_table
from solver.tables.pack import pack
from solver.tables.store import SUFFIXES, user_path

MAPPED = SUFFIXES[-1]


def pack_command(
    output: Annotated[
        str, options.output("FILE", "Write this file; its name ends in .safetensors.")
    ],
    file: options.TableArgument = None,
    game: options.Rules = None,
) -> None:
    """Pack a table into a quarter of its bytes.

    Every command and the Python API take a packed table as they take the one it was made from, and
    it is proved in the same way. A look-up takes about ten times as long.
    """
    file = table_file(file, game)
    size = os.path.getsize(file)
    pack_file(file, output, None if game is None else load_game(game))
    typer.echo(f"wrote {output}: {os.path.getsize(output):,} bytes in place of {size:,}")


def pack_file(file: str, output: str, game: Game[P, M] | None) -> None:
    """Pack a table in a file; raises OSError, TableFormatError and ValueError."""
    check_writable(_checked(output))
    if os.path.exists(output) and os.path.samefile(file, output):
        raise ValueError(f"{output} is the table itself: name another file to write")
    table = open_table(file, game)
    if not isinstance(table, MappedTable):
        raise ValueError(
            f"{file} is a JSON table, which cannot be packed: solve the game to a file {MAPPED}"
        )
    with progress("entries") as show:
        pack(table, output, show)


def packed_target(game: Game[P, M], path: str | None) -> str:
    """Return where the packed table of a game goes; raises ValueError for another suffix."""
    if path is not None:
        check_writable(_checked(path))
        return path
    path = user_path(game.spec, MAPPED)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    return path


def _checked(path: str) -> str:
    if not path.endswith(MAPPED):
        raise ValueError(f"{path!r}: the name of a packed table ends in {MAPPED}")
    return path
