"""Whether equal positions are the same ones, in types and in all that they hold.

True equals 1, a named tuple equals a plain one, and a class may leave a field out of ==, but rules
may tell them apart. A walk that visits one of two equal positions says nothing about the other. So
whoever meets a position that equals a known one compares both: what tuples, lists and dicts hold,
and the attributes of other values, at any depth. Values that hold anything else are not the same.
Equal sets may be run over in different orders, which no comparison shows, so a position holds none.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from functools import cached_property
from types import MemberDescriptorType

from solver.errors import GameLawError, TableProofError
from solver.rules.plain import identity
from solver.startup import Any

LEAVES = frozenset(map(identity, (int, bool, str, type(None))))
"""The types whose values hold nothing, by identity: a metaclass can claim to equal one."""
PLAIN: tuple[Any, ...] = str, int, float  # whose own == compares all of a subclass, too
POINTER = tuple.__itemsize__  # bytes
LITERALS = LEAVES | {identity(tuple)}  # `repr` writes what `literal_eval` reads


def check_same(p: Any, q: Any) -> None:
    """Raise TableProofError if two equal positions are of different types or hold other values."""
    if not is_same(p, q):
        raise TableProofError(
            f"the positions {p!r:.200} and {q!r:.200} are equal, but are of other types, as True"
            " and 1 are, or hold values that == ignores: use one of them, or compare all"
        )


def is_same(p: Any, q: Any) -> bool:
    """Return whether two equal values have the same types and hold the same values."""
    if p is q:
        return True
    kind = type(p)
    if kind is not type(q):
        return False
    if identity(kind) in LEAVES:
        return bool(p == q)
    if kind is tuple and LEAVES.issuperset(types := [*map(identity, map(type, p))]):
        return bool(p == q) and types == [*map(identity, map(type, q))]
    held, others = _held(p), _held(q)
    if isinstance(p, tuple | list | dict):
        parts, others_parts = [*_parts(p)], [*_parts(q)]
        same = len(parts) == len(others_parts) and all(map(is_same, parts, others_parts))
    elif _hides(kind):
        return False
    else:  # `repr` tells 0.0 from -0.0
        same = all(plain.__eq__(p, q) for plain in PLAIN if isinstance(p, plain))
        same &= bool(held) or repr(p) in (repr(q), object.__repr__(p))
    both, one = held.keys() & others.keys(), held.keys() ^ others.keys()
    cached = all(_is_cached(kind, name) for name in one)
    same = same and cached and bool(p == q)
    return same and all(is_same(held[name], others[name]) for name in both)


def is_literal(value: Any) -> bool:
    """Return whether a value is made of numbers, texts, None and tuples of these."""
    return identity(type(value)) in LITERALS and all(map(is_literal, _parts(value)))


def check_sets(game: Any, p: Any) -> None:
    """Raise GameLawError if a position is a set, or holds one."""
    if (found := set_in(p)) is not None:
        raise GameLawError(
            f"{game.spec} breaks a law at {p!r:.200}: a position holds no {type(found).__name__},"
            " since equal ones have different orders: write tuple(sorted(...))"
        )


def set_in(value: Any) -> Any:
    """Return a set that a position is or holds, at any depth; None if there is none."""
    kind = type(value)
    if identity(kind) in LEAVES:
        return None
    if isinstance(value, tuple) and not kind.__dictoffset__:  # it has no other attributes
        if LEAVES.issuperset(map(identity, map(type, value))):
            return None
        return next((found for found in map(set_in, value) if found is not None), None)
    found, seen = [value], set[int]()
    for one in found:  # which grows
        kind = type(one)
        if isinstance(one, set | frozenset):
            return one
        if (
            identity(kind) not in LEAVES
            and not isinstance(one, type | Enum)
            and id(one) not in seen
        ):
            seen.add(id(one))
            found += _parts(one)
            found += [held for name, held in _held(one).items() if not _is_cached(kind, name)]
    return None


def _is_cached(kind: type, name: str) -> bool:
    """Return whether an attribute is only a cached property."""
    return isinstance(getattr(kind, name, None), cached_property)


def _parts(value: Any) -> Iterable[Any]:
    """Return what a tuple, a list or a dict holds, whatever its class says; else nothing."""
    if isinstance(value, tuple):
        return tuple.__iter__(value)
    if isinstance(value, list):
        return list.__iter__(value)
    return dict.items(value) if isinstance(value, dict) else ()


def _hides(kind: type) -> bool:
    """Return whether values of a class in Python hold more than attributes and a PLAIN value.

    Subclasses of bytes do, for example: then the methods of the class may tell them apart, and its
    own == may not. The size of a value shows that.
    """
    base = next((plain for plain in PLAIN if issubclass(kind, plain)), object)
    is_managed = bool(kind.__flags__ & 1 << 4)  # then the dict is before the value
    words = [kind.__dictoffset__ != 0 and not is_managed, kind.__weakrefoffset__ > 0]
    for one in kind.__mro__:
        if not _is_in_c(one):
            words += [type(v) is MemberDescriptorType for v in vars(one).values()]  # of __slots__
    return not _is_in_c(kind) and kind.__basicsize__ > base.__basicsize__ + POINTER * sum(words)


def _is_in_c(kind: type) -> bool:
    """Return whether a class is written in C: nobody can change its attributes."""
    return bool(kind.__flags__ & 1 << 8)


def _held(value: Any) -> dict[str, Any]:
    """Return the values of all attributes."""
    state: Any = object.__getstate__(value)
    return {**(state[0] or {}), **state[1]} if isinstance(state, tuple) else state or {}
