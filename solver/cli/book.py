"""The command `book`."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from solver.cli import options
from solver.cli.output import counted, progress, report
from solver.files import check_writable, save
from solver.games import load_game
from solver.solving.book import BookMaker, remove_work
from solver.tables.book import SUFFIX
from solver.tables.store import WORK, user_path
from solver.units import format_duration


def book(
    depth: Annotated[
        int, options.option("--depth", "N", "The last ply of the book.", min=0, max=100)
    ],
    game: Annotated[str, options.game(f"Choose the game: a {options.GAME_NAME}")] = "connect4",
    output: Annotated[
        str | None,
        options.output("FILE", "Write the book to FILE.", "the folder of the user's tables"),
    ] = None,
    workers: Annotated[
        int, options.option("--workers", "N", "Search in N threads.", min=1, max=1000)
    ] = 1,
    workdir: Annotated[
        str | None,
        options.option("--workdir", "DIR", "Store unfinished work in DIR.", "beside the book"),
    ] = None,
) -> None:
    """Compute the scores of the first plies of a game that is answered by search.

    Every open position of the last ply is searched, and the scores of the earlier plies follow. To
    continue after an interruption, run the same command again.
    """
    rules = load_game(game)
    path = user_path(rules.spec, SUFFIX) if output is None else output
    if output is None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    check_writable(path)
    maker = BookMaker(rules, depth, path + WORK if workdir is None else workdir)
    left = len(maker.frontier) - maker.searched
    report(
        f"{counted(left, 'position')} of ply {depth} to search, out of {len(maker.frontier):,}:"
        f" about {format_duration(maker.forecast())} of processor time"
    )
    with progress("positions") as show:
        data = maker.make(workers, show)
    save(path, data)
    remove_work(maker.folder)
    typer.echo(f"wrote {path}: {len(data):,} bytes, {counted(maker.positions, 'position')}")
