"""The command that audits players: grade."""

from __future__ import annotations

from typing import Annotated

import typer

from .. import report
from ..games.mnk import Mnk
from ..grader import REPEATS, grade
from ..grades import REQUIREMENTS, Grade
from ..players.own import LIMIT
from ..store import save
from .app import (
    CheckFailedError,
    ConventionName,
    Deterministic,
    GameName,
    Json,
    Limit,
    PlayerNames,
    Seed,
    TableFile,
    app,
    open_agent,
    print_json,
    print_rows,
    progress_bar,
)


@app.command("grade")
def grade_command(
    players: PlayerNames,
    game: GameName = "tictactoe",
    table: TableFile = None,
    seats: Annotated[
        str,
        typer.Option("--as", metavar="first|second|both", help="Which seats it takes."),
    ] = "both",
    require: Annotated[
        str | None,
        typer.Option(
            "--require",
            metavar="|".join(REQUIREMENTS),
            help="Exit 1 unless every player meets this.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="FILE.html", help="Write a web page.", show_default=False
        ),
    ] = None,
    convention: ConventionName = "rows",
    deterministic: Deterministic = False,
    limit: Limit = LIMIT,
    repeats: Annotated[
        int,
        typer.Option("--repeats", min=1, help="How often to ask a player that moves by chance."),
    ] = REPEATS,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Audit players over every position that they can reach."""
    if require is not None and require not in REQUIREMENTS:
        raise ValueError(f"{require!r} cannot be required; {' and '.join(REQUIREMENTS)} can")
    agent = open_agent(game, table)
    grades: list[Grade] = []
    for name in players:
        with progress_bar(name) as bar:
            task = bar.add_task("")
            grades.append(
                grade(
                    name,
                    agent,
                    seats,
                    convention=convention,
                    deterministic=deterministic,
                    limit=limit,
                    repeats=repeats,
                    seed=seed,
                    progress=lambda done, total: bar.update(task, completed=done, total=total),  # noqa: B023
                )
            )
    if output is not None:
        columns = agent.game.columns if isinstance(agent.game, Mnk) else 1
        save(output, report.page(grades, columns).encode())
    if as_json:
        parts = [one.as_dict() for one in grades]
        print_json(parts[0] if len(parts) == 1 else parts)
    elif len(grades) == 1:
        typer.echo(report.text(grades[0]))
    else:
        print_rows(report.summary(grades))
    failed = [one.player for one in grades if require is not None and not one.meets(require)]
    if failed:
        raise CheckFailedError(f"required: {require}; not met by {', '.join(failed)}")
