"""Grades players by name, several at once: takes what the user names; returns grades."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cache
from glob import escape, glob
from typing import Any

from solver.agent.agent import TableAgent, open_agent
from solver.arena.audit import grade
from solver.arena.grade import Grade, ungraded
from solver.cli.output import progress, report
from solver.errors import InexactPlayerError, UnknownPlayerError
from solver.players.external import COMMANDS
from solver.solving.executors import ENGINES, start_workers

LIST = "@"  # before the name of a file that lists players


def named(players: Sequence[str]) -> list[str]:
    """Return the players that the words name, those in folders and lists included.

    `FOLDER:NAME` is the function NAME of every Python file in a folder, and `@FILE` is what the
    lines of a file name, without comments, which start with #. Raises OSError for a file that
    cannot be read, and UnknownPlayerError where nothing is named.
    """
    found: list[str] = []
    for before, word in zip(("", *players), players, strict=False):
        folder, _, name = word.rpartition(":")
        if word.startswith(LIST):
            with open(word[1:], encoding="utf-8-sig") as file:
                lines = [re.split(r"(?:^|\s)#", line)[0].strip() for line in file]
            more = named([line for line in lines if line])
        elif os.path.isdir(folder) and not word.startswith(COMMANDS):
            more = [f"{path}:{name}" for path in sorted(glob(f"{escape(folder)}/*.py"))]
        elif os.path.isdir(word):
            raise UnknownPlayerError(
                f"{word} is a folder: add the name of the function in its files, as in {word}:move"
            )
        elif os.path.isfile(word) and before.startswith(COMMANDS):
            raise UnknownPlayerError(f'quote a command and its arguments: "{before} {word}"')
        elif os.path.isfile(word) and not word.endswith(".py"):
            raise UnknownPlayerError(
                f'{word} is a file: write {LIST}{word} if it lists players, or "command:PROGRAM'
                f' {word}" if PROGRAM runs it'
            )
        else:
            more = [word]
        if not more:
            raise UnknownPlayerError(f"{word} names no player")
        found += more
    return found


def grades(
    names: Sequence[str],
    agent: TableAgent[Any, Any],
    source: tuple[str, str | None],
    workers: int,
    settings: dict[str, Any],
) -> list[Grade]:
    """Return the grades of players, so many of them at once; `settings` are those of `grade`.

    Other processes open an agent of their own from `source`, the names of the game and the table. A
    player that cannot be loaded has a grade that says so. Raises OSError if a process is killed.
    """
    if workers == 1 or len(names) == 1:
        one_by_one = []
        for name in names:
            with progress(name) as show:
                one_by_one.append(_grade(name, agent, settings | {"progress": show}))
        return one_by_one
    found: dict[int, Grade] = {}
    with (
        progress("players") as show,
        start_workers(ENGINES[0], min(workers, len(names)), None, report) as pool,
    ):
        for number, one in pool.run(_grade_apart, [(name, source, settings) for name in names]):
            found[number] = one
            show(len(found), len(names))
    return [found[number] for number in range(len(names))]


def _grade(name: str, agent: TableAgent[Any, Any], settings: dict[str, Any]) -> Grade:
    try:
        return grade(name, agent, report=report, **settings)
    except (UnknownPlayerError, InexactPlayerError) as error:  # which does not stop the others
        return ungraded(name, agent.game.spec, settings["seats"], str(error))


def _grade_apart(name: str, source: tuple[str, str | None], settings: dict[str, Any]) -> Grade:
    return _grade(name, _agent(*source), settings)


@cache
def _agent(game: str, table: str | None) -> TableAgent[Any, Any]:
    """Return the agent of a process that grades some of the players."""
    return open_agent(game, table)
