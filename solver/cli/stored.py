"""What is stored: tables, and what unfinished solves have left; `info` lists it."""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from typing import NamedTuple

from solver.cli.output import print_json, print_rows
from solver.files import DRAFT, open_regular
from solver.solving.checkpoint import Checkpoint
from solver.tables.store import shipped_directory, user_directory
from solver.units import format_size

SHIPS = "shipped "  # before "table" or "book"
HEAD = re.compile(  # of a table in either form, or of a book
    rb'(?s:.{8}\{"__metadata__":)?\{\s*"format":"perfectplay (table|book)",\s*"version":[^,]+,'
    rb'\s*"game":("(?:[^"\\]|\\.)*")'
)


class Stored(NamedTuple):
    """Something that perfectplay has written."""

    name: str
    kind: str
    game: str | None
    bytes: int
    path: str


def show_stored(as_json: bool) -> None:
    """Print a list of the user's tables, of what is left beside them, and of the shipped tables."""
    folders = {os.path.realpath(user_directory()), os.path.realpath(shipped_directory())}
    paths = [os.path.join(d, name) for d in folders if os.path.isdir(d) for name in os.listdir(d)]
    entries = [stored for path in sorted(paths) if (stored := _identify(path))]
    if as_json:
        print_json([stored._asdict() for stored in entries])
    else:
        rows = [(s.name, format_size(s.bytes), s.kind, s.path) for s in entries]
        print_rows([("name", "size", "", "path"), *rows])


def _identify(path: str) -> Stored | None:
    """Return what is at a path, or None if perfectplay has not written it or it cannot be read."""
    directory, name = os.path.split(path)
    with suppress(OSError):
        if os.path.isdir(path):
            if work := Checkpoint.find(path):
                return Stored(name, "unfinished work", work.about.get("game"), work.size(), path)
            return None
        with open_regular(path) as file:
            size, head = os.path.getsize(path), HEAD.match(file.read(1 << 12))
        if DRAFT.fullmatch(name):
            return Stored(name, "unfinished file", None, size, path)
        ships = os.path.realpath(directory) == os.path.realpath(shipped_directory())
        kind = SHIPS * ships + head[1].decode() if head else ""
        return head and Stored(name, kind, json.loads(head[2]), size, path)
    return None
