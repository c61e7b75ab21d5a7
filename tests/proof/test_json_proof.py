"""The proof of JSON tables accepts right ones and no others."""

from __future__ import annotations

import copy
import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest

from solver import Table, TableFormatError, TableProofError, load_game, verify
from solver.games.mnk import Mnk
from solver.tables.json_table import encode
from tests.conftest import solved
from tests.support import graphs
from tests.support.forged import DATA, REFUSED, edited, forge_json, rehash

Content = dict[str, Any]


def test_the_shipped_table_is_proved(known: dict[str, Any]) -> None:
    proof = verify(DATA)
    counts = known["tictactoe"]
    assert proof.game == "tictactoe"
    assert proof.positions == sum(counts["positions_by_ply"])
    assert proof.canonical == sum(counts["canonical_by_ply"])
    assert {"win": proof.win, "draw": proof.draw, "loss": proof.loss} == counts["side_to_move"]
    assert verify(DATA, load_game("tictactoe")) == proof


def test_forging_without_changes_gives_the_same_bytes() -> None:
    """So a table forged below differs from the shipped one only where it was changed."""
    assert forge_json(json.loads(DATA)) == DATA


def change_outcome(generator: random.Random, entries: Content) -> None:
    entry = entries[generator.choice(list(entries))]
    entry[0] = generator.choice([o for o in (-1, 0, 1) if o != entry[0]])
    entry[1] = None if entry[0] == 0 else generator.randrange(10)


def change_distance(generator: random.Random, entries: Content) -> None:
    entry = entries[generator.choice([key for key in entries if entries[key][1] is not None])]
    entry[1] = generator.choice([d for d in range(12) if d != entry[1]])


def change_best(generator: random.Random, entries: Content) -> None:
    entry = entries[generator.choice([key for key in entries if len(entries[key][3]) > 1])]
    moves = [row[0] for row in entry[3]]
    different = [m for m in moves if [m] != entry[2]]
    entry[2] = [generator.choice(different)]


def reverse_best(generator: random.Random, entries: Content) -> None:
    entry = entries[generator.choice([key for key in entries if len(entries[key][2]) > 1])]
    entry[2].reverse()


def some_row(generator: random.Random, entries: Content) -> list[Any]:
    entry = entries[generator.choice([key for key in entries if entries[key][3]])]
    row: list[Any] = generator.choice(entry[3])
    return row


def change_move_outcome(generator: random.Random, entries: Content) -> None:
    row = some_row(generator, entries)
    row[1] = generator.choice([o for o in (-1, 0, 1) if o != row[1]])
    row[2] = None if row[1] == 0 else generator.randrange(10)


def change_trap(generator: random.Random, entries: Content) -> None:
    row = some_row(generator, entries)
    row[3] = generator.choice([t for t in (0.0, 0.25, 1 / 3, 0.5, 1.0) if t != row[3]])


def nudge_trap(generator: random.Random, entries: Content) -> None:
    row = some_row(generator, entries)
    row[3] = row[3] - 1e-16 if row[3] > 0.5 else row[3] + 1e-16


def drop_row(generator: random.Random, entries: Content) -> None:
    entry = entries[generator.choice([key for key in entries if len(entries[key][3]) > 1])]
    row = entry[3].pop(generator.randrange(len(entry[3])))
    entry[2] = [m for m in entry[2] if m != row[0]]


def swap_rows(generator: random.Random, entries: Content) -> None:
    entry = entries[generator.choice([key for key in entries if len(entries[key][3]) > 1])]
    entry[3].insert(0, entry[3].pop())


def change_move(generator: random.Random, entries: Content) -> None:
    row = some_row(generator, entries)
    row[0] = row[0] + 9


def boolean_for_number(generator: random.Random, entries: Content) -> None:
    """Write true for 1, which are equal in Python but not in the file."""
    entry = entries[generator.choice([key for key in entries if 1 in entries[key][2]])]
    entry[2] = [True if m == 1 else m for m in entry[2]]


def drop_entry(generator: random.Random, entries: Content) -> None:
    del entries[generator.choice(list(entries))]


