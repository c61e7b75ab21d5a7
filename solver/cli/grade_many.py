"""Grades players by name, several at once: takes what the user names; returns grades."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from solver.agent.agent import TableAgent, open_agent
from solver.arena.audit import grade
from solver.arena.grade import Grade, ungraded
from solver.cli.output import progress, report
from solver.errors import InexactPlayerError, UnknownPlayerError
from solver.solving.executors import ENGINES, start_workers


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
    if workers == 1 or len(names) <= 1:
        one_by_one = []
        for name in names:
            with progress(name) as show:
                one_by_one.append(_grade(name, agent, settings | {"progress": show}))
        return one_by_one
    by_number: dict[int, Grade] = {}
    with (
        progress("players") as show,
        start_workers(ENGINES[0], min(workers, len(names)), None) as pool,
    ):
        for number, one in pool.run(_grade_apart, [(name, source, settings) for name in names]):
            by_number[number] = one
            show(len(by_number), len(names))
    return [by_number[number] for number in range(len(names))]


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
