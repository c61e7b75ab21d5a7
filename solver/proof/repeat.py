"""Expansions repeated in a second process, to find rules that depend on the order of hashes.

Sets of texts have another order in each process. Rules that list moves in such an order, or choose
by it, are other rules each time. Run as `python -m solver.proof.repeat NAME PLIES`, this prints a
hash of what the game says of each position of a pseudo-random walk, from its end to its start: so
rules that depend on what they were asked before are found, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from hashlib import sha256
from typing import Any

from solver.errors import GameLawError
from solver.games import load_game
from solver.rules.default_keys import has_default_keys
from solver.rules.game import Game, walk

EXPANSIONS = 10_000
SEEDS = "1", "2"  # of the order of hashes; one of them is not that of this process


def check_repeats(game: Game[Any, Any], name: str, plies: int = EXPANSIONS) -> None:
    """Compare so many expansions with those in another process, which loads the game by its name.

    Raises GameLawError at the first position that differs.
    """
    hashes = _hashes(game, walk(game, plies))
    seed = SEEDS[os.environ.get("PYTHONHASHSEED") == SEEDS[0]]
    done = subprocess.run(
        [sys.executable, "-m", __spec__.name, name, str(plies)],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason"])[-1]
        name, _, law = reason.partition(": ")
        if name.endswith(GameLawError.__name__):
            raise GameLawError(law)
        raise GameLawError(f"{game.spec} fails in another process: {reason:.300}")
    others = done.stdout.split()[::-1]
    if len(others) != len(hashes):
        raise GameLawError(f"{game.spec} ends another process that loads it")
    for p, line, other in zip(walk(game, plies), hashes, others, strict=True):
        if line != other:
            raise GameLawError(
                f"{game.spec} is not the same in every process at {p!r:.200}: its rules depend on"
                " the order of a set, on chance, or on what is kept in self: sort what a set holds,"
                " and put what the rules depend on into the position"
            )


def _hashes(game: Game[Any, Any], positions: Iterable[Any]) -> list[str]:
    """Return a hash for each position: of what the rules say of it."""
    hashes = []
    for p in positions:
        over = game.primitive(p)
        moves = [] if over is not None else list(game.moves(p))
        after = [(m, game.play(p, m), game.code(m), game.label(p, m)) for m in moves]
        key = None if has_default_keys(game) else game.key(p)
        facts = p, over, after, game.text(p), game.canonical(p), key
        hashes.append(sha256(repr(facts).encode()).hexdigest()[:16])
    return hashes


if __name__ == "__main__":
    with redirect_stdout(sys.stderr):  # what the rules print
        rules = load_game(sys.argv[1])
        lines = _hashes(rules, [*walk(rules, int(sys.argv[2]))][::-1])
    print("\n".join(lines))