def add_image(generator: random.Random, entries: Content) -> None:
    """Add an entry for a position that is not canonical."""
    key = generator.choice([k for k in entries if k[::-1] not in entries])
    entries[key[::-1]] = entries[key]


def add_unreachable(generator: random.Random, entries: Content) -> None:
    """Add a well-formed entry for a text that is no position of a game."""
    entries[generator.choice(["XXXOOO...", "XXX......", "OOOOOOOOO", "X", ""])] = [-1, 0, [], []]


def swap_entries(generator: random.Random, entries: Content) -> None:
    a, b = generator.sample([key for key in entries if entries[key][0] != 0], 2)
    while entries[a] == entries[b]:
        a, b = generator.sample(list(entries), 2)
    entries[a], entries[b] = entries[b], entries[a]


def change_order(generator: random.Random, entries: Content) -> None:
    key = generator.choice(list(entries)[:-1])
    entries[key] = entries.pop(key)


MUTATIONS: list[Callable[[random.Random, Content], None]] = [
    change_outcome,
    change_distance,
    change_best,
    reverse_best,
    change_move_outcome,
    change_trap,
    nudge_trap,
    drop_row,
    swap_rows,
    change_move,
    boolean_for_number,
    drop_entry,
    add_image,
    add_unreachable,
    swap_entries,
    change_order,
]


@pytest.mark.slow
@pytest.mark.no_cover  # measuring coverage would take four times as long
@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
@pytest.mark.parametrize("tables", [4, pytest.param(40, marks=pytest.mark.large)])
@pytest.mark.thinned(16, 3)
def test_mutated_tables_are_refused(
    mutate: Callable[[random.Random, Content], None], tables: int
) -> None:
    """Each is wrong in one place and has the right hash."""
    generator = random.Random(mutate.__name__)
    original = json.loads(DATA)
    for _ in range(tables):
        content = {**original, "entries": copy.deepcopy(original["entries"])}
        mutate(generator, content["entries"])
        data = forge_json(content)
        assert data != DATA
        with pytest.raises(REFUSED):
            verify(data)


@pytest.mark.slow
@pytest.mark.no_cover
@pytest.mark.parametrize("tables", [10, pytest.param(100, marks=pytest.mark.large)])
def test_a_wrong_header_is_refused(tables: int) -> None:
    """Wrong counts, and every other field, with the right hash."""
    original = json.loads(DATA)
    generator = random.Random(0)
    counts = ["positions", "canonical", "terminal", "win", "draw", "loss"]
    for _ in range(tables):
        name = generator.choice(counts)
        changed = generator.choice([0, original[name] + generator.randrange(1, 9), True])
        with pytest.raises(REFUSED):
            verify(edited(**{name: changed}))
    for name, changed in [
        ("outcome", 1),
        ("distance", 5),
        ("columns", {}),
        ("symmetries", {"count": 1, "cells": []}),
        ("rules", "f" * 64),
        ("game", "mnk:3,3,3"),
        ("version", 1),
        ("version", 2.0),
        ("version", True),
    ]:
        with pytest.raises(REFUSED):
            verify(forge_json({**original, name: changed}))


@pytest.mark.slow
def test_other_spellings_of_the_same_values_are_refused() -> None:
    for data in (
        DATA.replace(b",\n", b", \n", 1),
        DATA + b"\n",
        DATA.replace(b"0.5]", b"5e-1]", 1),
        DATA.replace(b'".........":', b'".........":[0,null,[],[]],\n".........":', 1),
        DATA.replace(b"0.875", b"0.8750000000000000001", 1),
        DATA.replace(b"\n", b"\r\n"),
    ):
        assert data != DATA
        with pytest.raises(REFUSED):
            verify(rehash(data))


def test_a_wrong_value_is_named_with_the_right_one() -> None:
    """The entry named is not one of its parents, which are right but do not fit the wrong value."""
    content = json.loads(DATA)
    key = next(k for k in content["entries"] if sorted(k) == sorted("X...O....") and k[4] == "O")
    content["entries"][key][:2] = [1, 7]
    said = f"the entry for {key!r} is a win in 7; it should be a draw"
    with pytest.raises(TableProofError, match=re.escape(said)):
        verify(forge_json(content))


