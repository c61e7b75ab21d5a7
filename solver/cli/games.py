"""Commands about games and their rules: games, check."""

from __future__ import annotations

import typer

from solver.cli import options
from solver.cli.output import CheckFailedError, counted, print_json, print_rows
from solver.compiling.find import find_kernel
from solver.errors import GameLawError, KernelError
from solver.games import load_game, name_forms
from solver.games.catalogue import GAMES
from solver.rules.laws import check_game, repeats

WALKS = 20  # random games in which a repeated position is looked for


def games(as_json: options.Json = False) -> None:
    """List the games."""
    if as_json:
        print_json([listing._asdict() for listing in GAMES])
        return
    rows = [("game", "positions", "up to symmetry", "value", "description (source)")]
    for listing in GAMES:
        canonical = f"{listing.canonical:,}" if listing.canonical else "-"
        title = f"{listing.title} ({listing.source})"
        rows.append((listing.spec, f"{listing.positions:,}", canonical, listing.value, title))
    print_rows(rows)
    typer.echo("\nOther sizes:")
    for form in name_forms():
        typer.echo(f"  {form}")


def check(game: options.GameArgument, as_json: options.Json = False) -> None:
    """Check the rules of a game on random games.

    Solving relies on the laws of a game: every position that is not over has a move, for example,
    and every symmetry maps legal moves to legal moves. The exit status is 1 if the rules break a
    law, or if the compiled kernel of the game contradicts them.
    """
    rules = load_game(game)
    try:
        positions = check_game(rules)
        kernel, _ = find_kernel(rules)
    except (GameLawError, KernelError) as error:
        if as_json:
            print_json({"game": rules.spec, "kept": False, "error": str(error)})
        raise CheckFailedError(str(error)) from error
    if as_json:
        data = {"game": rules.spec, "kept": True, "positions": positions}
        print_json(data | {"kernel": kernel is not None})
        return
    typer.echo(
        f"{rules.spec}: the rules obey every law in {counted(positions, 'position')} of random"
        " games"
    )
    if any(repeats(rules, seed) for seed in range(WALKS)):
        typer.echo("positions can repeat: a game that never ends is a draw")
    if kernel is not None:
        typer.echo("the kernel agrees with the rules")
