"""The proof of JSON tables accepts right ones and no others."""

from __future__ import annotations

import contextlib
import copy
import json
import random
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import (
    GameLawError,
    Table,
    TableFormatError,
    TableProofError,
    load_game,
    verify,
)
from solver.tables.json_table import encode
from tests.conftest import Command, solved
from tests.support import graphs
from tests.support.forge import HEADERS, JSON, NAMES, VALUES
from tests.support.forged import DATA, REFUSED, forge_json, rehash
from tests.support.forger import Forger, Kind
from tests.support.properties import examples
from tests.support.small_games import Chain
from tests.support.tables import json_bytes
from tests.support.user_games import Sided

Content = dict[str, Any]


@pytest.mark.no_cover
def test_the_shipped_table_is_proved(known: dict[str, Any]) -> None:
    proof = verify(DATA)
    counts = known["tictactoe"]
    assert proof.game == "tictactoe"
    assert proof.positions == sum(counts["positions_by_ply"])
    assert proof.canonical == sum(counts["canonical_by_ply"])
    assert {"win": proof.win, "draw": proof.draw, "loss": proof.loss} == counts["side_to_move"]


@pytest.mark.parametrize(
    "kind", dict.fromkeys((*VALUES, *HEADERS, *JSON)), ids=lambda kind: kind.__name__
)
def test_every_kind_of_forgery_is_refused(kind: Kind) -> None:
    generator, found = random.Random(kind.__name__), 0
    for name in NAMES:
        forger = Forger(load_game(name), json_bytes(name))
        for data in {kind(forger, generator) for _ in range(5)} - {forger.plain}:
            if data is not None:
                found += 1
                with pytest.raises(REFUSED):
                    verify(data)
    assert found


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("canonical", True),
        ("columns", {}),
        ("game", "mnk:3,3,3"),
        ("version", 1),
        ("version", 2.0),
        ("entries", dict(reversed(json.loads(DATA)["entries"].items()))),
    ],
)
def test_a_wrong_header_is_refused(name: str, changed: Any) -> None:
    """In what no kind of forgery changes."""
    with pytest.raises(REFUSED):
        verify(forge_json({**json.loads(DATA), name: changed}))


def test_a_wrong_value_is_named_with_the_right_one() -> None:
    """The entry named is not one of its parents, which are right but do not fit the wrong value."""
    content = json.loads(DATA)
    key = next(k for k in content["entries"] if sorted(k) == sorted("X...O....") and k[4] == "O")
    content["entries"][key][:2] = [1, 7]
    message = f"the entry for {key!r} is a win in 7; it should be a draw"
    with pytest.raises(TableProofError, match=re.escape(message)):
        verify(forge_json(content))


@pytest.mark.slow
@pytest.mark.parametrize("place", [2, 3])
@pytest.mark.thinned(2)
def test_a_wrong_entry_is_named_with_the_right_one(place: int) -> None:
    """Best moves or move values that do not follow from the table's values."""
    content = json.loads(DATA)
    key = next(iter(content["entries"]))
    right = copy.deepcopy(content["entries"][key])
    content["entries"][key][place].reverse()
    wrong, right = (
        json.dumps(entry, separators=(",", ":")) for entry in (content["entries"][key], right)
    )
    message = f"the entry for {key!r} is {wrong}; it should be {right}"
    with pytest.raises(TableProofError, match=re.escape(message)):
        verify(forge_json(content))


@examples(50)
@given(st.data())
def test_a_change_anywhere_is_refused(data: st.DataObject) -> None:
    """A bit turned, bytes removed or lines exchanged, with the right hash for what is left."""
    right = json_bytes("hexapawn:3x3")
    first = data.draw(st.integers(0, len(right) - 1))
    match data.draw(st.sampled_from(["turned", "removed", "exchanged"])):
        case "turned":
            bit = 1 << data.draw(st.integers(0, 7))
            changed = right[:first] + bytes([right[first] ^ bit]) + right[first + 1 :]
        case "removed":
            changed = right[:first] + right[first + data.draw(st.integers(1, 99)) :]
        case _:
            lines = right.split(b"\n")
            a, b = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
            lines[a], lines[b] = lines[b], lines[a]
            changed = b"\n".join(lines)
    with contextlib.suppress(ValueError):  # there is no place for a hash
        changed = rehash(changed)
    if changed != right:
        with pytest.raises(REFUSED):
            verify(changed, load_game("hexapawn:3x3"))


@pytest.mark.slow
def test_a_line_that_is_spelled_otherwise_is_named() -> None:
    """Its values are right, but not its bytes. The line of the hash is wrong, too, but later."""
    lines = DATA.splitlines(keepends=True)
    for number in (2, 15):
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


class Rare(Chain):
    """Its keys and positions are each other's inverse, but for 7."""

    def key(self, p: int) -> int:
        return p

    def position(self, key: int) -> int:
        return 8 if key == 7 else key


def test_keys_of_the_games_own_are_checked_though_no_key_is_in_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("solver.solving.solve.check_game", lambda *_, **__: 0)
    with pytest.raises(GameLawError, match="at 7: position is the inverse of key"):
        verify(encode(solved(Rare(9))), Rare(9))
    with pytest.raises(ValueError, match="themselves: give verify the name"):
        verify(encode(solved(Chain(3))), Chain(3), workers=2)


@pytest.mark.slow
def test_all_processors_prove_a_large_table(command: Command) -> None:
    """Unless the caller gives the rules themselves, which other processes cannot load."""
    module, started = sys.modules["solver.proof.verify"], list[int]()

    def pool(workers: int, *args: Any, **more: Any) -> ProcessPoolExecutor:
        started.append(workers)
        return ProcessPoolExecutor(workers, *args, **more)

    command.monkeypatch.setattr(module, "ProcessPoolExecutor", pool)
    command.monkeypatch.setattr(module, "processors", lambda: 2)
    assert command("verify", "--game", "tictactoe") == 0
    alone = command.out
    assert started == []
    command.monkeypatch.setattr(module, "MANY", 5_478)
    assert command("verify", "--game", "tictactoe") == 0
    assert (started, command.out) == ([2], alone)
    verify(encode(solved(Chain(3))), Chain(3), workers=None)
    assert started == [2]


class Turned(Sided):
    """At one position, `turn` may name the wrong seat."""

    def __init__(self, odd: object = None) -> None:
        self.odd = odd

    def turn(self, p: Any) -> Any:
        return self.other(p[1]) if p == self.odd else p[1]


def test_a_turn_that_names_the_wrong_seat_is_refused() -> None:
    data = encode(solved(Turned()))
    assert verify(data, Turned()).positions == 6
    with pytest.raises(GameLawError, match="turn is 'O' before and after the move"):
        verify(data, Turned((1, "X")))
