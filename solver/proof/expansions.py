"""What a game says of the positions of random games, asked in a process of its own.

Run as `python -m solver.proof.expansions NAME PLIES STEP`, this prints a line for each position of
a pseudo-random walk, asked from its start, or for the step -1 from its end. Many processes run it,
so it imports little.
"""

from __future__ import annotations

import sys
from contextlib import redirect_stdout

from solver.games import load_game
from solver.rules.game import Game, checked_key, overrides, walk
from solver.startup import Any, sha256

SHOWN = 200  # characters of a position


def expansions(game: Game[Any, Any], plies: int, step: int = 1) -> list[str]:
    """Return a line for each position of a walk: a hash of what the rules say of it, and itself."""
    lines, positions = [], walk(game, plies)  # which asks the rules as it goes on
    for p in positions if step == 1 else [*positions][::-1]:
        over = game.primitive(p)
        moves = [] if over is not None else list(game.moves(p))
        after = [(m, game.play(p, m), game.code(m), game.label(p, m)) for m in moves]
        key = hex(checked_key(game, p)) if overrides(game, "key") else ""  # else it follows from p
        facts = p, over, after, game.text(p), game.turn(p), game.canonical(p), key
        shown = ascii(p)[:SHOWN].replace("\n", " ")
        lines.append(f"{sha256(repr(facts).encode()).hexdigest()[:16]} {shown}")
    return lines[::step]


if __name__ == "__main__":
    with redirect_stdout(sys.stderr):  # what the rules print
        found = expansions(load_game(sys.argv[1]), *map(int, sys.argv[2:]))
    print("\n".join(found))
