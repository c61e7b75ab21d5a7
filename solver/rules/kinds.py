"""The types of a position and of its parts, so that equal positions are the same ones.

True equals 1, and a named tuple equals a plain one, but rules may tell them apart. A walk that
visits one of two equal positions says nothing about the other. So whoever meets a position that
equals a known one compares their kinds. The parts of a position are the items of tuples and frozen
sets and the fields of dataclasses, at any depth.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from solver.errors import TableProofError

LEAVES = frozenset({int, bool, str, type(None)})
LITERALS = LEAVES | {tuple}  # `repr` writes what `literal_eval` reads


def kind_of(value: Any) -> Any:
    """Return the types of a value and of all that it holds: the same for no other combination."""
    kind = type(value)
    if kind in LEAVES:
        return kind
    parts = _parts(value)
    types = tuple(map(type, parts))
    return kind, types if LEAVES.issuperset(types) else tuple(map(kind_of, parts))


def check_same(p: Any, q: Any) -> None:
    """Raise TableProofError if two equal positions are of different types."""
    if p is not q and kind_of(p) != kind_of(q):
        raise TableProofError(
            f"the positions {p!r:.200} and {q!r:.200} are equal but of other types, as True and 1"
            " are: use one of them"
        )


def is_literal(value: Any) -> bool:
    """Return whether a value is made of numbers, texts, None and tuples of these."""
    return type(value) in LITERALS and all(map(is_literal, _parts(value)))


def _parts(value: Any) -> Iterable[Any]:
    """Return what a tuple, a frozen set or a dataclass holds; nothing for other values."""
    if isinstance(value, tuple):
        return value
    if isinstance(value, frozenset):
        return sorted(value, key=lambda item: (hash(item), repr(item)))
    return [getattr(value, name) for name in getattr(type(value), "__dataclass_fields__", ())]
