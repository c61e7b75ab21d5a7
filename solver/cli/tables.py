"""The commands about tables: solve, verify, info, games."""

from __future__ import annotations

import json
import os
import time
from enum import StrEnum
from typing import Annotated, Any

import typer

from .. import words
from ..errors import TableFormatError, TableProofError
from ..games import GAMES, load_game
from ..proof import verify
from ..solving import solve
from ..store import own_path, read_file, save
from ..table import Table, decode, describe, encode
from ..value import Outcome
from .app import CheckFailedError, File, Json, app, complete_games, print_json


class Method(StrEnum):
    """How to solve."""

    search = "search"
    retrograde = "retrograde"


@app.command("solve")
def solve_command(
    game: Annotated[
        str, typer.Argument(help="The game to solve.", autocompletion=complete_games)
    ] = "tictactoe",
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write the table here.", show_default=False
        ),
    ] = None,
    method: Annotated[Method, typer.Option(help="How to solve.")] = Method.search,
    as_json: Json = False,
) -> None:
    """Solve a game and write its table."""
    begun = time.perf_counter()
    table = solve(load_game(game), method)
    data = encode(table)
    path = own_path(table.game.spec) if output is None else output
    if output is None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    save(path, data)
    seconds = round(time.perf_counter() - begun, 3)
    facts = _facts(table, path, data)
    if as_json:
        facts["seconds"] = seconds
        print_json(facts)
        return
    _print_counts(facts)
    typer.echo(f"wrote {path}: {len(data):,} bytes in {seconds} s")


@app.command("verify")
def verify_command(
    file: File,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            help="The rules to prove it from; the game that the table names if left out.",
            autocompletion=complete_games,
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Prove every entry of a table from the rules alone; exit 1 if one is wrong."""
    data = read_file(file)
    try:
        proof = verify(data, None if game is None else load_game(game))
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
def info(file: File, as_json: Json = False) -> None:
    """Show what a table holds."""
    data = read_file(file)
    try:
        table = decode(data)
    except TableFormatError as error:
        raise TableFormatError(f"{file}: {error}") from error
    facts = _facts(table, file, data)
    if as_json:
        print_json(facts)
        return
    _print_counts(facts)
    for name in ("rules", "sha256", "bytes"):
        typer.echo(f"{name}: {facts[name]}")


@app.command()
def games(as_json: Json = False) -> None:
    """List the games."""
    if as_json:
        print_json([listing._asdict() for listing in GAMES])
        return
    for listing in GAMES:
        typer.echo(
            f"{listing.spec}: {listing.title}; {listing.positions:,} positions,"
            f" {listing.canonical:,} up to symmetry; {listing.value} ({listing.source})"
        )


def _facts(table: Table, path: str, data: bytes) -> dict[str, Any]:
    """Return what a table file holds, for printing."""
    described = describe(table)
    return {
        "game": table.game.spec,
        **table.counts,
        "outcome": str(Outcome(described["outcome"])),
        "distance": described["distance"],
        "rules": described["rules"],
        "sha256": json.loads(data)["sha256"],
        "bytes": len(data),
        "path": path,
    }


def _print_counts(facts: dict[str, Any]) -> None:
    worth = words.worth(Outcome[facts["outcome"].upper()], facts["distance"])
    typer.echo(f"{facts['game']}: {worth} for the side to move at the start")
    typer.echo(
        f"{facts['positions']:,} positions ({facts['canonical']:,} up to symmetry,"
        f" {facts['terminal']:,} of them all with the game over)"
    )
    typer.echo(
        f"for the side to move: {facts['win']:,} wins, {facts['draw']:,} draws,"
        f" {facts['loss']:,} losses"
    )
