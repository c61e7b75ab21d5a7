"""The command grade: an audit of players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from solver.agent.agent import TableAgent
from solver.arena.audit import TOTAL
from solver.arena.grade import REQUIREMENTS, Grade
from solver.arena.several import AT_ONCE, TOGETHER, grade_several, opened
from solver.cli import options, player_options
from solver.cli.output import CheckFailedError, echo, print_json, print_rows, progress, report
from solver.errors import UnknownPlayerError
from solver.files import save
from solver.players import load_player
from solver.players.conventions import usual_convention
from solver.players.lists import expand_players
from solver.players.player import LIMIT
from solver.reports import grade_text

Seats = Annotated[
    str, options.choice("--as", ("first", "second", "both"), "Choose the sides to grade.")
]
Require = Annotated[
    str | None,
    options.choice("--require", REQUIREMENTS, "Exit with status 1 unless all players qualify."),
]
Outputs = Annotated[
    list[str] | None,
    options.output(
        "FILE",
        "Write the grades as a page, FILE.html, or as a table, FILE.csv; or both, with two -o.",
    ),
]
Total = Annotated[
    float | None,
    options.option(
        "--total",
        "SECONDS",
        "Allow each player this long for everything.",
        f"{TOTAL:g}, or for several players a share of {TOGETHER:g}",
        min=0,
    ),
]
Workers = Annotated[
    int | None,
    options.option(
        "--workers", "N", "Grade N players at once.", f"{AT_ONCE} for each processor", min=1
    ),
]
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
    output: Outputs = None,
    convention: player_options.Convention = None,
    deterministic: player_options.Deterministic = False,
    limit: player_options.Limit = LIMIT,
    total: Total = None,
    workers: Workers = None,
    show_output: ShowOutput = False,
    sample: Sample = None,
    as_json: options.Json = False,
) -> None:
    """Grade players on every position that they can reach."""
    if require is not None and sample is not None:
        raise ValueError(f"--sample cannot show {require}: leave out --require or --sample")
    for path in output or ():
        options.check_output(path, "the file", ".html", ".csv")
        import solver.reports.grade_files  # noqa: F401 -- a missing part is named before the work
    agent = opened(game, table)
    names = expand_players(players)
    for name in names:  # reports a mistyped name before the work starts
        if ":" not in name and not name.endswith(".py"):
            load_player(name, agent)
    settings: dict[str, Any] = {"seats": seats, "sample": sample}
    settings["convention"] = convention or usual_convention(agent.game)
    settings["deterministic"] = deterministic
    settings |= {"limit": limit, "show_output": show_output}
    settings["claims"] = require is None  # a bot that must qualify cannot vouch for itself
    source = grade_text.game_options(game, table)
    grades: list[Grade] = []
    with progress(names[0] if len(names) == 1 else "players") as show:
        asked = names, (game, table), total, workers, settings
        for grades in grade_several(*asked, show, report, _say):
            if len(grades) < len(names):
                _write(grades, [path for path in output or () if _is_csv(path)], agent, source)
    if len(grades) == 1 and grades[0].is_unloaded:
        raise UnknownPlayerError(grades[0].faults[0].detail)
    _write(grades, output or (), agent, source)
    for path in output or ():
        report(f"wrote {path}")
    _print(grades, source, as_json)
    kinds = {fault.kind for one in grades for fault in one.faults}
    if kinds & {"exception", "ended"} and not show_output:
        report("add --show-output to see what the players print, and their first exceptions")
    _judge(grades, require)


def _say(which: str, one: Grade) -> None:
    """Report the grade of one of several players."""
    report(f"{which}: {grade_text.verdict(one)}")


def _is_csv(path: str) -> bool:
    return path.lower().endswith(".csv")


def _write(
    grades: list[Grade], paths: Sequence[str], agent: TableAgent[Any, Any], source: str
) -> None:
    """Write the grades to files."""
    from solver.reports.grade_files import csv_text, page

    for path in paths:
        text = csv_text(grades) if _is_csv(path) else page(grades, agent.game, source)
        save(path, text.encode())


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
        echo(grade_text.text(grades[0], source))
        return
    print_rows(grade_text.summary(grades))
    for remark in grade_text.summary_remarks(grades):
        echo(remark)
