"""What people return from their rules, in the plain types that keys, texts and tables have.

Positions may be named tuples, or hold members of IntEnum or StrEnum and NumPy's numbers: these are
equal to plain values, and `like` gives them their types back. Moves may be an array or a generator,
and outcomes 1, 0 and -1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import wraps

from solver.value import Outcome

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from typing import Any

PLAIN = {int, str, bool, type(None), float}
INSTEAD = {
    "list": "write a tuple",
    "dict": "write a tuple, such as tuple(sorted(d.items()))",
    "set": "write tuple(sorted(s))",
    "frozenset": "write tuple(sorted(s))",
    "ndarray": "write tuple(a.tolist())",
}


def as_plain(p: Any) -> Any:
    """Return a position, or a move, in plain numbers, strings and tuples.

    Raises TypeError, which says what to write instead, if it is made of something else.
    """
    kind = type(p)
    if kind in PLAIN:
        return p
    if isinstance(p, tuple):
        return tuple(map(as_plain, p))
    for plain in (int, str, float):
        if isinstance(p, plain):
            return plain(p.value if isinstance(p, Enum) else p)
    if kind.__module__ == "numpy" and hasattr(p, "__index__"):
        return int(p)
    if kind.__module__ == "numpy" and kind.__name__ in ("bool", "bool_"):
        return bool(p)
    way = "IntEnum or its value" if isinstance(p, Enum) else "a NamedTuple or a tuple"
    way = INSTEAD.get(kind.__name__, f"write {way}, or define text and parse")
    raise TypeError(
        f"a position is a number, a string or a tuple of those, not a {kind.__name__}: {way}"
    )


def like(model: Any, p: Any) -> Any:
    """Return a plain position with the types of another, such as the start."""
    kind = type(model)
    if isinstance(model, tuple) and isinstance(p, tuple):
        items = tuple(map(like, model, p)) if len(model) == len(p) else p
        return kind(*items) if hasattr(kind, "_fields") else items
    try:
        return kind(p) if isinstance(model, Enum) or kind.__module__ == "numpy" else p
    except ValueError:
        return p


def with_plain_results(method: Callable[..., Any], plain: Callable[[Any], Any]) -> Any:
    """Return a method of rules whose results are plain."""

    @wraps(method)
    def converted(*arguments: Any) -> Any:
        return plain(method(*arguments))

    converted.has_plain_results = True  # type: ignore[attr-defined]
    return converted


def plain_moves(moves: Any) -> Any:
    """Return moves as a sequence, if they have an order; others as they are."""
    if isinstance(moves, list | tuple | Sequence | AbstractSet):
        return moves
    if hasattr(moves, "tolist"):
        return moves.tolist()
    return list(moves) if hasattr(moves, "__next__") else moves


def plain_outcome(over: Any) -> Any:
    """Return 1, 0 and -1 as outcomes; others as they are."""
    if over is None or isinstance(over, Outcome | bool) or not hasattr(over, "__index__"):
        return over
    return Outcome(int(over)) if -1 <= over <= 1 else over
