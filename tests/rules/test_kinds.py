"""Positions that are equal but not the same are refused, since only one of them is visited."""

from __future__ import annotations

import re
from array import array
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
import pytest

from solver import Game, Outcome, TableProofError, encode, load_game, solve, verify
from solver.errors import GameLawError
from solver.proof.repeat import check_repeats
from solver.rules.kinds import check_same, is_same
from solver.rules.laws import check_game
from solver.rules.plain import as_plain, other_type


class Pair(NamedTuple):
    a: Any
    b: Any


@dataclass(frozen=True)
class Field:
    a: Any


@dataclass(frozen=True, slots=True)
class Part:
    a: int
    b: int = field(compare=False)


class Caseless(str):
    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return str(self).lower() == str(other).lower()

    def __hash__(self) -> int:
        return hash(str(self).lower())


class Row(tuple):  # type: ignore[type-arg]
    """A tuple with attributes, which == ignores."""

    def __new__(cls, *items: Any) -> Self:
        return super().__new__(cls, items)

    @cached_property
    def total(self) -> int:
        return sum(self)


class Claiming(type):
    """The metaclass of classes that claim to be int."""

    def __eq__(cls, other: object) -> bool:
        return other is int or cls is other

    def __hash__(cls) -> int:
        return hash(int)


class Hidden(int, metaclass=Claiming):
    """A number with an attribute, which == ignores."""

    def __init__(self, _: int, mark: str = "") -> None:
        self.mark = mark

    def __new__(cls, number: int, _: str = "") -> Self:
        return super().__new__(cls, number)


def marked(row: Row) -> Row:
    row.mark = True  # type: ignore[attr-defined]
    return row


class Cells:
    def __init__(self, cells: Any) -> None:
        self.cells = cells

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Cells) and bool(self.cells == other.cells)

    def __hash__(self) -> int:
        return len(self.cells)


class Ordered:
    """Equal to what has the same items, and shown as them, in whatever order they are."""

    def __eq__(self: Any, other: object) -> bool:
        return isinstance(other, Ordered) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return "ordered"


def hiding(kind: Any, *values: Any) -> list[Any]:
    """Return values of a class made of Ordered and another that has storage of its own."""
    made = type("Hiding", (Ordered, kind), {"__iter__": lambda self: iter(()), "items": dict})
    return [made(*value) for value in values]


EQUAL = [
    hiding(bytes, [b"ab"], [b"ba"]),
    hiding(deque, [[1, 2]], [[2, 1]]),
    hiding(array, ["b", [1, 2]], ["b", [2, 1]]),
    hiding(complex, [1, 2], [2, 1]),
    hiding(tuple, [(1, 2)], [(2, 1)]),
    hiding(list, [[1, 2]], [[2, 1]]),
    hiding(dict, [{1: 2}], [{2: 1}]),
    (1, True),
    ((1, 0), Pair(1, 0)),
    ((1, (0,)), (1, (False,))),
    ((Pair(1, 0), 2), (Pair(True, 0), 2)),
    (Field(1), Field(True)),
    (frozenset({1, "x"}), frozenset({True, "x"})),
    (Part(1, 2), Part(1, 3)),
    ((0, Caseless("a")), (0, Caseless("A"))),
    (0.0, -0.0),
    (Decimal("1.0"), Decimal("1.00")),
    (Field((0, range(0))), Field((0, range(1, 1)))),
    (Row(1), marked(Row(1))),
    (Hidden(1, "a"), Hidden(1, "b")),
    ((1, Hidden(1, "a")), (1, Hidden(1, "b"))),
    ((1, 1), (1, Hidden(1, "b"))),
    (Cells([1, 0]), Cells([True, 0])),
    (Cells({1: 2, 3: 4}), Cells({3: 4, 1: 2})),
]


@pytest.mark.parametrize(("p", "q"), EQUAL, ids=range(len(EQUAL)))
def test_equal_values_that_differ_are_not_the_same(p: Any, q: Any) -> None:
    assert p == q
    check_same(p, p)
    with pytest.raises(TableProofError, match="are equal, but are of other types"):
        check_same(p, q)


def test_equal_values_of_one_type_are_the_same() -> None:
    for make in (Part, Pair, lambda a, b: (a, (b, 2.5)), lambda a, b: Hidden(a, "b")):
        assert is_same(make(1, 2), make(1, 2))
    known, cells = Row(1, 2), Cells([[1], {2: object}])
    assert known.total == 3
    assert is_same(known, Row(1, 2))
    assert is_same(cells, Cells([[1], {2: object}]))


def test_a_class_that_claims_to_be_int_is_not_plain() -> None:
    hidden: Any = Hidden(1, "a")
    assert [type(part) is int for part in (as_plain(hidden), *as_plain((hidden,)))] == [True] * 2
    assert other_type((0,), (hidden,)) is hidden


