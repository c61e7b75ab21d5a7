"""The command strategy: small strategies of one side, written to files that anyone can check."""

from __future__ import annotations

from typing import Annotated

from solver.cli import options
from solver.cli.output import counted, echo, progress
from solver.cli.strategy_files import check_made, check_name, save_made
from solver.errors import EXTRAS
from solver.strategy.candidates import find_candidates, write
from solver.strategy.smallest import MOST_PROVED, PATIENCE, find_smallest
from solver.tables.open import open_table
from solver.tables.store import find_table

COUNTED = ("positions", "decisions", "cards")


def strategy(
    game: options.GameArgument,
    side: Annotated[
        str | None,
        options.choice("--side", options.SIDES, "Play this side.", "first, unless it loses"),
    ] = None,
    fewest: Annotated[
        str, options.choice("--fewest", COUNTED, "Make the strategy have few of these.")
    ] = "positions",
    output: Annotated[
        str | None, options.output("FILE", "Write the strategy to this file.", "none")
    ] = None,
) -> None:
    """Find the smallest strategy with which a side wins, or never loses.

    Positions and decisions are counted up to symmetry. Cards are the decisions that are left for a
    player who wins at once when possible, and else blocks when necessary. The strategy comes from
    the game's table. With the extra 'exact', integer programming proves that there is none with
    fewer, or states how many it needs at least.
    """
    options.check_word("--side", side, options.SIDES)
    options.check_word("--fewest", fewest, COUNTED)
    check_name(output)
    rules = options.load_checked(game)
    table = open_table(find_table(rules.spec, game), rules)
    with progress("positions") as show:
        side, candidates = find_candidates(table, side, fewest, show)
    choice, weight, bound = find_smallest(candidates)
    data = write(rules, side, candidates, choice, fewest)
    made = check_made(data, rules)
    echo(made.about)
    echo(_bounded(counted(weight, fewest[:-1]), weight, bound, len(candidates.places)))
    save_made(output, data)


def _bounded(number: str, weight: int, bound: int | None, nodes: int) -> str:
    """Return how many were found, and how many there must be."""
    if bound is None:
        return (
            f"{number} found; to prove how few are possible, install the extra 'exact':"
            f" python -m pip install {EXTRAS['exact']}"
        )
    if bound >= weight:
        return f"{number}, the fewest possible"
    if bound:
        return f"{number} found, at least {bound:,} needed"
    if nodes > MOST_PROVED:
        return f"{number} found; among {nodes:,} positions, no bound is computed"
    return f"{number} found; no bound was found in {PATIENCE:g} seconds"
