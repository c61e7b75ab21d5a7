"""The commands about tables: solve, verify, check, info, games."""

from __future__ import annotations

import os
import time
from typing import Annotated, Any

import typer

from solver.cli.app import (
    CheckFailedError,
    File,
    Json,
    app,
    check_drawing,
    complete_games,
    parse_size,
    print_json,
    print_rows,
    progress,
    remark,
    stages,
)
from solver.errors import GameLawError, KernelError, TableFormatError, TableProofError
from solver.files import check_writable, save
from solver.games import load_game, name_forms
from solver.games.catalogue import GAMES
from solver.pictures.statistics_chart import draw_statistics
from solver.pictures.svg import svg
from solver.proof.verify import verify
from solver.rules.check_kernel import find_kernel
from solver.rules.laws import check_game
from solver.solving.executors import ENGINES
from solver.solving.solve import METHODS, SolveOptions, solve_file
from solver.tables.export import FORMATS, export
from solver.tables.open import open_table, table_of
from solver.tables.statistics import compute_statistics, format_statistics
from solver.tables.store import read_table
from solver.value import Outcome

GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A name (see perfectplay games), or your own as FILE.py:CLASS.",
        autocompletion=complete_games,
    ),
]
OwnRules = Annotated[
    str | None,
    typer.Option(
        "--game",
        help="The game whose rules to take; the one that the table names if left out.",
        autocompletion=complete_games,
        show_default=False,
    ),
]
Workers = Annotated[
    int,
    typer.Option("--workers", min=1, max=10_000, help="Processes that share the work."),
]
Memory = Annotated[
    str | None,
    typer.Option(
        "--memory",
        metavar="SIZE",
        help="What each worker may take, such as 4GB; what does not fit stays on disk.",
        show_default=False,
    ),
]


