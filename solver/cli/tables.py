"""Commands about table files: verify, info, export."""

from __future__ import annotations

import os
import shlex
from typing import Annotated, Any

import typer

from solver.agent.words import RESULTS
from solver.cli import options
from solver.cli.output import CheckFailedError, echo, print_json, progress, report_doubts
from solver.errors import GameLawError, StrategyError, TableFormatError, TableProofError
from solver.files import check_writable
from solver.games import is_built_in, load_game
from solver.games.custom import is_openspiel
from solver.proof.repeat import PROCESSES
from solver.proof.verify import verify
from solver.rules.game import is_packaged
from solver.rules.rule_files import RuleFiles, rules_path
from solver.tables.json_table import Table
from solver.tables.mapped_table import MappedTable
from solver.tables.open import is_book, is_strategy, open_book, open_table
from solver.tables.source import open_source
from solver.tables.store import MOST_BYTES, UNPROVED, find_book, find_table, rules_of
from solver.units import counted
from solver.value import Outcome, distance, outcome


def verify_command(
    file: options.TableArgument = None,
    game: options.Rules = None,
    as_json: options.Json = False,
) -> None:
    """Prove a table or a strategy from the rules alone.

    Every position that a game can reach is visited, and the table is asked about it, by all
    processors if it has 100,000 positions or more. Of a strategy, every line is compared with the
    rules. The exit status is 1 if an entry or a line is wrong.
    """
    file = table_file(file, game)
    source = None if is_strategy(file) else open_source(file, MOST_BYTES)
    if source is not None and is_book(source):
        raise ValueError(
            f"{file} is a book: python -m examples.checkers.verify_book, in a checkout, proves it"
        )
    try:
        with progress("proving positions") as show:
            if source is None:
                from solver.cli.follow import about, open_proved

                strategy, rules, compared = open_proved(file, game, show)
                data = {"path": file, "proved": True} | about(strategy) | {"compared": compared}
                data["processes"] = PROCESSES if compared else 0
                claim, files = strategy.about, (RuleFiles(rules).stated or {"hash": ""})["hash"]
            else:
                proof = verify(source, game, show, workers=None)
                data = proof._asdict() | {"outcome": str(proof.outcome)}
                data |= {"path": file, "bytes": source.size}
                claim = f"by {proof.by} at {proof.positions:,} positions"
                files = files_in_words(proof.source, proof.files is not None)
    except (StrategyError, TableFormatError, TableProofError, GameLawError) as error:
        if as_json:
            print_json({"path": file, "proved": False, "error": str(error)})
        raise CheckFailedError(f"{file}: {error}") from error
    if game is not None:
        report_doubts(load_game(game))
    if as_json:
        print_json(data | {"proved": True})
        return
    if source is not None:
        print_counts(data)
    name = str(game or data["game"])
    if files and not is_built_in(name) and not is_openspiel(name):
        echo(f"files of the rules: {files}")
    if data["compared"]:
        number = counted(int(str(data["compared"])), "position")
        echo(f"order of sets: compared at {number} in {data['processes']} processes")
    echo(f"proved {file}: {claim}")


def info(
    file: options.TableArgument = None,
    game: options.Rules = None,
    as_json: options.Json = False,
) -> None:
    """Show what a table contains.

    Of a strategy, the claim and the sizes are shown, which only `verify` proves.
    """
    file = table_file(file, game)
    says = files = ""
    if is_strategy(file):
        from solver.cli.follow import describe

        says, data = describe(file, game)
    elif is_book(open_source(file)):
        data = _book_data(file, game)
    else:
        table = open_table(file, _rules(game))
        data = table_data(file, table)
        files = _note_files(data, table)
    if as_json:
        print_json(data)
        return
    if says:
        echo(says)
    elif "depth" in data:
        _print_value(data)
        number = counted(data["positions"], "position")
        typer.echo(f"{number} up to ply {data['depth']}, up to symmetry")
    else:
        print_counts(data)
    for name in ("rules", "sha256", "bytes"):
        if name in data:
            typer.echo(f"{name}: {data[name]}")
    if files:
        typer.echo(files)


def _book_data(file: str, game: str | None) -> dict[str, Any]:
    """Return what a book contains."""
    book = open_book(file, _rules(game))
    start = book.score(book.game.canonical(book.game.initial())) or 0
    return {
        "game": book.game.spec,
        "depth": book.depth,
        "positions": sum(book.counts),
        "outcome": str(outcome(start)),
        "distance": distance(start),
        "sha256": book.sha256,
        "bytes": os.path.getsize(file),
        "path": file,
        "plies": book.counts,
    }


