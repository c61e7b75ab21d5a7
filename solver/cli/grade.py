"""The command grade: an audit of players."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any

import typer

from solver.agent.agent import TableAgent, open_agent
from solver.arena.audit import TOTAL, grade
from solver.arena.grade import REQUIREMENTS, Grade, ungraded
from solver.cli import grade_report, options, player_options
from solver.cli.output import CheckFailedError, echo, print_json, print_rows, progress, report
from solver.errors import InexactPlayerError, UnknownPlayerError
from solver.files import save
from solver.players import load_player
from solver.players.player import LIMIT
from solver.solving.executors import start_workers

Seats = Annotated[
    str, options.choice("--as", ("first", "second", "both"), "Choose the sides to grade.")
]
Require = Annotated[
    str | None,
    options.choice("--require", REQUIREMENTS, "Exit with status 1 unless all players qualify."),
]
Output = Annotated[
    str | None,
    options.output("FILE", "Write the grades as a web page, FILE.html, or as a table, FILE.csv."),
]
Total = Annotated[
    float,
    options.option("--total", "SECONDS", "Allow each player this long for everything.", min=0),
]
Workers = Annotated[int, options.option("--workers", "N", "Grade N players at once.", min=1)]
ShowOutput = Annotated[
    bool,
    typer.Option(
        "--show-output",
        help="Show what custom players print, and the traceback of their first exception.",
    ),
]
Sample = Annotated[
    int | None,
    options.option("--sample", "N", "Ask about N random positions only.", "all", min=1),
]


def grade_command(
    players: player_options.Players,
    game: options.Game = "tictactoe",
    table: options.Table = None,
    seats: Seats = "both",
    require: Require = None,
    output: Output = None,
    convention: player_options.Convention = "rows",
    deterministic: player_options.Deterministic = False,
    limit: player_options.Limit = LIMIT,
    total: Total = TOTAL,
    workers: Workers = 1,
    show_output: ShowOutput = False,
    sample: Sample = None,
    as_json: options.Json = False,
) -> None:
    """Grade players on every position that they can reach."""
    if require is not None and sample is not None:
        raise ValueError(f"--sample cannot show {require}: leave out --require or --sample")
    options.check_output(output, "the file", ".html", ".csv")
    agent = open_agent(game, table)
    names = player_options.expand_players(players)
    for name in names:  # reports a mistyped name before the work starts
        if ":" not in name and not name.endswith(".py"):
            load_player(name, agent)
    settings: dict[str, Any] = {"seats": seats, "sample": sample}
    settings |= {"convention": convention, "deterministic": deterministic}
    settings |= {"limit": limit, "total": total, "show_output": show_output}
    settings["claims"] = require is None  # a bot that must qualify cannot vouch for itself
    grades = _grades(names, agent, (game, table), workers, settings)
    if len(grades) == 1 and grades[0].is_unloaded:
        raise UnknownPlayerError(grades[0].faults[0].detail)
    source = grade_report.game_options(game, table)
    if output is not None:
        from solver.cli.grade_files import csv_text, page

        is_csv = output.lower().endswith(".csv")
        text = csv_text(grades) if is_csv else page(grades, agent.game, source)
        save(output, text.encode())
        report(f"wrote {output}")
    _print(grades, source, as_json)
    kinds = {fault.kind for one in grades for fault in one.faults}
    if kinds & {"exception", "ended"} and not show_output:
        report("add --show-output to see what the players print, and their first exceptions")
    _judge(grades, require)


_opened = cache(open_agent)  # in each process that grades some of the players


def _grades(
    names: Sequence[str],
    agent: TableAgent[Any, Any],
    source: tuple[str, str | None],
    workers: int,
    settings: dict[str, Any],
) -> list[Grade]:
    """Return the grades of players, `workers` of them at once; `settings` are those of `grade`.

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
        start_workers(min(workers, len(names))) as pool,
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
    return _grade(name, _opened(*source), settings)


def _judge(grades: list[Grade], require: str | None) -> None:
    """Raise CheckFailedError if a player does not meet what is required."""
    if require is None:
        return
    unmet = [one for one in grades if not one.meets(require)]
    if not unmet:
        return
    reason = f"required: {require}; not met by {', '.join(one.player for one in unmet)}"
    sampled = [one.player for one in unmet if one.method == "sampled"]
    if sampled:
        reason += (
            f"; a sample of the moves of {', '.join(sampled)} does not show it: declare"
            " --deterministic, or return probabilities that do not change"
        )
    raise CheckFailedError(reason)


def _print(grades: list[Grade], source: str, as_json: bool) -> None:
    """Print a report on one player, or a line for each of several."""
    if as_json:
        data = [one.as_dict() for one in grades]
        print_json(data[0] if len(data) == 1 else data)
        return
    if len(grades) == 1:
        echo(grade_report.text(grades[0], source))
        return
    print_rows(grade_report.summary(grades))
    for remark in grade_report.summary_remarks(grades):
        echo(remark)
