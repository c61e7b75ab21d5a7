"""From rules to table: solve a game and write down what each move is worth."""

from __future__ import annotations

from .enumeration import children, orbits
from .game import Game, M, P
from .laws import check_game
from .retrograde import retrograde
from .search import search
from .table import COUNTS, Table
from .value import LIMIT, back, distance, outcome, trap

METHODS = {"search": search, "retrograde": retrograde}


def solve(game: Game[P, M], method: str = "search") -> Table:
    """Return the table of every position that a game can reach.

    Both methods give the same table. `search` goes depth first and raises SearchDepthError where
    a position can come twice in one game; `retrograde` works back from the ends of the game.
    Raises GameLawError where the rules break a law (see `solver.game`), and ValueError for an
    unknown method or a game of more plies than a score can hold.
    """
    if method not in METHODS:
        raise ValueError(f"the method is {method!r}; it must be one of {', '.join(METHODS)}")
    check_game(game, walks=3)
    scores = METHODS[method](game)
    if 1 in scores.values() or -1 in scores.values():
        raise ValueError(f"a game of {game.spec} can last longer than {LIMIT} plies: too long")
    return tabulate(game, scores)


def tabulate(game: Game[P, M], scores: dict[P, int]) -> Table:
    """Return the table that the exact scores of all canonical positions make."""
    moved = {p: children(game, p) for p in scores}
    replies = {p: [back(scores[child]) for child in moved[p]] for p in scores}
    traps = {p: trap(replies[p], scores[p]) for p in scores}
    entries = {}
    for p, held in scores.items():
        codes = [game.code(m) for m in game.moves(p)] if moved[p] else []
        worth = list(zip(codes, replies[p], moved[p], strict=True))
        entries[game.text(p)] = [
            int(outcome(held)),
            distance(held),
            [code for code, reply, _ in worth if reply == held],
            [[code, int(outcome(s)), distance(s), traps[child]] for code, s, child in worth],
        ]
    return Table(game, _count(game, scores), entries)


def _count(game: Game[P, M], scores: dict[P, int]) -> dict[str, int]:
    """Return how many positions there are: distinct ones, but for `canonical`."""
    sizes = orbits(game, scores)
    counts = dict.fromkeys(COUNTS, 0)
    counts["canonical"] = len(scores)
    for p, size in sizes.items():
        counts["positions"] += size
        counts[str(outcome(scores[p]))] += size
        if game.primitive(p) is not None:
            counts["terminal"] += size
    return counts
