"""The command strategy, and solve --weak: strategies of one side, written to files."""

from __future__ import annotations

from graphlib import CycleError
from typing import TYPE_CHECKING, Annotated, Any

from solver.agent.installed import open_installed
from solver.cli import options
from solver.cli.follow import about
from solver.cli.output import echo, print_json, progress, report, solve_progress, working
from solver.errors import EXTRAS, MemoryLimitError, StrategyError, needs_extra
from solver.files import save
from solver.games import built_in_name, copy_game
from solver.rules.default_keys import with_keys
from solver.rules.game import Game
from solver.rules.laws import check_game
from solver.solving.memory import installed
from solver.units import counted, format_size

if TYPE_CHECKING:
    from solver.strategy.file import Strategy

COUNTED = ("positions", "decisions", "cards")
MEMORY = 2_000_000_000  # bytes of a search, unless --memory says otherwise
LOADED = 250_000_000  # bytes that the process takes before its first position


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
    from solver.strategy.candidates import find_candidates, write
    from solver.strategy.smallest import find_smallest

    options.check_output(output, "a strategy file", ".txt")
    rules = options.load_checked(game)
    table: Any = open_installed(rules, game, search=False)
    with progress("looking up positions") as show:
        side, candidates = find_candidates(table, side, fewest, show)
    with working(f"looking for the fewest {fewest}"):
        choice, weight, bound = find_smallest(candidates)
    data = write(rules, side, candidates, choice, fewest)
    made = _check_made(data, rules)
    echo(made.about)
    echo(_bounded(counted(weight, fewest[:-1]), weight, bound, len(candidates.weights)))
    _save_made(output, data)


def _bounded(number: str, weight: int, bound: int | None, nodes: int) -> str:
    """Return how many were found, and how many there must be."""
    from solver.strategy.smallest import MOST_PROVED, PATIENCE

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


def solve_to_strategy(
    game: Game[Any, Any], side: str, memory: int | None, output: str | None, as_json: bool
) -> None:
    """Find, check and write the strategy that answers whether a side wins."""
    options.check_output(output, "a strategy file", ".txt")
    limit = memory or MEMORY
    room = limit - LOADED
    if room <= 0:
        raise MemoryLimitError(
            f"a search takes {LOADED / 1e6:,.0f} MB before its first position, more than the limit"
            f" of {limit:,} bytes"
        )
    if (most := installed()) is not None and room > most:
        raise MemoryLimitError(
            f"--memory is {format_size(limit)}; this machine has {format_size(most)}"
        )
    if built_in_name(game) is None:
        check_game(game)  # a strategy relies on its symmetries
    data = _found(copy_game(game), side, room)
    made = _check_made(data, game)
    if not as_json:
        echo(made.about)
    _save_made(output, data, as_json)
    if as_json:
        print_json({"path": output} | about(made) | {"bytes": len(data)})
    elif made.side != side and made.aim == "holds":
        echo(f"whether it wins, --side {made.side} asks; if not, the game is a draw")


def _found(game: Game[Any, Any], side: str, room: int) -> bytes:
    """Return the file of the strategy that a search finds."""
    with needs_extra("solve --weak", "fast"):
        from solver.strategy.candidates import write
        from solver.strategy.weak import may_repeat, solve_weakly
    with solve_progress() as show:
        claimant, found = with_keys(
            game, lambda: solve_weakly(game, side, room, show, report), report
        )
    try:
        return write(game, claimant, found, [0] * len(found.weights), "positions")
    except CycleError as error:
        raise may_repeat(game, "one does in the strategy found") from error


def _check_made(data: bytes, rules: Game[Any, Any]) -> Strategy:
    """Return the strategy in a file to be written; raises StrategyError unless it is proved."""
    from solver.strategy.file import Strategy
    from solver.strategy.rules_check import check_rules

    try:
        made = Strategy(data)
        with progress("checking positions") as show:
            check_rules(made, rules, show)
    except StrategyError as error:
        raise StrategyError(f"the strategy found is wrong, and is not written: {error}") from error
    return made


def _save_made(output: str | None, data: bytes, as_json: bool = False) -> None:
    """Write the bytes of a checked strategy, if there is a file to write, and say so."""
    if output is not None:
        save(output, data)
        if not as_json:
            echo(f"wrote {output}: {len(data):,} bytes, checked by the rules")
