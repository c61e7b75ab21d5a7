"""Commands about solving games: solve, estimate."""

from __future__ import annotations

import os
import shlex
import time
from typing import Annotated, Any

import typer

from solver.cli import options
from solver.cli.output import print_json, print_rows, report, report_doubts, solve_progress, working
from solver.cli.tables import print_counts, table_data
from solver.errors import TableFormatError
from solver.games import load_game
from solver.games.custom import is_custom, is_openspiel
from solver.proof.repeat import REPEATED, check_repeats
from solver.rules.game import Game
from solver.solving.forecast import cost_in_words, forecast, size_in_words
from solver.solving.limits import exceeded, refuse_hopeless, weak_way
from solver.solving.solve import METHODS, SolveOptions, solve_file
from solver.tables.open import open_table
from solver.tables.store import SUFFIXES, WORK, user_path
from solver.units import counted, parse_size

Output = Annotated[
    str | None,
    options.output(
        "FILE",
        "Write the table to FILE: as JSON if the name ends in .json, memory-mapped if it ends"
        " in .safetensors.",
        "the folder of the user's tables",
    ),
]
Method = Annotated[
    str, options.choice("--method", METHODS, "Choose the method; both write the same table.")
]
Scheduler = Annotated[
    str | None,
    options.option(
        "--scheduler",
        "ADDRESS",
        "Solve on the Dask cluster with this scheduler, such as tcp://host:8786; with 'new', on one"
        " that is started on this machine.",
    ),
]
Workdir = Annotated[
    str | None,
    options.option(
        "--workdir",
        "DIR",
        "Store unfinished work in DIR, which every worker must be able to reach.",
        "a folder beside the table",
    ),
]
Force = Annotated[
    bool, typer.Option("--force", help="Solve even if the forecast says that it cannot finish.")
]
Plain = Annotated[
    bool,
    typer.Option("--plain", help="Solve in plain Python, even if the rules can be compiled."),
]
Weak = Annotated[
    bool, typer.Option("--weak", help="Write no table but a strategy, found by search.")
]
Side = Annotated[
    str | None,
    options.choice("--side", options.SIDES, "With --weak, ask whether this side wins.", "first"),
]


def solve(
    game: options.GameArgument = "tictactoe",
    output: Output = None,
    method: Method = METHODS[0],
    workers: options.Workers = 1,
    memory: options.Memory = None,
    scheduler: Scheduler = None,
    workdir: Workdir = None,
    force: Force = False,
    plain: Plain = False,
    weak: Weak = False,
    side: Side = None,
    as_json: options.Json = False,
) -> None:
    """Solve a game and write its table.

    The unfinished work of a large game is stored in a folder until the table is written. To
    continue after an interruption, run the same command again; to give up, delete the folder.

    A game is refused if a rough forecast says that it needs ten times the disk or memory that there
    is, or more; --force starts it all the same. In any case a large solve stops before less than 1
    GB of the disk is free.

    With --weak, a search in 2 GB of memory, or what --memory says, asks whether the first side can
    force a win, and writes a strategy file: that of the side that wins, or of the one that prevents
    it. If the game may be a draw, --side second makes the other file.
    """
    started = time.perf_counter()
    limit = parse_size(memory)
    if weak:
        if (method, workers) != (METHODS[0], 1) or any((scheduler, workdir, force, plain)):
            raise ValueError("--weak takes no options but --side, --memory, -o and --json")
        from solver.cli.strategy import solve_to_strategy

        with working(f"checking the rules of {game}"):
            rules = _load_repeatable(game)
        solve_to_strategy(rules, side or options.SIDES[0], limit, output, as_json)
        return
    if side is not None:
        raise ValueError("--side is for --weak")
    with solve_progress(f"checking the rules of {game}") as show:
        how = SolveOptions(
            method, workers, limit, scheduler, workdir, game, show, report, force, plain
        )
        if is_openspiel(game) and not force:
            refuse_hopeless(load_game(game), how)
        rules = _load_repeatable(game)
        report_doubts(rules)
        checked = list[int]()
        path = solve_file(rules, output, how._replace(checked=checked.append))
    facts: dict[str, Any] = {"checked": checked[-1]} if checked else {}
    facts["seconds"] = round(time.perf_counter() - started, 3)
    _report_table(path, rules, facts, as_json)


def _report_table(path: str, rules: Game[Any, Any], facts: dict[str, Any], as_json: bool) -> None:
    """Print what was solved, in how many seconds, and at how many positions it was compared."""
    try:
        table = open_table(path, rules)
    except TableFormatError:  # the rules are not what they were: they depend on chance
        os.unlink(path)
        raise
    data = table_data(path, table) | facts
    if as_json:
        print_json({name: value for name, value in data.items() if name != "rules"})
        return
    print_counts(data)
    typer.echo(f"wrote {path}: {data['bytes']:,} bytes in {facts['seconds']} s")
    if "checked" in facts:
        total = counted(table.counts["canonical"], "position")
        if table.counts["canonical"] < table.counts["positions"]:
            total += " up to symmetry"
        typer.echo(
            f"checked {facts['checked']:,} of {total} by the rules; perfectplay verify"
            f" {shlex.quote(path)} proves all"
        )


def estimate_command(game: options.GameArgument, as_json: options.Json = False) -> None:
    """Say how large a game is and roughly what solving it takes on this machine.

    Positions are counted up to symmetry, ply by ply, for ten seconds of CPU time. If that is not
    the whole game, the rest is a guess from how its plies grow, often within a factor of three.
    """
    with solve_progress(f"checking the rules of {game}") as show:
        rules = _load_repeatable(game)
        size = forecast(rules, progress=show)
    folder, table = (user_path(size.game, suffix) for suffix in (WORK, SUFFIXES[-1]))
    beyond = exceeded(size, folder, table, SolveOptions())
    if as_json:
        print_json(size._asdict() | {"beyond": beyond})
        return
    print_rows([("ply", "positions"), *((str(i), f"{n:,}") for i, n in enumerate(size.plies))])
    typer.echo(f"\n{size_in_words(size)}")
    if size.growth:
        typer.echo(size.growth)
    if size.remark:
        report(size.remark)
    typer.echo(f"Solving it takes {cost_in_words(size)}.")
    for text in beyond:
        typer.echo(text)
    if beyond and (way := weak_way(rules, game)):
        typer.echo(way.strip())


def _load_repeatable(spec: str) -> Any:
    """Return the game of a name; raises GameLawError if its rules break a law or differ."""
    rules = options.load_checked(spec)
    if is_custom(spec):
        check_repeats(rules, spec, processes=1, plies=REPEATED)
    return rules
