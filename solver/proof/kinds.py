"""The types of the parts of positions, so that equal positions are the same ones.

True equals 1, and a named tuple equals a plain one, but rules may tell them apart. A walk that
visits one of two equal positions says nothing about the other. So at each place of the positions
all numbers, all texts and all tuples must have one type. The parts of a position are the items of
tuples and frozen sets and the fields of dataclasses, at any depth. Whoever makes a position, as a
child, an image or by reading a text or a key, passes it to `Kinds.check`.
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Number
from typing import Any

from solver.errors import TableProofError

ALIKE = (Number, str, bytes, tuple, frozenset)  # values of one of these may be equal
LEAVES = frozenset({int, bool, str, type(None)})
LITERALS = LEAVES | {tuple}  # `repr` writes what `literal_eval` reads
MOST_KNOWN = 10_000  # combinations of types that are remembered

Place = tuple[int, ...]  # the index in the position, then the one in this item, and so on


class Kinds:
    """The types that were met at each place."""

    def __init__(self) -> None:
        self.types: dict[Place, set[type]] = {}
        self._known: dict[Any, bool] = {}

    def check(self, p: Any) -> bool:
        """Return whether a position consists of literals; raises TableProofError.

        That is the case if an earlier position has a value of another type at the same place that
        might be equal.
        """
        combination = _combination(p)
        found = self._known.get(combination)
        if found is None:
            self._add(p, ())
            if len(self._known) == MOST_KNOWN:
                self._known.clear()
            found = self._known[combination] = _is_literal(p)
        return found

    def merge(self, types: dict[Place, set[type]]) -> None:
        """Add types that others have met; raises TableProofError."""
        for place, some in types.items():
            for kind in some:
                self._note(kind, place)

    def _add(self, value: Any, place: Place) -> None:
        self._note(type(value), place)
        for i, item in enumerate(_parts(value)):
            self._add(item, (*place, 0 if isinstance(value, frozenset) else i))

    def _note(self, kind: type, place: Place) -> None:
        before = self.types.setdefault(place, set())
        for other in before:
            if kind is not other and any(
                issubclass(kind, some) and issubclass(other, some) for some in ALIKE
            ):
                where = f" at place {', '.join(map(str, place))}" if place else ""
                raise TableProofError(
                    f"positions{where} hold {other.__name__} and {kind.__name__}: values that are"
                    " equal, as True and 1 are, need one type"
                )
        before.add(kind)


def _parts(value: Any) -> Iterable[Any]:
    """Return what a tuple, a frozen set or a dataclass holds; nothing for other values."""
    if isinstance(value, tuple | frozenset):
        return value
    return [getattr(value, name) for name in getattr(type(value), "__dataclass_fields__", ())]


def _combination(value: Any) -> Any:
    """Return the types of a value and of all that it holds: the same for no other combination."""
    kind = type(value)
    if kind in LEAVES:
        return kind
    parts = _parts(value)
    types = tuple(map(type, parts))
    return (kind, types if LEAVES.issuperset(types) else tuple(map(_combination, parts)))


def _is_literal(value: Any) -> bool:
    return type(value) in LITERALS and all(map(_is_literal, _parts(value)))
