"""What is written can be opened: no writer of tables, books or strategies makes what none reads."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scripts.book import encode_book
from solver import Game, Outcome, TableFormatError, load_game, verify
from solver.errors import StrategyError
from solver.rules.packing import keys_from
from solver.solving.solve import SolveOptions, solve_file
from solver.strategy.candidates import find_candidates, write
from solver.strategy.file import Strategy
from solver.strategy.rules_check import check_rules
from solver.tables.book import Book
from solver.tables.format import COUNTS, NO_HASH
from solver.tables.json_table import Table, decode
from solver.tables.mapped_file import (
    KEYS,
    SOURCE,
    choose_layout,
    encode_head,
    read_head,
    read_header,
)
from solver.tables.open import open_table
from solver.tables.packed import pack
from solver.tables.source import TableBytes
from tests.support.properties import examples

NUMBERS = st.integers(0, 9) | st.integers(-2, 40_000) | st.integers(-(1 << 70), 1 << 70)
LETTERS = st.characters(codec="utf-8", exclude_categories=["C", "Z"])
KINDS: list[st.SearchStrategy[Any]] = [
    NUMBERS,
    st.tuples(NUMBERS, NUMBERS),
    st.tuples(st.integers(0, 20_000), st.integers(0, 20_000), st.integers(0, 2)),
    st.text(LETTERS, max_size=30),
    st.text(LETTERS, min_size=4, max_size=4),
    st.tuples(st.booleans(), st.text(LETTERS, min_size=2, max_size=2), st.none() | st.just("é")),
]


class Listed(Game[Any, int]):
    """The positions of a list, in which a move goes one or two places on; the last one loses."""

    spec = "listed"

    def __init__(self, positions: list[Any]) -> None:
        self.listed = positions
        self.places = {p: i for i, p in enumerate(positions)}

    def initial(self) -> Any:
        return self.listed[0]

    def moves(self, p: Any) -> list[int]:
        return [1, 2][: len(self.listed) - 1 - self.places[p]]

    def play(self, p: Any, m: int) -> Any:
        return self.listed[self.places[p] + m]

    def primitive(self, p: Any) -> Outcome | None:
        return Outcome.LOSS if p == self.listed[-1] else None


def lists() -> st.SearchStrategy[list[Any]]:
    """Return lists of different positions of one kind, which may be many."""
    return st.one_of([st.lists(kind, min_size=2, max_size=60, unique_by=repr) for kind in KINDS])


@examples(60)
@given(positions=lists())
@example(positions=[(i, "x" * 3000) for i in range(9)])
@example(positions=[tuple(n**9 for n in range(i, i + 60)) for i in range(999)])
def test_tables_and_strategies(positions: list[Any], tmp_path_factory: Any) -> None:
    folder, game = tmp_path_factory.mktemp("written"), Listed(positions)
    table = open_table(solve_file(game, str(folder / "t.json"), SolveOptions()), game)
    scores = {p: table.probe(p) for p in positions}
    try:
        path = solve_file(game, str(folder / "t.safetensors"), SolveOptions())
    except ValueError as error:
        assert str(error).endswith("name a file that ends in .json")  # noqa: PT017
    else:
        mapped: Any = open_table(path, game)
        pack(mapped.entries, packed := str(folder / "p.safetensors"), lambda done, total: None)
        for written in (mapped, open_table(packed, game)):
            assert {p: written.probe(p) for p in positions} == scores
    side, candidates = find_candidates(table, None, "positions")
    choice = [0] * len(candidates.weights)
    try:
        check_rules(Strategy(write(game, side, candidates, choice, "positions")), game)
    except StrategyError as error:
        assert "has an empty text" in str(error)  # noqa: PT017
        assert "" in positions


class Pairs(Game[tuple[int, int], int]):
    """A game of few pairs of numbers, whose keys get room for thousands of others."""

    spec = "pairs"

    def initial(self) -> tuple[int, int]:
        return (12, 29)

    def moves(self, p: tuple[int, int]) -> list[int]:
        return [0, 1] if self.number(p) % 2 == 0 and p != (3, 3) else [0]

    def play(self, p: tuple[int, int], m: int) -> tuple[int, int]:
        q = self.number(p)
        return divmod((q * 4 + 31 if m else abs(q - 590)) % 1009 - 5, 32)

    def primitive(self, p: tuple[int, int]) -> Outcome | None:
        q = self.number(p)
        is_draw = q // 17 % 10 == 3 and q % 2
        return Outcome.LOSS if q % 18 == 5 else Outcome.DRAW if is_draw else None

    def number(self, p: tuple[int, int]) -> int:
        return p[0] * 32 + p[1] + 5


def test_values_that_would_be_a_long_list_are_written_as_ranges(tmp_path: Path) -> None:
    game = Pairs()
    path = solve_file(game, str(tmp_path / "p.safetensors"), SolveOptions())
    table: Any = open_table(path, game)
    shape, (first, second) = json.loads(table.header[KEYS])
    assert (shape, first["from"], second["from"]) == ([None, None], -1, 0)
    assert min(first["to"], second["to"]) > 5000
    assert verify(Path(path).read_bytes(), game).positions == 317
    assert table.header[KEYS] == json.dumps(table.game.keys.described)


@pytest.mark.parametrize(
    "wrong", [{"from": 3, "to": 2}, {"from": 0, "to": 1 << 40}, {"from": 0}, {"from": "a", "to": 1}]
)
def test_impossible_ranges_are_refused(wrong: Any) -> None:
    with pytest.raises((ValueError, TypeError, LookupError)):
        keys_from([[None, None], [wrong, [0, 1]]], Pairs().text_keys)
    many = [{"from": 0, "to": (1 << 17) - 1}] * 4  # few bytes that would take much memory
    with pytest.raises(ValueError, match="ranges of values are impossible"):
        keys_from([[None] * 4, many], Pairs().text_keys)


@examples(100)
@given(
    facts=st.fixed_dictionaries(
        {name: st.integers(-1, 99) | st.just(1 << 70) for name in (*COUNTS, "outcome")}
        | {name: st.text(max_size=9) | st.just("é" * 9000) for name in ("game", "rules", KEYS)}
        | {"distance": st.none() | st.integers()},
        optional={SOURCE: st.text() | st.just("[" * 65_000)},
    ),
    top=st.integers(0, 1 << 64),
    plies=st.integers(0, 20_000),
)
def test_heads(facts: dict[str, Any], top: int, plies: int) -> None:
    with suppress(ValueError):
        layout = choose_layout(max(1, facts["canonical"]), top, plies)
        head = encode_head(facts, layout, NO_HASH)
        size = len(head) + sum(layout.sizes.values())
        assert read_head(TableBytes(head)) == head
        assert read_header(head, size)[1] == layout


@examples(200)
@given(
    entry=st.tuples(
        st.integers(-1, 1),
        st.none() | st.integers(0, 3),
        st.lists(st.just(1), max_size=1),
        st.lists(
            st.tuples(
                st.integers(0, 1 << 65) | st.text() | st.floats() | st.booleans(),
                st.integers(-1, 1),
                st.none() | st.integers(0, 3),
                st.floats(0, 1) | st.integers(0, 1),
            ).map(list),
            max_size=2,
        ),
    ),
    text=st.text() | st.just("\ud800"),
)
def test_entries_of_json_tables(entry: tuple[Any, ...], text: str) -> None:
    game = load_game("nim:1")
    table = Table(game, dict.fromkeys(COUNTS, 1), {"1": [0, None, [], []], text: [*entry]})
    with suppress(TableFormatError):
        assert decode(table.encode(), game).entries == table.entries


@examples(30)
@given(st.lists(st.binary(min_size=1, max_size=9), min_size=1, max_size=9))
def test_books(plies: list[bytes]) -> None:
    book = Book(encode_book(load_game("connect4:4x4"), plies))
    assert [ply.tobytes() for ply in book.plies] == plies
