"""Random command lines end with status 0, 1 or 2: without a traceback, and errors are one line.

`make campaigns` runs this.
"""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from solver.cli import app
from solver.cli.commands import COMMANDS
from tests.conftest import HEAP, SHIPPED, Command
from tests.support.properties import examples

WORDS = (
    *("X...O....", "XO.X..O..", "XXXXXXXXX", "", "-", "--", "X", "1223", "44444444", "5 1 7 3"),
    *(".........", "---------", "X\nO", "\x00", "é", "\udcff", "𝕏" * 9, "9" * 400, "-1", "0"),
    *("1", "3", "nan", "inf", "1e9", "X", "O", "x", "random", "perfect", "winblock", "level:0.5"),
    *("nstep:2", "human", "bot.py:move", "bot.py:missing", "bot.py"),
    *("table.json", "table.safetensors", "broken.json", "missing.json", "folder", "out.svg"),
    *("out.json", "out.csv", "out.safetensors", "out.png", "out.txt", "no/such/out.svg"),
    *("1GB", "10KB"),
    *("first", "both", "never-loses", "rows", "text", "kaggle", "best", "a2-a3", "dark", "#fff"),
    *("tictactoe", "nim:3,4,5", "hexapawn:3x3", "connect4:3x3,3", "conect4:4x4", "mnk:0,0,0"),
    *("connect4:99x99", "heap.py:Heap", "heap.py:Missing", "json:JSONDecoder", "python:json:x"),
)
SMALL = ("tictactoe", "nim:3,4,5", "hexapawn:3x3", "connect4:3x3,3", "heap.py:Heap", "go", "wild")
SLOW = ("grade", "arena", "estimate", "serve")  # in one of a hundred lines
FAST = [name for name in COMMANDS if name not in SLOW]
BOT = "def move(rows, side):\n    return next(c for c in range(9) if rows[c // 3][c % 3] is None)\n"
FILES = {"bot.py": BOT, "heap.py": HEAP, "broken.json": "{}", "table.json": SHIPPED.read_text()}


@st.composite
def lines(draw: st.DrawFn) -> list[str]:
    name = draw(st.sampled_from([*FAST * 25, *SLOW]))
    group: Any = typer.main.get_command(app)
    params = group.get_command(typer.Context(group), name).params
    flags = {one: p.is_flag for p in params for one in p.opts if one.startswith("-")}
    word, game = st.sampled_from(WORDS), st.sampled_from([*SMALL * 4, *WORDS])
    line = [name]
    for _ in range(draw(st.integers(0, 3))):
        if draw(st.booleans()) and flags:
            option = draw(st.sampled_from([*flags]))
            line.append(option)
            if not flags[option]:
                line.append(draw(game if option == "--game" else word))
        else:
            line.append(draw(game if name in ("solve", "check") else word))
    if name == "serve":
        line += ["--port", "no"]  # it would serve for ever
    return line


@pytest.mark.campaign
@settings(examples(2_000), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(line=lines())
def test_a_random_line_is_answered(line: list[str], command: Command) -> None:
    command.monkeypatch.setattr("sys.stdin", io.StringIO(""))
    Path("folder").mkdir(exist_ok=True)
    for name, text in FILES.items():
        if not os.path.isfile(name):  # an earlier line may have replaced it
            Path(name).write_text(text)
    status = command(*line)
    assert status in (0, 1, 2)
    assert "Traceback" not in command.err
    if status == 2:
        assert command.err.splitlines()[-1].startswith("perfectplay:")