def _note_files(data: dict[str, Any], table: Table | MappedTable) -> str:
    """Add the files that the table of a custom game states; return a line about them."""
    if is_packaged(table.game):
        return ""
    data["source"] = table.rule_files
    known = (table.rule_files or {"hash": rules_path(table.game)})["hash"]
    return f"files of the rules: {files_in_words(known, table.rule_files is not None)}"


def files_in_words(known: str, stated: bool) -> str:
    """Return what is known of the files of a custom game's rules: their hash, if it is stated."""
    if not known:
        return "none, so they have no hash, and no other process can ask these rules"
    return known if stated else "not stated in the table, so they may have changed since"


def _print_value(data: dict[str, Any]) -> None:
    """Print the value of the game."""
    plies = "" if data["distance"] is None else f" in {counted(data['distance'], 'ply', 'plies')}"
    typer.echo(f"{data['game']}: {RESULTS[data['outcome']]}{plies} with perfect play")


def export_command(
    output: Annotated[
        str,
        options.output("FILE", "Write this .csv, .json, .jsonl or .safetensors file."),
    ],
    file: options.TableArgument = None,
    game: options.Rules = None,
    planes: Annotated[
        bool,
        typer.Option(
            "--planes", help="Add the board as planes of 0 and 1, first that of the side to move."
        ),
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Export every position, not one of each symmetric set.")
    ] = False,
    split: Annotated[
        str | None,
        options.option(
            "--split", "SHARES", "Add a column split: train and test as in 80/20, or 80/10/10."
        ),
    ] = None,
) -> None:
    """Export the positions of a table for other programs.

    Every position has its outcome, distance and best moves, the outcome, distance and regret of
    every legal move and, in games whose moves are cells or columns, a mask of 0 and 1 in which 1
    marks the best moves. A .jsonl file also says how the game is played. Without --all, there is
    only one of each set of symmetric positions, too few for a learner that does not know the
    symmetries; --split puts all of a set into the same part.

    A file that ends in .safetensors is the table itself, packed into a quarter of its bytes. Every
    command takes it as a table, and proves it in the same way; a look-up takes about ten times as
    long.
    """
    from solver.tables.export import PACKED, export

    check_writable(output)
    file = table_file(file, game)
    if os.path.exists(output) and os.path.samefile(file, output):
        raise ValueError(f"{output} is the table itself: name another file to write")
    table = open_table(file, _rules(game))
    with progress("exporting positions") as show:
        count = export(table, output, show, planes, every, split)
    if output.endswith(PACKED):
        size, packed = os.path.getsize(file), os.path.getsize(output)
        typer.echo(f"wrote {output}: {packed:,} bytes in place of {size:,}")
        return
    total = table.counts["positions"]
    rest = "" if count == total else f" up to symmetry; --all exports all {total:,}"
    typer.echo(f"wrote {output}: {counted(count, 'position')}{rest}")


def table_data(path: str, table: Table | MappedTable) -> dict[str, Any]:
    """Return what the header of a table says, with the file's path and size."""
    header = table.describe()
    return {
        "game": table.game.spec,
        **table.counts,
        "outcome": str(Outcome(header["outcome"])),
        "distance": header["distance"],
        "rules": header["rules"],
        "sha256": table.sha256,
        "bytes": os.path.getsize(path),
        "path": path,
        **({"proved": False} if path.endswith(UNPROVED) else {}),
    }


def print_counts(data: dict[str, Any]) -> None:
    """Print the value of the game and the numbers of positions."""
    positions, canonical, over = (
        counted(data["positions"], "position"),
        *(f"{data[n]:,}" for n in ("canonical", "terminal")),
    )
    wins, draws = (counted(data[name], name) for name in ("win", "draw"))
    losses = counted(data["loss"], "loss", "losses")
    _print_value(data)
    typer.echo(f"{positions} ({canonical} up to symmetry); the game is over in {over}")
    typer.echo(f"for the side to move: {wins}, {draws}, {losses}")
    if "proved" in data:
        echo(f"solved, not proved: perfectplay verify {shlex.quote(data['path'])} proves it")


def table_file(file: str | None, game: str | None) -> str:
    """Return the path of the table that the user names, by default that of the game."""
    if file is not None:
        return file
    if game is None:
        raise ValueError("name the file of a table, or its game with --game GAME")
    rules = load_game(game)
    try:
        return find_table(rules.spec, game, rules_of(rules), unproved=True)
    except FileNotFoundError:
        if (book := find_book(rules.spec)) is None:
            raise
        return book


def _rules(game: str | None) -> Any:
    """Return the game that --game names, or None for the one that the table names."""
    return None if game is None else load_game(game)
