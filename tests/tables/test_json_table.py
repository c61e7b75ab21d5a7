"""JSON tables: their file, their hash, and that damage is always detected."""

from __future__ import annotations

import json
import random
import re
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Table, TableAgent, TableFormatError, open_agent, solve
from solver.files import save
from solver.tables.json_table import decode, encode
from solver.tables.store import find_table, shipped_path, user_path
from tests.conftest import ROOT, SHIPPED, python
from tests.support.forged import DATA, edited
from tests.support.tables import table_path
from tests.support.user_games import Heap


def test_the_committed_table_is_the_regenerated_one(table: Table) -> None:
    assert encode(table) == DATA


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["hexapawn:3x3", "tictactoe"])
@pytest.mark.thinned(2)
def test_a_fresh_process_writes_the_same_bytes(tmp_path: Path, spec: str) -> None:
    """Whatever the hash seed."""
    paths = {suffix: tmp_path / f"t{suffix}" for suffix in (".json", ".safetensors")}
    lines = [["solve", spec, "-o", str(path)] for path in paths.values()]
    code = f"from solver.cli import run\nfor line in {lines}: assert run(line) == 0"
    assert python("-c", code, PYTHONHASHSEED="1").returncode == 0
    for suffix, path in paths.items():
        assert path.read_bytes() == table_path(spec, suffix).read_bytes()


def test_the_file_matches_its_schema_and_is_small() -> None:
    schema = json.loads((ROOT / "data" / "table.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(DATA), schema)
    assert len(DATA) < 100_000


def test_symmetries_in_the_file_are_enough_to_find_every_position() -> None:
    """A reader without the rules finds each reachable board among the images of one entry."""
    content = json.loads(DATA)
    images = [
        {"".join(key[cell] for cell in cells) for cells in content["symmetries"]["cells"]}
        for key in content["entries"]
    ]
    assert sum(len(group) for group in images) == len(set().union(*images)) == 5478


@pytest.mark.slow
@pytest.mark.parametrize("count", [60, pytest.param(4000, marks=pytest.mark.campaign)])
def test_a_changed_byte_is_detected(count: int) -> None:
    """At every tenth place before the entries, and at others drawn at random."""
    generator = random.Random(0)
    step = 10 if count < 1000 else 1
    places = [*range(0, DATA.index(b'"entries"'), step), *generator.sample(range(len(DATA)), count)]
    damaged = bytearray(DATA)
    for place in places:
        damaged[place] ^= generator.randrange(1, 256)
        with pytest.raises(TableFormatError):
            decode(bytes(damaged))
        damaged[place] = DATA[place]


@given(st.integers(0, len(DATA) - 1))
def test_truncated_files_are_refused(length: int) -> None:
    with pytest.raises(TableFormatError):
        decode(DATA[:length])


@given(st.binary(max_size=200))
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(TableFormatError):
        decode(data)


ENTRY: list[Any] = [0, None, [4], [[4, 0, None, 0.0]]]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"[" * 100_000,
        b'{"format": NaN}',
        DATA[:-2] + b',"x":' + b"9" * 5000 + b"}",
        "ä".encode("latin-1"),
        DATA.decode().encode("utf-16"),
    ],
    ids=["empty", "null", "list", "deep", "nan", "long number", "latin-1", "utf-16"],
)
def test_hostile_json_is_refused(data: bytes) -> None:
    with pytest.raises(TableFormatError):
        decode(data)


def entry(text: str, *changed: Any) -> dict[str, Any]:
    return {"entries": {text: list(changed)}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"format": "syzygy"}, 'no "format"'),
        ({"version": 1}, "version is 1; this program reads 2: solve the game again"),
        ({"version": "9" * 10_000}, "version is '9"),
        ({"game": "go"}, "of a custom game"),
        ({"game": 3}, "must be a string"),
        ({"rules": "0" * 64}, "other rules"),
        ({"extra": 1}, "fields"),
        *(({"win": wrong}, "whole numbers") for wrong in ("many", True, -5)),
        ({"symmetries": None}, "table's symmetries is None, but by the rules"),
        ({"outcome": 1}, "table's outcome is 1"),
        ({"entries": []}, "an object"),
        ({"entries": {}}, "no entry for the starting position"),
        ({"entries": {"X": 5}}, "the entry for 'X'"),
        (entry("X", *ENTRY[:3]), "the entry for 'X'"),
        (entry("X", 0.0, None, [], []), "outcome 0.0"),
        (entry("X", 0, 5, [], []), "distance null"),
        *((entry("X", 1, n, [], []), f"distance {n}") for n in (None, 99999, -1)),
        (entry("X", 0, None, [3], ENTRY[3]), "best moves"),
        *((entry("X", 0, None, [4], [[4, 0, None, n]]), f"trap {n} ") for n in (2.0, 0)),
        (entry("X", 0, None, [4], [[4, 0, None]]), "the entry for 'X'"),
        *(
            (entry(".........", 0, None, [], [[m, 0, None, 0.0]] * n), "distinct numbers or")
            for m, n in (([4], 1), (True, 1), (4, 2))
        ),
    ],
)
def test_a_table_of_the_wrong_shape_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(TableFormatError, match=re.escape(message)) as caught:
        decode(edited(**changes))
    assert len(str(caught.value)) < 500


def test_an_entry_without_its_moves_is_detected_on_look_up() -> None:
    content = json.loads(DATA)
    content["entries"]["........."][2:] = [[], []]
    agent = TableAgent(decode(edited(entries=content["entries"])))
    with pytest.raises(TableFormatError, match="does not have the legal moves"):
        agent.best_move(".........")


def test_save_follows_links_and_keeps_modes(tmp_path: Path) -> None:
    target = tmp_path / "target.json"
    target.write_bytes(b"old")
    target.chmod(0o600)
    link = tmp_path / "link.json"
    link.symlink_to(target)
    save(str(link), b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o600


def test_a_table_of_rules_that_changed_is_to_be_solved_again(tmp_path: Path) -> None:
    class Changed(Heap):
        spec = Heap().spec

        def moves(self, p: int) -> list[int]:
            return [1]

    (tmp_path / "heap.json").write_bytes(encode(solve(Heap())))
    with pytest.raises(TableFormatError, match="made for other rules; solve it again"):
        open_agent(Changed(), tmp_path / "heap.json")


def test_the_paths_of_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(tmp_path))
    assert user_path("tictactoe", ".json") == str(tmp_path / "tictactoe.json")
    assert find_table("tictactoe") == shipped_path("tictactoe") == str(SHIPPED)
    (tmp_path / "tictactoe.json").write_bytes(DATA)
    assert find_table("tictactoe") == str(tmp_path / "tictactoe.json")
    for spec, named in (("mnk:4,4,4", "mnk:4,4,4"), ("ring:Ring", r"ring\.py:Ring")):
        with pytest.raises(FileNotFoundError, match=f"perfectplay solve {named}$"):
            find_table(spec)
    assert user_path("mnk:4,4,4", ".json") == str(tmp_path / "mnk-4,4,4.json")


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"HOME": "/h"}, "/h/.local/share/perfectplay"),
        ("linux", {"HOME": "/h", "XDG_DATA_HOME": "/x"}, "/x/perfectplay"),
        ("darwin", {"HOME": "/h"}, "/h/Library/Application Support/perfectplay"),
        ("win32", {"HOME": "/h", "LOCALAPPDATA": "/l"}, "/l/perfectplay"),
    ],
)
def test_the_users_data_directory(
    platform: str, variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PERFECTPLAY_TABLES", "XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert user_path("tictactoe", ".json") == f"{expected}/tictactoe.json"
