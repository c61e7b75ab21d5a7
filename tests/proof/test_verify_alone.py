"""The script that proves tables with the standard library alone accepts right tables and no others.

It is independent of `verify`, so it also shows that the documentation says enough to read a table.
"""

from __future__ import annotations

import ast
import json
import random
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from scripts import verify_alone
from scripts.verify_alone import WrongTableError, prove
from solver import Game, Outcome, load_game
from tests.conftest import ROOT, SHIPPED
from tests.support import small_games, user_games
from tests.support.forge import forge as forge_any
from tests.support.forged import Raw, forge, forge_json, raw_of, rehash
from tests.support.forger import Forger
from tests.support.tables import solved_bytes

FORMS = (".json", ".safetensors")
BUILT_IN = (
    *("tictactoe", "hexapawn:3x3", "nim:3,4,5", "notakto", "ponghauki", "morris", "mutorere"),
    *("connect4:3x3,3", "clobber:4x2", "domineering:4x3", "breakthrough:2x4", "dodgem:3x3"),
    "kingspawns:k.../..../P.../...K",
)
CUSTOM: dict[str, Game[Any, Any]] = {
    **{kind.__name__: kind() for kind in (user_games.Row, user_games.Word, user_games.Relative)},
    **{kind.__name__: kind() for kind in (user_games.Heap, user_games.Heaps)},
    **{kind.__name__: kind() for kind in (small_games.Line, small_games.Scattered)},
    "Chain of 126": small_games.Chain(126),
    "Chain of 127": small_games.Chain(127),
    "Chain of 300": small_games.Chain(300),
}


@cache
def game_named(name: str) -> Game[Any, Any]:
    return CUSTOM[name] if name in CUSTOM else load_game(name)


@cache
def table_of(name: str, suffix: str) -> bytes:
    return solved_bytes(game_named(name), suffix=suffix)


def refusal(data: bytes, name: str = "tictactoe") -> str:
    with pytest.raises(WrongTableError) as caught:
        prove(data, game_named(name))
    return str(caught.value)


# Right tables


def test_the_shipped_tables_are_proved() -> None:
    tables = [p for p in (ROOT / "data").glob("*.json") if b"perfectplay table" in p.read_bytes()]
    shipped = [(p, json.loads(p.read_text())) for p in tables]
    shipped = [(p, content) for p, content in shipped if "entries" in content]
    assert SHIPPED in [p for p, _ in shipped]
    for path, content in shipped:
        assert prove(path.read_bytes(), load_game(content["game"])) == content["positions"]


@pytest.mark.parametrize("suffix", FORMS)
@pytest.mark.parametrize("name", [*BUILT_IN, *CUSTOM])
@pytest.mark.thinned(6)
def test_right_tables_are_proved(name: str, suffix: str) -> None:
    """With symmetries and without, with cycles, with default keys of every kind and with own."""
    data = table_of(name, suffix)
    about = json.loads(data) if suffix == ".json" else raw_of(data).about
    assert prove(data, game_named(name)) == int(about["positions"])


@pytest.mark.slow
def test_the_games_cover_the_kinds_of_keys() -> None:
    headers = [raw_of(table_of(name, ".safetensors")).about for name in (*BUILT_IN, *CUSTOM)]
    keys = [json.loads(about["keys"]) for about in headers if "keys" in about]
    assert len(keys) < len(headers)  # others define theirs
    assert "numbers" in keys
    assert "texts" in keys
    assert any(isinstance(one, list) for one in keys)
    assert {about["limit"] for about in headers} == {"127", "16384"}
    assert {about["multiplier"] == "1" for about in headers} == {True, False}


# Wrong tables


def edit_json(change: Callable[[dict[str, Any]], object]) -> bytes:
    content = json.loads(table_of("tictactoe", ".json"))
    change(content)
    return forge_json(content)


FIRST = "X...O...."  # a draw; the entry for a corner and the centre


