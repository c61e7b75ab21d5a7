"""Expansions repeated in other processes, to find rules that depend on the order of hashes.

Sets of texts have another order in each process. Rules that list moves in such an order, or choose
by it, are other rules each time. So several processes, each with an order of its own, say what the
rules are at the positions of random games, and are compared with each other. The orders are fixed,
so that the result is the same every time. Half of the processes ask from the end to the start, so
that rules that depend on what they were asked before are found, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from solver.errors import GameLawError
from solver.proof.expansions import expansions
from solver.rules.game import Game

EXPANSIONS = 1000  # in each process
PROCESSES = 8  # with as many orders
REPEATED = 300  # expansions where a single process is asked, before a solve


def check_repeats(
    game: Game[Any, Any], name: str, processes: int = PROCESSES, plies: int = EXPANSIONS
) -> int:
    """Compare expansions in other processes, which load a game by its name; return how many.

    These are at distinct positions. What a single process says is compared with what this one does.
    Raises GameLawError at the first position that differs.
    """

    def asked(number: int) -> list[str]:
        return _asked(game, name, plies, number)

    with ThreadPoolExecutor(min(processes, processors())) as pool:
        found = [*pool.map(asked, range(processes))]
    if processes == 1:
        found.append(expansions(game, plies))
    return compare(game, found)


def compare(game: Game[Any, Any], found: Sequence[Sequence[str]]) -> int:
    """Return at how many positions processes with other orders agree; raises GameLawError.

    `found` has the expansions of each.
    """
    for lines in zip(*found, strict=True):
        if len({*lines}) > 1:
            raise GameLawError(
                f"{game.spec} is not the same in every process at {lines[0].partition(' ')[2]}: its"
                " rules depend on the order of a set, on chance, or on what is kept in self: sort"
                " what a set holds, and put what the rules depend on into the position"
            )
    return len({*found[0]})


def processors() -> int:
    """Return how many processors this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return (os.cpu_count() or 1) if allowed is None else len(allowed(0))


def _asked(game: Game[Any, Any], name: str, plies: int, number: int) -> list[str]:
    """Return what another process says, one of several with different orders of hashes."""
    seed = str(number + 1)
    if seed == os.environ.get("PYTHONHASHSEED") and number == 0:
        seed = "9"  # a single process has another order than this one
    step = "1" if number % 2 else "-1"
    done = subprocess.run(
        [sys.executable, "-m", expansions.__module__, name, str(plies), step],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.splitlines()
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason"])[-1]
        kind, _, law = reason.partition(": ")
        if kind.endswith(GameLawError.__name__):
            raise GameLawError(law)
        raise GameLawError(f"{game.spec} fails in another process: {reason:.300}")
    if len(lines) != plies:
        raise GameLawError(f"{game.spec} ends another process that loads it")
    return lines