@app.command("solve")
def solve_command(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="[GAME]",
            help="A name (see perfectplay games), or your own as FILE.py:CLASS; tictactoe if left"
            " out.",
            autocompletion=complete_games,
            show_default=False,
        ),
    ] = None,
    named: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            help="The game, as other commands take it.",
            autocompletion=complete_games,
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the table here, as JSON or mapped if the name ends in .json or"
            " .safetensors.",
            show_default=False,
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            metavar="|".join(METHODS), help="How to solve.", autocompletion=lambda: list(METHODS)
        ),
    ] = METHODS[0],
    workers: Workers = 1,
    memory: Memory = None,
    engine: Annotated[
        str,
        typer.Option(
            metavar="|".join(ENGINES),
            help="Where the work is done: on this machine, or on a Dask cluster.",
            autocompletion=lambda: list(ENGINES),
        ),
    ] = ENGINES[0],
    scheduler: Annotated[
        str | None,
        typer.Option(
            "--scheduler",
            metavar="ADDRESS",
            help="The cluster's scheduler, such as tcp://host:8786; without it, Dask is started"
            " here.",
            show_default=False,
        ),
    ] = None,
    workdir: Annotated[
        str | None,
        typer.Option(
            "--workdir",
            metavar="DIR",
            help="Keep what is finished here, where all workers see it; beside the table if left"
            " out.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Solve a game and write its table.

    A large game leaves what is finished in a folder beside the table until that is written: if
    it is stopped, the same command goes on there.
    """
    begun = time.perf_counter()
    if game is not None and named is not None and game != named:
        raise ValueError(f"name one game, not both {game} and {named}")
    name = next((name for name in (game, named) if name is not None), "tictactoe")
    rules = load_game(name)
    limit = None if memory is None else parse_size(memory)
    with stages() as show:
        options = SolveOptions(
            method, workers, limit, engine, scheduler, workdir, name, show, remark
        )
        path = solve_file(rules, output, options)
    seconds = round(time.perf_counter() - begun, 3)
    facts = _facts(path, rules)
    facts["seconds"] = seconds
    if as_json:
        print_json({name: facts[name] for name in SOLVED})
        return
    _print_counts(facts)
    typer.echo(f"wrote {path}: {facts['bytes']:,} bytes in {seconds} s")


@app.command("verify")
def verify_command(
    file: File,
    game: OwnRules = None,
    as_json: Json = False,
) -> None:
    """Prove every entry of a table from the rules alone; exit 1 if one is wrong."""
    data = read_table(file)
    try:
        with progress("entries") as show:
            proof = verify(data, None if game is None else load_game(game), show)
    except (TableFormatError, TableProofError) as error:
        if as_json:
            print_json({"path": file, "proved": False, "error": str(error)})
        raise CheckFailedError(f"{file}: {error}") from error
    facts = proof._asdict() | {
        "outcome": str(proof.outcome),
        "path": file,
        "bytes": len(data),
    }
    if as_json:
        print_json({"proved": True} | facts)
        return
    _print_counts(facts)
    typer.echo(f"proved {file}: every entry follows from the rules")


@app.command()
def check(game: GameArgument, as_json: Json = False) -> None:
    """Test on random games whether rules keep the laws of a game; exit 1 if one is broken."""
    rules = load_game(game)
    try:
        positions = check_game(rules)
        kernel, _ = find_kernel(rules)
    except (GameLawError, KernelError) as error:
        if as_json:
            print_json({"game": rules.spec, "kept": False, "error": str(error)})
        raise CheckFailedError(str(error)) from error
    if as_json:
        facts = {"game": rules.spec, "kept": True, "positions": positions}
        print_json(facts | {"kernel": kernel is not None})
        return
    typer.echo(f"{rules.spec} keeps the laws: {positions:,} positions of random games tested")
    if kernel is not None:
        typer.echo("its kernel agrees with its rules")


@app.command()
def info(
    file: File,
    detail: Annotated[
        bool,
        typer.Option("--detail", help="Also outcomes, moves and lone good moves by ply."),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE.svg",
            help="Draw the details here as a chart.",
            show_default=False,
        ),
    ] = None,
    game: OwnRules = None,
    as_json: Json = False,
) -> None:
    """Show what a table holds.

    Details take a while: all positions are looked at, or 20,000 drawn evenly of a large table. One
    good move: of the positions with several moves, how often only one keeps the outcome.
    """
    check_drawing(output)
    rules = None if game is None else load_game(game)
    facts = _facts(file, rules)
    found = None
    if detail or output is not None:
        with progress("positions") as show:
            found = compute_statistics(open_table(file, rules), show)
    if found is not None and output is not None:
        save(output, svg(draw_statistics(found)).encode())
    if as_json:
        print_json(facts | ({} if found is None else {"detail": found.as_data()}))
        return
    _print_counts(facts)
    for name in ("rules", "sha256", "bytes"):
        typer.echo(f"{name}: {facts[name]}")
    if found is not None:
        typer.echo(f"\n{format_statistics(found)}", nl=False)
    if output is not None:
        typer.echo(f"\nwrote {output}")


@app.command("export")
def export_command(
    file: File,
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write this file; it ends in " + ", ".join(FORMATS) + ".",
            show_default=False,
        ),
    ],
    game: OwnRules = None,
    planes: Annotated[
        bool,
        typer.Option("--planes", help="Also the board as planes of 0 and 1, own stones first."),
    ] = False,
) -> None:
    """Write every position of a table, its outcome, distance and best moves, for other programs.

    Where a move is a cell or a column, also a mask of 0 and 1 that tells which are best.
    """
    check_writable(output)
    table = open_table(file, None if game is None else load_game(game))
    if os.path.exists(output) and os.path.samefile(file, output):
        raise ValueError(f"{output} is the table itself: name another file to write")
    with progress("positions") as show:
        count = export(table, output, show, planes)
    typer.echo(f"wrote {output}: {count:,} positions up to symmetry")


@app.command()
def games(as_json: Json = False) -> None:
    """List the games."""
    if as_json:
        print_json([listing._asdict() for listing in GAMES])
        return
    rows = [("game", "positions", "up to symmetry", "value", "what it is (source)")]
    for listing in GAMES:
        canonical = f"{listing.canonical:,}" if listing.canonical else "-"
        title = f"{listing.title} ({listing.source})"
        rows.append((listing.spec, f"{listing.positions:,}", canonical, listing.value, title))
    print_rows(rows)
    typer.echo("\nOther sizes:")
    for form in name_forms():
        typer.echo(f"  {form}")


SOLVED = (
    *("game", "positions", "canonical", "terminal", "win", "draw", "loss", "outcome", "distance"),
    *("seconds", "bytes", "sha256", "path"),
)


def _facts(path: str, game: Any) -> dict[str, Any]:
    """Return what a table file holds, for printing."""
    data = read_table(path)
    try:
        table = table_of(data, game)
    except TableFormatError as error:
        raise TableFormatError(f"{path}: {error}") from error
    described = table.describe()
    return {
        "game": table.game.spec,
        **table.counts,
        "outcome": str(Outcome(described["outcome"])),
        "distance": described["distance"],
        "rules": described["rules"],
        "sha256": table.sha256,
        "bytes": len(data),
        "path": path,
    }


def _print_counts(facts: dict[str, Any]) -> None:
    plies = "" if facts["distance"] is None else f" in {facts['distance']} plies"
    typer.echo(f"{facts['game']}: {facts['outcome']}{plies} for the side to move at the start")
    typer.echo(
        f"{facts['positions']:,} positions ({facts['canonical']:,} up to symmetry,"
        f" {facts['terminal']:,} of them all with the game over)"
    )
    typer.echo(
        f"for the side to move: {facts['win']:,} wins, {facts['draw']:,} draws,"
        f" {facts['loss']:,} losses"
    )
