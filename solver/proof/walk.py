"""What the proofs of both forms share: a walk over all positions of a game, and values.

The solvers have their own walk and their own arithmetic of values; the proofs use neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.errors import TableProofError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from solver.rules.game import Game

Value = tuple[int, int | None]  # outcome for the side to move, and plies to the end; None: a draw


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


def legal(game: Game[Any, Any], p: Any) -> Iterable[Any]:
    """Return the legal moves; none if the game is over."""
    return game.moves(p) if game.primitive(p) is None else ()


def value_of_move(child: Value) -> Value:
    """Return the value of a move, given that of the position it leads to."""
    outcome, distance = child
    return -outcome, None if distance is None else distance + 1


def value_of_end(outcome: int) -> Value:
    """Return the value of a position where the game is over."""
    return int(outcome), 0 if outcome else None


def preference(value: Value) -> tuple[int, int]:
    """Return a key that is larger for the better of two values."""
    outcome, distance = value
    return outcome, -outcome * (distance or 0)


def compare(what: str, stated: Any, right: Any, written: Callable[[Any], str] = str) -> None:
    """Raise TableProofError unless the table states what is right."""
    if stated != right:
        raise TableProofError(f"{what} is {written(stated)}; it should be {written(right)}")
