"""The command tables: lists and deletes tables, and what unfinished solves have left."""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import suppress
from typing import Annotated, NamedTuple

import typer

from solver.cli import options
from solver.cli.output import print_json, print_rows, report
from solver.errors import UnknownGameError
from solver.files import DRAFT, NAMED, open_regular, remove_draft
from solver.games import load_game
from solver.solving.checkpoint import Checkpoint
from solver.tables.store import SUFFIXES, WORK, file_name, shipped_directory, user_directory
from solver.units import format_size

UNFINISHED, DRAFTS = "unfinished work", "unfinished file"
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


def tables(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[rm NAME...]", help="Delete what these names name.", show_default=False
        ),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Delete without asking.")] = False,
    as_json: options.Json = False,
) -> None:
    """List the stored tables and unfinished work, or delete some.

    Without arguments, it lists the user's tables, the folders and files that unfinished solves have
    left beside them, and the tables that ship with perfectplay. 'rm' deletes all that is stored of
    a game, one of the listed files or folders, or a table or folder elsewhere, by its path. It
    deletes only what perfectplay has written, and no work of a solve that is running.
    """
    action, *names = words or [""]
    if action not in ("", "rm") or (action and not names):
        raise ValueError(f"expected no arguments, or rm and names, got {' '.join(words or [])!r}")
    found = _listed()
    if action:
        named = dict.fromkeys(stored for name in names for stored in _named(name, found))
        found = sorted(named, key=lambda stored: stored.kind != UNFINISHED)  # it may be in use
        if not yes:
            _confirm(found)
        for stored in found:
            _delete(stored)
    if as_json:
        print_json([stored._asdict() for stored in found])
    elif action:
        for stored in found:
            typer.echo(f"deleted {stored.path}")
    else:
        print_rows([("name", "size", "", "path"), *map(_row, found)])


def _listed() -> list[Stored]:
    """Return what is in the folder of the user's tables, and the shipped tables."""
    folders = {os.path.realpath(user_directory()), os.path.realpath(shipped_directory())}
    paths = [os.path.join(d, name) for d in folders if os.path.isdir(d) for name in os.listdir(d)]
    return [stored for path in sorted(paths) if (stored := _identify(path))]


def _identify(path: str) -> Stored | None:
    """Return what is at a path, or None if perfectplay has not written it or it cannot be read."""
    directory, name = os.path.split(path)
    with suppress(OSError):
        if os.path.isdir(path):
            if work := Checkpoint.find(path):
                return Stored(name, UNFINISHED, work.about.get("game"), work.size(), path)
            return None
        with open_regular(path) as file:
            size, head = os.path.getsize(path), HEAD.match(file.read(1 << 12))
        if DRAFT.fullmatch(name):
            return Stored(name, DRAFTS, None, size, path)
        ships = os.path.realpath(directory) == os.path.realpath(shipped_directory())
        kind = SHIPS * ships + head[1].decode() if head else ""
        return head and Stored(name, kind, json.loads(head[2]), size, path)
    return None


def _named(name: str, found: list[Stored]) -> list[Stored]:
    """Return what a name means: a listed name, a path, or all of a game but shipped tables."""
    chosen = [stored for stored in found if name == stored.name]
    if not chosen and (there := _identify(os.path.abspath(name))):
        chosen = [there]
    if not chosen:
        with suppress(UnknownGameError):
            spec = load_game(name).spec
            drafts = (f".{file_name(spec, suffix)[:NAMED]}." for suffix in SUFFIXES)
            starts = (file_name(spec, WORK), *drafts)
            chosen = [s for s in found if s.game == spec or s.name.startswith(starts)]
    if not chosen:
        raise ValueError(f"no table or unfinished work is named {name!r}; see perfectplay tables")
    own = [stored for stored in chosen if not stored.kind.startswith(SHIPS)]
    if not own:
        raise ValueError(f"{chosen[0].path} ships with perfectplay, so it cannot be deleted")
    return own


def _confirm(found: list[Stored]) -> None:
    """Ask whether to delete files and folders; raise typer.Abort if not."""
    if not sys.stdin.isatty():
        raise ValueError("there is no terminal to ask on: add --yes to delete without asking")
    print_rows([*map(_row, found)])
    if not typer.confirm("Delete this?"):
        raise typer.Abort


def _row(stored: Stored) -> tuple[str, ...]:
    return stored.name, format_size(stored.bytes), stored.kind, stored.path


def _delete(stored: Stored) -> None:
    """Delete a file or folder; raise OSError if a process is using it."""
    if stored.kind == UNFINISHED:
        Checkpoint(stored.path, {}).remove()
        if os.path.exists(stored.path):
            report(f"{stored.path} has other files, which stay there")
    elif stored.kind != DRAFTS:
        os.unlink(stored.path)
    elif not remove_draft(stored.path):
        raise OSError(f"{stored.path}: another process is writing this file")
