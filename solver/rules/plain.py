"""What people return from their rules, in the plain types that keys, texts and tables have.

Positions may be named tuples, or hold members of IntEnum or StrEnum and NumPy's numbers: these are
equal to plain values, and `like` gives them their types back. Moves may be an array or a generator,
and outcomes 1, 0 and -1. Results that are nothing of the kind are refused wherever rules are asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum
from functools import wraps
from itertools import islice
from operator import index, is_
from types import FunctionType
from weakref import WeakKeyDictionary

from solver.errors import GameLawError
from solver.value import Outcome

TYPE_CHECKING = False  # see solver.startup
if TYPE_CHECKING:
    from typing import Any

MOST_MOVES = 1 << 16  # that an iterator gives
identity = object.__hash__
"""Tells types apart as `id` does, which calls every audit hook (see `solver.rules.rule_files`)."""
NUMBERS = frozenset(map(identity, (int, bool, float)))
PLAIN = NUMBERS | {identity(str), identity(type(None))}
"""The types of what positions are made of, by identity: a metaclass can claim to equal one."""
LISTED = frozenset(map(identity, (list, tuple, range)))
SEEN_BY = "return Outcome.WIN, LOSS or DRAW, as the side to move sees it"
INSTEAD = {
    "list": "write a tuple",
    "dict": "write a tuple, such as tuple(sorted(d.items()))",
    "set": "write tuple(sorted(...))",
    "frozenset": "write tuple(sorted(...))",
    "ndarray": "write tuple(a.tolist())",
}
OF_ROWS = "write tuple(map(tuple, a.tolist()))"  # in place of an array of two dimensions


def as_plain(p: Any) -> Any:
    """Return a position, or a move, in plain numbers, strings and tuples.

    Raises TypeError, which says what to write instead, if it is made of something else.
    """
    kind = type(p)
    if identity(kind) in PLAIN:
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
    way = "a NamedTuple or a tuple"
    if isinstance(p, Enum):
        way = f"{'StrEnum' if isinstance(p.value, str) else 'IntEnum'} or its value"
    way = _instead(p, f"write {way}, or define text and parse")
    raise TypeError(
        f"a position is a number, a string or a tuple of those, not a {kind.__name__}: {way}"
    )


def _instead(value: Any, other: str) -> str:
    """Return what to write in place of a value that is no position; by default `other`."""
    if getattr(value, "ndim", 1) == 2:
        return OF_ROWS
    return INSTEAD.get(type(value).__name__, other)


def like(model: Any, p: Any) -> Any:
    """Return a plain position with the types of another, such as the start.

    In a tuple of another length, each item gets the type that all items of the other tuple have.
    """
    kind = type(model)
    if isinstance(model, tuple) and isinstance(p, tuple):
        if len(model) != len(p):
            if len({*map(type, model)}) != 1:
                return p
            model = model[:1] * len(p)
        items = tuple(map(like, model, p))
        if kind is tuple:
            return items
        try:
            return kind(*items) if hasattr(kind, "_fields") else kind(items)
        except (ValueError, TypeError):
            return items
    is_own = identity(kind) not in PLAIN and isinstance(model, int | str | float)
    try:
        return kind(p) if is_own or kind.__module__ == "numpy" else p
    except (ValueError, TypeError):
        return p


def has_plain_types(start: Any, p: Any) -> bool:
    """Return whether both are plain values of one type, or tuples of such, place by place.

    Tuples of a class whose instances have other attributes are not.
    """
    kind = type(p)
    if kind is not type(start):
        return False
    if not isinstance(p, tuple) or kind.__dictoffset__:
        return identity(kind) in PLAIN
    same = len(p) == len(start) and all(map(is_, map(type, p), map(type, start)))
    return same and PLAIN.issuperset(map(identity, map(type, p)))


def other_type(start: Any, p: Any) -> Any:
    """Return a value of another type than its place has at the start; None if none is.

    2.0 equals 2 and True equals 1, but they are written in other ways; and a number of a class of
    its own is a plain one in keys and texts.
    """
    if has_plain_types(start, p):
        return None
    if isinstance(p, tuple) and isinstance(start, tuple):
        others = (other_type(*pair) for pair in zip(start, p, strict=False))
        return next((value for value in others if value is not None), None)
    if type(p) is type(start) or isinstance(p, tuple):
        return None
    both = {identity(type(p)), identity(type(start))}
    if both <= PLAIN:
        return p if both <= NUMBERS and p % 1 == 0 else None
    try:
        return None if type(like(start, as_plain(p))) is type(p) else p
    except TypeError:  # keys and texts are the game's own
        return None


_CONVERTED: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
"""The methods that conversions call: a mark in the function itself is copied by `wraps`."""


def is_converted(method: Any) -> bool:
    """Return whether a method is what `with_plain_results` returned."""
    return type(method) is FunctionType and method in _CONVERTED


def unconverted(method: Any) -> Any:
    """Return the method that a conversion calls; any other value is returned as it is."""
    return _CONVERTED[method] if is_converted(method) else method


def with_plain_results(name: str, method: Any, plain: Callable[..., Any]) -> Any:
    """Return the method `name` of rules with plain results: `plain(game, result, *arguments)`.

    It may be a function, or what a class holds in its place, such as a static method. Where another
    method calls it in place of its own class, as `super()` does, its results are left as they are.
    """
    is_cached = hasattr(method, "cache_info")
    if not is_cached and not isinstance(method, FunctionType):
        bind = getattr(method, "__get__", lambda game, kind: method)

        def bound(game: Any, *arguments: Any, **named: Any) -> Any:
            result = bind(game, type(game))(*arguments, **named)
            if getattr(type(game), name, None) is not bound:
                return result
            return plain(game, result, *arguments, *named.values())

        _CONVERTED[bound] = method
        bound.__name__ = getattr(method, "__name__", "a rule")
        return bound

    @wraps(method)
    def converted(game: Any, *arguments: Any, **named: Any) -> Any:
        result = method(game, *arguments, **named)
        if getattr(type(game), name, None) is not converted:
            return result
        if is_cached and hasattr(result, "__next__"):
            law = (
                f"{method.__name__} is cached, and a generator gives its items once: return a list"
            )
            raise GameLawError(f"{game.spec} breaks a law: {law}")
        if named:
            arguments += (*named.values(),)
        return plain(game, result, *arguments)

    _CONVERTED[converted] = method
    return converted


def _plain_moves(game: Any, moves: Any, p: Any = None, *_: Any) -> Any:
    """Return moves as a sequence; raises GameLawError if they have no order or cannot be moves."""
    if identity(type(moves)) not in LISTED:
        moves = _listed(game, moves, p)
    try:
        hash(tuple(moves))
    except TypeError:
        for m in moves:
            check_hashable(game, p, "a move", m)
    return [*moves] if isinstance(moves, list) else moves  # rules may fill one list again


def _listed(game: Any, moves: Any, p: Any) -> Any:
    """Return moves of another type as a sequence; raises GameLawError if they have no order."""
    if hasattr(moves, "tolist"):
        moves = moves.tolist()
        rows = isinstance(moves, list) and moves and isinstance(moves[0], list)
        return [*map(tuple, moves)] if rows else moves
    if hasattr(moves, "__next__"):
        listed = list(islice(moves, MOST_MOVES + 1))
        if len(listed) <= MOST_MOVES:
            return listed
        raise GameLawError(
            f"{game.spec} breaks a law at {p!r:.200}: moves gives more than {MOST_MOVES:,} moves"
        )
    if isinstance(moves, Sequence):
        return moves
    way = "a set has no order, so write sorted(...)"
    way = way if isinstance(moves, AbstractSet) else "return a list, empty if there is no move"
    law = f"moves is a list, a tuple or a range, not {moves!r:.80}: {way}"
    raise GameLawError(f"{game.spec} breaks a law at {p!r:.200}: {law}")


def _plain_position(game: Any, q: Any, p: Any = None, m: Any = None, *_: Any) -> Any:
    """Return a position; raises GameLawError unless it has the type of the one before."""
    try:
        hash(q)
    except TypeError:
        check_hashable(game, p, "a position", q)
    if type(q) is not type(p):
        way = ": write int(...)" * (type(q).__module__ == "numpy")
        way += ": write // for /" * (type(q) is float and type(p) is int)
        way += ": return the position after the move" * (q is None)
        raise GameLawError(
            f"{game.spec} breaks a law at {p!r:.200}: play({p!r:.200}, {m!r:.80}) returned"
            f" {q!r:.80}, but positions are of type {type(p).__name__}{way}"
        )
    return q


def _plain_outcome(game: Any, over: Any, p: Any = None, *_: Any) -> Any:
    """Return None or an outcome, also for 1, 0 and -1; raises GameLawError for anything else."""
    if over is None or type(over) is Outcome:
        return over
    if isinstance(over, Enum):
        own = Outcome.__members__.get(over.name.upper())
        if own is not None and own == over.value:
            return own
        raise GameLawError(
            f"{game.spec}: primitive({p!r:.200}) is {over!s:.80}, of a class of its own: write from"
            f" solver import Outcome, and {SEEN_BY}"
        )
    try:
        number = None if isinstance(over, bool) else index(over)
    except (TypeError, ValueError):  # as of an array
        number = None
    if number is None or not -1 <= number <= 1:
        way = "return None while the game goes on" if over is False else SEEN_BY
        if hasattr(over, "tolist") and getattr(over, "shape", None):
            way = "write int(...) of one number in place of an array"
        raise GameLawError(
            f"{game.spec}: primitive({p!r:.200}) is {over!r:.80}, not an Outcome or None: {way}"
        )
    return Outcome(number)


def _plain_start(game: Any, start: Any, *_: Any) -> Any:
    """Return the starting position; raises GameLawError if there is none."""
    if start is None:
        raise GameLawError(f"{game.spec}: initial returns None: return the starting position")
    check_hashable(game, start, "a position", start)
    return start


def check_hashable(game: Any, p: Any, name: str, value: Any) -> None:
    """Raise GameLawError unless a value, found at the position `p`, can be a position or a move."""
    try:
        hash(value)
    except TypeError:
        kind = type(value).__name__
        way = _instead(value, "write a tuple of numbers and strings")
        raise GameLawError(
            f"{game.spec} breaks a law at {p!r:.200}: {name} is a number, a string or a tuple of"
            f" those, not the {kind} {value!r:.80}: {way}"
        ) from None


PLAIN_RESULTS: dict[str, Callable[..., Any]] = {
    "initial": _plain_start,
    "moves": _plain_moves,
    "play": _plain_position,
    "primitive": _plain_outcome,
}