def set_entry(place: int, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(content: dict[str, Any]) -> None:
        content["entries"][FIRST][place] = value

    return change


def set_row(place: int, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(content: dict[str, Any]) -> None:
        content["entries"][FIRST][3][0][place] = value

    return change


DAMAGES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "outcome": (lambda c: c["entries"][FIRST].__setitem__(slice(0, 2), [1, 3]), "value at"),
    "outcome True": (set_entry(0, False), "value at"),
    "distance": (set_entry(1, 4), "has no value"),
    "best": (lambda c: c["entries"][FIRST][2].pop(), "entry for"),
    "order of best": (lambda c: c["entries"][FIRST][2].reverse(), "entry for"),
    "move": (set_row(1, 1), "entry for"),
    "distance of a move": (set_row(2, 2), "entry for"),
    "trap": (set_row(3, 0.25), "entry for"),
    "trap of another type": (set_row(3, 0), "entry for"),
    "code": (set_row(0, 8), "entry for"),
    "missing move": (lambda c: c["entries"][FIRST][3].pop(), "entry for"),
    "missing": (lambda c: c["entries"].pop(FIRST), "missing"),
    "extra": (lambda c: c["entries"].update({"XXXXXXXXX": [-1, 0, [], []]}), "extra"),
    "image": (lambda c: c["entries"].update({"....O...X": c["entries"][FIRST]}), "extra"),
    "count": (lambda c: c.update(win=c["win"] + 1), "the header's win"),
    "start": (lambda c: c.update(outcome=1, distance=9), "the header's outcome"),
    "rules": (lambda c: c.update(rules="0" * 64), "the header's rules"),
    "symmetries": (lambda c: c["symmetries"].update(count=4), "the header"),
    "field": (lambda c: c.update(more=1), "the header"),
}


@pytest.mark.parametrize("name", DAMAGES)
@pytest.mark.thinned(4)
def test_a_damage_is_named(name: str) -> None:
    """A table with the right hash that is wrong in one respect."""
    change, said = DAMAGES[name]
    assert said in refusal(edit_json(change))


def test_a_repeated_entry_is_refused() -> None:
    """Readers differ in which of two members of the same name they take."""
    data = table_of("tictactoe", ".json")
    line = next(one for one in data.splitlines() if one.startswith(b'"X...O'))
    assert "repeated" in refusal(rehash(data.replace(line, line + b"\n" + line, 1)))


def test_an_altered_byte_is_refused() -> None:
    for suffix in FORMS:
        data = bytearray(table_of("tictactoe", suffix))
        data[-20] ^= 1
        assert "damaged" in refusal(bytes(data))


def with_value(raw: Raw, place: int, value: int) -> bytes:
    values = raw.values.copy()
    values[place] = value
    return forge(raw._replace(values=values))


@pytest.mark.slow
def test_mapped_tables_with_a_wrong_number_are_refused() -> None:
    raw = raw_of(table_of("tictactoe", ".safetensors"))
    generator = random.Random(0)
    for place in generator.sample(range(len(raw.values)), 8):
        other = generator.choice(
            [v for v in (-127, -121, 0, 1, 124, 127) if v != raw.values[place]]
        )
        assert "value at" in refusal(with_value(raw, place, other))
    entries = raw.entries()
    assert "missing" in refusal(forge(raw.with_entries(entries[:-1])))
    free = next(key for key in range(1 << 18) if key not in dict(entries))
    assert "extra" in refusal(forge(raw.with_entries([*entries, (free, 0)])))
    assert "header's terminal" in refusal(forge(raw._replace(about=raw.about | {"terminal": "9"})))
    found = {**raw.about, "symmetries": "[]"}
    assert "the header" in refusal(forge(raw._replace(about=found)))
    assert "the game defines key" in refusal(forge(raw._replace(about=raw.about | {"keys": "1"})))


@pytest.mark.parametrize("suffix", FORMS)
@pytest.mark.parametrize("name", ["hexapawn:3x3", "ponghauki", "Relative", "Heaps", "Chain of 127"])
def test_forged_tables_are_refused(name: str, suffix: str) -> None:
    forger, generator = Forger(game_named(name), table_of(name, suffix)), random.Random(1)
    for _ in range(30):
        kind, forged = forge_any(forger, generator)
        assert refusal(forged, name), kind


class Alias(Game[Any, Any]):
    """True and 1 are equal, but the rules tell them apart."""

    def initial(self) -> Any:
        return (0,)

    def moves(self, p: Any) -> list[int]:
        return [0, 1]

    def play(self, p: Any, m: int) -> Any:
        return (True,) if m else (1,)

    def primitive(self, p: Any) -> Any:
        return None if p == (0,) else Outcome.LOSS if p[0] is True else None


def test_equal_positions_of_other_types_are_refused() -> None:
    content = verify_alone.Content({}, {}, str)
    with pytest.raises(WrongTableError, match="other types"):
        verify_alone.Walk(Alias(), content).reach()


# The command


def command(monkeypatch: pytest.MonkeyPatch, *line: str) -> int:
    monkeypatch.setattr(sys, "argv", ["verify_alone", *line])
    try:
        verify_alone.main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


def test_the_command_says_what_it_proved(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(monkeypatch, str(SHIPPED), "--game", "tictactoe") == 0
    assert capsys.readouterr().out.endswith("at 5,478 positions\n")
    rules = tmp_path / "heap_alone.py"
    source = Path(user_games.__file__).read_text()
    rules.write_text(source)
    name, table = f"{rules}:Heap", str(tmp_path / "heap.safetensors")
    Path(table).write_bytes(solved_bytes(load_game(name), suffix=".safetensors"))
    assert command(monkeypatch, table, "--game", name) == 0
    wrong = tmp_path / "wrong.json"
    wrong.write_bytes(edit_json(DAMAGES["trap"][0]))
    capsys.readouterr()
    assert command(monkeypatch, str(wrong), "--game", "tictactoe") == 1
    said = capsys.readouterr().err
    assert said.startswith("verify_alone: ")
    assert said.count("\n") == 1
    assert "X...O...." in said


@pytest.mark.parametrize(
    ("table", "game"),
    [
        ("missing.json", "tictactoe"),
        (str(SHIPPED), "tictactwo"),
        (str(SHIPPED), "missing.py:Game"),
        (str(ROOT / "README.md"), "tictactoe"),
        (str(ROOT / "data" / "connect4-7x6.book"), "connect4"),
    ],
)
def test_bad_input_is_one_line_and_status_2(
    table: str, game: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(monkeypatch, table, "--game", game) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_it_shares_nothing_with_the_package() -> None:
    """From the package it imports the base of games, their outcomes and how to load one."""
    tree = ast.walk(ast.parse(Path(verify_alone.__file__).read_text()))
    found = set()
    for node in tree:
        if isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    own = {name for name in found if name.split(".")[0] not in sys.stdlib_module_names}
    assert own == {"solver.Game", "solver.Outcome", "solver.games.load_game"}