class Told(Game[tuple[Any, Any], int]):
    """Two ways lead to equal positions, in which the rules tell True from 1."""

    def __init__(self, other: Any) -> None:
        self.last = other

    def initial(self) -> tuple[Any, Any]:
        return 0, None

    def moves(self, p: tuple[Any, Any]) -> list[int]:
        return [1, 2] if p == (0, None) else [1]

    def play(self, p: tuple[Any, Any], m: int) -> tuple[Any, Any]:
        if p == (0, None):
            return m, None
        return 3, self.last if p[0] == 1 else 1

    def primitive(self, p: tuple[Any, Any]) -> Outcome | None:
        if p[0] < 3:
            return None
        return Outcome.WIN if p[1] is self.last and self.last is True else Outcome.LOSS


def test_a_table_whose_rules_tell_equal_positions_apart_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The walk visited one of them and proved the value of both."""
    same, apart = Told(1), Told(True)
    assert verify(encode(solve(same)), same).positions == 4
    with pytest.raises(GameLawError, match="is equal and not the same"):
        solve(apart)
    monkeypatch.setattr("solver.rules.laws.is_same", lambda p, q: True)
    with pytest.raises(TableProofError, match="are equal, but are of other types"):
        verify(encode(solve(apart)), apart)


class Remembering(Told):
    """The outcome depends on the latest move, which is kept in self and in no position."""

    def __init__(self) -> None:
        super().__init__(1)

    def play(self, p: tuple[Any, Any], m: int) -> tuple[Any, Any]:
        self.last = m
        return p[0] + 1, None

    def primitive(self, p: tuple[Any, Any]) -> Outcome | None:
        return None if p[0] < 3 else Outcome.WIN if self.last == 2 else Outcome.LOSS

    def moves(self, p: tuple[Any, Any]) -> list[int]:
        return [1, 2]


@pytest.mark.slow
def test_rules_that_remember_the_latest_move_are_refused() -> None:
    name = f"{__file__}:Remembering"
    with pytest.raises(GameLawError, match="is not the same in every process"):
        check_repeats(load_game(name), name)


class Chosen(Game[Any, int]):
    """Cells 0 and 8 are chosen, in positions that hold a set; the order of choice decides."""

    def __init__(self, held: Callable[[frozenset[int]], Any]) -> None:
        self.held = held

    def initial(self) -> Any:
        return self.held(frozenset())

    def cells(self, p: Any) -> list[int]:
        p = p.cells if isinstance(p, Cells) else p
        return [*(p[0] if isinstance(p, tuple) else p)]

    def moves(self, p: Any) -> list[int]:
        return [m for m in (0, 8) if m not in self.cells(p)]

    def play(self, p: Any, m: int) -> Any:
        return self.held(frozenset([*self.cells(p), m]))

    def primitive(self, p: Any) -> Outcome | None:
        cells = self.cells(p)
        return None if len(cells) < 2 else Outcome.WIN if cells[0] else Outcome.LOSS

    def text(self, p: Any, turn: str | None = None) -> str:
        return "".join(map(str, sorted(self.cells(p)))) or "-"

    def parse(self, text: str, turn: str | None = None) -> Any:
        return self.held(frozenset(int(one) for one in text if one != "-"))


@pytest.mark.parametrize("held", [lambda cells: cells, lambda cells: (cells, 1), Cells])
def test_positions_with_sets_are_refused(
    held: Callable[[frozenset[int]], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """{0, 8} and {8, 0} are equal, and the rules told them apart."""
    game = Chosen(held)
    way = r"holds no frozenset, .*: write tuple\(sorted\(\.\.\.\)\)"
    with pytest.raises(GameLawError, match=way):
        check_game(game)
    monkeypatch.setattr("solver.rules.kinds.set_in", lambda p: None)
    monkeypatch.setattr("solver.rules.laws.is_same", lambda p, q: True)
    data = encode(solve(game))
    monkeypatch.undo()
    with pytest.raises(GameLawError, match=way):
        verify(data, game)


class Lists(Game[Any, int]):
    """A base class on lists."""

    def initial(self) -> Any:
        return [0, 0, 0]

    def moves(self, p: Any) -> list[int]:
        return [i for i in range(3) if p[i] == 0]

    def play(self, p: Any, m: int) -> Any:
        return [*p[:m], 1, *p[m + 1 :]]

    def primitive(self, p: Any) -> Outcome | None:
        return Outcome.LOSS if 0 not in p else None


class Tuples(Lists):
    """Every value that leaves it is a tuple."""

    def initial(self) -> Any:
        return tuple(super().initial())

    def play(self, p: Any, m: int) -> Any:
        return tuple(super().play(p, m))


def test_a_subclass_may_convert_what_its_base_returns() -> None:
    assert solve(Tuples()).counts["positions"] == 8
    with pytest.raises(GameLawError, match="not the list"):
        Lists().initial()


@pytest.mark.parametrize(("shape", "way"), [((3,), "(a."), ((3, 3), "(map(tuple, a.")])
def test_the_hint_for_an_array_fits_its_dimensions(shape: Any, way: str) -> None:
    class Arrays(Lists):
        def initial(self) -> Any:
            return np.zeros(shape, int)

    with pytest.raises(GameLawError, match=re.escape(f"write tuple{way}tolist()")):
        Arrays().initial()
