"""The script that proves tables with the standard library alone accepts right tables and no others.

It is independent of `verify`, so it also shows that the documentation says enough to read a table.
"""

from __future__ import annotations

import ast
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from examples.checkers import verify_alone
from examples.checkers.verify_alone import WrongTableError, prove
from solver import Game, load_game
from tests.conftest import ROOT, SHIPPED
from tests.rules.test_kinds import Told
from tests.support import small_games, user_games
from tests.support.forged import forge, forge_json, raw_of, rehash
from tests.support.tables import solved_bytes, table_path

FORMS = (".json", ".safetensors")
BUILT_IN = (
    *("hexapawn:3x3", "tictactoe", "nim:3,4,5", "ponghauki", "mutorere", "connect4:3x3,3"),
    *("clobber:4x2", "breakthrough:2x4", "kingspawns:k.../..../P.../...K"),
)
CUSTOM: dict[str, Game[Any, Any]] = {
    **{kind.__name__: kind() for kind in (user_games.Row, user_games.Word, user_games.Relative)},
    **{kind.__name__: kind() for kind in (user_games.Heap, user_games.Heaps)},
    **{kind.__name__: kind() for kind in (small_games.Line, small_games.Scattered)},
    "Chain of 126": small_games.Chain(126),
    "Chain of 127": small_games.Chain(127),
}


@cache
def game_named(name: str) -> Game[Any, Any]:
    return CUSTOM[name] if name in CUSTOM else load_game(name)


@cache
def table_of(name: str, suffix: str) -> bytes:
    if name in CUSTOM:
        return solved_bytes(CUSTOM[name], suffix=suffix)
    return table_path(name, suffix).read_bytes()


def refusal(data: bytes, name: str = "tictactoe") -> str:
    with pytest.raises(WrongTableError) as caught:
        prove(data, game_named(name))
    return str(caught.value)


@pytest.mark.no_cover
def test_the_shipped_tables_are_proved() -> None:
    tables = [p for p in (ROOT / "data").glob("*.json") if b"perfectplay table" in p.read_bytes()]
    shipped = [(p, json.loads(p.read_text())) for p in tables]
    shipped = [(p, content) for p, content in shipped if "entries" in content]
    assert SHIPPED in [p for p, _ in shipped]
    for path, content in shipped:
        assert prove(path.read_bytes(), load_game(content["game"])) == content["positions"]


@pytest.mark.parametrize("suffix", FORMS)
@pytest.mark.parametrize("name", [*BUILT_IN, *CUSTOM])
@pytest.mark.thinned(8)
def test_right_tables_are_proved(name: str, suffix: str) -> None:
    """With symmetries and without, with cycles, with default keys of every kind and with own."""
    data = table_of(name, suffix)
    about = json.loads(data) if suffix == ".json" else raw_of(data).about
    assert prove(data, game_named(name)) == int(about["positions"])


def edited(*place: Any, value: Any) -> bytes:
    """Return the JSON table of tic-tac-toe with another value in one place."""
    content = json.loads(table_of("tictactoe", ".json"))
    part = content
    for name in place[:-1]:
        part = part[name]
    part[place[-1]] = value
    return forge_json(content)


FIRST = ("entries", "X...O....")  # a draw; the entry for a corner and the centre
WRONG_TRAP = (*FIRST, 3, 0, 3), 0.25, "entry for"
DAMAGES: list[tuple[tuple[Any, ...], Any, str]] = [  # beside those of `forge`
    WRONG_TRAP,
    ((*FIRST, 3, 0, 3), 0, "entry for"),  # a trap of another type
    ((*FIRST, 0), False, "value at"),  # an outcome of another type
    ((*FIRST, 3, 0, 0), 8, "entry for"),
    (("entries", "XXXXXXXXX"), [-1, 0, [], []], "extra"),
    (("more",), 1, "the header"),
]


@pytest.mark.parametrize(("place", "value", "message"), DAMAGES)
@pytest.mark.thinned(3)
@pytest.mark.no_cover
def test_a_damage_is_named(place: tuple[Any, ...], value: Any, message: str) -> None:
    """A table with the right hash that is wrong in one respect."""
    assert message in refusal(edited(*place, value=value))


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


def test_a_bucket_that_ends_beyond_the_entries_is_refused() -> None:
    """It was accepted if all after it are empty, as is the last one here."""
    name = "connect4:3x3,3"
    raw = raw_of(table_of(name, ".safetensors"))
    assert raw.offsets[-2] == raw.offsets[-1]
    offsets = [*raw.offsets[:-2], raw.offsets[-1] + 1, raw.offsets[-1]]
    assert "a bucket ends before" in refusal(forge(raw._replace(offsets=offsets)), name)


def test_equal_positions_of_other_types_are_refused() -> None:
    content = verify_alone.Content({}, {}, str)
    with pytest.raises(WrongTableError, match="other types"):
        verify_alone.Walk(Told(True), content).reach()


def command(monkeypatch: pytest.MonkeyPatch, *line: str) -> int:
    monkeypatch.setattr(sys, "argv", ["verify_alone", *line])
    try:
        verify_alone.main()
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


@pytest.mark.slow
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
    wrong.write_bytes(edited(*WRONG_TRAP[0], value=0.25))
    capsys.readouterr()
    assert command(monkeypatch, str(wrong), "--game", "tictactoe") == 1
    message = capsys.readouterr().err
    assert message.startswith("verify_alone: ")
    assert message.count("\n") == 1
    assert "X...O...." in message


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
