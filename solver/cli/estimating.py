"""The command about what is not solved yet: estimate."""

from __future__ import annotations

import os
import shutil

import typer

from solver.cli.app import Json, app, parse_size, print_json, print_rows, remark
from solver.cli.tables import GameArgument, Memory, Workers
from solver.games import load_game
from solver.solving.estimate import Estimate, estimate
from solver.tables.store import user_path

MONTH = 30 * 86400  # seconds
CORES = 64  # of a large machine
UNITS = ((86400 * 365, "years"), (86400, "days"), (3600, "hours"), (60, "minutes"), (1, "seconds"))


@app.command("estimate")
def estimate_command(
    game: GameArgument,
    workers: Workers = 1,
    memory: Memory = None,
    as_json: Json = False,
) -> None:
    """Tell how many positions a game has and what solving takes, before solving.

    Positions are counted where that is quick, and estimated from random samples elsewhere. Times
    are those of this machine's processors.
    """
    limit = None if memory is None else parse_size(memory)
    found = estimate(load_game(game), workers=workers, memory=limit)
    beyond = _beyond(found)
    if as_json:
        parts = found._asdict() | {"plies": [ply._asdict() for ply in found.plies]}
        print_json(parts | {"beyond": beyond})
        return
    rows = [(found.unit, "positions", "from", "to", "up to symmetry")]
    rows += [
        (str(p.ply), f"{p.positions:,}", f"{p.low:,}", f"{p.high:,}", f"{p.canonical:,}")
        for p in found.plies
    ]
    print_rows(rows)
    typer.echo(f"\n{_size(found)}")
    for text in found.remarks:
        remark(text)
    if not found.complete:
        return
    low, usual, high = (
        seconds / found.workers
        for seconds in (found.seconds_low, found.seconds, found.seconds_high)
    )
    many = found.workers > 1
    who = f"{found.workers} processors" if many else "one processor"
    typer.echo(
        f"Solving takes {who} like this machine's about {duration(usual)}, {duration(low)} to"
        f" {duration(high)}; {amount(found.memory)} of memory{' each' * many} and"
        f" {amount(found.disk)} of disk, to and from which {amount(found.volume)} go."
    )
    if found.file is not None:
        typer.echo(f"The table takes about {amount(found.file)}.")
    for text in beyond:
        typer.echo(text)


def _size(found: Estimate) -> str:
    """Return one sentence about how many positions there are."""
    if not found.complete:
        return (
            f"{found.game}: more than {found.positions:,} positions;"
            " the others were neither counted nor estimated."
        )
    if found.exact:
        return f"{found.game}: {found.positions:,} positions, counted one by one."
    return (
        f"{found.game}: about {found.positions:.3g} positions, between {found.low:.3g} and"
        f" {found.high:.3g} (95 %), estimated from samples."
    )


def _beyond(found: Estimate) -> list[str]:
    """Return what no one machine, or not this one, can do."""
    if not found.complete:
        return []
    said = []
    if hasattr(os, "sysconf"):
        here = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        if found.memory * found.workers > here:
            said.append(f"More memory than the {amount(here)} of this machine.")
    place = os.path.dirname(user_path(found.game, ""))
    while not os.path.isdir(place) and place != os.path.dirname(place):
        place = os.path.dirname(place)
    free = shutil.disk_usage(place or os.curdir).free
    if found.disk > free:
        said.append(f"More disk than the {amount(free)} that are free where tables go.")
    if found.memory > 1 << 42 or found.disk > 1 << 46 or found.seconds > 12 * MONTH * CORES:
        said.append("No one machine can do this.")
    elif found.seconds > MONTH * found.workers:
        said.append("More than a month of work.")
    return said


def duration(seconds: float) -> str:
    """Return a time in the unit that suits it."""
    size, name = next(unit for unit in UNITS if seconds >= unit[0] or unit[0] == 1)
    return (
        f"{seconds / size:.2g} {name}" if seconds < 10 * size else f"{seconds / size:,.0f} {name}"
    )


def amount(count: float) -> str:
    """Return a size in the unit that suits it."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:,.3g} TB" if count < 1000 else f"{count:,.0f} TB"
