"""Weak solving, from the command solve: a strategy found by search, checked and written."""

from __future__ import annotations

import copy
from graphlib import CycleError
from typing import Any

from solver.cli.output import echo, print_json, progress, report, solve_progress
from solver.cli.strategy_files import about, check_made, check_name, save_made
from solver.errors import MemoryLimitError, SearchDepthError, needs_extra
from solver.games import is_shipped
from solver.rules.default_keys import with_keys
from solver.rules.game import Game
from solver.rules.laws import check_game
from solver.solving.memory import installed
from solver.strategy.candidates import write
from solver.units import format_size

MEMORY = 2_000_000_000  # bytes, unless --memory says otherwise
LOADED = 250_000_000  # bytes that the process takes before its first position


def solve_to_strategy(
    game: Game[Any, Any], side: str, memory: int | None, output: str | None, as_json: bool
) -> None:
    """Find, check and write the strategy that answers whether a side wins."""
    check_name(output)
    room = (memory or MEMORY) - LOADED
    if room <= 0:
        raise MemoryLimitError(
            f"a search takes {LOADED / 1e6:,.0f} MB before its first position, more than the limit"
            f" of {memory or MEMORY:,} bytes"
        )
    if (most := installed()) is not None and room > most:
        raise MemoryLimitError(
            f"--memory is {format_size(room + LOADED)}; this machine has {format_size(most)}"
        )
    if not is_shipped(game):
        check_game(game)  # a strategy relies on its symmetries
    data = _found(copy.copy(game), side, room)
    with progress("positions") as show:
        made = check_made(data, game, show)
    if not as_json:
        echo(made.about)
    save_made(output, data, as_json)
    if as_json:
        print_json({"path": output} | about(made) | {"bytes": len(data)})
    elif made.side != side and made.aim == "holds":
        echo(f"whether it wins, --side {made.side} asks; if not, the game is a draw")


def _found(game: Game[Any, Any], side: str, room: int) -> bytes:
    """Return the file of the strategy that a search finds."""
    with needs_extra("solve --weak", "fast"):
        from solver.strategy.weak import solve_weakly
    with solve_progress() as show:
        claimant, found = with_keys(
            game, lambda: solve_weakly(game, side, room, show, report), report
        )
    try:
        return write(game, claimant, found, [0] * len(found.places), "positions")
    except CycleError as error:
        raise SearchDepthError(
            f"the wins that were found in {game.spec} repeat positions: a table shows how to end"
            f" the game (perfectplay solve {game.spec})"
        ) from error
