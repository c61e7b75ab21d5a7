"""What the proofs of both forms share: a walk over the positions of a game, and their values.

The solvers have their own walk and their own arithmetic of values; the proofs use neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from solver.errors import TableProofError
from solver.rules.found_symmetries import check_generators
from solver.rules.game import Game
from solver.tables.format import COUNTS
from solver.value import Outcome

Value = tuple[int, int | None]  # outcome for the side to move, and plies to the end; None: a draw


def legal(game: Game[Any, Any], p: Any) -> Iterable[Any]:
    """Return the legal moves; none if the game is over."""
    return game.moves(p) if game.primitive(p) is None else ()


def canonical(game: Game[Any, Any], p: Any) -> Any:
    """Return the image of a position with the least rank."""
    return min((s.position(p) for s in game.symmetries), key=game.rank)


def every_position(game: Game[Any, Any]) -> Iterator[Any]:
    """Yield every position that a game can reach, each once."""
    start = game.initial()
    seen, waiting = {start}, [start]
    while waiting:
        p = waiting.pop()
        yield p
        for m in legal(game, p):
            child = game.play(p, m)
            if child not in seen:
                seen.add(child)
                waiting.append(child)


def check_values(
    game: Game[Any, Any], stated: Callable[[Any], Value], progress: Callable[[int], None]
) -> dict[Any, Value]:
    """Return the value of every canonical position that a game can reach.

    `stated(p)` returns the value that the table has for a position, and `progress` is called with
    the number of positions checked. Raises TableProofError if a value does not follow from the
    rules and the values one move on. If several are wrong, the error names one of the last tier,
    since a wrong value makes those before it look wrong.
    """
    start = canonical(game, game.initial())
    values: dict[Any, Value] = {}
    seen, waiting = {start}, [start]
    wrong = []
    while waiting:
        p = waiting.pop()
        own = [game.play(p, m) for m in legal(game, p)]
        check_generators(game, p, game.primitive(p), own)
        children = [canonical(game, child) for child in own]
        value, right = stated(p), right_value(game, p, children, stated)
        values[p] = value
        if value != right:
            wrong.append(((-game.tier(p), value[1] is None, value[1] or 0), p, value, right))
        fresh = set(children) - seen
        seen |= fresh
        waiting += fresh
        progress(len(values))
    if wrong:
        _, p, value, right = min(wrong, key=lambda found: found[0])
        compare_value(game, p, value, right)
    return values


def right_value(
    game: Game[Any, Any], p: Any, children: Iterable[Any], stated: Callable[[Any], Value]
) -> Value:
    """Return the value that follows from the rules and the values stated for the children."""
    over = game.primitive(p)
    if over is not None:
        return int(over), 0 if over else None
    return max((value_of_move(stated(child)) for child in children), key=_preference)


def compare_value(game: Game[Any, Any], p: Any, value: Value, right: Value) -> None:
    """Raise TableProofError unless a position has the right value."""
    compare(f"the entry for {game.text(p)!r}", value, right, _words)


def count_positions(game: Game[Any, Any], values: dict[Any, Value]) -> dict[str, int]:
    """Return a table's counts, visiting every position; `values` has the canonical ones."""
    counts = dict.fromkeys(COUNTS, 0) | {"canonical": len(values)}
    for p in every_position(game):
        counts["positions"] += 1
        counts[str(Outcome(values[canonical(game, p)][0]))] += 1
        counts["terminal"] += game.primitive(p) is not None
    return counts


def value_of_move(child: Value) -> Value:
    """Return the value of a move, given that of the position it leads to."""
    outcome, distance = child
    return -outcome, None if distance is None else distance + 1


def compare(what: str, stated: Any, right: Any, written: Callable[[Any], str] = str) -> None:
    """Raise TableProofError unless the table states what is right."""
    if stated != right:
        raise TableProofError(f"{what} is {written(stated)}; it should be {written(right)}")


def _preference(value: Value) -> tuple[int, int]:
    """Return a key that is larger for the better of two values."""
    outcome, distance = value
    return outcome, -outcome * (distance or 0)


def _words(value: Value) -> str:
    outcome, distance = value
    return "a draw" if distance is None else f"a {Outcome(outcome)} in {distance}"
