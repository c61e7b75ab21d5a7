"""The proof: it passes right tables and no other."""

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
from tests.tables.test_json_table import DATA, edited, rehash

REFUSED = (TableProofError, TableFormatError)
Content = dict[str, Any]
HEADER_SEPARATORS = (",", ":")


def forge(content: Content) -> bytes:
    """Return a file laid out exactly as ours, with any content and the right hash."""
    lines = [
        f'"{name}":{json.dumps(value, separators=HEADER_SEPARATORS)}'
        for name, value in content.items()
        if name != "entries"
    ]
    entries = [
        f"{json.dumps(key)}:{json.dumps(entry, separators=HEADER_SEPARATORS)}"
        for key, entry in content["entries"].items()
    ]
    text = "{\n" + ",\n".join(lines) + ',\n"entries":{\n' + ",\n".join(entries) + "\n}\n}\n"
    return rehash(text.encode())


def test_the_shipped_table_is_proved(known: dict[str, Any]) -> None:
    proof = verify(DATA)
    counts = known["tictactoe"]
    assert proof.game == "tictactoe"
    assert proof.positions == sum(counts["positions_by_ply"])
    assert proof.canonical == sum(counts["canonical_by_ply"])
    assert {"win": proof.win, "draw": proof.draw, "loss": proof.loss} == counts["side_to_move"]
    assert verify(DATA, load_game("tictactoe")) == proof


def test_forge_makes_our_own_bytes() -> None:
    """So that a mutation below differs from the shipped file in nothing but the mutation."""
    assert forge(json.loads(DATA)) == DATA


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
    """In Python, True == 1; in the file it is another text."""
    entry = entries[generator.choice([key for key in entries if 1 in entries[key][2]])]
    entry[2] = [True if m == 1 else m for m in entry[2]]


def drop_entry(generator: random.Random, entries: Content) -> None:
    del entries[generator.choice(list(entries))]


def add_image(generator: random.Random, entries: Content) -> None:
    """Add an entry under a key that is not canonical."""
    key = generator.choice([k for k in entries if k[::-1] not in entries])
    entries[key[::-1]] = entries[key]


def add_unreachable(generator: random.Random, entries: Content) -> None:
    """Add a well-formed entry of a position that no game leads to."""
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


@pytest.mark.no_cover  # measuring coverage would take four times as long
@pytest.mark.parametrize("mutate", MUTATIONS, ids=lambda mutate: mutate.__name__)
def test_no_mutated_table_passes(mutate: Callable[[random.Random, Content], None]) -> None:
    """2,080 tables in all, each wrong in one place and with the right hash."""
    generator = random.Random(mutate.__name__)
    original = json.loads(DATA)
    for _ in range(130):
        content = {**original, "entries": copy.deepcopy(original["entries"])}
        mutate(generator, content["entries"])
        data = forge(content)
        if data == DATA:
            continue
        with pytest.raises(REFUSED):
            verify(data)


def test_mutations_do_mutate() -> None:
    generator = random.Random(1)
    for mutate in MUTATIONS:
        content = json.loads(DATA)
        mutate(generator, content["entries"])
        assert forge(content) != DATA, mutate.__name__


@pytest.mark.no_cover
def test_no_edited_header_passes() -> None:
    """A hundred wrong counts, and every other field, with the right hash."""
    original = json.loads(DATA)
    generator = random.Random(0)
    counts = ["positions", "canonical", "terminal", "win", "draw", "loss"]
    for _ in range(100):
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
        ("version", 1.0),
        ("version", True),
    ]:
        with pytest.raises(REFUSED):
            verify(forge({**original, name: changed}))


def test_no_other_spelling_passes() -> None:
    """The same values in another layout are not the same table."""
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


def test_the_first_wrong_entry_is_named_with_what_it_should_say() -> None:
    """Not its parents, which are right, though they seem wrong beside it."""
    content = json.loads(DATA)
    key = "X...O...."
    key = next(k for k in content["entries"] if sorted(k) == sorted(key) and k[4] == "O")
    right = copy.deepcopy(content["entries"][key])
    content["entries"][key][:2] = [1, 7]
    wrong = content["entries"][key]
    compact = (",", ":")
    said = (
        f"the entry for {key!r} is {json.dumps(wrong, separators=compact)};"
        f" it should be {json.dumps(right, separators=compact)}"
    )
    with pytest.raises(TableProofError, match=re.escape(said)):
        verify(forge(content))


def test_a_missing_entry_is_named() -> None:
    content = json.loads(DATA)
    del content["entries"]["....X...."]
    with pytest.raises(TableProofError, match=re.escape("entry for '....X....' is missing")):
        verify(forge(content))
    content = json.loads(DATA)
    del content["entries"]["........."]
    with pytest.raises(TableFormatError, match="no entry for the starting position"):
        verify(forge(content))


def test_an_entry_too_many_is_named() -> None:
    """A wider game's table holds positions that the narrower game does not reach."""
    game = graphs.Graph("a", {"a": "z"}, {"z": graphs.LOSS, "y": graphs.LOSS})
    wide = graphs.Graph("a", {"a": "zy"}, {"z": graphs.LOSS, "y": graphs.LOSS})
    table = load_graph(wide)
    narrow = load_graph(game)
    forged = Table(game, narrow.counts, {**narrow.entries, "y": table.entries["y"]})
    with pytest.raises(TableProofError, match="'y' should not be there"):
        verify(encode(forged), game)


def load_graph(game: graphs.Graph) -> Table:

    return solved(game)


def test_rules_that_changed_are_noticed() -> None:
    with pytest.raises(TableFormatError, match="not of 'mnk:3,3,2'"):
        verify(DATA, Mnk(3, 3, 2))


@pytest.mark.parametrize("case", graphs.ALL, ids=lambda case: str(case[0].edges))
def test_every_wrong_value_of_a_graph_is_refused(case: tuple[graphs.Graph, Any]) -> None:
    """Cycles included: a draw claimed as a win in n, for every n, has no support."""
    game, worths = case
    table = load_graph(game)
    for node in worths:
        for outcome, plies in [(0, None), *((o, d) for o in (-1, 1) for d in range(8))]:
            entry = table.entries[node]
            if entry[:2] == [outcome, plies]:
                continue
            wrong = {**table.entries, node: [outcome, plies, *entry[2:]]}
            with pytest.raises(TableProofError):
                verify(encode(Table(game, table.counts, wrong)), game)


def test_a_circle_of_claims_does_not_support_itself() -> None:
    """Two positions that could only repeat claim that one side wins: each leans on the other."""
    game = graphs.Graph("a", {"a": "b", "b": "a"}, {})
    table = load_graph(game)
    for plies in range(10):
        rows = {
            "a": [1, plies + 1, ["b"], [["b", 1, plies + 1, 0.0]]],
            "b": [-1, plies, ["a"], [["a", -1, plies, 0.0]]],
        }
        entries = {node: [*row[:2], *table.entries[node][2:]] for node, row in rows.items()}
        with pytest.raises(TableProofError):
            verify(encode(Table(game, table.counts, entries)), game)