@pytest.mark.slow
@pytest.mark.parametrize("place", [2, 3])
def test_a_wrong_entry_is_named_with_the_right_one(place: int) -> None:
    """Best moves or move values that do not follow from the table's values."""
    content = json.loads(DATA)
    key = next(iter(content["entries"]))
    right = copy.deepcopy(content["entries"][key])
    content["entries"][key][place].reverse()
    wrong, right = (
        json.dumps(entry, separators=(",", ":")) for entry in (content["entries"][key], right)
    )
    said = f"the entry for {key!r} is {wrong}; it should be {right}"
    with pytest.raises(TableProofError, match=re.escape(said)):
        verify(forge_json(content))


@pytest.mark.slow
def test_a_line_that_is_spelled_otherwise_is_named() -> None:
    """Its values are right, but not its bytes. The line of the hash is wrong, too, but later."""
    lines = DATA.splitlines(keepends=True)
    for number in (2, 9, 15):
        wrong = lines[number - 1].replace(b":", b": ", 1)
        data = b"".join([*lines[: number - 1], wrong, *lines[number:]])
        with pytest.raises(TableProofError, match=rf"^line {number} is "):
            verify(rehash(data))


def test_a_missing_entry_is_named() -> None:
    content = json.loads(DATA)
    del content["entries"]["....X...."]
    with pytest.raises(TableProofError, match=re.escape("entry for '....X....' is missing")):
        verify(forge_json(content))
    content = json.loads(DATA)
    del content["entries"]["........."]
    with pytest.raises(TableFormatError, match="no entry for the starting position"):
        verify(forge_json(content))


def test_an_extra_entry_is_named() -> None:
    """It comes from the table of a wider game, which reaches more positions."""
    game = graphs.Graph("a", {"a": "z"}, {"z": graphs.LOSS, "y": graphs.LOSS})
    wide = graphs.Graph("a", {"a": "zy"}, {"z": graphs.LOSS, "y": graphs.LOSS})
    table = solved(wide)
    narrow = solved(game)
    forged = Table(game, narrow.counts, {**narrow.entries, "y": table.entries["y"]})
    with pytest.raises(TableProofError, match="the entry for 'y' is extra"):
        verify(encode(forged), game)


def test_a_table_of_other_rules_is_refused() -> None:
    with pytest.raises(TableFormatError, match="not of 'mnk:3,3,2'"):
        verify(DATA, Mnk(3, 3, 2))


@pytest.mark.parametrize("case", graphs.ALL, ids=lambda case: str(case[0].edges))
def test_every_wrong_value_of_a_graph_is_refused(case: tuple[graphs.Graph, Any]) -> None:
    """Including cycles: a draw cannot be claimed as a win in n, for any n."""
    game, worths = case
    table = solved(game)
    for node in worths:
        for outcome, plies in [(0, None), *((o, d) for o in (-1, 1) for d in range(8))]:
            entry = table.entries[node]
            if entry[:2] == [outcome, plies]:
                continue
            wrong = {**table.entries, node: [outcome, plies, *entry[2:]]}
            with pytest.raises(TableProofError):
                verify(encode(Table(game, table.counts, wrong)), game)


def test_claims_along_a_cycle_do_not_support_each_other() -> None:
    """Two positions that can only repeat both claim that the same side wins."""
    game = graphs.Graph("a", {"a": "b", "b": "a"}, {})
    table = solved(game)
    for plies in range(10):
        rows = {
            "a": [1, plies + 1, ["b"], [["b", 1, plies + 1, 0.0]]],
            "b": [-1, plies, ["a"], [["a", -1, plies, 0.0]]],
        }
        entries = {node: [*row[:2], *table.entries[node][2:]] for node, row in rows.items()}
        with pytest.raises(TableProofError):
            verify(encode(Table(game, table.counts, entries)), game)
