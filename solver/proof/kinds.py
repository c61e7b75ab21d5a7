"""The types of the parts of positions, so that equal positions are the same ones.

True equals 1, and a named tuple equals a plain one, but rules may tell them apart. A walk that
visits one of two equal positions says nothing about the other. So at each place of the positions
all numbers, all texts and all tuples must have one type.
"""

from __future__ import annotations

from typing import Any

from solver.errors import TableProofError

ALIKE = (int | float | complex, str, bytes, tuple, frozenset)  # values of one of these may be equal
LITERALS = frozenset({int, bool, str, type(None), tuple})  # `repr` writes what `literal_eval` reads
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
                self._note(kind, place, kind.__name__)

    def _add(self, value: Any, place: Place) -> None:
        self._note(type(value), place, repr(value))
        if isinstance(value, tuple | frozenset):
            for i, item in enumerate(value):
                self._add(item, (*place, i if isinstance(value, tuple) else 0))

    def _note(self, kind: type, place: Place, example: str) -> None:
        before = self.types.setdefault(place, set())
        for other in before:
            if kind is not other and any(
                issubclass(kind, some) and issubclass(other, some) for some in ALIKE
            ):
                where = f" at place {', '.join(map(str, place))}" if place else ""
                raise TableProofError(
                    f"positions{where} hold {other.__name__} and {kind.__name__}, such as"
                    f" {example:.80}: values that are equal, as True and 1 are, need one type"
                )
        before.add(kind)


def _combination(value: Any) -> Any:
    """Return the types of a value and, if it is a tuple, of all that it holds."""
    if type(value) is not tuple:
        return type(value) if not isinstance(value, tuple | frozenset) else repr(value)
    found = tuple(map(type, value))
    return tuple(map(_combination, value)) if tuple in found or frozenset in found else found


def _is_literal(value: Any) -> bool:
    if type(value) is tuple:
        return all(map(_is_literal, value))
    return type(value) in LITERALS
