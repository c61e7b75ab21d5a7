"""The command that audits players: grade."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from solver.agent.agent import TableAgent
from solver.arena.audit import REPEATS, grade
from solver.arena.grade import REQUIREMENTS, Grade, ungraded
from solver.cli import grade_report as report
from solver.cli.app import (
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
    progress,
)
from solver.errors import UnknownPlayerError
from solver.files import check_writable, save
from solver.players import load_player
from solver.players.external import LIMIT


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
    check_writable(output)
    agent = open_agent(game, table)
    for name in players:  # a mistyped name is told before the work begins
        if ":" not in name:
            load_player(name, agent)
    options = {
        "convention": convention,
        "deterministic": deterministic,
        "limit": limit,
        "repeats": repeats,
        "seed": seed,
    }
    grades = [_grade_one(name, agent, seats, len(players) > 1, options) for name in players]
    if output is not None:
        save(output, report.page(grades, agent.game).encode())
    if as_json:
        parts = [one.as_dict() for one in grades]
        print_json(parts[0] if len(parts) == 1 else parts)
    elif len(grades) == 1:
        typer.echo(report.text(grades[0]))
    else:
        print_rows(report.summary(grades))
        for remark in report.remarks(grades):
            typer.echo(remark)
    failed = [one.player for one in grades if require is not None and not one.meets(require)]
    if failed:
        raise CheckFailedError(f"required: {require}; not met by {', '.join(failed)}")


def _grade_one(
    name: str, agent: TableAgent, seats: str, among_others: bool, options: dict[str, Any]
) -> Grade:
    """Return a player's grade; among others, that of one that cannot be loaded says so."""
    with progress(name) as show:
        try:
            return grade(name, agent, seats, progress=show, **options)
        except UnknownPlayerError as error:
            if not among_others:
                raise
            return ungraded(name, agent.game.spec, seats, str(error))
